/** /: confirms the server to a browser, and links onward. */

import type { Language } from '../web/languages.ts'
import { html, renderHtmlPage } from './shell.ts'
import { words as wordsBy } from './words/words.ts'

interface Start {
  readonly language: Language
  readonly withReference: boolean
  /** The address of the sign-in pages (sign-in-root.ts). */
  readonly door: string
}

export function renderRootPage({ language, withReference, door }: Start): Promise<string> {
  const words = wordsBy[language].startPage
  return renderHtmlPage({
    path: '/',
    language,
    title: words.title,
    description: words.description,
    body: html`<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
<ul class="links">
<li><a href="${door}login?returnTo=%2F">${words.signIn}</a><span>${words.signInNote}</span></li>
<li><a href="${door}verify">${words.makeProof}</a><span>${words.makeProofNote}</span></li>
${
  withReference &&
  html`<li><a href="docs/guides">${words.guides}</a><span>${words.guidesNote}</span></li>
<li><a href="docs">${words.reference}</a><span>${words.referenceNote}</span></li>
<li><a href="widget">${words.widget}</a><span>${words.widgetNote}</span></li>\n`
}<li><a href="openapi.json">openapi.json</a><span>${words.openApi}</span></li>
<li><a href="api/v1/health">${words.health}</a><span>${words.healthNote}</span></li>
</ul>`,
  })
}
