/** The required depth of a payment before its reward is delivered, as the owner of the gate chose. */
import { type Standing, settledAfterMs } from './finality.ts'
import type { RewardMoment } from './price.ts'
import type { Token } from './token.ts'
import { makeUnpaid, type Unpaid } from './unpaid.ts'

/** Seconds until another look is useful. */
const soonSeconds = 5
const finalSeconds = 60

/** Only for a block of the canonical chain. */
export const isReached = ({ isConfirmed, isSettled, depth }: Standing, rewardAfter: RewardMoment): boolean => {
  if (rewardAfter === 'first_block') return depth > 0
  return rewardAfter === 'final' ? isSettled : isConfirmed
}

/**
 * Extends the age limit by the required waiting time: the current lag of the final block, and a margin. Chains that
 * finalize blocks hours later get as much longer.
 */
export const computeExtraAge = (
  rewardAfter: RewardMoment,
  { confirmations }: Pick<Token, 'confirmations'>,
  { finalLagMs }: Pick<Standing, 'finalLagMs'>,
): number => (isUntilFinal(rewardAfter, confirmations) ? 2 * Math.max(settledAfterMs, finalLagMs) : 0)

/** Without confirmations, a token waits until the block is final too. */
const isUntilFinal = (rewardAfter: RewardMoment, confirmations: number): boolean =>
  rewardAfter === 'final' || confirmations === 0

type Waits = Pick<Token, 'chain' | 'confirmations'>

/** The missing depth, or undefined when the reward may be delivered. */
export function makeTooEarly(
  standing: Standing,
  { chain: { chain }, confirmations }: Waits,
  rewardAfter: RewardMoment,
): Unpaid | undefined {
  if (isReached(standing, rewardAfter)) return undefined
  const { depth, finality } = standing
  const { rule } = finality
  if (isUntilFinal(rewardAfter, confirmations) && !standing.isFinal)
    return {
      isAwaited: true,
      finality: rule,
      progress: { confirmations: depth, needed: null },
      ...makeUnpaid('NOT_CONFIRMED', `the payment is in ${chain}, and ${describeFinality(standing)}`, finalSeconds),
    }
  return {
    isAwaited: true,
    progress: { confirmations: depth, needed: confirmations },
    ...makeUnpaid(
      'NOT_CONFIRMED',
      `the payment has ${depth} of ${confirmations} confirmations on ${chain}`,
      soonSeconds,
    ),
  }
}

const describeFinality = ({ blockNumber, finality: { finalNumber } }: Standing): string =>
  finalNumber === undefined
    ? `counts as final ${settledAfterMs / 60_000} minutes after its block, because the nodes asked call no block final`
    : `counts once block ${blockNumber} is final there. The newest final block is ${finalNumber}`
