/**
 * The return from another provider. It informs our pages by the window's opener and by a broadcast, because providers
 * may cut the opener off. If a waiting page answers, this window closes. Otherwise the journey continues in this
 * window.
 */
const outcome = document.getElementById('outcome')!
const { state = '', error, next = './' } = outcome.dataset
const answeredWithinMs = 400

const message = error === undefined ? { type: 'oauth_success', state } : { type: 'oauth_error', state, error }
const channel = new BroadcastChannel('proofgate-oauth')

/** Returns the opener if it is a page of this server: a foreign site may have opened the window. */
function findOwnOpener(): Window | undefined {
  const opener = window.opener as Window | null
  try {
    return opener?.location.origin === location.origin ? opener : undefined
  } catch {
    return undefined
  }
}

function continueSignIn(): void {
  channel.close()
  location.replace(next)
}
const waiting = setTimeout(continueSignIn, answeredWithinMs)

function handleAnswer(answer: unknown): void {
  const { type, state: named } = (answer ?? {}) as { readonly type?: unknown; readonly state?: unknown }
  if (type !== 'oauth_received' || named !== state) return
  clearTimeout(waiting)
  channel.close()
  window.close()
  // Some browsers do not close a window that has visited another origin.
  document.getElementById('close')!.hidden = false
  document.getElementById('go-on')!.hidden = true
}

channel.addEventListener('message', ({ data }) => handleAnswer(data))
window.addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin) handleAnswer(data)
})
channel.postMessage(message)
findOwnOpener()?.postMessage(message, location.origin)

export {}
