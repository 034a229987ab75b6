/**
 * Back from another provider: tells our pages in this browser, by the opener of this window and to all of them, because
 * providers may cut a window off from its opener. One that has waited answers, and this window closes; where none does,
 * it goes on by itself, as it does in a window that the whole way went through.
 */
const outcome = document.getElementById('outcome')!
const { state = '', error, next = './' } = outcome.dataset
const answeredWithinMs = 400

const message = error === undefined ? { type: 'oauth_success', state } : { type: 'oauth_error', state, error }
const channel = new BroadcastChannel('proofgate-oauth')

/** The opener, if it is a page of ours: a site may have opened the window that this page came up in. */
function ownOpener(): Window | undefined {
  const opener = window.opener as Window | null
  try {
    return opener?.location.origin === location.origin ? opener : undefined
  } catch {
    return undefined
  }
}

function goOn(): void {
  channel.close()
  location.replace(next)
}
const waiting = setTimeout(goOn, answeredWithinMs)

function heard(answer: unknown): void {
  const { type, state: named } = (answer ?? {}) as { readonly type?: unknown; readonly state?: unknown }
  if (type !== 'oauth_received' || named !== state) return
  clearTimeout(waiting)
  channel.close()
  window.close()
  // Some browsers close no window that has been elsewhere.
  document.getElementById('close')!.hidden = false
  document.getElementById('go-on')!.hidden = true
}

channel.addEventListener('message', ({ data }) => heard(data))
window.addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin) heard(data)
})
channel.postMessage(message)
ownOpener()?.postMessage(message, location.origin)

export {}
