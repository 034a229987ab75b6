/** The markup that a script fills with the wallets of the browser. */
import type { Parts } from '../parts.ts'
import { html } from './shell.ts'

export const progressAreas = html`<div id="status" role="status"></div>
<div id="problem" role="alert"></div>`

export const withoutScripts = html`<noscript><div class="notice warning"><p>A wallet is asked by a script, and scripts are switched off in this browser. Switch them on for this page and reload it; it loads none from elsewhere.</p></div></noscript>`

export const walletChoice = html`<section aria-labelledby="wallets-heading">
<h2 id="wallets-heading" tabindex="-1" aria-live="polite">Looking for wallets in this browser …</h2>
<ul class="choices" id="wallets"></ul>
<div id="no-wallet" hidden>
<p>No wallet answered. What you can do:</p>
<ul>
<li>On a computer, install a wallet as an extension of this browser (MetaMask, Rabby, Phantom and many others), then reload this page.</li>
<li>On a phone, open this page in the browser that is inside your wallet’s app. Its address:</li>
</ul>
<pre class="code" id="this-page" data-copy="Copy the address of this page"></pre>
</div>
</section>`

/**
 * The base of the sign-in pages: the page's path to this server (`root`), which includes a proxy's path prefix. If the
 * operator configured a separate sign-in address, it is that address.
 */
export function writeSignInRoot({ addresses }: Pick<Parts, 'addresses'>, root: string): string {
  const { baseUrl, authUrl } = addresses()
  return authUrl === baseUrl ? root : `${authUrl}/`
}
