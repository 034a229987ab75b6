/** What gates ask, cost and give. */
import type { QueryValue } from './calls.d.ts'

/** `gateId`, or what a proof must show: the parameters of GET /api/v1/proofs/check. */
export interface CheckCriteria {
  /** The wallet, or did:pkh of one. That of the signer where it is left out. */
  readonly address?: string | undefined
  readonly gateId?: string | undefined
  readonly qHash?: string | undefined
  readonly verifierIds?: readonly string[] | undefined
  /** One proof must hold all of verifierIds. */
  readonly requireAll?: boolean | undefined
  /** So many different claims must match. Default 1. */
  readonly minCount?: number | undefined
  /** Made at this time or later. */
  readonly since?: number | undefined
  readonly sinceDays?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Also which proof meets which requirement, and the ids of private proofs. */
  readonly includeQHashes?: boolean | undefined
  /** Also why, and what would help. */
  readonly explain?: boolean | undefined
  readonly [parameter: string]: QueryValue
}

export interface CheckResult {
  /** Whether the criteria are met. Of a gate ask `gate.allRequiredSatisfied`. */
  readonly eligible: boolean
  readonly matchedCount: number
  readonly matchedQHashes: readonly string[]
  readonly matchedTags: readonly string[]
  /** Of matches that were read from a chain: whether all of their blocks are final. */
  readonly final?: boolean
  readonly complete: boolean
  readonly gate?: {
    readonly gateId: string
    /** The only sign that the gate may let somebody in. */
    readonly allRequiredSatisfied: boolean
    readonly satisfiedVerifierIds: readonly string[]
    readonly missingVerifierIds: readonly string[]
    readonly matchedQHashes: readonly string[]
    readonly state: 'open' | 'not_started' | 'ended'
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
  /** null: without a limit. `held` of those that are left are held right now for buyers who are paying. */
  readonly supply: { readonly total: number | null; readonly left: number | null; readonly held?: number | null }
  readonly [member: string]: unknown
}

/** A proof of the buyer, and how it was paid where the gate has a price. */
export interface FulfilOrder {
  readonly qHash: string
  /** The transaction that paid, where the gate takes stablecoins. */
  readonly paymentTxHash?: string | undefined
  /** The quote that the transfer was made for: POST /api/v1/payments/quote. */
  readonly paymentQuoteId?: string | undefined
  /** The checkout that paid, where it takes cards. */
  readonly paymentCheckoutSessionId?: string | undefined
  /** x402: the signed payment, base64 of JSON, sent as PAYMENT-SIGNATURE. */
  readonly paymentSignature?: string | undefined
}

export interface QuotedAmount {
  /** CAIP-2 id of the chain. */
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
  /** Base units: exactly so much is to be transferred. */
  readonly amount: string
  /** The same for people, such as 4.993217. */
  readonly amountText: string
}

/** A transfer of exactly `amount` in its time pays, whoever sends it. */
export interface TransferQuote extends QuotedAmount {
  /** The paymentQuoteId for the fulfilment. */
  readonly quoteId: string
  readonly gateId: string
  readonly qHash: string
  /** Of the gate: its price holds, and its reward is bought. */
  readonly version: number
  readonly recipient: string
  /** All tokens that it may be paid in. */
  readonly tokens: readonly QuotedAmount[]
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** Unix milliseconds. */
  readonly openedAt: number
  /** Until when the transfer must be in a block. */
  readonly expiresAt: number
  /** Until when a place at the gate is held. */
  readonly reservedUntil: number
}

export interface Delivery {
  readonly delivery: string
  readonly type: 'access' | 'redirect_url' | 'download_url' | 'text'
  /** The address or the text; null where access itself is the reward. */
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
  /** What the buyer can show. */
  readonly rewardProof: { readonly receiptId: string; readonly receiptUrl: string; readonly [member: string]: unknown }
  readonly successReturnUrl?: string
  /** The payment that came along and was not needed, because another one was there before: what became of it. */
  readonly unmatched?: UnmatchedPayment
  /** More than the price was paid by hand, in base units of the token: the seller has the rest. */
  readonly overpaid?: { readonly paid: string; readonly price: string; readonly above: string }
  /**
   * Another transfer than the one that bought this came along, and was not written down as a payment: not yet, where
   * `retryAfterSeconds` says when to send it again.
   */
  readonly secondPayment?: {
    readonly transactionHash: string
    readonly reason: string
    readonly message: string
    readonly retryAfterSeconds?: number
  }
}

/** Money that arrived and bought nothing: in a fulfilment, or as `details.unmatched` of a refusal. */
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
  /** To be sent as `paymentTxHash` at any gate of the same seller. */
  readonly transactionHash: string | null
  readonly paidAt: number | null
  /** Where it is `owed`: who can use it, once. `buyer`: the wallet whose quote it paid, whoever sent the money. */
  readonly usableBy?: readonly ('payer' | 'buyer')[]
  /** Where it is `refunded`. */
  readonly givenBackBy?: 'server' | 'seller'
  /** The transaction by which the seller gave it back, where the seller named it. */
  readonly returnTransactionHash: string | null
}

/** Pay in one of these ways, and ask again with the payment. */
export interface PaymentDue {
  readonly fulfilled: false
  /** `PAYMENT_MISSING`, `METHOD_NOT_ACCEPTED`, or what is wrong with the payment that was sent. */
  readonly reason: string
  /** A sentence for people. */
  readonly message: string
  /** US dollars, as a decimal text. */
  readonly amountUsd: string
  /** The ways to pay: `usdc` (a transfer), `stripe` (a card) and `x402`, each with what belongs to it. */
  readonly accepts: readonly { readonly method: string; readonly [member: string]: unknown }[]
  /** When the reward of a payment on a chain is handed out. */
  readonly rewardAfter?: 'first_block' | 'confirmations' | 'final'
  /** `PAYMENT_MISSING`: a page of payment by card that is open for the same proof. Until it ends, finish it or wait. */
  readonly openCheckout?: { readonly paymentCheckoutSessionId: string; readonly expiresAt: number }
  /** It may be paid already, and is waited for: ask again after so many seconds. */
  readonly retryAfterSeconds?: number | undefined
  /** x402: the PAYMENT-REQUIRED header, base64 of JSON. */
  readonly paymentRequired?: string
}
