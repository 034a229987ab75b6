/** The receipt of a mined transaction, read strictly. */
import type { EvmReceipt } from '../chain.ts'
import { isRecord } from '../json-rpc.ts'
import { type AnswerTo, makeMalformedError, parseData, parseNumber, parseQuantity } from './hex.ts'

/** Null while the transaction is not mined: some nodes return a receipt without a block before that. */
export function parseReceipt(result: unknown, hash: string, from: AnswerTo): EvmReceipt | null {
  if (result === null) return null
  if (!isRecord(result) || !Array.isArray(result.logs)) throw makeMalformedError(from, 'is no receipt')
  if (result.blockHash === null) return null
  const transactionHash = parseData(result.transactionHash, from, 32)
  if (transactionHash !== hash.toLowerCase()) throw makeMalformedError(from, 'is the receipt of another transaction')
  const status = parseNumber(result.status, from)
  if (status > 1) throw makeMalformedError(from, 'has a status that is neither 0 nor 1')
  return {
    transactionHash,
    blockNumber: parseNumber(result.blockNumber, from),
    blockHash: parseData(result.blockHash, from, 32),
    succeeded: status === 1,
    from: parseData(result.from, from, 20),
    to: result.to === null ? null : parseData(result.to, from, 20),
    gasUsed: parseQuantity(result.gasUsed, from),
    logs: result.logs.map((log) => parseLog(log, from)),
  }
}

function parseLog(log: unknown, from: AnswerTo): EvmReceipt['logs'][number] {
  if (!isRecord(log) || !Array.isArray(log.topics)) throw makeMalformedError(from, 'has a log that is none')
  return {
    address: parseData(log.address, from, 20),
    topics: log.topics.map((topic) => parseData(topic, from, 32)),
    data: parseData(log.data, from),
  }
}

/** The members that must be equal for endpoints to agree that a transaction was mined. */
export const isSameReceipt = (one: EvmReceipt | null, other: EvmReceipt | null): boolean =>
  JSON.stringify(one, convertBigint) === JSON.stringify(other, convertBigint)

const convertBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
