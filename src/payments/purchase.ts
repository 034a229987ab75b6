/**
 * The operations that payments need of gates, without importing them: what may be bought, its place, and binding a
 * payment.
 */

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
  'GATE_PAUSED',
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

/** A purchase that is about to be paid. */
export interface Purchase {
  /** gates.id */
  readonly gate: number
  /** The version of the gate whose price is paid and whose reward is delivered. */
  readonly version: number
  /** The buyer. */
  readonly buyer: AccountText
  /** Whether the caller owns the gate, and may see its faults. */
  readonly isOwner: boolean
  readonly name: string
  readonly price: Price
  /** The methods of the price, as the interface names them. */
  readonly methodNames: readonly string[]
  readonly successReturnUrl?: string | undefined
  /** The first statement of a write that names the gate's version: others remove versions that nothing names. */
  readonly holdGate: Statement
  /** Undefined at a gate without limits. */
  readonly place: Place | undefined
}

/** A place at a gate with limits. A reserved place counts as taken until it expires. */
export interface Place {
  /**
   * Only these statements refuse their batch when there is no place for this buyer. An existing reservation is extended to
   * the later time. `endsAt`: the end of the payable time of the opened checkout; absent while none is open.
   */
  hold(until: number, endsAt?: number): readonly Statement[]
  /** Releases the place unless the same buyer may still pay for the same proof. */
  release(): readonly Statement[]
  /** The reason for the missing place. */
  refusal(): Promise<AppError>
}

/**
 * Finds the purchase of this proof by this caller. Errors: every refusal of the fulfillment except for the payment, so
 * that no buyer pays in vain.
 */
export type FindPurchase = (gateId: string, qHash: string, caller: Caller) => Promise<Purchase>

export type BindOutcome =
  | { readonly state: 'bound' }
  /** The payment is already bound or unmatched. */
  | { readonly state: 'known' }
  /** Not yet: the buyer must act first, or the gate is changing right now. */
  | { readonly state: 'waiting' }
  /** Never: the code says why it buys nothing. */
  | { readonly state: 'refused'; readonly reason: string }

/** The handling of payments that the server finds by itself. */
export interface Purchases {
  /**
   * Binds the payment and makes the fulfillment. `isLast`: there is no further try, so that waiting counts as a
   * refusal.
   */
  bind(checkout: WatchedCheckout, paid: PaidVerdict, isLast: boolean): Promise<BindOutcome>
  /** The first statement of a write that releases a place. */
  holdGate(checkout: Pick<WatchedCheckout, 'gate' | 'buyer'>): Statement
  /** Releases the place of a checkout, as Place.release does. */
  releasePlace(checkout: WatchedCheckout): Statement
  /** The public id of a gate, for the log and the metrics. */
  nameGate(gate: number): Promise<string>
}

/** The gate's actions once the end of a settlement is known. Each deletes the settlement in the batch of its effect. */
export interface Conclusions {
  /** The money moved: the payment is bound to the buyer's fulfillment, or recorded as unmatched. */
  paid(settlement: Settlement, paid: PaidVerdict): Promise<void>
  /** The money moved, and only the reward has to wait: the place is kept. */
  awaited(settlement: Settlement): Promise<void>
  /** The money did not move, and cannot any more: the place is released. */
  unpaid(settlement: Settlement): Promise<void>
}
