/** Shows an error of a view, with a way to try again. */
import { dashboard as words } from '../../words/en/dashboard.ts'
import { describeProblem, isSessionOver } from './failure.ts'

export function Problem({
  error,
  retry,
  isRepeated = retry !== undefined,
}: {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
  /** The page repeats the request by itself (repeat.ts). */
  readonly isRepeated?: boolean
}) {
  // The notice about the session says it once, for all views (session-notice.tsx).
  if (error === undefined || isSessionOver(error)) return null
  return (
    <div class="notice danger" role="alert">
      <p>{describeProblem(error, { isRepeated })}</p>
      {retry && (
        <button type="button" class="link" onClick={retry}>
          {words.tryAgain}
        </button>
      )}
    </div>
  )
}
