/**
 * Settles a valid payload, and finds its outcome. The facilitator's word never replaces the chain. It decides only how
 * long to wait, and the message when nothing was paid. PAYMENT-REQUIRED is sent only if, as far as known, this payment
 * moved no money: clients pay when they are asked.
 */

import { limitWait } from '../../limit-wait.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import { OutsideError } from '../../outside/failure.ts'
import { formatAmount } from '../amount.ts'
import type { PaymentOffer, PaymentPlace, PaymentTools, PaymentVerdict, Settling } from '../payment.ts'
import type { RewardMoment } from '../price.ts'
import { computeExtraAge, makeTooEarly } from '../reward-after.ts'
import { findSettlement, wasHandedToFacilitator } from '../settlement-store.ts'
import { findPayment, type PaidVerdict } from '../store.ts'
import { makeAuthorizationIdentity } from '../token-transfers/authorization.ts'
import { refuseAge } from '../token-transfers/payment-age.ts'
import { transferDetails } from '../token-transfers/review.ts'
import { findUnmatched } from '../unmatched-store.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import {
  type Facilitator,
  facilitatorSetting,
  makeFacilitator,
  type Order,
  type SaidSettlement,
} from './facilitator.ts'
import type { Mismatch } from './payload.ts'
import { writePaymentRequired, writePaymentResponse } from './quote.ts'
import type { SettlementDetails } from './review.ts'
import { findUse } from './search.ts'
import { findSettled, isSpent, type Settled, type Sought } from './settlement.ts'
import { isBoughtAtBlock } from './terms.ts'
import type { AskedToken } from './token.ts'

export interface Presented {
  readonly token: AskedToken
  readonly order: Order
  readonly sought: Sought
  readonly rewardAfter: RewardMoment
  /** The gate and the buyer of the payment. */
  readonly offer: Pick<PaymentOffer, 'gateId' | 'qHash' | 'terms' | 'price'>
  /** The deadline of the answer, by performance.now(). */
  readonly endsAt: number
}

/** Less than the limit of a request (gates/fulfill/payment.ts), so that the answer can say what is pending. */
export const waitsAtMostMs = 9_000

/** The payment moved no money, so another one is requested. */
export const makeRefused = ({ order }: Presented, { reason, message }: Mismatch): Unpaid => ({
  ...makeUnpaid(reason, message),
  headers: writePaymentRequired(order.requirements, order.resource, message),
})

/**
 * The payment of an authorization that was used already, by any sender. Undefined while it is unused. Errors:
 * OutsideError.
 */
export async function findPaidVerdict(presented: Presented, tools: PaymentTools): Promise<PaymentVerdict | undefined> {
  const { sought } = presented
  const { chain } = sought.token
  const view = await chain.at()
  if (!(await isSpent(view, sought))) return undefined
  const { finalTime } = await chain.finality()
  const extraMs = computeExtraAge(presented.rewardAfter, presented.token, { finalLagMs: view.blockTime - finalTime })
  const oldestMs = tools.now() - tools.config.payments.quoteMinutes * 60_000 - extraMs
  const { gateId, qHash } = presented.offer
  const isOurs = await wasHandedToFacilitator(tools.db, makeIdentity(presented), { gateId, qHash })
  const transaction = await findUse(sought, oldestMs)
  if (transaction === undefined)
    return reportSpent(
      presented,
      `the signed payment was used or cancelled, and no transaction that used it is found in the last ${tools.config.payments.quoteMinutes} minutes. That is not final: endpoints may be behind`,
    )
  const settled = await findSettled(transaction, sought)
  if (settled) return judgeSettled(settled, presented, tools, isOurs)
  return reportSpent(
    presented,
    `the transaction ${transaction} used the signed payment, and paid nothing to ${sought.payTo} with it that stands on ${chain.chain} yet`,
  )
}

/**
 * This server's record of an authorization that looks unused on the chain. It may be in progress, or the endpoints are
 * behind. Undefined without an objection to a payment that moved no money.
 */
export async function findKnownFault(
  presented: Presented,
  { db }: Pick<PaymentTools, 'db'>,
): Promise<Unpaid | undefined> {
  const identity = makeIdentity(presented)
  const earlierHandover = await findSettlement(db, identity)
  if (earlierHandover && earlierHandover.refusedAt === null)
    return {
      ...makeUnpaid(
        'PAYMENT_UNDER_WAY',
        'this server has submitted the signed payment, and whether it moved money is not known yet: repeat the request with the same PAYMENT-SIGNATURE in 10 s, and sign no other',
        10,
      ),
      headers: writeFailure(presented, pendingReason, ''),
    }
  if (earlierHandover)
    return makeRefused(presented, {
      reason: 'SETTLEMENT_FAILED',
      message: `the facilitator did not settle the signed payment, which has moved nothing so far and could until ${new Date(earlierHandover.endsAt).toISOString()}: this server goes on looking, and what it moves is claimed or owed to you`,
    })
  if ((await findPayment(db, identity)) || (await findUnmatched(db, identity)))
    return {
      ...makeUnpaid('PAYMENT_ALREADY_USED', 'this signed payment was settled and used before'),
      headers: writeFailure(presented, 'payment_already_used', ''),
    }
  return undefined
}

