/** The criteria, prices and rewards of gates. */
import type { QueryValue } from './calls.d.ts'

/** `gateId`, or the criteria of a proof: the parameters of GET /api/v1/proofs/check. */
export interface CheckCriteria {
  /** The wallet, or its did:pkh. Default: the signer's. */
  readonly address?: string | undefined
  readonly gateId?: string | undefined
  readonly qHash?: string | undefined
  readonly verifierIds?: readonly string[] | undefined
  /** One proof must hold all of verifierIds. */
  readonly requireAll?: boolean | undefined
  /** The number of different claims that must match. Default 1. */
  readonly minCount?: number | undefined
  /** Made at this time or later. */
  readonly since?: number | undefined
  readonly sinceDays?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Adds which proof meets which requirement, and the ids of private proofs. */
  readonly includeQHashes?: boolean | undefined
  /** Adds the reasons and the remedies. */
  readonly explain?: boolean | undefined
  readonly [parameter: string]: QueryValue
}

export interface CheckResult {
  /** Whether the criteria are met. For a gate read `gate.allRequiredSatisfied`. */
  readonly eligible: boolean
  readonly matchedCount: number
  readonly matchedQHashes: readonly string[]
  readonly matchedTags: readonly string[]
  /** For matches that were read from a chain: whether all of their blocks are final. */
  readonly final?: boolean
  readonly complete: boolean
  readonly gate?: {
    readonly gateId: string
    /** The only value that allows admission at a gate. */
    readonly allRequiredSatisfied: boolean
    readonly satisfiedVerifierIds: readonly string[]
    readonly missingVerifierIds: readonly string[]
    readonly matchedQHashes: readonly string[]
    readonly state: 'open' | 'paused' | 'not_started' | 'ended'
  }
  readonly explain?: readonly Readonly<Record<string, unknown>>[]
}

export interface Gate {
  readonly gateId: string
  readonly name: string
  readonly status: string
  /** Rises with every change of the gate. */
  readonly version: number
  readonly requirements: readonly {
    readonly id: string
    readonly verifierId: string
    readonly match: readonly Readonly<Record<string, unknown>>[]
    readonly optional: boolean
    readonly minCount: number
    readonly maxAgeMs?: number
    /** Only proofs whose blocks are final count. */
    readonly final?: boolean
    /** The chain is asked again before the reward is given. */
    readonly recheck?: boolean
  }[]
  readonly monetization: {
    /** null: free. */
    readonly charge: Readonly<Record<string, unknown>> | null
  }
  readonly schedule: { readonly startsAt: string | null; readonly endsAt: string | null }
  /** null: without a limit. `held` places are reserved now for buyers who are paying. */
  readonly supply: { readonly total: number | null; readonly left: number | null; readonly held?: number | null }
  readonly [member: string]: unknown
}

/** A proof of the buyer, and its payment when the gate has a price. */
export interface FulfilOrder {
  readonly qHash: string
  /** The transaction of the payment, for gates that accept stablecoins. */
  readonly paymentTxHash?: string | undefined
  /** The quote of the transfer: POST /api/v1/payments/quote. */
  readonly paymentQuoteId?: string | undefined
  /** The paid checkout, for gates that are paid on a page of payment. */
  readonly paymentCheckoutSessionId?: string | undefined
  /** The signed payment, base64 of JSON, sent as PAYMENT-SIGNATURE. */
  readonly paymentSignature?: string | undefined
}

export interface QuotedAmount {
  /** CAIP-2 id of the chain. */
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
  /** Base units: transfer exactly this amount. */
  readonly amount: string
  /** The same for people, such as 4.993217. */
  readonly amountText: string
}

/** A transfer of exactly `amount` in time pays, from any sender. */
export interface TransferQuote extends QuotedAmount {
  /** The paymentQuoteId for the fulfillment. */
  readonly quoteId: string
  readonly gateId: string
  readonly qHash: string
  /** The gate version whose price and reward the quote keeps. */
  readonly version: number
  readonly recipient: string
  /** All tokens that it accepts. */
  readonly tokens: readonly QuotedAmount[]
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** Unix milliseconds. */
  readonly openedAt: number
  /** The transfer must be in a block by this time. */
  readonly expiresAt: number
  /** The place at the gate is held until this time. */
  readonly reservedUntil: number
}

