/** /: confirms the server to a browser, and links onward. */
import { html, renderHtmlPage } from './shell.ts'

export const renderRootPage = ({
  withReference,
  door,
}: {
  readonly withReference: boolean
  /** The address of the sign-in pages (sign-in-root.ts). */
  readonly door: string
}): Promise<string> =>
  renderHtmlPage({
    path: '/',
    title: 'Proofgate',
    description: 'A Proofgate server: wallet-signed claims become portable proofs.',
    body: html`<h1>Proofgate is running</h1>
<p class="lead">Wallet-signed claims become portable proofs, and proofs become access.</p>
<ul class="links">
<li><a href="${door}login?returnTo=%2F">Sign in</a><span>with a wallet: your proofs, gates, keys and all else that is yours here</span></li>
<li><a href="${door}verify">Make a proof</a><span>sign a claim, and take the proof with you</span></li>
${
  withReference &&
  html`<li><a href="docs/guides">Guides</a><span>how to use and run this server</span></li>
<li><a href="docs">API reference</a><span>every operation, to read and to try</span></li>
<li><a href="widget">Widget</a><span>a gate and a badge in pages of your own</span></li>\n`
}<li><a href="openapi.json">openapi.json</a><span>the same for programs: OpenAPI 3.1</span></li>
<li><a href="api/v1/health">Health</a><span>whether this server can do its work</span></li>
</ul>`,
  })
