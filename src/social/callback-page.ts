/** The page that a person comes back to. It tells the window that waits, or goes on by itself; browser/oauth-callback.ts. */

import { describeTokenFault } from '../outside/social/wrong-token.ts'
import { type Html, html, renderHtmlPage, writeRoot } from '../pages/shell.ts'
import type { Parts } from '../parts.ts'
import type { Return } from './finish.ts'
import { type Failure, signInTtlMs } from './sign-in.ts'

export interface CallbackPage {
  readonly page: string
  readonly status: number
  readonly retryAfterSeconds?: number
}

type Unusable = Extract<Return, { outcome: 'unusable' }>['why']

export async function renderCallbackPage(parts: Parts, id: string, returned: Return): Promise<CallbackPage> {
  const path = `/api/v1/auth/oauth/callback/${id}`
  const root = writeRoot(path)
  const label = parts.outside.social.provider(id)?.label ?? 'the provider'
  const renderPage = (status: number, title: string, body: Html, isReported: boolean): Promise<CallbackPage> =>
    renderHtmlPage({
      path,
      title: `${title} · Proofgate`,
      host: new URL(parts.addresses().authUrl).host,
      scripts: isReported ? ['oauth-callback'] : [],
      body,
    }).then((page) => ({ page, status }))

  if (returned.outcome === 'unusable') {
    const { status, lead, help } = unusable[returned.why]
    const body = html`<h1>This sign-in cannot be used</h1>
<p class="lead">${lead} Nothing was passed on.</p>
<p>${help}</p>
<p><a class="button secondary" href="${root}verify">Go to the start</a></p>`
    return renderPage(status, 'This sign-in cannot be used', body, false)
  }

  const { state, returnTo, outcome } = returned
  const [member, word] = outcome === 'done' ? ['oauthState', state] : ['oauthError', returned.failure]
  const next = `${root}${returnTo.slice(1)}${returnTo.includes('?') ? '&' : '?'}${member}=${word}` as const
  const renderOutcome = (
    heading: string,
    lead: string,
  ): Html => html`<div id="outcome" data-state="${state}" data-next="${next}"
${outcome === 'failed' && html` data-error="${word}"`}>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
<p id="close" hidden>You can close this window now.</p>
<p id="go-on"><a class="button" href="${next}">Continue</a></p>
</div>`
  if (outcome === 'done')
    return renderPage(
      200,
      'Signed in',
      renderOutcome(`Signed in at ${label}`, 'You can go on where you came from.'),
      true,
    )
  const { status, heading, lead } = chooseFailedPage(label, returned.failure)
  const page = await renderPage(status, heading, renderOutcome(heading, lead), true)
  const { retryAfterSeconds } = returned
  return retryAfterSeconds === undefined ? page : { ...page, retryAfterSeconds }
}

interface FailedPage {
  readonly status: number
  readonly heading: string
  readonly lead: string
}

const again = 'Start it again. If the same happens once more, tell the operator of this server.'

function chooseFailedPage(label: string, failure: Failure): FailedPage {
  const pages = listFailedPages(label)
  if (failure in pages) return pages[failure as keyof typeof pages]
  return {
    status: 400,
    heading: 'This sign-in does not count',
    lead: `${label} answered, but the answer ${describeTokenFault(failure)}. Nothing was passed on. ${again}`,
  }
}

const listFailedPages = (
  label: string,
): Record<Extract<Failure, 'access_denied' | 'provider_refused' | 'provider_unavailable'>, FailedPage> => ({
  access_denied: {
    status: 400,
    heading: 'You did not agree',
    lead: `${label} says that you did not agree to sign in. Nothing was shown to this server.`,
  },
  provider_refused: {
    status: 400,
    heading: `${label} refused the sign-in`,
    lead: again,
  },
  provider_unavailable: {
    status: 503,
    heading: `${label} gave no usable answer`,
    lead: 'This does not mean no: who you are there could not be found out just now. Start again in a while.',
  },
})

const unusable: Record<Unusable, { readonly status: number; readonly lead: string; readonly help: string }> = {
  malformed: {
    status: 400,
    lead: 'The address that brought you here is not one that a provider sends people back to.',
    help: 'Go back to where you came from and start the sign-in again.',
  },
  unknown: {
    status: 400,
    lead: `This sign-in is not known here, or took longer than ${signInTtlMs / 60_000} minutes.`,
    help: 'Go back to where you came from and start it again.',
  },
  'another-browser': {
    status: 403,
    lead: 'This sign-in was not begun in this browser.',
    help: 'If somebody sent you a link to sign in with: they would have got an account of yours shown as theirs. Start your own sign-in, here, if you want one.',
  },
  repeated: {
    status: 409,
    lead: 'This sign-in has come back before, and is used up.',
    help: 'If you reloaded the page, go back to where you came from. Start the sign-in again if it is not finished there.',
  },
}
