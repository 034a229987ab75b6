/**
 * Back from another provider: tells the page of ours that opened this window, and closes it; without one, goes on by
 * itself. Providers may cut a window off from its opener, so the news also goes out to all our pages in this browser,
 * and whoever has waited for it answers.
 */
const outcome = document.getElementById('outcome')!
const { state = '', error, next = './' } = outcome.dataset
const answeredWithinMs = 600

const message = error === undefined ? { type: 'oauth_success', state } : { type: 'oauth_error', state, error }

/** The opener, if it is a page of ours: another one may have opened the window that this page came up in. */
function ownOpener(): Window | undefined {
  const opener = window.opener as Window | null
  try {
    return opener && opener.location.origin === location.origin ? opener : undefined
  } catch {
    return undefined
  }
}

function done(): void {
  window.close()
  // Some browsers close no window that has been elsewhere.
  document.getElementById('close')!.hidden = false
  document.getElementById('go-on')!.hidden = true
}

const waiting = ownOpener()
if (waiting) {
  waiting.postMessage(message, location.origin)
  done()
} else {
  const channel = new BroadcastChannel('proofgate-oauth')
  const goOn = setTimeout(() => {
    channel.close()
    location.replace(next)
  }, answeredWithinMs)
  channel.addEventListener('message', ({ data }) => {
    if (data?.type !== 'oauth_received' || data.state !== state) return
    clearTimeout(goOn)
    channel.close()
    done()
  })
  channel.postMessage(message)
}

export {}
