/** /: confirms the server to a browser, and links onward. */

import type { Language } from '../web/languages.ts'
import { type Html, html, renderHtmlPage } from './shell.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

interface Start {
  readonly language: Language
  readonly withReference: boolean
  /** The address of the sign-in pages (sign-in-root.ts). */
  readonly door: string
  readonly operator: { readonly operatorName?: string; readonly operatorContact?: string }
}

export function renderRootPage({ language, withReference, door, operator }: Start): Promise<string> {
  const words = wordsByLanguage[language].startPage
  return renderHtmlPage({
    path: '/',
    language,
    title: words.title,
    description: words.description,
    body: html`<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
<div class="actions">
<a class="button" href="${door}verify">${words.makeProof}</a>
<a class="button secondary" href="${door}login?returnTo=%2F">${words.signIn}</a>
</div>
<p class="quiet for-gates">${words.gates} <a href="${door}login?returnTo=%2Fgates%2Fnew">${words.buildGate}</a></p>
<p class="quiet for-developers">${words.forDevelopers} ${
      withReference
        ? html`<a href="docs">${words.reference}</a>, <a href="docs/guides">${words.guides}</a>, <a href="widget">${words.widget}</a>`
        : html`<a href="openapi.json">${words.reference}</a>`
    }</p>
${renderOperator(operator, words)}`,
  })
}

function renderOperator(
  { operatorName, operatorContact }: Start['operator'],
  words: Words['startPage'],
): Html | undefined {
  if ((operatorName ?? operatorContact) === undefined) return undefined
  const address = operatorContact?.includes('://') ? operatorContact : `mailto:${operatorContact}`
  return html`<p class="quiet">${operatorName !== undefined && html`${words.operator(html`<bdi>${operatorName}</bdi>`)} `}${
    operatorContact !== undefined && html`<a href="${address}" rel="noreferrer">${words.contact}</a>`
  }</p>`
}
