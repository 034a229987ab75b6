/**
 * A payment method confirms that somebody paid. It looks outside and decides; it never writes, and it never gives a
 * reward: gates/fulfill/fulfill.ts claims the payment (one guarded statement) before the reward is read.
 *
 * Three answers stay apart: `paid`, `unpaid` (402 with a reason code: the buyer can mend it, or wait), and a thrown
 * OutsideError when it could not be looked up (503). None of the last two burns the payment.
 */

import type { TSchema } from '@sinclair/typebox'
import type { PublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Finality } from '../outside/chains/chain.ts'
import type { Outside } from '../outside/outside.ts'
import type { Probe } from '../outside/probe.ts'
import type { Price, RewardMoment } from './price.ts'
import type { MethodSettings } from './settings.ts'
import type { Token } from './token.ts'

export interface PaymentMethod {
  /** Rows and stored definitions name it by this for good. */
  readonly id: string
  /** The interface names it by this. Callers may write the id as well. */
  readonly name: string
  readonly words: MethodWords
  readonly evidence: PaymentEvidence
  /** Its money moves on a chain, to price.recipient, and the chain may take it back. */
  readonly isPaidOnChain: boolean
  /** This server gives back by itself what was paid for nothing. Otherwise the seller owes it. */
  readonly givesBack: boolean
  /** It moves the money during the fulfillment, after a place is held. One method at most: settlements do not name theirs. */
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
  /** The settings that it cannot be used without, as the end of a sentence: `needs payments.…`. */
  findMissingConfiguration(tools: PaymentTools): string | undefined
  /** What doctor tries of it. Calls nobody yet. */
  makeProbes?(tools: Pick<PaymentTools, 'config' | 'outside'>): readonly Probe[]
  /** Settings that are allowed and most likely a mistake. */
  advise?(config: Config): readonly MethodAdvice[]
  /** What a price has to say before it can be paid by it: `needs price.recipient`. Shown to the owner of the gate. */
  findPriceFault(price: Price): string | undefined
  /** The entry of payments/methods. */
  describe(tools: PaymentTools): object
  /** Headers of a 402 that ask for it (PAYMENT-REQUIRED). Looks nowhere outside. */
  ask?(quote: Omit<PaymentOffer, 'evidence'>, tools: PaymentTools): Readonly<Record<string, string>>
  /** Looks at what the buyer offers. Errors: OutsideError, AppError for input of the wrong form. */
  confirm(offer: PaymentOffer, tools: PaymentTools): Promise<PaymentVerdict>
  /** Looks again at a payment that was claimed: final, still waiting, or taken back. Errors: OutsideError. */
  review(payment: ClaimedPayment, tools: PaymentTools): Promise<Review>
}

export interface MethodWords {
  /** In lists and tables of the dashboard: `Card`. */
  readonly label: string
  /** Beside the box that chooses it for a gate, where the label alone says too little. */
  readonly formLabel?: string
  /** Behind its name in descriptions: `a card`. */
  readonly means?: string
}

/** The member of the fulfill request that brings a payment. */
export type PaymentEvidence = {
  /** Of the body, or the header in lower case. */
  readonly member: string
  readonly description: string
} & (
  | {
      readonly in: 'body'
      readonly maxLength: number
      /** Members that say more of it, with their shapes. */
      readonly beside?: Readonly<Record<string, TSchema>>
    }
  | { readonly in: 'header' }
)

/** How the quotes of transfers are told apart: by amounts below a cent. */
export interface TransferPayments {
  /** Told to a buyer whose gate does not take it. */
  readonly notTaken: string
  /** For each token that can carry the digits. */
  listQuotedAmounts(
    amounts: { readonly usdMicros: number; readonly suffix: number },
    tools: Pick<PaymentTools, 'config' | 'outside'>,
  ): readonly QuotedAmount[]
  /** Whether a token can carry digits that are finer than millionths. */
  canCarryFine(tools: Pick<PaymentTools, 'config' | 'outside'>): boolean
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
  /** There was no version at that moment: this one came so soon after that clocks may differ by it. */
  readonly isEarly?: true
}

export interface GateTerms {
  /**
   * By a block of a moment (Unix milliseconds): more than one where a version was made about then, the likeliest first.
   * None before the gate existed.
   */
  at(moment: number): readonly PricedVersion[]
  /** Those that applied at some time in between, the newest first, a few at most. */
  between(from: number, to: number): readonly PricedVersion[]
  /** Undefined where it is not kept. */
  of(version: number): PricedVersion | undefined
}

export interface PaymentOffer {
  readonly gateId: string
  readonly qHash: string
  readonly price: Price
  /** The wallet that the fulfilment is for, and those linked to it. As stored. */
  readonly wallets: readonly string[]
  /** CAIP-2 id of the only chain on which the wallet, a contract, is known to be the buyer. Undefined for keys. */
  readonly contractOn?: string
  /** What the gate asked for at other times. Without it the price counts for all of them. */
  readonly terms?: GateTerms
  /** `paymentQuoteId`: the quote that a transfer was made for. */
  readonly quoteId?: string
  /** The text of the member that PaymentMethod.evidence names. */
  readonly evidence: string
  /** Of whoever lets money be moved: held before it moves. Without one, nothing is held. */
  readonly place?: PaymentPlace
  /** Only what was paid already counts: nothing is settled for it. */
  readonly mustBePaid?: true
}

