/** Shows an error of a view, with a way to try again. */
import { describeProblem } from './problem-words.ts'

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: (() => void) | undefined }) {
  if (error === undefined) return null
  return (
    <div class="notice danger" role="alert">
      <p>{describeProblem(error)}</p>
      {retry && (
        <button type="button" class="link" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