/** It may have paid in a transaction that is not visible yet, so no other payment is requested. */
const reportSpent = (presented: Presented, message: string): Unpaid => ({
  ...makeUnpaid(
    'AUTHORIZATION_SPENT',
    `${message}. It is looked for again: repeat the request with the same PAYMENT-SIGNATURE in 10 s, and sign no other`,
    10,
  ),
  headers: writeFailure(presented, pendingReason, ''),
})

/**
 * Errors: OutsideError, also when it is unknown whether money moved, which repeating the request finds out. Errors of
 * `place.hold` too, after which nothing is settled.
 */
export async function settle(
  presented: Presented,
  tools: PaymentTools,
  place: PaymentPlace | undefined,
): Promise<PaymentVerdict> {
  const { order, token } = presented
  const facilitator = makeFacilitator(token.facilitatorUrl, tools)
  const verification = await limitWait(facilitator.verify(order), countLeftMs(presented), () => makeTimeout('verify'))
  if (!verification.isValid)
    // Another request with the same payload may have been faster.
    return (
      (await findPaidVerdict(presented, tools)) ??
      (await findKnownFault(presented, tools)) ??
      makeRefused(presented, {
        reason: 'PAYMENT_INVALID',
        message: `the facilitator refused the payment: ${verification.reason}`,
      })
    )

  await place?.hold(makeSettling(presented))
  if (place && !(await place.beginHandover(makeIdentity(presented))))
    return (await findPaidVerdict(presented, tools)) ?? reportPending(presented, submittedElsewhere, '', 10)
  const late = makeTimeout('settle')
  const settling = handOver(presented, facilitator, place)
  const said = await limitWait(settling, countLeftMs(presented), () => late).catch(requireOutsideError)
  const verdict = await awaitSettlement(said, presented, tools)
  if (verdict) return verdict
  if (said === late) return reportPending(presented, 'the facilitator is still settling the payment')
  if (said instanceof OutsideError) throw said
  if (mayHaveMoved(said)) {
    tools.log.count({
      level: 'warn',
      event: 'settlement-unseen',
      message: 'the facilitator of x402 says that a payment was sent, and the chain does not show it yet',
      kind: token.chain.chain,
      fields: {
        chain: token.chain.chain,
        transaction: isHash(said.transaction) ? said.transaction : undefined,
        mend: 'it is watched; if this stays, see whether the endpoints of the chain lag behind',
      },
    })
    const sent = `the facilitator says that the payment was sent, and ${token.chain.chain} does not show it yet`
    return reportPending(presented, sent, said.transaction)
  }
  if (place && !(await place.release(makeIdentity(presented))))
    return reportPending(presented, submittedElsewhere, '', 10)
  const refusal = makeRefused(presented, {
    reason: 'SETTLEMENT_FAILED',
    message: `the facilitator could not settle the payment: ${said.reason}`,
  })
  return { ...refusal, headers: { ...refusal.headers, ...writeFailure(presented, said.reason, '') } }
}

const submittedElsewhere = 'this server has submitted the signed payment, and the facilitator is still settling it'

function handOver(
  presented: Presented,
  facilitator: Facilitator,
  place: PaymentPlace | undefined,
): Promise<SaidSettlement> {
  const settling = facilitator.settle(presented.order)
  // Also after the request was answered. If it is not stored, the watch of settlements finds the outcome.
  const end = (): void => void place?.endHandover(makeIdentity(presented)).catch(() => {})
  settling.then(end, end)
  return settling
}

const makeIdentity = ({ token, sought: { from, nonce } }: Presented): string =>
  makeAuthorizationIdentity({ network: token.chain.chain, asset: token.address, from, nonce })

const makeSettling = (presented: Presented): Settling => {
  const { token, order, sought, rewardAfter } = presented
  return {
    identity: makeIdentity(presented),
    details: {
      chain: token.chain.chain,
      token: token.address,
      confirmations: token.confirmations,
      rewardAfter,
      payer: sought.from,
      nonce: sought.nonce,
      recipient: sought.payTo,
      due: order.requirements.amount,
    },
    endsAt: Number(order.authorization.validBefore) * 1000,
  }
}

/** A request is answered in time. Its settlement continues, and repeating the request finds the outcome. */
const makeTimeout = (what: 'verify' | 'settle'): OutsideError =>
  new OutsideError(
    'timeout',
    facilitatorSetting,
    `did not ${what} the payment within ${waitsAtMostMs / 1000} s`,
    'see why it is slow, or take another facilitator',
  )

const countLeftMs = ({ endsAt }: Presented): number => Math.max(0, endsAt - performance.now())

