/**
 * A payment method confirms a payment. It looks outside and decides; it never writes, and gives no reward. The file
 * gates/fulfill/fulfill.ts binds the payment (one guarded statement) before the reward is read. Three answers stay
 * apart: `paid`, `unpaid` (402 with a reason code), and a thrown OutsideError (503, a failed look-up). The last two
 * leave the payment usable.
 */

import type { TSchema } from '@sinclair/typebox'
import type { PublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Finality } from '../outside/chains/chain.ts'
import type { Outside } from '../outside/outside.ts'
import type { Probe } from '../outside/probe.ts'
import type { Language } from '../web/languages.ts'
import type { MethodWords } from './method-words.ts'
import type { Price, RewardMoment } from './price.ts'
import type { MethodSettings } from './settings.ts'
import type { Token } from './token.ts'

export interface PaymentMethod {
  /** The permanent id in rows and stored definitions. */
  readonly id: string
  /** The name in the interface. Callers may write the id as well. */
  readonly name: string
  readonly words: MethodWords
  /** For pages in other languages. */
  readonly translations?: Readonly<Partial<Record<Language, MethodWords>>>
  /** Follows its name in descriptions: `a card`. */
  readonly means?: string
  /** The form of the identities of its payments: `card:<id>`. */
  readonly identity: string
  /** The lines of the configuration file that switch it on. Shown to the owner of a gate where nothing is taken yet. */
  readonly setupLines?: string
  readonly evidence: PaymentEvidence
  /** Its money moves on a chain, to price.recipient, and the chain may take it back. */
  readonly isPaidOnChain: boolean
  /** This server refunds payments that bought nothing. Otherwise the seller owes them. */
  readonly givesBack: boolean
  /**
   * The method moves the money during the fulfillment, after a place is reserved. One method at most: settlements do
   * not name theirs.
   */
  readonly movesMoneyHere: boolean
  /** Buyers pay on a page that this server opens for them. One method at most: checkouts do not name theirs. */
  readonly opensCheckout: boolean
  /** Buyers pay by a transfer of their own, at any time. One method at most: quotes do not name theirs. */
  readonly transfers?: TransferPayments
  /** Tokens that its payments are made in. */
  listTokens?(tools: Pick<PaymentTools, 'config' | 'outside'>): readonly Token[]
  /** Headers of an answer that belong to it, with their descriptions. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** Its table below [payments]. Left out by a method that needs none. */
  readonly settings?: MethodSettings
  /** The missing settings, as the end of a sentence: `needs payments.…`. */
  findMissingConfiguration(tools: PaymentTools): string | undefined
  /** The probes of doctor. Making them sends no request yet. */
  makeProbes?(tools: Pick<PaymentTools, 'config' | 'outside'>): readonly Probe[]
  /** Settings that are allowed and most likely a mistake. */
  advise?(config: Config): readonly MethodAdvice[]
  /** The missing member of a price for this method: `needs price.recipient`. Shown to the owner of the gate. */
  findPriceFault(price: Price): string | undefined
  /** The entry of payments/methods. */
  describe(tools: PaymentTools): object
  /** Headers of a 402 that ask for it (PAYMENT-REQUIRED). Sends no request. */
  ask?(quote: Omit<PaymentOffer, 'evidence'>, tools: PaymentTools): Readonly<Record<string, string>>
  /** Checks the buyer's payment evidence. Errors: OutsideError, AppError for input of the wrong form. */
  confirm(offer: PaymentOffer, tools: PaymentTools): Promise<PaymentVerdict>
  /** Checks a bound payment again: final, still waiting, or revoked. Errors: OutsideError. */
  review(payment: BoundPayment, tools: PaymentTools): Promise<Review>
}

/** The member of the fulfill request that brings a payment. */
export type PaymentEvidence = {
  /** A member of the body, or a header in lower case. */
  readonly member: string
  readonly description: string
} & (
  | {
      readonly in: 'body'
      readonly maxLength: number
      /** Further members of the same evidence, with their shapes. */
      readonly beside?: Readonly<Record<string, TSchema>>
    }
  | { readonly in: 'header' }
)

