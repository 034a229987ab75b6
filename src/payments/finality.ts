/**
 * How far a chain stands behind a mined transaction: whether its block is still one of the chain, deep enough for the
 * reward, and settled for good.
 */
import type { EvmChain, EvmReceipt, Finality } from '../outside/chains/chain.ts'
import { UnanswerableError } from '../outside/failure.ts'

export { settledAfterMs } from '../outside/chains/chain.ts'

export interface Standing {
  /**
   * Whether the block is the canonical one of its number, or another one took its place; `unreached` where the endpoints
   * have not come so far, and cannot say.
   */
  readonly block: 'canonical' | 'replaced' | 'unreached'
  /** As deep as `confirmations` asks; for 0 confirmations, settled. */
  readonly isConfirmed: boolean
  readonly isFinal: boolean
  /** Confirmed and final, as proofs of assets have it (Finality), so that it is not looked at again. */
  readonly isSettled: boolean
  readonly finality: Finality
  /** How far what is final is behind the newest block. Milliseconds. */
  readonly finalLagMs: number
  readonly blockNumber: number
  /** Blocks from its own to the newest one, both counted. 0 unless canonical. */
  readonly depth: number
  /** Unix milliseconds. 0 unless canonical. */
  readonly blockTime: number
}

const nothingYet = { isFinal: false, isConfirmed: false, isSettled: false, depth: 0, blockTime: 0 }

/** Errors: OutsideError. */
export async function readStanding(
  { blockNumber, blockHash }: Pick<EvmReceipt, 'blockNumber' | 'blockHash'>,
  chain: EvmChain,
  confirmations: number,
): Promise<Standing> {
  const [newest, finality] = await Promise.all([chain.transactions.newestBlock(), chain.finality()])
  const known = { blockNumber, finality, finalLagMs: Math.max(0, newest.timestampMs - finality.finalTime) }
  try {
    // Asked last, so that what it says holds for the newest block and for what is final as well.
    const block = await chain.at(blockNumber)
    if (block.blockHash !== blockHash) return { block: 'replaced', ...known, ...nothingYet }
    // The block may have come after the newest one was asked for.
    const depth = Math.max(1, newest.number - blockNumber + 1)
    const isFinal = finality.covers(block)
    return {
      block: 'canonical',
      ...known,
      isFinal,
      isConfirmed: confirmations === 0 ? isFinal : depth >= confirmations,
      isSettled: isFinal && depth >= confirmations,
      depth,
      blockTime: block.blockTime,
    }
  } catch (error) {
    if (error instanceof UnanswerableError) return { block: 'unreached', ...known, ...nothingYet }
    throw error
  }
}
