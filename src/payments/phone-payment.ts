/** A payment that a phone makes for a computer, as both of their pages and the server name it. */
import type { PublicChain } from './public-chain.ts'

/** What the computer names. */
export interface QuoteChoice {
  readonly quoteId: string
  /** CAIP-2. */
  readonly network: string
  readonly assetAddress: string
}

/** What the server tells the phone, to show and to send. */
export interface PhonePayment {
  readonly gateName: string
  /** The wallet that gets access, which may be another one than pays. */
  readonly buyer: string
  /** For people: `4.99`. */
  readonly amountText: string
  readonly asset: string
  readonly recipient: string
  readonly chain: PublicChain
  readonly transaction: { readonly chainId: number; readonly to: string; readonly data: string }
  /** The price and the place are kept until then. Unix milliseconds. */
  readonly expiresAt: number
}
