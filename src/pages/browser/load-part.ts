/** Parts of a script that are loaded when they are first needed. */
import { NoAnswer } from './json-api.ts'

/** Errors: NoAnswer. The connection failed, or a newer server has replaced the one that the page is of. */
export const loadPart = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch(() => {
    throw new NoAnswer()
  })

/** Undefined where it did not load: a page of a person who signed out says so at its next request. */
export const loadSignOuts = () => import('./sign-outs.ts').catch(() => undefined)

/** Undefined where it did not load: the page then says that the session is over, without a way to sign in beside it. */
export const loadSessionOver = () => import('./session-over.ts').catch(() => undefined)