/** A place at the gate, held for the buyer while the payment moves. Written by the gate; a method only says when. */
export interface PaymentPlace {
  /** Before money moves. Errors: the refusal that the buyer hears when there is no place, and then nothing may move. */
  hold(settling: Settling): Promise<void>
  /** Whoever was to move the money says that it is not moved: the place is free again. */
  giveBack(identity: string): Promise<void>
}

/** A payment that is about to move, and what is needed to find it afterwards. */
export interface Settling {
  /** As in PaymentVerdict. */
  readonly identity: string
  readonly details: SoughtDetails
  /** When it can no longer move. Unix milliseconds; may be far away. */
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
      /** Names the payment, whatever else is said of it: `tx:eip155:8453:0x…`, `card:pi_…`. Claimed once. */
      readonly identity: string
      readonly payer: string | null
      /** As the method counts: base units, cents. */
      readonly amount: string
      /** Unix milliseconds. */
      readonly paidAt: number
      /** What review() needs. JSON, at most 4 KiB. */
      readonly details: Readonly<Record<string, unknown>>
      /** False while it may still be taken back. */
      readonly isFinal: boolean
      /** Other transfers of its transaction that pay the same, and were not used: each is a payment of its own. */
      readonly beside?: readonly Extract<PaymentVerdict, { readonly paid: true }>[]
      /** The version that it pays, and its price: the reward of this version is given. Undefined: the one of now. */
      readonly bought?: { readonly version: number; readonly usdMicros: number }
      /** Response headers that belong to it (PAYMENT-RESPONSE). */
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly paid: false
      /** Upper-case words for programs: TX_NOT_FOUND, NOT_CONFIRMED, AMOUNT_TOO_LOW, … */
      readonly reason: string
      readonly message: string
      /** The right money has moved, and nothing but time is missing: a place that is held for it stays. */
      readonly isAwaited?: true
      /** It reached the seller and buys nothing as it is: written down once its chain stands behind it. */
      readonly isArriving?: true
      /** The quote whose exact amount is waited for. */
      readonly quoteId?: string
      /** It reached the seller all the same, for this buyer, and buys nothing as it is: to be written down as unmatched. */
      readonly arrived?: Extract<PaymentVerdict, { readonly paid: true }>
      /** What a payment is final by, where it waits for that. */
      readonly finality?: Finality['rule']
      /** Seconds, when waiting helps. */
      readonly retryAfterSeconds?: number
      readonly headers?: Readonly<Record<string, string>>
    }

export interface ClaimedPayment {
  readonly identity: string
  readonly amount: string | null
  readonly payer: string | null
  readonly paidAt: number | null
  readonly details: Readonly<Record<string, unknown>>
  /** What was given back of it so far, as far as it was seen; null: nothing. */
  readonly refunded?: string | null
  /** Why it is taken back for now; null where it stands. */
  readonly suspendedFor?: 'disputed' | 'reorganised' | null
  /** It was taken back, and may stand again. */
  readonly isTakenBack?: boolean
  /** Percent of the amount from which a refund takes back what was bought, as the version says that was paid. */
  readonly refundThresholdPercent?: number
}

/** `refunded` is said where more or less is given back than at the last look. */
export type Review = { readonly refunded?: Refunded } & (
  | { readonly state: 'final' }
  | { readonly state: 'waiting'; readonly nextLookMs: number }
  /** Taken back for now. Its place is kept, because it may come back. */
  | {
      readonly state: 'suspended'
      readonly reason: 'disputed' | 'reorganised'
      readonly message: string
      readonly nextLookMs: number
    }
  /** Stands again, after it was suspended or taken back. `lostUsdMicros` as below, below zero by what came back. */
  | { readonly state: 'restored'; readonly nextLookMs: number; readonly lostUsdMicros?: number }
  /**
   * Taken back. `lostUsdMicros`: how much less the seller has by it than before this look; undefined: all that was paid.
   * `keptUsdMicros`: what is left. `nextLookMs` where it may stand again.
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
  /** All that was given back so far, in the unit of the payment's amount. */
  readonly amount: string
  /** How much more that is than before, in millionths of a US dollar. Below zero where a refund failed later. */
  readonly moreUsdMicros: number
}

export interface PaymentTools {
  readonly now: () => number
  /** What has passed for sure: for what is decided for good. */
  readonly readSure: () => number
  readonly outside: Outside
  /** To read what was asked for. A method never writes. */
  readonly db: Db
  readonly config: Pick<Config, 'payments' | 'chains' | 'gates' | 'outside'>
  /** Where this server is reached, for what buyers are shown. */
  readonly addresses: () => PublicAddresses
  readonly log: Log
}
