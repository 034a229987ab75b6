/**
 * The binding of a payment to a fulfillment: one batch of guarded statements. A payment that cannot be bound is stored
 * as unmatched.
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { convertUsdMicros } from '../../payments/price.ts'
import { findUnmatched, type Unmatched } from '../../payments/unmatched-store.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { makeClosedGateError } from '../access.ts'
import type { Gate } from '../gate.ts'
import { findGateById } from '../store.ts'
import { requireProof, requireRoom, requireVerified } from './checks.ts'
import type { Confirmed } from './confirmed-payment.ts'
import type { Due } from './payment.ts'
import { makeReceiptId } from './receipt.ts'
import { bind, type Fulfillment, findFulfillment } from './store.ts'
import { addUnmatched, findRefunder, notePayment } from './unmatched.ts'
import { alreadyFulfilled } from './why-no-place.ts'

/** A buyer who may have the reward of a gate, except for the payment. */
export interface Admitted {
  /** In the version whose price is paid, and whose reward is given. */
  readonly gate: Gate
  readonly proof: ProofRow
  readonly caller: Caller
  readonly due: Due | undefined
  /** Given before: asking again. */
  readonly earlier?: Fulfillment
}

/** More turns than this are not lost by bad luck. */
const maxTurns = 3

/**
 * The fulfillment, which is stored when this returns. If two payments were made, it includes the unused one. Errors:
 * PAYMENT_ALREADY_USED, and those of every earlier check, for changes during the payment check.
 */
export async function requireBinding(
  parts: Parts,
  { gate, proof, caller }: Admitted,
  offered: Confirmed | undefined,
): Promise<{ readonly bound: Fulfillment; readonly unmatched?: Unmatched | undefined }> {
  const { qHash } = proof
  let next = offered
  for (let turn = 0; turn < maxTurns; turn++) {
    const payment = next
    const outcome = await bind(parts.db, {
      gate: gate.id,
      qHash,
      buyer: caller,
      version: payment?.paid.bought?.version ?? gate.version,
      receiptId: makeReceiptId(),
      now: parts.now(),
      usdMicros: payment ? (payment.paid.bought?.usdMicros ?? convertUsdMicros(gate.definition.price)) : null,
      payment,
    })
    const stored = await findFulfillment(parts.db, gate.id, qHash)
    if (stored) {
      if (outcome === 'bound') parts.metrics.count('fulfillments', [gate.gateId])
      const isOther = payment && outcome !== 'bound' && stored.payment?.identity !== payment.paid.identity
      if (!isOther) return { bound: stored }
      const unmatched = await notePayment(parts, gate, { qHash, caller, payment, reason: alreadyFulfilled })
      return { bound: stored, unmatched }
    }
    const [other, ...beside] = payment?.paid.beside ?? []
    if (payment && other && outcome === 'payment-used') {
      // Another request was faster with this transfer, and the transaction has one more.
      next = { ...payment, paid: { ...other, beside } }
      turn--
      continue
    }
    try {
      if (outcome === 'payment-used') throw await explainUsedPayment(parts, gate, payment)
      requireVerified(await requireProof(parts, qHash), parts.now())
      const current = await findGateById(parts, gate.id)
      if (current?.status !== 'active') throw makeClosedGateError(current)
      await requireRoom(parts, current, caller, qHash)
    } catch (error) {
      throw addHeaders(await explainLostBinding(parts, { gate, proof, caller }, payment, error), payment?.paid.headers)
    }
  }
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'another request is changing this gate: try again',
    {},
    { 'retry-after': '1' },
  )
}

async function explainUsedPayment({ db }: Parts, gate: Gate, payment: Confirmed | undefined): Promise<AppError> {
  const identity = payment?.paid.identity ?? ''
  const row = await findUnmatched(db, identity)
  if (row?.state === 'owed' && row.owner !== gate.owner)
    return new AppError(
      'PAYMENT_ALREADY_USED',
      'this payment was made to another seller, who owes it to you: use it for a gate of that seller, or ask the seller for it',
      { reason: 'OWED_BY_ANOTHER_SELLER', identity },
    )
  if (row?.state === 'refunding' || row?.state === 'refunded')
    return new AppError(
      'PAYMENT_ALREADY_USED',
      `this payment bought nothing, and ${describeRefund(row)}: make a new payment`,
      {
        reason: 'REFUNDED',
        identity,
      },
    )
  return new AppError(
    'PAYMENT_ALREADY_USED',
    'this payment was used for another gate or another proof: make a new payment, because each buys one reward',
    { identity },
  )
}

const describeRefund = (row: Unmatched): string => {
  if (row.state === 'refunding') return 'this server is giving it back'
  return findRefunder(row) === 'seller' ? 'it was given back by the seller' : 'this server has given it back'
}

/** The binding was lost after the payment was confirmed: the money is there, and is not forgotten. */
async function explainLostBinding(
  parts: Parts,
  { gate, proof: { qHash }, caller }: Pick<Admitted, 'gate' | 'proof' | 'caller'>,
  payment: Confirmed | undefined,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || !payment || error.code === 'PAYMENT_ALREADY_USED') return error
  const row = await notePayment(parts, gate, { qHash, caller, payment, reason: error.code })
  return row ? addUnmatched(error, row) : error
}

/** The buyer must hear of a settlement even when the binding is lost. */
function addHeaders(error: unknown, headers: Readonly<Record<string, string>> | undefined): unknown {
  if (!(error instanceof AppError) || !headers) return error
  return new AppError(error.code, error.message, error.details, { ...error.headers, ...headers })
}
