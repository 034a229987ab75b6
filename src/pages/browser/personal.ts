/** Runs on pages that show what one person may read. After a sign-out, or another sign-in, they are loaded anew. */
import { reloadWhenSignedOut } from './sign-outs.ts'

const { person, root } = document.body.dataset

/** An ended session changes nothing: what was typed stays, and the person can sign in again. */
async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  const answer = await fetch(`${root}api/v1/auth/me`).catch(() => undefined)
  const { data } = ((await answer?.json().catch(() => undefined)) ?? {}) as Answer
  if (data?.authenticated && data.did !== person) location.reload()
}

interface Answer {
  readonly data?: { readonly authenticated: boolean; readonly did?: string }
}

reloadWhenSignedOut()
addEventListener('focus', look)
document.addEventListener('visibilitychange', look)
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
