/**
 * Asks an endpoint about its state at one block, by the block's hash (EIP-1898). An endpoint that accepts no hash is
 * asked by number. It must then name the same hash for that number: a reorganization may have happened between.
 */
import { OutsideError } from '../../failure.ts'
import { isRecord, type RpcAnswer, type RpcOptions } from '../json-rpc.ts'
import type { Block } from './block.ts'
import { writeQuantity } from './hex.ts'
import { findFailure, refusesBlockHash } from './node-error.ts'
import type { EvmSource } from './source.ts'

export interface BlockAsker {
  /** Errors: OutsideError, but not for a JSON-RPC error of the node. */
  ask(source: EvmSource, method: string, params: readonly unknown[], options?: RpcOptions): Promise<RpcAnswer>
  /** Settings of the endpoints that were asked by number, because they take no hash. */
  readonly byNumber: ReadonlySet<string>
}

export function askAtBlock({ number, hash }: Pick<Block, 'number' | 'hash'>): BlockAsker {
  const byNumber = new Set<string>()
  const byHash = { blockHash: hash, requireCanonical: true }

  return {
    byNumber,
    async ask(source, method, params, options) {
      if (!byNumber.has(source.setting)) {
        const answer = await source.ask(method, [...params, byHash], options)
        if (!('error' in answer) || !refusesBlockHash(answer.error)) return answer
      }
      const answer = await source.ask(method, [...params, writeQuantity(number)], options)
      // The answer is neither a value nor a contract failure, so it says nothing of the state or the hash.
      if ('error' in answer && !findFailure(answer.error)) return answer
      await requireHash(source, number, hash)
      byNumber.add(source.setting)
      return answer
    },
  }
}

async function requireHash(source: EvmSource, number: number, hash: string): Promise<void> {
  const block = await source.request('eth_getBlockByNumber', [writeQuantity(number), false])
  if (isRecord(block) && String(block.hash).toLowerCase() === hash) return
  throw new OutsideError(
    'disagree',
    source.setting,
    `has another block ${number} than the one that was chosen: it was replaced, or has not arrived there`,
    'nothing, if it happens now and then; else use another endpoint, its nodes are not in step',
  )
}
