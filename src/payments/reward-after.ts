/** How far a payment must have come before its reward is handed out, as the owner of the gate chose. */
import { type Standing, settledAfterMs } from './finality.ts'
import type { RewardAfter } from './price.ts'
import type { Token } from './token.ts'
import { type Unpaid, unpaid } from './unpaid.ts'

/** Seconds until another look is worth it. */
const soonSeconds = 5
const finalSeconds = 60

/** Only for a block of the canonical chain. */
export const isReached = ({ isConfirmed, isSettled, depth }: Standing, rewardAfter: RewardAfter): boolean => {
  if (rewardAfter === 'first_block') return depth > 0
  return rewardAfter === 'final' ? isSettled : isConfirmed
}

/** A payment is not too old for what it has to wait for. */
export const extraAgeMs = (rewardAfter: RewardAfter, { confirmations }: Pick<Token, 'confirmations'>): number =>
  rewardAfter === 'final' || confirmations === 0 ? 2 * settledAfterMs : 0

/** What the buyer waits for, or undefined when the reward may be given. */
export function tooEarly(
  standing: Standing,
  { chain, confirmations }: Pick<Token, 'chain' | 'confirmations'>,
  rewardAfter: RewardAfter,
): Unpaid | undefined {
  if (isReached(standing, rewardAfter)) return undefined
  // Without confirmations, a token waits until the block is final too.
  return {
    isAwaited: true,
    ...(rewardAfter === 'final' || confirmations === 0
      ? unpaid(
          'NOT_CONFIRMED',
          `the payment is in ${chain.chain}, and counts as final ${settledAfterMs / 60_000} minutes after its block`,
          finalSeconds,
        )
      : unpaid(
          'NOT_CONFIRMED',
          `the payment has ${standing.depth} of ${confirmations} confirmations on ${chain.chain}`,
          soonSeconds,
        )),
  }
}
