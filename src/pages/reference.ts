/** /docs: the description of the API, to read and to try. */
import { loadAssets } from './assets.ts'
import { html, htmlPage } from './shell.ts'

export async function referencePage(): Promise<string> {
  const { paths } = await loadAssets()
  return htmlPage({
    path: '/docs',
    title: 'Proofgate API reference',
    description: 'Every operation of this Proofgate server, to read and to try.',
    layout: 'bare',
    // A module runs after a deferred script: Swagger UI is there when the page's own script starts.
    head: html`<link rel="stylesheet" href="${paths['swagger-ui.css']}">
<link rel="stylesheet" href="${paths['reference.css']}">
<script defer src="${paths['swagger-ui.js']}"></script>
`,
    scripts: ['reference'],
    body: html`<header class="top">
<a class="mark" href="."><img src="${paths['favicon.svg']}" alt="" width="28" height="28"> Proofgate</a>
<a href="openapi.json">openapi.json</a>
</header>
<main id="reference" data-document="openapi.json"><p class="note">Loading the reference …</p></main>
<noscript><p class="note">The reference needs JavaScript. Without it: <a href="openapi.json">openapi.json</a>.</p></noscript>`,
  })
}
