/**
 * Tells a refused buyer of their money that may be moving. A signed payment may have been submitted, or a card page may
 * have been paid. Then the answer never claims that nothing was paid, and never asks to pay again.
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { findWatchedCheckout } from '../../payments/checkout-store.ts'
import { listNames } from '../../payments/methods.ts'
import { findUnderWay, type Settlement } from '../../payments/settlement-store.ts'
import { writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { formatTime } from './checks.ts'
import { addSentence } from './unmatched.ts'

/** Refusals of the gate and not of the request: the payment under way is the answer until it has ended. */
const ofTheGate: ReadonlySet<AppError['code']> = new Set([
  'GATE_NOT_FOUND',
  'GATE_PAUSED',
  'GATE_NOT_STARTED',
  'GATE_ENDED',
  'GATE_SOLD_OUT',
  'GATE_LIMIT_REACHED',
  'GATE_MISCONFIGURED',
  'GATE_REQUIREMENTS_NOT_MET',
  'GATE_CHECK_INCOMPLETE',
])

const reason = 'PAYMENT_UNDER_WAY'
const askAgainSeconds = 10
const retryHeaders = { 'retry-after': String(askAgainSeconds) }

export interface BuyerAtGate {
  readonly caller: Caller
  readonly gate: Pick<Gate, 'id'>
  readonly qHash: string
}

/** Whether the caller is authenticated: a name alone reveals nothing of a payment. */
export const hasShownWho = ({ signed, identity }: Caller): boolean => signed !== undefined || identity !== undefined

/** The refusal, or what stands above it: a payment of this buyer for this proof that is under way. */
export async function addUnderWay(
  { db }: Pick<Parts, 'db'>,
  error: AppError,
  { caller, gate, qHash }: BuyerAtGate,
): Promise<AppError> {
  if (error.details.reason === reason || !hasShownWho(caller)) return error
  const settlement = await findUnderWay(db, gate.id, qHash)
  if (settlement) return tellSettlement(error, settlement)
  const page = await findWatchedCheckout(db, { gate: gate.id, qHash, buyer: writeAccount(caller) })
  if (!page || error.details.openCheckout !== undefined) return error
  const { sessionId: paymentCheckoutSessionId, expiresAt } = page
  return addSentence(
    addHeaders(error, retryHeaders),
    `A page of payment by card was opened for this proof, until ${formatTime(expiresAt)}. If you paid there, this server finds that out by itself: you get the reward, or the payment is refunded or owed to you. Do not pay in another way before`,
    {
      reason: error.details.reason ?? reason,
      paymentUnderWay: { method: listNames(({ opensCheckout }) => opensCheckout), paymentCheckoutSessionId, expiresAt },
    },
  )
}

function tellSettlement(error: AppError, { identity, endsAt }: Settlement): AppError {
  const { code, message, details } = error
  const paymentUnderWay = { method: listNames(({ movesMoneyHere }) => movesMoneyHere), identity, endsAt }
  if (!ofTheGate.has(code))
    return addSentence(
      addHeaders(error, retryHeaders),
      `Your signed payment was submitted, and whether it moved money is not known yet. If it did, it is owed to you or buys what it was for. Ask again in ${askAgainSeconds} s, and sign no other before`,
      { reason, paymentUnderWay },
    )
  return new AppError(
    'PAYMENT_REQUIRED',
    `your signed payment was submitted, and whether it moved money is not known yet. If it did, you get the reward, or the payment is owed to you. Ask again in ${askAgainSeconds} s, and sign no other payment. Apart from that: ${message}`,
    { reason, retryAfterSeconds: askAgainSeconds, paymentUnderWay, refusal: { code, message, details } },
    retryHeaders,
  )
}

const addHeaders = ({ code, message, details, headers }: AppError, more: Readonly<Record<string, string>>): AppError =>
  new AppError(code, message, details, { ...headers, ...more })