export interface Delivery {
  readonly delivery: string
  readonly type: 'access' | 'redirect_url' | 'download_url' | 'text'
  /** The address or the text; null when access itself is the reward. */
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

export interface Fulfilment {
  readonly fulfilled: true
  readonly gateId: string
  readonly qHash: string
  readonly fulfillment: Delivery
  /** Further rewards of the gate. */
  readonly rewardPack: readonly Delivery[]
  /** The buyer's proof of the reward. */
  readonly rewardProof: {
    readonly receiptId: string
    /** The receipt as JSON. */
    readonly receiptUrl: string
    /** Names the receipt to buyer and seller. */
    readonly receiptNumber: string
    /** The receipt as a page to print, for its buyer and its seller, signed in. */
    readonly receiptPageUrl: string
    readonly [member: string]: unknown
  }
  readonly successReturnUrl?: string
  /** The payment that was sent and not needed, because an earlier one existed, and its outcome. */
  readonly unmatched?: UnmatchedPayment
  /** A manual payment exceeded the price, in base units of the token: the seller has the rest. */
  readonly overpaid?: { readonly paid: string; readonly price: string; readonly above: string }
  /**
   * A transfer other than the one that paid for this was sent, and is not recorded as a payment. With
   * `retryAfterSeconds`, send it again after that time.
   */
  readonly secondPayment?: {
    readonly transactionHash: string
    readonly reason: string
    readonly message: string
    readonly retryAfterSeconds?: number
  }
}

/** Money that arrived and bought nothing, in a fulfillment, or as `details.unmatched` of a refusal. */
export interface UnmatchedPayment {
  readonly identity: string
  readonly method: string
  /** `owed` by the seller, `refunding` by the server, `refunded`, or `used` for another gate of the same seller. */
  readonly state: 'owed' | 'refunding' | 'refunded' | 'used'
  /** The code of the refusal, such as `GATE_SOLD_OUT`. */
  readonly reason: string
  readonly payer: string | null
  /** In base units of the token, or cents. */
  readonly amount: string | null
  readonly amountUsd: string | null
  /** Send it as `paymentTxHash` at any gate of the same seller. */
  readonly transactionHash: string | null
  readonly paidAt: number | null
  /** For `owed`: the person who can use it, once. `buyer`: the wallet whose quote it paid, whoever sent the money. */
  readonly usableBy?: readonly ('payer' | 'buyer')[]
  /** For `refunded`. */
  readonly givenBackBy?: 'server' | 'seller'
  /** The seller's refund transaction, if the seller named it. */
  readonly returnTransactionHash: string | null
}

/** Pay in one of these ways, and call again with the payment. */
export interface PaymentDue {
  readonly fulfilled: false
  /** `PAYMENT_MISSING`, `METHOD_NOT_ACCEPTED`, or the fault of the payment that was sent. */
  readonly reason: string
  /** A sentence for people. */
  readonly message: string
  /** US dollars, as a decimal text. */
  readonly amountUsd: string
  /** The payment methods that the gate takes, each with its details. `GET /api/v1/payments/methods` lists all. */
  readonly accepts: readonly { readonly method: string; readonly [member: string]: unknown }[]
  /** The finality at which the reward of an on-chain payment is delivered. */
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** `PAYMENT_MISSING`: a page of payment is open for the same proof. Finish it, or wait until it ends. */
  readonly openCheckout?: { readonly paymentCheckoutSessionId: string; readonly expiresAt: number }
  /** It may be paid already, and the server is waiting: call again after this number of seconds. */
  readonly retryAfterSeconds?: number | undefined
  /** The PAYMENT-REQUIRED header for clients that sign payments, base64 of JSON. */
  readonly paymentRequired?: string
}
