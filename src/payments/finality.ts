/**
 * How far a chain stands behind a mined transaction: whether its block is still one of the chain, deep enough for the
 * reward, and settled for good.
 */
import type { EvmChain, EvmReceipt } from '../outside/chains/chain.ts'
import { UnanswerableError } from '../outside/failure.ts'

export interface Standing {
  /**
   * Whether the block is the canonical one of its number, or another one took its place; `unreached` where the endpoints
   * have not come so far, and cannot say.
   */
  readonly block: 'canonical' | 'replaced' | 'unreached'
  /** As deep as `confirmations` asks; for 0 confirmations, settled. */
  readonly isConfirmed: boolean
  /** Confirmed, and so old that it is not looked at again. */
  readonly isSettled: boolean
  /** Blocks from its own to the newest one, both counted. 0 unless canonical. */
  readonly depth: number
  /** Unix milliseconds. 0 unless canonical. */
  readonly blockTime: number
}

/**
 * Chain time that has passed on top of a settled block. Ethereum finalizes after 13 to 19 minutes, and the rollups on it
 * when their batches are final there, so this stands for the `finalized` tag, which not every chain has.
 */
export const settledAfterMs = 30 * 60_000

const nothingYet = { isConfirmed: false, isSettled: false, depth: 0, blockTime: 0 }

/** Errors: OutsideError. */
export async function standingOf(
  { blockNumber, blockHash }: Pick<EvmReceipt, 'blockNumber' | 'blockHash'>,
  { at, transactions }: EvmChain,
  confirmations: number,
): Promise<Standing> {
  const newest = await transactions.newestBlock()
  try {
    // Asked last, so that what it says holds for the newest block as well.
    const block = await at(blockNumber)
    if (block.blockHash !== blockHash) return { block: 'replaced', ...nothingYet }
    // The block may have come after the newest one was asked for.
    const depth = Math.max(1, newest.number - blockNumber + 1)
    const isOld = newest.timestampMs - block.blockTime >= settledAfterMs
    return {
      block: 'canonical',
      isConfirmed: confirmations === 0 ? isOld : depth >= confirmations,
      isSettled: isOld && depth >= confirmations,
      depth,
      blockTime: block.blockTime,
    }
  } catch (error) {
    if (error instanceof UnanswerableError) return { block: 'unreached', ...nothingYet }
    throw error
  }
}
