/**
 * Settles a payload that was found to be in order, and finds out what became of it. The word of the facilitator decides
 * nothing that the chain can tell: only how long it is worth to wait, and what the buyer hears when nothing was paid.
 *
 * A buyer is asked for another payment (PAYMENT-REQUIRED) only where this one did not, as far as anybody knows, move
 * money: a client that is asked pays.
 */
import type { Hex } from '../../outside/chains/chain.ts'
import { limitWait } from '../../outside/deadline.ts'
import { OutsideError } from '../../outside/failure.ts'
import { formatAmount } from '../amount.ts'
import type { PaymentOffer, PaymentPlace, PaymentTools, PaymentVerdict, Settling } from '../payment.ts'
import type { RewardMoment } from '../price.ts'
import { computeExtraAge, makeTooEarly } from '../reward-after.ts'
import { findSettlement, wasHandedToFacilitator } from '../settlement-store.ts'
import { refuseAge } from '../stablecoin/payment-age.ts'
import { transferDetails } from '../stablecoin/review.ts'
import { findPayment, type PaidVerdict } from '../store.ts'
import { findUnmatched } from '../unmatched-store.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { facilitatorSetting, makeFacilitator, type Order, type SaidSettlement } from './facilitator.ts'
import { makeAuthorizationIdentity } from './identity.ts'
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
  /** For whom and at which gate it is presented. */
  readonly offer: Pick<PaymentOffer, 'gateId' | 'qHash' | 'terms' | 'price'>
  /** When the request is answered, whatever is known by then. As performance.now() tells it. */
  readonly endsAt: number
}

/** Less than what a request may take in all (gates/fulfill/payment.ts), so that the answer can say what is waited for. */
export const waitsAtMostMs = 9_000

/** Nothing was paid, and another payment is asked for. */
export const makeRefused = ({ order }: Presented, { reason, message }: Mismatch): Unpaid => ({
  ...makeUnpaid(reason, message),
  headers: writePaymentRequired(order.requirements, order.resource, message),
})

