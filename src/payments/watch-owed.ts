/**
 * Checks unmatched transfers again until they are final. A reverted transfer is not owed while it is absent, because
 * its seller must not return money that never arrived.
 */
import { claimedForMs } from '../db/claim.ts'
import type { Parts } from '../parts.ts'
import type { Review } from './payment.ts'
import { openRounds } from './rounds.ts'
import { claimUnmatched, listDueOwed, moveOwed, type Unmatched } from './unmatched-store.ts'
import type { Watch } from './watch.ts'

type OwedParts = Pick<Parts, 'addresses' | 'config' | 'db' | 'log' | 'now' | 'outside' | 'readSure' | 'paymentMethods'>

const pauseMs = 60_000

/** Whether the chain had it at the last look. */
export const isOnChain = ({ details }: Pick<Unmatched, 'details'>): boolean => details.awaySince === undefined

/** The current state by its method. Errors: OutsideError. */
export function reviewOwed(row: Unmatched, parts: OwedParts): Promise<Review> {
  const method = parts.paymentMethods.find(({ id }) => id === row.method)
  if (!method) throw new Error(`no payment method ${row.method} is built in`)
  return method.review({ ...row, isReversed: !isOnChain(row) }, parts)
}

/** Whether the chain lacks it; undefined if the look says neither. */
export function isAway({ state }: Review): boolean | undefined {
  if (state === 'waiting') return undefined
  return state === 'reversed' || state === 'suspended'
}

export function watchOwed(parts: OwedParts): Watch {
  const { db, log, now, readSure, config } = parts

  async function reviewRow(row: Unmatched): Promise<void> {
    const review = await reviewOwed(row, parts)
    const away = isAway(review) ?? !isOnChain(row)
    const { awaySince, ...details } = row.details
    const isLast = readSure() > row.createdAt + config.payments.watchHours * 3_600_000
    const nextMs = 'nextLookMs' in review ? review.nextLookMs : undefined
    const isMoved = await moveOwed(db, row, {
      details: away ? { ...details, awaySince: awaySince ?? now() } : details,
      nextAt: isLast || nextMs === undefined ? null : now() + nextMs,
      now: now(),
    })
    if (isMoved && away && isOnChain(row))
      log.warn('a payment that is owed was taken back by its chain, and is looked for', {
        event: 'owed-payment-reversed',
        payment: row.identity,
      })
  }

  return openRounds(parts, {
    named: 'payments that are owed',
    list: (limit) => listDueOwed(db, now(), limit),
    claim: (row) => claimUnmatched(db, row, now() + claimedForMs),
    review: reviewRow,
    postpone: async (row) => {
      await moveOwed(db, row, { details: row.details, nextAt: now() + pauseMs, now: now() })
    },
  })
}
