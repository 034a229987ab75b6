/** Asks for a wallet: lists the wallets of this browser, and checks that the account is the required one. */

import { makeElement, renderButton, requireElement } from '../../web/ui/dom.ts'
import { wallets as words } from '../words/en/wallets.ts'
import type { Attempts } from './attempt.ts'
import { isSameAddress, type Person, readPerson } from './person.ts'
import type { Connection, Wallet } from './wallet.ts'
import { adviseOnWallets } from './wallet-advice.ts'
import { renderExplanation } from './wallet-error.ts'
import { WalletList, writeName } from './wallet-list.ts'
import { lookForWallets } from './wallets-here.ts'
import { explainError } from './words.ts'

export interface Wanted {
  /** Above the wallets. */
  readonly heading: string
  /** The only acceptable account. */
  readonly address?: string | undefined
  /** The connected account that is not acceptable. */
  readonly other?: { readonly address: string; readonly why: string } | undefined
  /** Above the heading. */
  readonly before?: HTMLElement | undefined
  /** Below the wallets: other ways to go on. */
  readonly after?: HTMLElement | undefined
  /** A wallet that has this account, and has allowed this page to use it, is taken without a click. */
  readonly known?: string | undefined
  /** Called with the person, as part of the same attempt. */
  chosen(person: Person, isCurrent: () => boolean): void | Promise<void>
}

interface Tools {
  readonly attempts: Attempts
  /** The account of a person is no longer the chosen one, or its wallet is gone. */
  readonly gone: (person: Person, why: 'switched' | 'disconnected') => void
}

export class WalletDesk {
  private readonly wayIn = requireElement('way-in')
  private readonly heading = requireElement('wallets-heading')
  private readonly noWallet = requireElement('no-wallet')
  private readonly list = new WalletList(
    requireElement<HTMLUListElement>('wallets'),
    (wallet, button) => void this.connect(wallet, button),
  )
  private readonly wallets: Wallet[] = []
  private readonly before = makeElement('div')
  private readonly after = makeElement('div')
  private readonly other = makeElement('div', { class: 'actions' })
  private wanted: Wanted | undefined
  private isLooking = false
  private last: Wallet | undefined

  constructor(private readonly tools: Tools) {
    this.wayIn.prepend(this.before)
    this.wayIn.append(this.after)
    requireElement('wallets').after(this.other)
    adviseOnWallets((wallet, button) => void this.connect(wallet, button))
  }

  /** `settled` receives the connect function if there is exactly one wallet, for links with connect=1. */
  ask(wanted: Wanted, settled?: (connect: () => void) => void): void {
    this.wanted = wanted
    this.before.replaceChildren(...(wanted.before ? [wanted.before] : []))
    this.after.replaceChildren(...(wanted.after ? [wanted.after] : []))
    this.offerAnother()
    this.wayIn.hidden = false
    this.show()
    for (const wallet of this.wallets) void this.reconnect(wallet)
    if (this.isLooking) return
    this.isLooking = true
    const { attempts } = this.tools
    lookForWallets({
      list: this.list,
      isUnderWay: () => attempts.isUnderWay,
      found: (wallet) => {
        this.wallets.push(wallet)
        void this.reconnect(wallet)
      },
      changed: () => {
        attempts.markBusy()
        this.show()
      },
      settled: () => {
        const { only } = this.list
        if (only) settled?.(() => void this.connect(only.wallet, only.button))
      },
    })
  }

  hide(): void {
    this.wanted = undefined
    this.wayIn.hidden = true
  }

  private show(): void {
    this.noWallet.hidden = this.list.count > 0
    this.heading.textContent = this.list.count > 0 || !this.isLooking ? (this.wanted?.heading ?? '') : words.none
  }

  /** Some wallets show their list of accounts on request. */
  private offerAnother(): void {
    const wallet = this.last
    this.other.replaceChildren()
    if (!wallet?.choose || this.wanted?.address === undefined) return
    const choose: HTMLButtonElement = renderButton(
      words.another(writeName(wallet)),
      () => void this.connect(wallet, choose, () => wallet.choose!()),
      'secondary',
    )
    this.other.append(choose)
  }

  /** Takes the wallet that the person has used here before. Any failure leaves the choice to the person. */
  private async reconnect(wallet: Wallet): Promise<void> {
    const { wanted } = this
    if (wanted?.known === undefined) return
    const connection = await wallet.reconnect?.().catch(() => undefined)
    if (!connection || !isSameAddress(connection.address, wanted.known)) return
    const person = await readPerson(wallet, connection)
    const { attempts } = this.tools
    const isCurrent = this.wanted === wanted && attempts.begin()
    if (!isCurrent) return
    this.last = wallet
    await this.take(person, connection, wanted, isCurrent)
  }

  private async take(person: Person, connection: Connection, wanted: Wanted, isCurrent: () => boolean): Promise<void> {
    const stop = connection.watch((why) => {
      stop()
      this.tools.gone(person, why)
    })
    await wanted.chosen(person, isCurrent)
  }

  private async connect(wallet: Wallet, origin: HTMLElement, first?: () => Promise<void>): Promise<void> {
    const { wanted } = this
    const { attempts } = this.tools
    const isCurrent = wanted && attempts.begin()
    if (!isCurrent) return
    const name = writeName(wallet)
    try {
      attempts.say(wallet.waiting ?? words.waiting(name), origin)
      attempts.watch(() => wallet.giveUp?.())
      await first?.()
      // The person is about to choose another account, so the one that was lent before is no mistake of theirs.
      if (wallet.held !== undefined && findFault(wanted, wallet.held, name) !== undefined) wallet.forget?.()
      const connection = await wallet.connect()
      if (!isCurrent()) return
      this.last = wallet
      const fault = findFault(wanted, connection.address, name)
      if (fault !== undefined) {
        wallet.forget?.()
        attempts.fail(fault, origin, 'warning')
        return this.offerAnother()
      }
      const person = await readPerson(wallet, connection)
      if (!isCurrent()) return
      await this.take(person, connection, wanted, isCurrent)
    } catch (error) {
      if (isCurrent()) attempts.fail(renderExplanation(explainError(error, name)), origin)
    }
  }
}

function findFault({ address, other }: Wanted, given: string, name: string): string | undefined {
  if (address !== undefined && !isSameAddress(address, given)) return words.wrongAccount(name, given, address)
  if (other && isSameAddress(other.address, given)) return other.why
  return undefined
}
