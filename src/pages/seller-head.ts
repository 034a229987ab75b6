/** The seller of a gate at the head of its checkout: readable before any script runs and before anybody signs in. */
import type { ShownSeller } from '../gates/appearance/seller.ts'
import { shortenAddress } from '../web/ui/dom.ts'
import { type Html, html } from './shell.ts'
import type { Words } from './words/words.ts'

export interface SellerHead {
  readonly seller: ShownSeller
  readonly gateId: string
  /** From the page to the root of the server. */
  readonly root: string
  readonly words: Words['seller']
}

/** A picture at least this much wider than high stands above the name, and others beside it. */
const wideRatio = 1.6

export function renderSeller({ seller, gateId, root, words }: SellerHead): Html {
  const { name, walletAddress, domain, picture } = seller
  const isWide = picture !== undefined && picture.width / picture.height >= wideRatio
  const image =
    picture &&
    html`<img class="${isWide ? 'offer-picture' : 'seller-logo'}" src="${root}g/${gateId}/picture/${picture.digest}" alt="" width="${picture.width}" height="${picture.height}">`
  const title = name ?? domain?.name ?? shortenAddress(walletAddress)
  return html`<div class="seller">
${isWide || !image ? html`<span class="seller-logo" aria-hidden="true">${writeMonogram(name ?? domain?.name ?? walletAddress.replace(/^0x/, ''))}</span>` : image}
<div class="seller-text"><p class="seller-name"><span class="visually-hidden">${words.offeredBy} </span><bdi>${title}</bdi></p>
<p class="seller-proof">${domain && renderDomain(domain, root, words)}${(name !== null || domain !== undefined) && html`<span class="address" title="${walletAddress}">${shortenAddress(walletAddress)}</span>`}${name === null && domain === undefined && html`<span class="quiet">${words.wallet}</span>`}</p></div>
</div>
${isWide && image}`
}

function renderDomain({ name, qHash }: NonNullable<ShownSeller['domain']>, root: string, words: Words['seller']): Html {
  const text = html`<bdi>${name}</bdi>`
  return html`<span class="seller-domain" title="${words.domainShown}"><span class="visually-hidden">${words.verifiedDomain} </span>${qHash === undefined ? text : html`<a href="${root}proof/${qHash}">${text}</a>`}</span>`
}

/** Up to two letters: of the first two words, or of the only one. */
function writeMonogram(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '?')].slice(0, 2)
  return letters.join('').toUpperCase()
}
