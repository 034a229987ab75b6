/**
 * Sends transactions that are signed elsewhere, and asks for their state. It keeps nothing: the sender tracks nonces
 * and decides when to send again with a higher fee.
 */
import { keccak256 } from 'viem'
import { OutsideError } from '../../failure.ts'
import { type EvmTransactions, type Hex, TransactionRefused } from '../chain.ts'
import { isRecord } from '../json-rpc.ts'
import { type Members, openQuorum } from '../quorum.ts'
import { chooseBlock, type Freshness, readNewestBlock } from './block.ts'
import { type AnswerTo, makeMalformedError, parseData, parseNumber, parseQuantity } from './hex.ts'
import { findLogs } from './logs.ts'
import { findFailure, findRefusal, makeOutage, type NodeError } from './node-error.ts'
import { isSameReceipt, parseReceipt } from './receipt.ts'
import type { EvmSource } from './source.ts'

export function openTransactions(members: Members<EvmSource>, freshness: Freshness): EvmTransactions {
  /** Asks a single endpoint, for values that only the next step uses and the chain itself checks. */
  async function askOneSource<Answer>(ask: (source: EvmSource) => Promise<Answer>): Promise<Answer> {
    const [given] = await openQuorum({ ...members, agree: 1 }).agreed(ask)
    return given!.answer
  }

  return {
    nextNonce: (address, which) => {
      const method = 'eth_getTransactionCount'
      return askOneSource(async (source) =>
        parseNumber(await source.request(method, [address, which]), { setting: source.setting, method }),
      )
    },

    fees: () =>
      askOneSource(async (source) => {
        const { baseFee } = await readNewestBlock(source, freshness)
        if (baseFee === undefined)
          throw new OutsideError(
            'wrong-source',
            source.setting,
            'has blocks without a base fee (EIP-1559), and nothing is published on such a chain',
            `leave chains.${members.chainName}.eas out`,
            3600,
          )
        return { baseFee, priorityFee: await readPriorityFee(source, baseFee) }
      }),

    estimateGas: (call) =>
      askOneSource(async (source) => {
        const from = { setting: source.setting, method: 'eth_estimateGas' }
        const answer = await source.ask(from.method, [call])
        if ('result' in answer) return parseQuantity(answer.result, from)
        const failure = findFailure(answer.error)
        if (failure) throw new TransactionRefused('reverts', source.setting, failure.data)
        throw makeSendError(from, answer.error)
      }),

    async send(signed) {
      const hash = keccak256(signed)
      const quorum = openQuorum(members)
      try {
        await Promise.any(
          members.sources.map((source) => quorum.askOne(source, () => sendTransaction(source, signed, hash))),
        )
        return hash
      } catch (error) {
        throw explainNotTaken(members.chainName, (error as AggregateError).errors)
      }
    },

    async readReceipt(hash) {
      const method = 'eth_getTransactionReceipt'
      const [given] = await openQuorum(members).agreed(
        async (source) => parseReceipt(await source.request(method, [hash]), hash, { setting: source.setting, method }),
        isSameReceipt,
      )
      return given!.answer
    },

    findLogs: (filter) => findLogs(members, filter),

    async newestBlock() {
      const { number, hash, timestampMs } = (await chooseBlock(openQuorum(members), freshness)).block
      return { number, hash, timestampMs }
    },
  }
}

/** The node's suggestion. For nodes without that method, the part of its gas price above the base fee. */
async function readPriorityFee(source: EvmSource, baseFee: bigint): Promise<bigint> {
  const suggested = { setting: source.setting, method: 'eth_maxPriorityFeePerGas' }
  const answer = await source.ask(suggested.method, [])
  if ('result' in answer) return parseQuantity(answer.result, suggested)
  const price = { setting: source.setting, method: 'eth_gasPrice' }
  const gasPrice = parseQuantity(await source.request(price.method, []), price)
  return gasPrice > baseFee ? gasPrice - baseFee : 0n
}

function explainNotTaken(chainName: string, errors: readonly unknown[]): unknown {
  const outages = errors.filter((error) => error instanceof OutsideError)
  const other = errors.find((error) => !(error instanceof OutsideError))
  if (other !== undefined || outages.length === 1) return other ?? outages[0]
  return new OutsideError(
    outages[0]!.fault,
    `chains.${chainName}.rpc`,
    `took no transaction: ${outages.map(({ message }) => message).join('; ')}`,
    [...new Set(outages.map(({ source, mend }) => `${source}: ${mend}`))].join('; '),
    Math.min(...outages.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  )
}

/** Resolves when the endpoint has the transaction, now or already. */
async function sendTransaction(source: EvmSource, signed: Hex, hash: Hex): Promise<void> {
  const from = { setting: source.setting, method: 'eth_sendRawTransaction' }
  const answer = await source.ask(from.method, [signed])
  if ('result' in answer) {
    if (parseData(answer.result, from, 32) !== hash)
      throw makeMalformedError(from, 'is the hash of another transaction')
    return
  }
  const refusal = findRefusal(answer.error)
  if (refusal === 'known') return
  // It may have been mined since: then its own nonce is used up.
  if (refusal === 'nonce-used' && (await knows(source, hash))) return
  throw makeSendError(from, answer.error)
}

async function knows(source: EvmSource, hash: Hex): Promise<boolean> {
  const found = await source.request('eth_getTransactionByHash', [hash])
  return isRecord(found) && String(found.hash).toLowerCase() === hash
}

function makeSendError(from: AnswerTo, error: NodeError): Error {
  const refusal = findRefusal(error)
  return refusal === undefined || refusal === 'known'
    ? makeOutage(from, error)
    : new TransactionRefused(refusal, from.setting)
}
