/** A wallet in this browser, whichever way it makes itself known. */
import type { Chain } from './auth-api.ts'

export interface Wallet {
  readonly name: string
  /** As the wallet gives it: shown when it is an image that travels with its address. */
  readonly icon: string | undefined
  readonly family: 'Ethereum' | 'Solana'
  /** Reverse domain name; tells wallets of one name apart. */
  readonly rdns: string | undefined
  /** Shown to the person by the wallet. */
  connect(): Promise<Connection>
  /** Lets the person choose another account for this page, where the wallet can do that when asked. */
  choose?(): Promise<void>
}

export interface Connection {
  readonly address: string
  readonly chain: Chain
  /** Shown to the person by the wallet. */
  sign(message: string): Promise<{ readonly signature: string; readonly signatureMethod?: string }>
  /** Whether it is a contract on the chain the wallet is on, and not a key. */
  isContract(): Promise<boolean>
  /** Sends a transaction of this account on that chain; its hash. Shown to the person by the wallet. */
  send?(transaction: Transaction): Promise<string>
  /** Tells when this account is no longer the chosen one. Returns what ends the telling. */
  watch(gone: (why: 'switched' | 'disconnected') => void): () => void
}

export interface Transaction {
  readonly chainId: number
  readonly to: string
  readonly data: string
}

/** The wallet let the page have no account. */
export class NoAccount extends Error {}

/** What the wallet gave back is not what it was asked for. */
export class WrongAnswer extends Error {}
