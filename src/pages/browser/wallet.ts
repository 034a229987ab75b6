/** A wallet in this browser, regardless of how the page discovered it. */
import type { QuoteChoice } from '../../payments/phone-payment.ts'
import type { PublicChain } from '../../payments/public-chain.ts'
import type { Chain } from './auth-api.ts'

export interface Wallet {
  readonly name: string
  /** As the wallet gives it; shown if it is an image in a data URL. */
  readonly icon: string | undefined
  readonly family: 'Ethereum' | 'Solana'
  /** Reverse domain name, which distinguishes wallets of the same name. */
  readonly rdns: string | undefined
  /** The wallet asks the person. */
  connect(): Promise<Connection>
  /** The account that this page may use already, if any. The wallet shows nothing. */
  reconnect?(): Promise<Connection | undefined>
  /** Said while it connects, where its own window does not say it. */
  readonly waiting?: string
  /** The person no longer waits for it to connect. */
  giveUp?(): void
  /** The account that connecting would give without asking. */
  readonly held?: string | undefined
  /** The account is not acceptable: connecting again asks for another one. */
  forget?(): void
  /** Lets the person choose another account for this page, if the wallet can do that on request. */
  choose?(): Promise<void>
}

export interface Connection {
  readonly address: string
  readonly chain: Chain
  /** The wallet asks the person. */
  sign(message: string): Promise<{ readonly signature: string; readonly signatureMethod?: string }>
  /** Whether the account is a contract on the wallet's current chain, and not a key. */
  isContract(): Promise<boolean>
  /** Sends a transaction of this account on that chain, and returns its hash. The wallet asks the person. */
  send?(transaction: Transaction): Promise<string>
  /** For a wallet on a phone: the server tells the phone the transfer. Returns the hash of its transaction. */
  payQuote?(choice: QuoteChoice): Promise<string>
  /** Reports when this account is no longer the chosen one. Returns the unsubscribe function. */
  watch(gone: (why: 'switched' | 'disconnected') => void): () => void
}

export interface Transaction {
  readonly chainId: number
  /** The chain, for a wallet that does not know it yet. */
  readonly chain: PublicChain
  readonly to: string
  readonly data: string
}

/** The wallet gave the page no account. */
export class NoAccount extends Error {}

/** The wallet returned something other than the requested value. */
export class WrongAnswer extends Error {
  constructor(readonly wanted: 'signature' | 'sameText' | 'chain' | 'transaction' | 'payChain') {
    super(wanted)
  }
}

/** The phone that lent its wallet is gone. The message says why, for the person. */
export class PhoneEnded extends Error {}

/** The wallet does not know the chain to pay on, and cannot add it by itself. */
export class UnknownChain extends Error {
  constructor(readonly chain: PublicChain) {
    super(`does not know ${chain.name}`)
  }
}
