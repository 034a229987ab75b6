/** The wallets of this browser as buttons. A wallet that comes late is added; what is there stays where it is. */
import type { Wallet } from './wallet.ts'

const most = 30
const nameMaxLength = 60

export class WalletList {
  private shown: { readonly wallet: Wallet; readonly item: HTMLLIElement; readonly note: HTMLElement }[] = []

  constructor(
    private readonly list: HTMLUListElement,
    private readonly choose: (wallet: Wallet, button: HTMLButtonElement) => void,
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
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'choice'
    const text = document.createElement('span')
    text.className = 'choice-text'
    // A name of another direction, or of control characters, stays within itself.
    const name = document.createElement('bdi')
    name.className = 'choice-name'
    name.textContent = writeName(wallet)
    const note = document.createElement('span')
    note.className = 'choice-note'
    text.append(name, note)
    button.append(renderIcon(wallet), text)
    button.addEventListener('click', () => this.choose(wallet, button))
    item.append(button)
    this.shown.push({ wallet, item, note })
    this.list.append(item)
    this.writeNotes()
  }

  remove(wallet: Wallet): void {
    this.shown.find((one) => one.wallet === wallet)?.item.remove()
    this.shown = this.shown.filter((one) => one.wallet !== wallet)
    this.writeNotes()
  }

  /** The chain, and where two have one name, who made them as they say. */
  private writeNotes(): void {
    for (const { wallet, note } of this.shown) {
      const family = wallet.family === 'Solana' ? 'Solana' : 'Ethereum and compatible chains'
      const isDouble = this.shown.some(
        ({ wallet: other }) => other !== wallet && writeName(other) === writeName(wallet),
      )
      note.textContent = isDouble && wallet.rdns ? `${family} · ${wallet.rdns.slice(0, nameMaxLength)}` : family
    }
  }
}

export function writeName({ name }: Wallet): string {
  // Control characters, and those that turn the direction of what follows.
  const plain = name.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').trim()
  return plain.length > nameMaxLength ? `${plain.slice(0, nameMaxLength)}…` : plain || 'A wallet without a name'
}

/** Only an image that is in the address itself: anything else would tell another server of this visit. */
const isOwnImage = (icon: string | undefined): icon is string =>
  icon !== undefined &&
  icon.length <= 1_000_000 &&
  /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(icon.trim())

function renderIcon(wallet: Wallet): HTMLElement {
  const letter = document.createElement('span')
  letter.className = 'choice-icon'
  letter.setAttribute('aria-hidden', 'true')
  letter.textContent = [...writeName(wallet)][0] ?? ''
  if (!isOwnImage(wallet.icon)) return letter
  const image = document.createElement('img')
  image.className = 'choice-icon'
  image.alt = ''
  image.addEventListener('error', () => image.replaceWith(letter))
  image.src = wallet.icon.trim()
  return image
}
