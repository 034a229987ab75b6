/** The state that all operations of the page share, and the actions on it. */
import type { Filled } from './asked.ts'
import type { Operation } from './description.ts'
import type { As, Outcome } from './sending.ts'
import type { Session } from './session.ts'

export interface Desk {
  /** The root of the server, without a slash at the end. */
  readonly server: string
  readonly session: Session | undefined
  readonly key: string
  readonly sendAs: As['by']
  readonly wallet: string | undefined
  setKey(key: string): void
  setSendAs(by: As['by']): void
  /** Signs with the throwaway wallet. Errors: those of the server. */
  fill(operation: Operation, filled: Filled): Promise<Filled>
  /** Called with every answer, because it may have changed the session. */
  noted(operation: Operation, outcome: Outcome): void
}

export function readSender({ sendAs, session, key }: Desk): As {
  if (sendAs === 'session' && session) return { by: 'session', csrf: session.csrf }
  if (sendAs === 'key') return { by: 'key', key }
  return { by: 'nobody', isSignedIn: session !== undefined }
}
