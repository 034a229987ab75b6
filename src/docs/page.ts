/** The two pages a person sees. Nothing inline, nothing from elsewhere: pageHeaders forbids both. */
import type { Assets } from './assets.ts'

interface Page {
  readonly title: string
  readonly description: string
  readonly head?: string
  readonly body: string
}

/** Addresses are relative, so that the pages work below a path prefix of a proxy. */
const html = ({ paths }: Assets, { title, description, head = '', body }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${paths.favicon}">
${head}<link rel="stylesheet" href="${paths.pagesStyle}">
</head>
<body>
${body}
</body>
</html>
`

/** What a browser finds at the root: that it has come to the right place, and where to go on. */
export const rootPage = (assets: Assets, { withReference }: { readonly withReference: boolean }): string =>
  html(assets, {
    title: 'Proofgate',
    description: 'A Proofgate server: wallet-signed claims become portable proofs.',
    body: `<main class="root">
<img src="${assets.paths.favicon}" alt="" width="56" height="56">
<h1>Proofgate is running</h1>
<p>Wallet-signed claims become portable proofs, and proofs become access.</p>
<ul>
${withReference ? '<li><a href="docs">API reference</a><span>every operation, to read and to try</span></li>\n' : ''}<li><a href="openapi.json">openapi.json</a><span>the same for programs: OpenAPI 3.1</span></li>
<li><a href="api/v1/health">Health</a><span>whether this server can do its work</span></li>
</ul>
</main>`,
  })

export const referencePage = (assets: Assets): string =>
  html(assets, {
    title: 'Proofgate API reference',
    description: 'Every operation of this Proofgate server, to read and to try.',
    head: `<link rel="stylesheet" href="${assets.paths.swaggerStyle}">
<script defer src="${assets.paths.swaggerScript}"></script>
<script defer src="${assets.paths.referenceScript}"></script>
`,
    body: `<header class="bar">
<a href="."><img src="${assets.paths.favicon}" alt="" width="28" height="28"> Proofgate</a>
<a href="openapi.json">openapi.json</a>
</header>
<main id="reference" data-document="openapi.json"><p class="note">Loading the reference …</p></main>
<noscript><p class="note">The reference needs JavaScript. Without it: <a href="openapi.json">openapi.json</a>.</p></noscript>`,
  })