/** What the authorization paid, if it was used already, by whomever. Undefined while it is unused. Errors: OutsideError. */
export async function findPaidVerdict(presented: Presented, tools: PaymentTools): Promise<PaymentVerdict | undefined> {
  const { sought } = presented
  const { chain } = sought.token
  const view = await chain.at()
  if (!(await isSpent(view, sought))) return undefined
  const { finalTime } = await chain.finality()
  const extraMs = computeExtraAge(presented.rewardAfter, presented.token, { finalLagMs: view.blockTime - finalTime })
  const oldestMs = tools.now() - tools.config.payments.quoteMinutes * 60_000 - extraMs
  const { gateId, qHash } = presented.offer
  const isOurs = wasHandedToFacilitator(tools.db, makeIdentity(presented), { gateId, qHash })
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
 * What this server knows of an authorization that the chain shows as unused: it may be under way, or the endpoints may be
 * behind. Undefined: nothing that stands against a payment that moved no money.
 */
export function findKnownFault(presented: Presented, { db }: Pick<PaymentTools, 'db'>): Unpaid | undefined {
  const identity = makeIdentity(presented)
  const earlierHandover = findSettlement(db, identity)
  if (earlierHandover && earlierHandover.refusedAt === null)
    return {
      ...makeUnpaid(
        'PAYMENT_UNDER_WAY',
        'this server has handed the signed payment over, and it is not known yet whether it moved money: repeat the request with the same PAYMENT-SIGNATURE in 10 s, and sign no other',
        10,
      ),
      headers: writeFailure(presented, pendingReason, ''),
    }
  if (earlierHandover)
    return makeRefused(presented, {
      reason: 'SETTLEMENT_FAILED',
      message: `the facilitator did not settle the signed payment, which has moved nothing so far and could until ${new Date(earlierHandover.endsAt).toISOString()}: this server goes on looking, and what it moves is claimed or owed to you`,
    })
  if (findPayment(db, identity) || findUnmatched(db, identity))
    return {
      ...makeUnpaid('PAYMENT_ALREADY_USED', 'this signed payment was settled and used before'),
      headers: writeFailure(presented, 'payment_already_used', ''),
    }
  return undefined
}

/** It may have paid, in a transaction that is not seen yet: it is waited for, and nothing else is asked for. */
const reportSpent = (presented: Presented, message: string): Unpaid => ({
  ...makeUnpaid(
    'AUTHORIZATION_SPENT',
    `${message}. It is looked for again: repeat the request with the same PAYMENT-SIGNATURE in 10 s, and sign no other`,
    10,
  ),
  headers: writeFailure(presented, pendingReason, ''),
})

/**
 * Errors: OutsideError, also when it is not known whether money moved: the same request finds out; and those of
 * `place.hold`, after which nothing is settled.
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
      findKnownFault(presented, tools) ??
      makeRefused(presented, {
        reason: 'PAYMENT_INVALID',
        message: `the facilitator refused the payment: ${verification.reason}`,
      })
    )

  await place?.hold(makeSettling(presented))
  const late = makeTimeout('settle')
  const said = await limitWait(facilitator.settle(order), countLeftMs(presented), () => late).catch(requireOutsideError)
  const verdict = await awaitSettlement(said, presented, tools)
  if (verdict) return verdict
  if (said === late) return reportPending(presented, 'the facilitator is still settling the payment')
  if (said instanceof OutsideError) throw said
  if (mayHaveMoved(said)) {
    tools.log.count({
      level: 'warn',
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
  await place?.giveBack(makeIdentity(presented))
  const refusal = makeRefused(presented, {
    reason: 'SETTLEMENT_FAILED',
    message: `the facilitator could not settle the payment: ${said.reason}`,
  })
  return { ...refusal, headers: { ...refusal.headers, ...writeFailure(presented, said.reason, '') } }
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

/** A request is answered in its time. What it began goes on, and the same request finds what became of it. */
const makeTimeout = (what: 'verify' | 'settle'): OutsideError =>
  new OutsideError(
    'timeout',
    facilitatorSetting,
    `did not ${what} the payment within ${waitsAtMostMs / 1000} s`,
    'see why it is slow, or take another facilitator',
  )

const countLeftMs = ({ endsAt }: Presented): number => Math.max(0, endsAt - performance.now())

/** It is waited for, and no other payment is asked for. */
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

/** An endpoint of ours may be behind the one of the facilitator, which has seen the transaction in a block. */
const looksWhenSettled = 7
/** Whoever is told to come again after seconds finds out then. */
const looksWhenUnheard = 2
const betweenLooksMs = 500

/** What the chain shows of a settlement, soon after it. Undefined: nothing. Errors: OutsideError. */
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

/** Waits for confirmations as long as the request may, because clients of x402 know no other answer than yes and no. */
async function waitUntilReached(
  transaction: Hex,
  first: Settled,
  presented: Presented,
  tools: PaymentTools,
): Promise<PaymentVerdict | undefined> {
  let settled: Settled | undefined = first
  while (settled) {
    const verdict = judgeSettled(settled, presented, tools, true)
    const isWorthIt = presented.rewardAfter === 'confirmations' && presented.token.confirmations > 0
    if (verdict.paid || verdict.reason !== 'NOT_CONFIRMED' || !isWorthIt) return verdict
    if (countLeftMs(presented) < betweenLooksMs) return verdict
    await Bun.sleep(betweenLooksMs)
    settled = await findSettled(transaction, presented.sought)
  }
  return undefined
}

/** `isOurs`: this server handed it over for this gate and proof, so that it was asked for, and a place may be held. */
function judgeSettled(
  { receipt, standing, value }: Settled,
  presented: Presented,
  tools: PaymentTools,
  isOurs: boolean,
): PaymentVerdict {
  const { token, order, sought, rewardAfter } = presented
  const due = BigInt(order.requirements.amount)
  if (value < due)
    return makeUnpaid(
      'AMOUNT_TOO_LOW',
      `the signed payment moved ${formatAmount(value, token)}, and the price is ${formatAmount(due, token)} (token ${token.address} on ${token.chain.chain})`,
    )
  const { blockTime } = standing
  const bought = isOurs ? {} : isBoughtAtBlock({ blockTime, value, payTo: sought.payTo, token }, presented.offer)
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

/** The payment that a settlement is, for whom it is enough. */
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
