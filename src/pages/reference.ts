/** /docs: the description of the API, to read and to try. */
import type { Language } from '../web/languages.ts'
import { loadAssets } from './assets.ts'
import { writeDocsNavigation } from './docs-navigation.ts'
import { html, renderHtmlPage } from './shell.ts'
import { words } from './words/words.ts'

export async function renderReferencePage(language: Language): Promise<string> {
  const { onlyEnglish } = words[language].referencePage
  const { paths } = await loadAssets()
  return renderHtmlPage({
    path: '/docs',
    title: 'Proofgate API reference',
    description: 'Every operation of this Proofgate server, to read and to try.',
    layout: 'bare',
    head: html`<link rel="stylesheet" href="${paths['reference.css']}">
`,
    scripts: ['reference'],
    body: html`<header class="top">
<a class="mark" href="."><img src="${paths['favicon.svg']}" alt="" width="28" height="28"> Proofgate</a>
${writeDocsNavigation('', 'reference')}
<a href="openapi.json">openapi.json</a>
</header>
${onlyEnglish !== '' && html`<p class="quiet only-english" lang="${language}">${onlyEnglish}</p>\n`}<div id="reference" data-document="openapi.json">
<main>
<p class="note needs-script">Loading the reference …</p>
<noscript><p class="note">The reference needs JavaScript. Without it: <a href="openapi.json">openapi.json</a>, the same as OpenAPI 3.1, for any tool that reads that.</p></noscript>
</main>
</div>`,
  })
}
