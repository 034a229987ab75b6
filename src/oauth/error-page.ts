/** The error page for a person, when the client itself must not receive the error. */
import type { AppError } from '../errors.ts'
import { isForReaders, writeSentence } from '../pages/refusal-words.ts'
import { html, renderHtmlPage } from '../pages/shell.ts'
import { words as wordsByLanguage } from '../pages/words/words.ts'
import type { Parts } from '../parts.ts'
import type { Language } from '../web/languages.ts'
import { UnknownClientError } from './authorize.ts'
import { authorizePath } from './metadata.ts'

export function renderErrorPage({ addresses }: Parts, error: AppError, language: Language): Promise<string> {
  const words = wordsByLanguage[language].consentError
  const { mcpUrl, authUrl } = addresses()
  const isUnknown = error instanceof UnknownClientError
  const isForPeople = isForReaders(error.message)
  const heading = isUnknown ? words.unknownTitle : words.title
  return renderHtmlPage({
    path: authorizePath,
    language,
    title: `${heading} · Proofgate`,
    host: new URL(authUrl).host,
    body: isUnknown
      ? html`<h1>${heading}</h1>
<p class="lead">${words.unknownLead}</p>
<p class="notice info">${words.nothingSent}</p>
<h2>${words.whatToDo}</h2>
<ol>
<li>${words.openList}</li>
<li>${words.remove}</li>
<li>${words.addAgain(html`<code>${mcpUrl}/mcp</code>`)}</li>
</ol>`
      : html`<h1>${heading}</h1>
<p class="notice danger" role="alert">${isForPeople ? writeSentence(error.message) : words.wrongRequest}</p>
<p>${words.goBack}</p>
${!isForPeople && html`<details><summary>${words.forMakers}</summary><p class="details-body">${error.message}.</p></details>`}`,
  })
}

/** Browsers ask for a page; programs, which say nothing or anything, get JSON. */
export const wantsPage = (headers: Headers): boolean => /\btext\/html\b/i.test(headers.get('accept') ?? '')
