/** A sign-out in one tab ends what the others show of the person. */
import { forgetForms } from './person-here.ts'

/** One for the page, because a channel does not hear its own messages. Old browsers have none. */
const signOuts = 'BroadcastChannel' in globalThis ? new BroadcastChannel('proofgate sign-out') : undefined

/** Has the other tabs show and keep nothing more of the person who signed out. */
export const tellSignedOut = (): void => signOuts?.postMessage('signed out')

/** Other tabs show what belongs to the person who signed out: they are loaded anew. */
export function reloadWhenSignedOut(): void {
  signOuts?.addEventListener('message', () => {
    forgetForms()
    location.reload()
  })
}