/** How the quotes of transfers are told apart: by amounts below a cent. */
export interface TransferPayments {
  /** Shown to a buyer whose gate does not accept the method. */
  readonly notTaken: string
  /** One for each token that can carry the digits. */
  listQuotedAmounts(
    amounts: { readonly usdMicros: number; readonly suffix: number },
    tools: Pick<PaymentTools, 'config' | 'outside'>,
  ): readonly QuotedAmount[]
  /**
   * The transfer that pays a quote in one of its tokens, for a wallet to send. The buyer's own wallet pays the price
   * without the digits. Undefined for a token that the quote cannot be paid in.
   */
  makeTransfer(
    quote: QuotedTransfer,
    token: { readonly network: string; readonly assetAddress: string },
    tools: Pick<PaymentTools, 'config' | 'outside'>,
  ): WalletTransfer | undefined
  /** Whether a token can carry digits that are finer than millionths. */
  canCarryFine(tools: Pick<PaymentTools, 'config' | 'outside'>): boolean
}

export interface QuotedTransfer {
  readonly usdMicros: number
  readonly suffix: number
  readonly recipient: string
  /** Its sender is the buyer of the quote. */
  readonly isByBuyer: boolean
}

/** A transaction of an EVM chain. */
export interface WalletTransfer {
  readonly chainId: number
  /** The contract that is called. */
  readonly to: string
  /** Hexadecimal, after `0x`. */
  readonly data: string
  /** For people: `4.99`. */
  readonly amountText: string
  readonly asset: string
}

export interface QuotedAmount {
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
  /** Base units. */
  readonly amount: string
  /** For people: `4.993217`. */
  readonly amountText: string
}

export interface MethodAdvice {
  /** Path of the setting. */
  readonly setting: string
  /** A sentence that begins with the setting. */
  readonly says: string
  /** A line of the configuration that would be accepted. */
  readonly example?: string
}

/** A version of a gate, and its price: undefined where it cost nothing. */
export interface PricedVersion {
  readonly version: number
  readonly price: Price | undefined
  /** The gate had no version at that time: this one followed within the difference of clocks. */
  readonly isEarly?: true
}

export interface GateTerms {
  /**
   * The versions for a block's time (Unix milliseconds), the likeliest first; several if a version was made about then.
   * Empty before the gate existed.
   */
  at(moment: number): Promise<readonly PricedVersion[]>
  /** The versions that applied within a period, the newest first, with a small limit. */
  between(from: number, to: number): Promise<readonly PricedVersion[]>
  /** Undefined if it is no longer stored. */
  of(version: number): Promise<PricedVersion | undefined>
}

export interface PaymentOffer {
  readonly gateId: string
  readonly qHash: string
  readonly price: Price
  /** The wallet of the fulfillment, and those linked to it. As stored. */
  readonly wallets: readonly string[]
  /** CAIP-2 id of the only chain on which the wallet, a contract, is known to be the buyer. Undefined for keys. */
  readonly contractOn?: string
  /** The gate's prices at other times. Without it, the current price counts for all times. */
  readonly terms?: GateTerms
  /** `paymentQuoteId`: the quote that a transfer was made for. */
  readonly quoteId?: string
  /** The text of the member that PaymentMethod.evidence names. */
  readonly evidence: string
  /** For methods that move money: reserved before the money moves. Without one, nothing is reserved. */
  readonly place?: PaymentPlace
  /** Only an existing payment counts: nothing is settled for it. */
  readonly mustBePaid?: true
}

/** A place at the gate, reserved for the buyer while the payment moves. The gate writes it; a method only says when. */
export interface PaymentPlace {
  /** Before money moves. Errors: the refusal for the buyer when there is no place; then no money may move. */
  hold(settling: Settling): Promise<void>
  /**
   * Releases the place: the party that moves the money said that it will not. False while another process of this server
   * has asked it again, or where the outcome is known already: then the place stays as it is.
   */
  release(identity: string): Promise<boolean>
  /**
   * Before the payment is given to the party that moves it. False while another process of this server has given it to them
   * and waits for the answer.
   */
  beginHandover(identity: string): Promise<boolean>
  /** That party has answered, or will not. */
  endHandover(identity: string): Promise<void>
}

/** A payment that is about to move, with the data to find it afterwards. */
export interface Settling {
  /** As in PaymentVerdict. */
  readonly identity: string
  readonly details: SoughtDetails
  /** The time after which it cannot move. Unix milliseconds; may be far away. */
  readonly endsAt: number
}

/** JSON. Hex is in lower case. */
export interface SoughtDetails {
  /** CAIP-2. */
  readonly chain: string
  readonly token: `0x${string}`
  readonly confirmations: number
  readonly rewardAfter: RewardMoment
  readonly payer: `0x${string}`
  readonly nonce: `0x${string}`
  readonly recipient: `0x${string}`
  /** The price in base units. */
  readonly due: string
}

