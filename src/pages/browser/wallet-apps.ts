/** Leads from a phone without a wallet in its browser into the browsers of wallet apps. Only phones load this. */
import { makeElement, requireElement } from '../../web/ui/dom.ts'
import { wallets as words } from '../words/en/wallets.ts'

/** Opens a page in the browser inside a wallet app: links that a person taps, in the form that each maker documents. */
const apps: readonly (readonly [name: string, link: (address: URL) => string])[] = [
  ['MetaMask', ({ host, pathname, search }) => `https://metamask.app.link/dapp/${host}${pathname}${search}`],
  ['Coinbase Wallet', ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`],
  ['Trust Wallet', ({ href }) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(href)}`],
  [
    'Phantom',
    ({ href, origin }) => `https://phantom.app/ul/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
  ],
]

const listWalletApps = (address: URL): readonly { readonly name: string; readonly href: string }[] =>
  apps.map(([name, link]) => ({ name, href: link(address) }))

/** `address` is the page to open in a wallet app. */
export function showWalletApps(address: URL): void {
  requireElement('on-computer').hidden = true
  requireElement('on-phone').hidden = false
  requireElement('this-page').textContent = address.href
  requireElement('wallet-apps').replaceChildren(
    ...listWalletApps(address).map(({ name, href }) =>
      makeElement(
        'li',
        {},
        makeElement(
          'a',
          { class: 'choice', href, rel: 'noreferrer' },
          makeElement(
            'span',
            { class: 'choice-text' },
            makeElement('span', { class: 'choice-name' }, words.openIn(name)),
          ),
        ),
      ),
    ),
  )
}
