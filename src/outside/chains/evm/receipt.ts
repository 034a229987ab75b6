/** The receipt of a mined transaction, read strictly. */
import type { EvmReceipt } from '../chain.ts'
import { isRecord } from '../json-rpc.ts'
import { type AnswerTo, dataIn, malformed, numberIn, quantityIn } from './hex.ts'

/** Null while the transaction is not mined: some nodes give a receipt without a block before that. */
export function receiptIn(result: unknown, hash: string, from: AnswerTo): EvmReceipt | null {
  if (result === null) return null
  if (!isRecord(result) || !Array.isArray(result.logs)) throw malformed(from, 'is no receipt')
  if (result.blockHash === null) return null
  const transactionHash = dataIn(result.transactionHash, from, 32)
  if (transactionHash !== hash.toLowerCase()) throw malformed(from, 'is the receipt of another transaction')
  const status = numberIn(result.status, from)
  if (status > 1) throw malformed(from, 'has a status that is neither 0 nor 1')
  return {
    transactionHash,
    blockNumber: numberIn(result.blockNumber, from),
    blockHash: dataIn(result.blockHash, from, 32),
    succeeded: status === 1,
    from: dataIn(result.from, from, 20),
    to: result.to === null ? null : dataIn(result.to, from, 20),
    gasUsed: quantityIn(result.gasUsed, from),
    logs: result.logs.map((log) => logIn(log, from)),
  }
}

function logIn(log: unknown, from: AnswerTo): EvmReceipt['logs'][number] {
  if (!isRecord(log) || !Array.isArray(log.topics)) throw malformed(from, 'has a log that is none')
  return {
    address: dataIn(log.address, from, 20),
    topics: log.topics.map((topic) => dataIn(topic, from, 32)),
    data: dataIn(log.data, from),
  }
}

/** What must be the same for endpoints to agree that a transaction was mined. */
export const isSameReceipt = (one: EvmReceipt | null, other: EvmReceipt | null): boolean =>
  JSON.stringify(one, bigintAsText) === JSON.stringify(other, bigintAsText)

const bigintAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