/** The outcome is pending, so no other payment is requested. */
const reportPending = (presented: Presented, what: string, transaction = '', seconds = 5): Unpaid => ({
  ...makeUnpaid(
    'NOT_CONFIRMED',
    `${what}: repeat the request with the same PAYMENT-SIGNATURE in ${seconds} s, and sign no other`,
    seconds,
  ),
  headers: writeFailure(presented, pendingReason, transaction),
})

/** The word of facilitators for a transaction that was sent and not seen in a block yet. */
const pendingReason = 'settlement_pending'

const mayHaveMoved = ({ success, reason }: SaidSettlement): boolean => success || reason === pendingReason

const isHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/.test(text)

/** This server's endpoint may be behind the facilitator's, which has seen the transaction in a block. */
const looksWhenSettled = 7
/** A buyer told to repeat the request after some seconds gets the outcome then. */
const looksWhenUnheard = 2
const betweenLooksMs = 500

/** The settlement on the chain, soon after it was sent. Undefined if it is not there. Errors: OutsideError. */
async function awaitSettlement(
  said: SaidSettlement | OutsideError,
  presented: Presented,
  tools: PaymentTools,
): Promise<PaymentVerdict | undefined> {
  const looks = said instanceof OutsideError ? looksWhenUnheard : mayHaveMoved(said) ? looksWhenSettled : 1
  for (let look = 1; ; look++) {
    if (!(said instanceof OutsideError) && isHash(said.transaction)) {
      const settled = await findSettled(said.transaction, presented.sought)
      if (settled) return waitUntilReached(said.transaction, settled, presented, tools)
    }
    const verdict = await findPaidVerdict(presented, tools)
    if (verdict?.paid || look >= looks || countLeftMs(presented) < betweenLooksMs) return verdict
    await Bun.sleep(betweenLooksMs)
  }
}

/** Waits for confirmations as long as the request may, because x402 clients know only "paid" and "not paid". */
async function waitUntilReached(
  transaction: Hex,
  first: Settled,
  presented: Presented,
  tools: PaymentTools,
): Promise<PaymentVerdict | undefined> {
  let settled: Settled | undefined = first
  while (settled) {
    const verdict = await judgeSettled(settled, presented, tools, true)
    const isWorthIt = presented.rewardAfter === 'confirmations' && presented.token.confirmations > 0
    if (verdict.paid || verdict.reason !== 'NOT_CONFIRMED' || !isWorthIt) return verdict
    if (countLeftMs(presented) < betweenLooksMs) return verdict
    await Bun.sleep(betweenLooksMs)
    settled = await findSettled(transaction, presented.sought)
  }
  return undefined
}

/** `isOurs`: this server handed it over for this gate and proof, so a place may be reserved. */
async function judgeSettled(
  { receipt, standing, value }: Settled,
  presented: Presented,
  tools: PaymentTools,
  isOurs: boolean,
): Promise<PaymentVerdict> {
  const { token, order, sought, rewardAfter } = presented
  const due = BigInt(order.requirements.amount)
  if (value < due)
    return makeUnpaid(
      'AMOUNT_TOO_LOW',
      `the signed payment moved ${formatAmount(value, token)}, and the price is ${formatAmount(due, token)} (token ${token.address} on ${token.chain.chain})`,
    )
  const { blockTime } = standing
  const bought = isOurs ? {} : await isBoughtAtBlock({ blockTime, value, payTo: sought.payTo, token }, presented.offer)
  if ('reason' in bought) return bought
  const untimely = refuseAge(standing, tools, computeExtraAge(rewardAfter, token, standing))
  if (untimely) return untimely
  const early = makeTooEarly(standing, token, rewardAfter)
  if (early)
    return {
      ...early,
      ...reportPending(presented, early.message, receipt.transactionHash, early.retryAfterSeconds),
    }
  const { chain } = token.chain
  const { from: payer } = sought
  return {
    ...makePaidVerdict({ receipt, standing, value }, sought, due),
    ...bought,
    headers: writePaymentResponse({ success: true, transaction: receipt.transactionHash, network: chain, payer }),
  }
}

/** The payment of a settlement with a sufficient amount. */
export function makePaidVerdict({ receipt, standing, value }: Settled, sought: Sought, due: bigint): PaidVerdict {
  const { token, from: payer, nonce, payTo: recipient } = sought
  const details: SettlementDetails = { ...transferDetails(receipt, token, { payer, recipient, due }), nonce }
  return {
    paid: true,
    identity: makeAuthorizationIdentity({ network: token.chain.chain, asset: token.address, from: payer, nonce }),
    payer,
    amount: String(value),
    paidAt: standing.blockTime,
    details: { ...details },
    isFinal: standing.isSettled,
  }
}

const writeFailure = ({ token, sought }: Presented, errorReason: string, transaction: string) =>
  writePaymentResponse({
    success: false,
    errorReason,
    transaction: isHash(transaction) ? transaction : '',
    network: token.chain.chain,
    payer: sought.from,
  })

function requireOutsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error
  throw error
}
