/** The header of a block whose hash is agreed on. A header with that hash is right, whichever endpoint returns it. */
import { fromRlp, hexToBigInt, keccak256, toRlp } from 'viem'
import { OutsideError } from '../../../failure.ts'
import type { Hex } from '../../chain.ts'
import { isRecord } from '../../json-rpc.ts'
import type { Block } from '../block.ts'
import { makeMalformedError, parseData, writeQuantity } from '../hex.ts'
import type { EvmSource } from '../source.ts'

export interface Header {
  readonly stateRoot: Hex
  readonly number: bigint
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly gasLimit: bigint
}

/** Members in header order. Numbers have no leading zeros. */
const members = {
  always: [
    'parentHash',
    'sha3Uncles',
    'miner',
    'stateRoot',
    'transactionsRoot',
    'receiptsRoot',
    'logsBloom',
    'difficulty',
    'number',
    'gasLimit',
    'gasUsed',
    'timestamp',
    'extraData',
    'mixHash',
    'nonce',
  ],
  /** Each fork of Ethereum has added some at the end. */
  later: [
    'baseFeePerGas',
    'withdrawalsRoot',
    'blobGasUsed',
    'excessBlobGas',
    'parentBeaconBlockRoot',
    'requestsHash',
    'blockAccessListHash',
    'slotNumber',
  ],
} as const

const numbers = new Set<string>([
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
  'slotNumber',
])

const headerMaxBytes = 16 * 1024

/** Errors: OutsideError when the endpoint has no header that hashes to the hash of the block. */
export async function readHeader(source: EvmSource, block: Block): Promise<Header> {
  const from = { setting: source.setting, method: 'eth_getBlockByHash' }
  const result = await source.request(from.method, [block.hash, false])
  if (result === null)
    throw new OutsideError(
      'disagree',
      source.setting,
      'does not know the block that was chosen: it was replaced, or has not arrived there',
      'nothing, if it happens now and then; else use another endpoint, its nodes are not in step',
    )
  if (!isRecord(result)) throw makeMalformedError(from, 'is no block')
  const raw =
    listEncodings(result).find((encoded) => keccak256(encoded) === block.hash) ?? (await readRawHeader(source, block))
  const header = parseHeader(raw)
  if (!header) throw makeMalformedError(from, 'is no header of a block')
  if (header.number !== BigInt(block.number) || header.timestamp * 1000n !== BigInt(block.timestampMs))
    throw makeMalformedError(from, 'has another number or time than the block that was chosen')
  return header
}

/** Tries all members, then fewer: some nodes return members that their headers do not have. */
function listEncodings(block: Readonly<Record<string, unknown>>): readonly Hex[] {
  const first = members.always.map((name) => readField(block, name))
  if (first.some((field) => field === undefined)) return []
  const later = members.later.map((name) => readField(block, name))
  const lacking = later.indexOf(undefined)
  const present = lacking < 0 ? later.length : lacking
  return Array.from({ length: present + 1 }, (_, fewer) =>
    toRlp([...first, ...later.slice(0, present - fewer)] as Hex[]),
  )
}

function readField(block: Readonly<Record<string, unknown>>, name: string): Hex | undefined {
  const value = block[name]
  if (typeof value !== 'string' || !/^0x[0-9a-f]{0,8192}$/i.test(value)) return undefined
  if (!numbers.has(name)) return value.length % 2 === 0 ? (value.toLowerCase() as Hex) : undefined
  return value.length > 2 && value.length <= 66 ? trimNumber(BigInt(value)) : undefined
}

function trimNumber(number: bigint): Hex {
  if (number === 0n) return '0x'
  const digits = number.toString(16)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** For chains whose headers have extra members. Few endpoints offer it. */
async function readRawHeader(source: EvmSource, block: Block): Promise<Hex> {
  const from = { setting: source.setting, method: 'debug_getRawHeader' }
  const answer = await source.ask(from.method, [writeQuantity(block.number)], { maxBytes: headerMaxBytes })
  const raw = 'result' in answer ? parseData(answer.result, from) : '0x'
  if (keccak256(raw) === block.hash) return raw
  throw new OutsideError(
    'wrong-source',
    source.setting,
    'gives no header that has the hash of the block, so nothing can be proved by it',
    'see that the chain has the headers of Ethereum, use another endpoint, or set proofs = false for this chain',
    60,
  )
}

function parseHeader(raw: Hex): Header | undefined {
  try {
    const fields = fromRlp(raw, 'hex')
    if (!Array.isArray(fields)) return undefined
    const [stateRoot, number, gasLimit, timestamp] = [3, 8, 9, 11].map((at) => fields[at])
    if (typeof stateRoot !== 'string' || stateRoot.length !== 66) return undefined
    return {
      stateRoot: stateRoot as Hex,
      number: parseNumber(number),
      gasLimit: parseNumber(gasLimit),
      timestamp: parseNumber(timestamp),
    }
  } catch {
    return undefined
  }
}

const parseNumber = (field: unknown): bigint => (field === '0x' ? 0n : hexToBigInt(field as Hex))
