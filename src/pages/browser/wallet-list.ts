/** The wallets of this browser as buttons. A late wallet is added at the end, so that no button moves. */
import { makeElement } from '../../web/ui/dom.ts'
import { wallets as words } from '../words/en/wallets.ts'
import type { Wallet } from './wallet.ts'

const most = 30
const nameMaxLength = 60

export class WalletList {
  private shown: {
    readonly wallet: Wallet
    readonly item: HTMLLIElement
    readonly name: HTMLElement
    readonly note: HTMLElement
  }[] = []

  constructor(
    private readonly list: HTMLUListElement,
    private readonly choose: (wallet: Wallet, button: HTMLButtonElement) => void,
    /** What a press does, if not only the choice of the wallet. */
    private does?: string,
  ) {}

  get count(): number {
    return this.shown.length
  }

  get only(): { readonly wallet: Wallet; readonly button: HTMLButtonElement } | undefined {
    const [one, another] = this.shown
    return one && !another ? { wallet: one.wallet, button: one.item.querySelector('button')! } : undefined
  }

  add(wallet: Wallet): void {
    if (this.shown.length >= most) return
    const note = makeElement('span', { class: 'choice-note' })
    // Isolated, because a name may have another direction of writing, or control characters.
    const name = makeElement('bdi', { class: 'choice-name' })
    const button: HTMLButtonElement = makeElement(
      'button',
      { type: 'button', class: 'choice', onclick: () => this.choose(wallet, button) },
      renderIcon(wallet),
      makeElement('span', { class: 'choice-text' }, name, note),
    )
    const item = makeElement('li', {}, button)
    this.shown.push({ wallet, item, name, note })
    this.list.append(item)
    this.writeNotes()
  }

  remove(wallet: Wallet): void {
    this.shown.find((one) => one.wallet === wallet)?.item.remove()
    this.shown = this.shown.filter((one) => one.wallet !== wallet)
    this.writeNotes()
  }

  name(does: string): void {
    this.does = does
    this.writeNotes()
  }

  /** Shows the chain. Wallets of the same name also show the maker that they state. */
  private writeNotes(): void {
    for (const { wallet, name, note } of this.shown) {
      const family = wallet.family === 'Solana' ? words.solana : words.ethereum
      const isDouble = this.shown.some(
        ({ wallet: other }) => other !== wallet && writeName(other) === writeName(wallet),
      )
      const detail = isDouble && wallet.rdns ? `${family} · ${wallet.rdns.slice(0, nameMaxLength)}` : family
      name.textContent = this.does ?? writeName(wallet)
      note.textContent = this.does ? `${writeName(wallet)} · ${detail}` : detail
    }
  }
}

export function writeName({ name }: Wallet): string {
  // Control characters, and characters that change the direction of the following text.
  const plain = name.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').trim()
  return plain.length > nameMaxLength ? `${plain.slice(0, nameMaxLength)}…` : plain || words.nameless
}

/** Accepts only an image within the address itself: loading another one would tell its server of this visit. */
const isOwnImage = (icon: string | undefined): icon is string =>
  icon !== undefined &&
  icon.length <= 1_000_000 &&
  /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(icon.trim())

function renderIcon(wallet: Wallet): HTMLElement {
  const letter = makeElement('span', { class: 'choice-icon', 'aria-hidden': 'true' }, [...writeName(wallet)][0])
  if (!isOwnImage(wallet.icon)) return letter
  const image: HTMLImageElement = makeElement('img', {
    class: 'choice-icon',
    alt: '',
    onerror: () => image.replaceWith(letter),
    src: wallet.icon.trim(),
  })
  return image
}
