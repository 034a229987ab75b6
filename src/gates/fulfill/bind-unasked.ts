/**
 * Binds a payment that the server found itself, without a waiting request. The one guarded statement decides limits,
 * the proof and the state of the gate.
 */

import type { Parts } from '../../parts.ts'
import { isOfLostTime, lostTimeReason } from '../../payments/lost-time.ts'
import { type AccountText, parseAccount } from '../../wallet/account.ts'
import { findGateById } from '../store.ts'
import type { Confirmed } from './confirmed-payment.ts'
import { makeReceiptId } from './receipt.ts'
import { bind } from './store.ts'
import { explainNoPlace } from './why-no-place.ts'

export interface Sale {
  /** gates.id */
  readonly gate: number
  readonly qHash: string
  readonly buyer: AccountText
  /** The version of the paid price and of the reward. */
  readonly version: number
  readonly usdMicros: number
}

/** `refused` with the code of why, or with `CHANGING` where the next look may find it otherwise. */
export type Unasked =
  | { readonly state: 'bound' }
  | { readonly state: 'payment-used' }
  | { readonly state: 'refused'; readonly reason: string }

/** More turns than this are not lost by bad luck. */
const maxTurns = 3

export async function bindUnasked(parts: Parts, sale: Sale, payment: Confirmed): Promise<Unasked> {
  if (await isOfLostTime(parts, payment.paid)) return { state: 'refused', reason: lostTimeReason }
  for (let turn = 0; turn < maxTurns; turn++) {
    const gate = await findGateById(parts, sale.gate)
    if (!gate) return { state: 'refused', reason: 'GATE_NOT_FOUND' }
    const outcome = await bind(parts.db, {
      ...sale,
      buyer: parseAccount(sale.buyer),
      receiptId: makeReceiptId(),
      now: parts.now(),
      payment,
    })
    if (outcome === 'bound') {
      parts.metrics.count('fulfillments', [gate.gateId])
      return { state: 'bound' }
    }
    if (outcome === 'payment-used') return { state: 'payment-used' }
    const { code, details } = await explainNoPlace(parts, {
      ...sale,
      gate: (await findGateById(parts, sale.gate)) ?? gate,
    })
    if (code !== 'SERVICE_UNAVAILABLE')
      return { state: 'refused', reason: typeof details.reason === 'string' ? details.reason : code }
  }
  return { state: 'refused', reason: changing }
}

export const changing = 'CHANGING'