export type PaymentVerdict =
  | {
      readonly paid: true
      /** The stable name of the payment: `tx:eip155:8453:0x…`, `card:pi_…`. It is bound once. */
      readonly identity: string
      readonly payer: string | null
      /** As the method counts: base units, cents. */
      readonly amount: string
      /** Unix milliseconds. */
      readonly paidAt: number
      /** The data for review(). JSON, at most 4 KiB. */
      readonly details: Readonly<Record<string, unknown>>
      /** False while it may still be reverted. */
      readonly isFinal: boolean
      /** Unused transfers of the same transaction with the same effect: each is a payment of its own. */
      readonly beside?: readonly Extract<PaymentVerdict, { readonly paid: true }>[]
      /** The version that it pays, and its price: the buyer gets this version's reward. Undefined: the current one. */
      readonly bought?: { readonly version: number; readonly usdMicros: number }
      /** Response headers that belong to it (PAYMENT-RESPONSE). */
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly paid: false
      /** Upper-case words for programs: TX_NOT_FOUND, NOT_CONFIRMED, AMOUNT_TOO_LOW, … */
      readonly reason: string
      readonly message: string
      /** The right amount has moved, and only time is missing: its reserved place stays. */
      readonly isAwaited?: true
      /** It reached the seller but buys nothing: recorded once its chain confirms it. */
      readonly isArriving?: true
      /** The quote whose exact amount is expected. */
      readonly quoteId?: string
      /** It reached the seller for this buyer but buys nothing: to be recorded as unmatched. */
      readonly arrived?: Extract<PaymentVerdict, { readonly paid: true }>
      /** The finality rule that a waiting payment needs. */
      readonly finality?: Finality['rule']
      /** How far a waiting payment is. */
      readonly progress?: PaymentProgress
      /** Seconds, when waiting helps. */
      readonly retryAfterSeconds?: number
      readonly headers?: Readonly<Record<string, string>>
    }

/** How far a payment in a block is on its way to the reward. */
export interface PaymentProgress {
  /** The number of blocks from its own to the newest one, both counted. */
  readonly confirmations: number
  /** The number that the reward needs. Null: the reward waits until the block is final. */
  readonly needed: number | null
}

export interface BoundPayment {
  readonly identity: string
  readonly amount: string | null
  readonly payer: string | null
  readonly paidAt: number | null
  readonly details: Readonly<Record<string, unknown>>
  /** The amount refunded so far, as of the last look; null: none. */
  readonly refunded?: string | null
  /** The reason of a suspension; null for a payment that counts. */
  readonly suspendedFor?: 'disputed' | 'reorganized' | null
  /** It was revoked, and may be restored. */
  readonly isReversed?: boolean
  /** The refunded percentage at which the purchase is revoked, from the paid version. */
  readonly refundThresholdPercent?: number
}

/** `refunded` is set when the refunded amount changed since the last look. */
export type Review = { readonly refunded?: Refunded } & (
  | { readonly state: 'final' }
  | { readonly state: 'waiting'; readonly nextLookMs: number }
  /** Suspended. Its place is kept, because it may be restored. */
  | {
      readonly state: 'suspended'
      readonly reason: 'disputed' | 'reorganized'
      readonly message: string
      readonly nextLookMs: number
    }
  /** Restored after a suspension or a revocation. `lostUsdMicros` as below, negative for restored money. */
  | { readonly state: 'restored'; readonly nextLookMs: number; readonly lostUsdMicros?: number }
  /**
   * Revoked. `lostUsdMicros`: the seller's loss since the last look; undefined: the whole payment. `keptUsdMicros`: the
   * rest. `nextLookMs` is set if it may be restored.
   */
  | {
      readonly state: 'reversed'
      readonly reason: string
      readonly message: string
      readonly lostUsdMicros?: number
      readonly keptUsdMicros?: number
      readonly nextLookMs?: number
    }
)

export interface Refunded {
  /** The total refunded so far, in the unit of the payment's amount. */
  readonly amount: string
  /** The increase since the last look, in millionths of a US dollar. Negative after a failed refund. */
  readonly moreUsdMicros: number
}

export interface PaymentTools {
  readonly now: () => number
  /** The time that has certainly passed: for irrevocable decisions. */
  readonly readSure: () => number
  readonly outside: Outside
  /** To read the stored request. A method never writes. */
  readonly db: Db
  readonly config: Pick<Config, 'payments' | 'chains' | 'gates' | 'outside'>
  /** The public addresses of this server, shown to buyers. */
  readonly addresses: () => PublicAddresses
  readonly log: Log
}
