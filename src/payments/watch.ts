/**
 * The watcher of payments: checks bound payments that may still be reverted, until they are final or
 * payments.watch_hours are over. The database holds its state, so it may stop at any moment. Each chain, and each
 * method outside chains, has its own pace (lanes.ts). The method decides about a payment (review). The gates record the
 * result, because they know the purchase.
 */
import { claimedForMs } from '../db/claim.ts'
import { openLanes, shareOfLane } from '../lanes.ts'
import { OutsideError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import { type Repeated, repeatStorageWork } from '../repeat.ts'
import { nameAgain } from './identity.ts'
import type { PaymentMethod, Review } from './payment.ts'
import type { LaterOutcome, ReversedPayment } from './reversal-store.ts'
import { claimPayment, listDueSources, listWatched, type WatchedPayment } from './store.ts'
import { openTeller } from './tell-once.ts'
import { tellUnmatched } from './unmatched.ts'
import { findUnmatched } from './unmatched-store.ts'

type WatchParts = Pick<
  Parts,
  'addresses' | 'config' | 'db' | 'log' | 'now' | 'metrics' | 'outside' | 'readSure' | 'paymentMethods'
>

export interface Watch {
  /** Checks all due payments, within bounds, until it is stopped. Errors: only those of the database. */
  runOnce(signal?: AbortSignal): Promise<void>
}

/** The pause after a failed look, doubled each time up to the longest. */
const shortestPauseMs = 15_000
const longestPauseMs = 15 * 60_000

/** Records the result of a look, in the payment and in its purchase: gates/fulfill/apply-review.ts. */
export interface Reviewing {
  readonly applyReview: (parts: WatchParts, payment: WatchedPayment, review: Review) => Promise<boolean>
  readonly applyLaterReview: (parts: WatchParts, payment: ReversedPayment, review: Review) => Promise<LaterOutcome>
}

export function openWatch(parts: WatchParts, { applyReview, applyLaterReview }: Reviewing): Watch {
  const { config, db, log, now, readSure } = parts
  /** Consecutive failed looks, by the id of the payment. */
  const failures = new Map<number, number>()
  const tell = openTeller(parts, { outage: 'payments cannot be looked at', fault: 'a look at a payment failed' })

  async function reviewPayment(payment: WatchedPayment): Promise<void> {
    const review = limitToWatch(payment, await reviewOne(payment))
    if (payment.state === 'reversed') return tellLater(payment, await applyLaterReview(parts, payment, review))
    if (await applyReview(parts, payment, review)) tellOutcome(payment, review)
  }

  async function tellLater(payment: WatchedPayment, outcome: LaterOutcome): Promise<void> {
    const { identity } = payment
    if (outcome === 'restored')
      log.info('a payment that was taken back stands again, and what it paid for is given again', {
        event: 'payment-restored',
        payment: identity,
      })
    const row =
      outcome === 'unmatched'
        ? await findUnmatched(db, nameAgain(identity, findMethod(payment)?.isPaidOnChain ?? true))
        : undefined
    if (row) tellUnmatched(parts, row)
  }

  function tellOutcome({ identity, suspendedFor, amount }: WatchedPayment, review: Review): void {
    const { refunded } = review
    if (refunded)
      log.info(
        refunded.moreUsdMicros > 0
          ? 'a payment was refunded, in part or in whole'
          : 'a refund of a payment failed later: less of it is given back',
        {
          event: refunded.moreUsdMicros > 0 ? 'payment-refunded' : 'refund-failed',
          payment: identity,
          refunded: refunded.amount,
          of: amount ?? '',
        },
      )
    if (review.state === 'reversed')
      log.warn('a payment was taken back, and what it paid for is suspended', {
        event: 'payment-suspended',
        payment: identity,
        reason: review.reason,
        why: review.message,
      })
    if (review.state === 'suspended' && !suspendedFor)
      log.warn(
        review.reason === 'disputed'
          ? 'a payment is disputed, and what it paid for is suspended until that is decided'
          : 'a reorganization took a payment back, and what it paid for is suspended until it is mined again',
        { event: 'payment-suspended', payment: identity },
      )
    if (review.state === 'restored')
      log.info(
        suspendedFor === 'reorganized'
          ? 'a payment is on the chain again, and what it paid for is given again'
          : 'a payment stands after a dispute, and what it paid for is given again',
        { event: 'payment-restored', payment: identity },
      )
  }

  const findMethod = (payment: WatchedPayment): PaymentMethod | undefined =>
    parts.paymentMethods.find(({ id }) => id === payment.method)

  async function reviewOne(payment: WatchedPayment): Promise<Review> {
    try {
      const method = findMethod(payment)
      if (!method) throw new Error(`no payment method ${payment.method} is built in`)
      const review = await method.review(payment, parts)
      failures.delete(payment.id)
      return review
    } catch (error) {
      tell(error)
      const failed = failures.get(payment.id) ?? 0
      failures.set(payment.id, failed + 1)
      const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(failed, 10))
      const askedMs = error instanceof OutsideError ? error.retryAfterSeconds * 1000 : 0
      return { state: 'waiting', nextLookMs: Math.max(pauseMs, askedMs) }
    }
  }

  /**
   * After that time, a payment that was not revoked is left alone, even if the last looks failed. A final payment is
   * here because its revocation was reported; it is checked until there is an answer. So is a disputed one, or one
   * revoked by a partial refund.
   */
  function limitToWatch(payment: WatchedPayment, review: Review): Review {
    const leftMs = payment.claimedAt + config.payments.watchHours * 3_600_000 - readSure()
    const isAsked = payment.state !== 'claimed' || payment.suspendedFor != null
    if (review.state !== 'waiting' || isAsked || leftMs > 0) return review
    if (failures.delete(payment.id))
      log.warn('a payment is no longer watched, and could not be looked at last', {
        event: 'payment-unwatched',
        payment: payment.identity,
        mend: 'see by hand whether it was taken back; raise payments.watch_hours if its source is away for long',
      })
    return { state: 'final' }
  }

  return openLanes({
    listDue: () => listDueSources(db, now()),
    openWork: (source) => ({
      list: (limit) => listWatched(db, source, now(), limit),
      claim: (payment) => claimPayment(db, payment, now() + claimedForMs),
      openLooks: () => reviewPayment,
    }),
    // Methods outside chains get a share beside the chains.
    atOnce: shareOfLane(parts.outside.chains.all.length + 1),
  })
}

const everyMs = 5_000

/** Runs the watcher as long as the server. */
export const runWatch = (watch: Watch, parts: Pick<Parts, 'config' | 'log'>): Repeated =>
  repeatStorageWork(
    {
      everyMs,
      failureEvent: 'payment-watch-failed',
      failure: 'the watch of payments failed: no payment is looked at until it works again',
      look: (signal) => watch.runOnce(signal),
    },
    parts,
  )
