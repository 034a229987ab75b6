/** Reads the standing of a mined transaction: whether its block is canonical, deep enough for the reward, and final. */
import type { EvmChain, EvmReceipt, Finality } from '../outside/chains/chain.ts'
import { UnanswerableError } from '../outside/failure.ts'

export { settledAfterMs } from '../outside/chains/chain.ts'

export interface Standing {
  /**
   * Whether the block is the canonical one of its number, or was replaced. `unreached` when the endpoints are behind
   * and cannot say.
   */
  readonly block: 'canonical' | 'replaced' | 'unreached'
  /** Has the depth of `confirmations`; for 0 confirmations, settled. */
  readonly isConfirmed: boolean
  readonly isFinal: boolean
  /** Confirmed and final, as for proofs of assets (Finality), so that it is not checked again. */
  readonly isSettled: boolean
  readonly finality: Finality
  /** The distance of the final block behind the newest block, in milliseconds. */
  readonly finalLagMs: number
  readonly blockNumber: number
  /** The number of blocks from its own to the newest one, both counted. 0 unless canonical. */
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
    // Asked last, so that the answer also covers the newest and the final block.
    const block = await chain.at(blockNumber)
    if (block.blockHash !== blockHash) return { block: 'replaced', ...known, ...nothingYet }
    // The block may be newer than the answer about the newest block.
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
