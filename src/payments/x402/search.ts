/**
 * Finds the transaction that used an authorization by its event. This serves settlements with a lost answer, and
 * authorizations that a stranger sent first. An endpoint's answer is only a hint (x402/settlement.ts), so a wrong one
 * grants nothing. Absence is believed when the required number of endpoints agrees.
 */
import type { Hex } from '../../outside/chains/chain.ts'
import { authorizationCanceled, authorizationUsed, makeTopic } from '../token-transfers/authorization.ts'
import { findSettled, type Sought } from './settlement.ts'

/** Blocks in one question. Providers refuse larger ones, some of them from 2000 on. */
const blocksAtOnce = 1000
/** Hours on every chain, and a bound on the work that a buyer's request can cause. */
const questionsAtMost = 20

/**
 * The newest use or cancellation in blocks from `sinceMs` on (Unix milliseconds): a settling one, else the first hint.
 * A false hint of one endpoint must not hide the answer of another. Errors: OutsideError.
 */
export async function findUse(sought: Sought, sinceMs: number): Promise<Hex | undefined> {
  const { token, from, nonce } = sought
  const { chain } = token
  const newest = await chain.at()
  let hint: Hex | undefined
  let last = newest.blockNumber
  for (let question = 0; question < questionsAtMost && last >= 0; question++) {
    const first = Math.max(0, last - blocksAtOnce + 1)
    const found = await chain.transactions.findLogs({
      address: token.address,
      topics: [[authorizationUsed, authorizationCanceled], makeTopic(from), nonce],
      fromBlock: first,
      toBlock: last,
    })
    for (const hash of found) {
      if (await findSettled(hash, sought)) return hash
      hint ??= hash
    }
    if (first === 0 || (await chain.at(first)).blockTime < sinceMs) break
    last = first - 1
  }
  return hint
}
