/**
 * Finds transactions by their logs. A found log is a hint from any endpoint: its transaction is checked afterwards. A
 * missing log is a fact, and needs a quorum of endpoints.
 */
import type { Hex, LogFilter } from '../chain.ts'
import { isRecord } from '../json-rpc.ts'
import { type Members, openQuorum } from '../quorum.ts'
import { makeMalformedError, parseData, writeQuantity } from './hex.ts'
import type { EvmSource } from './source.ts'

const method = 'eth_getLogs'

/** Errors: OutsideError. */
export async function findLogs(members: Members<EvmSource>, filter: LogFilter): Promise<readonly Hex[]> {
  const { address, topics, fromBlock, toBlock } = filter
  const asked = { address, topics, fromBlock: writeQuantity(fromBlock), toBlock: writeQuantity(toBlock) }
  const hints = new Set<Hex>()
  try {
    await openQuorum(members).agreed(async (source) => {
      const hash = findNewestHash(await source.request(method, [asked]), source.setting)
      if (hash !== undefined) hints.add(hash)
      return hash
    })
  } catch (error) {
    if (hints.size === 0) throw error
  }
  return [...hints]
}

function findNewestHash(logs: unknown, setting: string): Hex | undefined {
  const from = { setting, method }
  if (!Array.isArray(logs)) throw makeMalformedError(from, 'is no list of logs')
  const newest = logs.findLast((log) => !isRecord(log) || log.removed !== true)
  if (newest === undefined) return undefined
  return parseData(isRecord(newest) ? newest.transactionHash : undefined, from, 32)
}
