/** The page that a person comes back to. It tells the window that waits, or goes on by itself; browser/oauth-callback.ts. */

import { describeTokenFault } from '../outside/social/wrong-token.ts'
import { type Html, html, renderHtmlPage, writeRoot } from '../pages/shell.ts'
import { type Words, words as wordsByLanguage } from '../pages/words/words.ts'
import type { Parts } from '../parts.ts'
import type { Language } from '../web/languages.ts'
import type { Return } from './finish.ts'
import { type Failure, signInTtlMs } from './sign-in.ts'

export interface CallbackPage {
  readonly page: string
  readonly status: number
  readonly retryAfterSeconds?: number
}

type Unusable = Extract<Return, { outcome: 'unusable' }>['why']

export async function renderCallbackPage(
  parts: Parts,
  { id, returned, language }: { readonly id: string; readonly returned: Return; readonly language: Language },
): Promise<CallbackPage> {
  const words = wordsByLanguage[language].providerPage
  const path = `/api/v1/auth/oauth/callback/${id}`
  const root = writeRoot(path)
  const label = parts.outside.social.provider(id)?.label ?? words.theProvider
  const renderPage = (status: number, title: string, body: Html, isReported: boolean): Promise<CallbackPage> =>
    renderHtmlPage({
      path,
      language,
      title: `${title} · Proofgate`,
      host: new URL(parts.addresses().authUrl).host,
      scripts: isReported ? ['oauth-callback'] : [],
      body,
    }).then((page) => ({ page, status }))

  if (returned.outcome === 'unusable') {
    const { status, lead, help } = listUnusable(words)[returned.why]
    const body = html`<h1>${words.unusable}</h1>
<p class="lead">${lead} ${words.nothingPassedOn}</p>
<p>${help}</p>
<p><a class="button secondary" href="${root}verify">${words.toStart}</a></p>`
    return renderPage(status, words.unusable, body, false)
  }

  const { state, returnTo, outcome } = returned
  const [member, word] = outcome === 'done' ? ['oauthState', state] : ['oauthError', returned.failure]
  const next = `${root}${returnTo.slice(1)}${returnTo.includes('?') ? '&' : '?'}${member}=${word}` as const
  const renderOutcome = (
    heading: string,
    lead: string,
    diagnosis?: string,
  ): Html => html`<div id="outcome" data-state="${state}" data-next="${next}"
${outcome === 'failed' && html` data-error="${word}"`}>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
<p id="close" hidden>${words.canClose}</p>
${diagnosis !== undefined && html`<details><summary>${words.forOperator}</summary><p class="details-body">${diagnosis}</p></details>\n`}<p id="go-on"><a class="button" href="${next}">${words.continue}</a></p>
</div>`
  if (outcome === 'done')
    return renderPage(200, words.signedIn, renderOutcome(words.signedInAt(label), words.goOn), true)
  const { status, heading, lead, diagnosis } = chooseFailedPage(words, label, returned.failure)
  const page = await renderPage(status, heading, renderOutcome(heading, lead, diagnosis), true)
  const { retryAfterSeconds } = returned
  return retryAfterSeconds === undefined ? page : { ...page, retryAfterSeconds }
}

interface FailedPage {
  readonly status: number
  readonly heading: string
  readonly lead: string
  /** For the operator, who can mend it. */
  readonly diagnosis?: string
}

type ProviderWords = Words['providerPage']

function chooseFailedPage(words: ProviderWords, label: string, failure: Failure): FailedPage {
  const pages = listFailedPages(words, label)
  if (failure in pages) return pages[failure as keyof typeof pages]
  return {
    status: 400,
    heading: words.doesNotCount,
    lead: `${words.wrongAnswer(label)} ${words.again}`,
    diagnosis: `The answer ${describeTokenFault(failure)}.`,
  }
}

const listFailedPages = (
  words: ProviderWords,
  label: string,
): Record<Extract<Failure, 'access_denied' | 'provider_refused' | 'provider_unavailable'>, FailedPage> => ({
  access_denied: { status: 400, heading: words.notAgreed, lead: words.notAgreedLead(label) },
  provider_refused: { status: 400, heading: words.refused(label), lead: words.again },
  provider_unavailable: { status: 503, heading: words.noAnswer(label), lead: words.noAnswerLead },
})

interface UnusablePage {
  readonly status: number
  readonly lead: string
  readonly help: string
}

const listUnusable = (words: ProviderWords): Record<Unusable, UnusablePage> => ({
  malformed: { status: 400, lead: words.malformed, help: words.startThere },
  unknown: { status: 400, lead: words.unknown(signInTtlMs / 60_000), help: words.startThere },
  'another-browser': { status: 403, lead: words.anotherBrowser, help: words.anotherBrowserHelp },
  repeated: { status: 409, lead: words.repeated, help: words.repeatedHelp },
})
