/** Finds the wallets of this browser, and offers them as a list. */
import { makeElement } from '../../web/ui/dom.ts'
import { walletChoice as words } from '../words/en/wallets.ts'
import { findEvmWallets, findLegacyWallet } from './evm-wallets.ts'
import { findSolanaWallets } from './solana-wallets.ts'
import type { Wallet } from './wallet.ts'
import type { WalletList } from './wallet-list.ts'

/** Wallets that were there first have announced themselves by then. */
const settledAfterMs = 600

interface Looking {
  readonly list: WalletList
  readonly isUnderWay: () => boolean
  readonly found?: (wallet: Wallet) => void
  /** After each wallet that was found, and once when the first ones have had their time. */
  readonly changed: () => void
  readonly settled: () => void
}

export function lookForWallets({ list, isUnderWay, found, changed, settled }: Looking): void {
  let isAnnounced = false
  let legacy: Wallet | undefined
  const addWallet = (wallet: Wallet): void => {
    list.add(wallet)
    found?.(wallet)
    changed()
  }
  findEvmWallets((wallet) => {
    isAnnounced = true
    if (legacy && !isUnderWay()) list.remove(legacy)
    addWallet(wallet)
  })
  findSolanaWallets(addWallet)
  setTimeout(() => {
    // Most wallets are in window.ethereum as well as announced: it is looked at only where none was.
    findLegacyWallet((wallet) => {
      if (isAnnounced) return
      legacy = wallet
      addWallet(wallet)
    })
    changed()
    settled()
  }, settledAfterMs)
}

/** The page at another address leads to the right one: the server takes changes from its own pages only. */
export function leadHome(home: URL, place: Element): void {
  place.replaceWith(
    makeElement(
      'div',
      { class: 'notice warning' },
      makeElement('p', {}, words.wrongAddress(location.origin, home.origin)),
    ),
    makeElement('a', { class: 'button', href: home.href + location.search }, words.goHome(home.host)),
  )
}
