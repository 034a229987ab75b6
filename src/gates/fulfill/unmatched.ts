/**
 * Tells a buyer of money that was paid for a gate and bought nothing. A refusal reports the payment that came with it:
 * whether it was found, its present owner, and its remaining use.
 */

import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { joinSentences } from '../../pattern-words.ts'
import { findPaymentMethod, identityWords, isPaidOnChain, methodWords, nameMethod } from '../../payments/methods.ts'
import { convertUsdMicros, formatUsd } from '../../payments/price.ts'
import { concludeStatement } from '../../payments/settlement-store.ts'
import { listUsers, writeUnmatched } from '../../payments/unmatched.ts'
import {
  findUnmatchedOfPair,
  type NewUnmatched,
  type Unmatched,
  type UnmatchedState,
} from '../../payments/unmatched-store.ts'
import { isOnChain } from '../../payments/watch-owed.ts'
import { requireStandingProof } from '../../proofs/ground-store.ts'
import { defineChoice } from '../../shape.ts'
import { type Account, writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { holdGate } from '../hold-store.ts'
import type { Confirmed } from './confirmed-payment.ts'
import { releaseStatement } from './reservation-store.ts'

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** In refusals, in rewards, and in the lists of buyer and seller. */
export const UnmatchedAnswer = Type.Object({
  identity: Type.String({
    description: `The payment, as ${identityWords}.`,
  }),
  method: Type.String({ description: methodWords }),
  state: defineChoice(
    ['owed', 'refunding', 'refunded', 'used'],
    'owed: the seller has it, and usableBy says who can use it for any gate of the seller. refunding: this server gives it back. refunded: it was given back, and givenBackBy says by whom. used: it bought something of the seller after all.',
  ),
  reason: Type.String({ description: 'Why it bought nothing: the code of the refusal, such as GATE_SOLD_OUT.' }),
  payer: makeNullable(Type.String()),
  amount: makeNullable(Type.String({ description: 'In base units of the token, or cents.' })),
  amountUsd: makeNullable(Type.String({ description: 'The price at that time.' })),
  transactionHash: makeNullable(Type.String({ description: 'What to send as paymentTxHash to use it.' })),
  paidAt: makeNullable(Type.Integer({ description: 'Unix milliseconds.' })),
  givenBackBy: Type.Optional(
    defineChoice(
      ['server', 'seller'],
      'Where it is refunded. seller: as the seller says, which this server did not look up.',
    ),
  ),
  usableBy: Type.Optional(
    Type.Array(defineChoice(['payer', 'buyer']), {
      description:
        'Where it is owed: who can use it, once. payer: the wallet that paid. buyer: the wallet whose quote it paid, whoever sent the money.',
    }),
  ),
  onChain: Type.Optional(
    Type.Boolean({
      description:
        'Of a transfer that is owed: false while its chain has taken it back. Nobody can use it then, and it must not be sent back. It is looked for.',
    }),
  ),
  returnTransactionHash: makeNullable(
    Type.String({ description: 'The transaction by which the seller gave it back, where the seller named it.' }),
  ),
})

export const showUnmatched = (row: Unmatched) => {
  const { identity, method, state, reason, payer, amount, usdMicros, details, paidAt } = row
  const giver = findRefunder(row)
  const users = listUsers(row)
  return {
    identity,
    method: nameMethod(method),
    state,
    reason,
    payer,
    amount,
    amountUsd: usdMicros === null ? null : formatUsd(usdMicros),
    transactionHash: typeof details.transactionHash === 'string' ? details.transactionHash : null,
    paidAt,
    ...(giver === undefined ? {} : { givenBackBy: giver }),
    ...(users.length === 0 ? {} : { usableBy: users }),
    ...(state === 'owed' && isPaidOnChain(method) ? { onChain: isOnChain(row) } : {}),
    returnTransactionHash: typeof details.returnedBy === 'string' ? details.returnedBy : null,
  }
}

/** The party that refunded it. A seller leaves a mark when this server could have done it. Undefined: not refunded. */
export const findRefunder = ({ state, method, details }: Unmatched): 'server' | 'seller' | undefined => {
  if (state !== 'refunded') return undefined
  return findPaymentMethod(method)?.givesBack && details.returnedAt === undefined ? 'server' : 'seller'
}

const words: Readonly<Record<Exclude<UnmatchedState, 'owed'>, string>> = {
  refunding: 'was received and bought nothing here: this server is giving it back',
  refunded: 'was received and bought nothing here: this server has given it back',
  used: 'was used at a gate of the same seller',
}

const describeUnmatched = (row: Unmatched): string =>
  findRefunder(row) === 'seller'
    ? 'was received and bought nothing here: it was given back by the seller, and can no longer be used'
    : row.state === 'owed'
      ? describeOwed(row)
      : words[row.state]

/** An exchange does not know its customer here, and would not forward the money. */
const describeOther = ({ buyer, payer }: Unmatched): string =>
  buyer === null || buyer === payer ? '' : ` (you as ${buyer}; ${payer} sent the money),`

function describeOwed(row: Unmatched): string {
  const owed = 'was received and bought nothing here: the seller owes it to you'
  const users = listUsers(row)
  if (users.length === 0) return `${owed}, sees it too, and alone can give it back: no gate takes it`
  const who = users.includes('buyer')
    ? `You and the wallet that paid can use it, whoever comes first,${describeOther(row)}`
    : 'The wallet that paid can use it'
  return `${owed}. ${who} for any gate of the same seller that costs no more, by sending its transaction hash as paymentTxHash; the seller sees it too`
}

/**
 * The payment, stored as unmatched for this buyer, with each other transfer of its transaction for the same purchase.
 * Undefined when all were bound after all.
 */
export async function notePayment(parts: Parts, gate: Gate, made: PaidInVain): Promise<Unmatched | undefined> {
  const { paid } = made.payment
  let first: Unmatched | undefined
  for (const one of [paid, ...(paid.beside ?? [])]) {
    const row = await noteOne(parts, gate, { ...made, payment: { ...made.payment, paid: one } })
    first ??= row
  }
  return first
}

/** A buyer who erased everything in the meantime is not named again. */
async function noteOne(
  parts: Parts,
  gate: Gate,
  { qHash, caller, payment, reason }: PaidInVain,
): Promise<Unmatched | undefined> {
  const made: NewUnmatched = {
    method: payment.method,
    gate: gate.id,
    owner: gate.owner,
    qHash,
    buyer: writeAccount(caller),
    usdMicros: convertUsdMicros(gate.definition.price),
    paid: payment.paid,
    reason,
    state: findPaymentMethod(payment.method)?.givesBack ? 'refunding' : 'owed',
    now: parts.now(),
  }
  const pair = { gate: gate.id, buyer: writeAccount(caller), qHash }
  // It is known what became of it: nothing is left to find out, and the place is free.
  const also = [
    holdGate(pair),
    concludeStatement(payment.paid.identity),
    ...(findPaymentMethod(payment.method)?.movesMoneyHere ? [releaseStatement(pair)] : []),
  ]
  const named = await writeUnmatched(parts, made, [requireStandingProof(qHash), ...also])
  return named ?? writeUnmatched(parts, { ...made, qHash: null, buyer: null }, also)
}

export interface PaidInVain {
  readonly qHash: string
  readonly caller: Account
  readonly payment: Confirmed
  /** The code of the refusal. */
  readonly reason: string
}

/** The refusal, which says of the payment what became of it. */
export const addUnmatched = (error: AppError, row: Unmatched): AppError =>
  addSentence(error, `Your payment ${row.identity} ${describeUnmatched(row)}`, { unmatched: showUnmatched(row) })

export const addSentence = (
  { code, message, details, headers }: AppError,
  sentence: string,
  more: Readonly<Record<string, unknown>> = {},
): AppError => new AppError(code, joinSentences(message, sentence), { ...details, ...more }, headers)

/** The refusal, with this wallet's earlier unresolved payment for this proof at this gate. */
export async function addEarlierUnmatched(
  { db }: Pick<Parts, 'db'>,
  error: unknown,
  { caller, gate, qHash }: { readonly caller: Account; readonly gate: Gate; readonly qHash: string },
): Promise<unknown> {
  if (!(error instanceof AppError) || error.details.unmatched !== undefined) return error
  const row = await findUnmatchedOfPair(db, writeAccount(caller), gate.id, qHash)
  return row ? addUnmatched(error, row) : error
}
