/**
 * /pair: the phone's side of a pairing. The code stands in the fragment of the address, which reaches no server. A
 * wallet app is given it in the query, because some apps drop fragments.
 */
import type { Parts } from '../parts.ts'
import { html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas, renderWalletChoice } from './sign-in-root.ts'
import { words as wordsByLanguage } from './words/words.ts'

export function renderPairPage(parts: Parts, request: Request): Promise<string> {
  const frame = readFrame(parts, request)
  const { pairPage: words, walletChoice } = wordsByLanguage[frame.language]
  const root = writeRoot(frame.path)
  return renderHtmlPage({
    ...frame,
    // Another language must not lead back to a code, which serves once.
    query: '',
    title: `${words.title} · Proofgate`,
    description: words.description,
    scripts: ['pair'],
    body: html`<div id="page" data-api="${root}api/v1/auth/pairings" data-server="${new URL(parts.addresses().authUrl).host}">
<h1>${words.title}</h1>
${progressAreas}
<noscript><div class="notice warning"><p>${words.noScript}</p></div></noscript>
<div id="pairing"></div>
<div id="way-in" hidden>
${renderWalletChoice({ words: walletChoice })}
</div>
</div>`,
  })
}
