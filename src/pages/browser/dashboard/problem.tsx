/** Describes an error in words. "Refused", "unreachable" and "could not be looked up" are three different answers. */
import { ProofgateError } from '../../../client/client.ts'

export function describeProblem(error: unknown): string {
  if (!(error instanceof ProofgateError))
    return `Something failed in this page: ${error instanceof Error ? error.message : String(error)}. Reload it.`
  const { code, status, message, retryAfterSeconds, requestId } = error
  if (status === 0)
    return 'The server does not answer. Nothing is known of whether it did what was asked: look again in a moment.'
  if (code === 'RATE_LIMIT_EXCEEDED')
    return `That was too often. Wait ${retryAfterSeconds ?? 60} seconds, then try again.`
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`
  return status >= 500 && requestId !== undefined ? `${sentence} (requestId ${requestId})` : sentence
}

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
