/** What payments ask of gates, which they do not know: what may be bought, its place, and the claim of what was paid. */

import type { Caller } from '../auth/caller.ts'
import type { Statement } from '../db/db.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import type { AccountText } from '../wallet/account.ts'
import type { WatchedCheckout } from './checkout-store.ts'
import type { Price } from './price.ts'
import type { Settlement } from './settlement-store.ts'
import type { PaidVerdict } from './store.ts'

/** Error codes of a route where somebody wants to pass a gate with a proof. */
export const purchaseCodes = [
  'GATE_NOT_FOUND',
  'PROOF_NOT_FOUND',
  'GATE_NOT_STARTED',
  'GATE_ENDED',
  'PROOF_NOT_VERIFIED',
  'GATE_MISCONFIGURED',
  'GATE_REQUIREMENTS_NOT_MET',
  'GATE_CHECK_INCOMPLETE',
  'GATE_SOLD_OUT',
  'GATE_LIMIT_REACHED',
] as const satisfies readonly ErrorCode[]

/** What is about to be paid. */
export interface Purchase {
  /** gates.id */
  readonly gate: number
  /** Of the gate, whose price is paid and whose reward is given. */
  readonly version: number
  /** The buyer. */
  readonly buyer: AccountText
  /** Whether the caller owns the gate, and may hear what is wrong with it. */
  readonly isOwner: boolean
  readonly name: string
  readonly price: Price
  /** The methods of the price, as the interface names them. */
  readonly methodNames: readonly string[]
  readonly successReturnUrl?: string | undefined
  /** Undefined at a gate without limits, where there is always room. */
  readonly place: Place | undefined
}

/** A place at a gate with limits. Held, it counts as given out until it expires. */
export interface Place {
  /**
   * The first of them refuses its batch when there is none for this buyer. Held already, it is held until the later of
   * both times. `endsAt`: when what was opened for it can no longer be paid; left out while nothing is opened yet.
   */
  hold(until: number, endsAt?: number): readonly Statement[]
  /** Gives it back unless something else of the same buyer and proof may still be paid. */
  release(): Statement
  /** Why there was none. */
  refusal(): AppError
}

/**
 * Finds what may be bought for this proof by this caller. Errors: whatever would refuse the fulfilment for another
 * reason than the payment: nobody is to pay for what they cannot have.
 */
export type FindPurchase = (gateId: string, qHash: string, caller: Caller) => Promise<Purchase>

export type ClaimOutcome =
  | { readonly state: 'claimed' }
  /** The payment is claimed or unmatched already. */
  | { readonly state: 'known' }
  /** Not yet: the buyer has something left to do, or the gate is changing right now. */
  | { readonly state: 'waiting' }
  /** Never: the code says why it buys nothing. */
  | { readonly state: 'refused'; readonly reason: string }

/** What the server does with payments that it finds by itself. */
export interface Purchases {
  /** Claims the fulfilment that was paid for. `isLast`: it is not asked again, so that waiting is refusing. */
  claim(checkout: WatchedCheckout, paid: PaidVerdict, isLast: boolean): Promise<ClaimOutcome>
  /** Gives the place of a checkout back, as Place.release does. */
  releasePlace(checkout: WatchedCheckout): Statement
  /** The public id of a gate, for the log and the metrics. */
  nameGate(gate: number): string
}

/** What the gate does with a settlement once its end is known. Each forgets the settlement in the batch of its effect. */
export interface Conclusions {
  /** It moved money: the fulfilment is claimed for the buyer, or the payment is written down as unmatched. */
  paid(settlement: Settlement, paid: PaidVerdict): Promise<void>
  /** It moved money, and its reward only has to wait: the place is kept. */
  awaited(settlement: Settlement): Promise<void>
  /** It has moved nothing, and cannot any more: the place is free. */
  unpaid(settlement: Settlement): Promise<void>
}
