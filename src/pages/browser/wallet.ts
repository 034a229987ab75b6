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
}

export interface Connection {
  readonly address: string
  readonly chain: Chain
  /** Shown to the person by the wallet. */
  sign(message: string): Promise<{ readonly signature: string; readonly signatureMethod?: string }>
  /** Tells when this account is no longer the chosen one. Returns what ends the telling. */
  watch(gone: (why: 'switched' | 'disconnected') => void): () => void
}

/** The wallet let the page have no account. */
export class NoAccount extends Error {}

/** What the wallet gave back is not what it was asked for. */
export class WrongAnswer extends Error {}
