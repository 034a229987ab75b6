/** The markup that a script fills with the wallets of the browser. */

import { isLoopbackHost } from '../http/loopback.ts'
import type { Parts } from '../parts.ts'
import { type Html, html } from './shell.ts'
import type { Words } from './words/words.ts'

export const progressAreas = html`<div id="status" role="status"></div>
<div id="problem" role="alert"></div>`

export const renderWithoutScripts = ({ noScript }: Words['walletChoice']): Html =>
  html`<noscript><div class="notice warning"><p>${noScript}</p></div></noscript>`

interface Choice {
  readonly words: Words['walletChoice']
  /** The address of the sign-in pages, which a phone would open. Undefined on the phone itself. */
  readonly authUrl?: string
  /** What the wallet will show. */
  readonly preview?: string
}

export const renderWalletChoice = ({
  words,
  authUrl,
  preview,
}: Choice): Html => html`<section aria-labelledby="wallets-heading">
<h2 id="wallets-heading" tabindex="-1" aria-live="polite">${words.looking}</h2>
${preview !== undefined && html`<p class="quiet">${preview}</p>\n`}<ul class="choices" id="wallets"></ul>
<div id="no-wallet" hidden>
<p id="on-computer">${words.onComputer}</p>
<div id="on-phone" hidden>
<p>${words.onPhone}</p>
<ul class="choices" id="wallet-apps"></ul>
<pre class="code" id="this-page" data-copy="${words.copyAddress}"></pre>
</div>
</div>
<div id="use-phone"></div>
${authUrl !== undefined && renderReach(new URL(authUrl), words)}</section>`

const renderReach = ({ host, hostname }: URL, words: Words['walletChoice']): Html | false =>
  isLoopbackHost(hostname) && html`<p class="quiet phone-reach">${words.noPhone(host)}</p>\n`

interface PhonePlace {
  /** From the page to the root of the server. */
  readonly root: string
  readonly purpose: 'sign-in' | 'verify' | 'checkout'
  /** An address of the site that opened the page. */
  readonly site: string | undefined
}

/** Where a phone is connected, with what the phone is told of this page. */
export const renderPhonePlace = ({ root, purpose, site }: PhonePlace): Html =>
  html`<section id="phone" data-api="${root}api/v1/auth/pairings" data-purpose="${purpose}"${site !== undefined && html` data-site="${new URL(site).origin}"`} hidden></section>`

/**
 * The base of the sign-in pages: the page's path to this server (`root`), which includes a proxy's path prefix. If the
 * operator configured a separate sign-in address, it is that address.
 */
export function writeSignInRoot({ addresses }: Pick<Parts, 'addresses'>, root: string): string {
  const { baseUrl, authUrl } = addresses()
  return authUrl === baseUrl ? root : `${authUrl}/`
}
