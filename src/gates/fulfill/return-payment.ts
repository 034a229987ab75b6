/**
 * Records the seller's statement that unmatched money was refunded outside this server. From then on it cannot be used.
 * Either this or a use at another gate happens: each changes the row only while it is owed.
 */

import { type Credentials, requireCaller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { findUnmatched, markReturned, type Unmatched, type UnmatchedState } from '../../payments/unmatched-store.ts'
import { isAway, isOnChain, reviewOwed } from '../../payments/watch-owed.ts'
import { nameGateOwner, returnPaymentAction } from '../owner.ts'
import { lookUp } from './payment.ts'
import { showUnmatched } from './unmatched.ts'

export interface Returned {
  /** The identity of the unmatched payment. */
  readonly identity: string
  /** The hash of the refund transaction. */
  readonly transactionHash?: string | undefined
}

/**
 * The row as it is then. The signature is not spent: the same text again finds nothing that is owed. Errors: those of
 * requireCaller, NOT_FOUND also for what another seller owes, CONFLICT, VALIDATION_ERROR.
 */
export async function returnPayment(
  parts: Parts,
  credentials: Credentials,
  { identity, transactionHash }: Returned,
): Promise<Unmatched> {
  const { db } = parts
  const row = await findUnmatched(db, identity)
  const caller = await requireCaller(credentials, returnPaymentAction(identity, transactionHash), parts, {
    about: (account) => nameGateOwner(account) === row?.owner,
    needs: 'profile',
  })
  const owner = nameGateOwner(caller)
  if (row?.owner !== owner)
    throw new AppError(
      'NOT_FOUND',
      'this identity is not an owed payment at one of your gates: take the identity from GET /api/v1/profile/payments/unmatched',
    )
  const returnedBy = transactionHash?.toLowerCase()
  if (returnedBy !== undefined && returnedBy === row.details.transactionHash)
    throw new AppError(
      'VALIDATION_ERROR',
      'transactionHash is the hash of the payment itself: give the hash of your transfer to the payer, or leave it out',
      { path: '/transactionHash' },
    )
  await requireOnChain(parts, row)
  const isReturned = await markReturned(db, row, { owner, returnedBy, now: parts.now() })
  const present = (await findUnmatched(db, identity)) ?? row
  if (isReturned) return present
  throw new AppError('CONFLICT', whyNot[present.state], { state: present.state, unmatched: showUnmatched(present) })
}

/** A final payment, or one that can no longer be looked up, is not checked. Errors: CONFLICT, SERVICE_UNAVAILABLE. */
async function requireOnChain(parts: Parts, row: Unmatched): Promise<void> {
  if (row.state !== 'owed' || (row.nextAt === null && isOnChain(row))) return
  const away = isAway(await lookUp(() => reviewOwed(row, parts)))
  if (!(away ?? !isOnChain(row))) return
  throw new AppError(
    'CONFLICT',
    'a reorganization of the chain took this payment back, so you do not have the money: do not return it. It is owed again once its transaction is mined again',
    { state: row.state, reason: 'NOT_ON_CHAIN', unmatched: showUnmatched(row) },
  )
}

const whyNot: Readonly<Record<UnmatchedState, string>> = {
  used: 'this payment was used for another gate of yours meanwhile: do not send it back',
  refunding: 'this server is giving this payment back itself: do not send it back',
  refunded: 'this payment was given back already: do not send it back again',
  owed: 'this payment is changing right now: look at it again before you send it back',
}
