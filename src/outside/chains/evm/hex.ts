/** The two forms of hexadecimal in Ethereum's JSON-RPC, quantities and data (EIP-1474), read strictly. */
import { OutsideError } from '../../failure.ts'
import type { Hex } from '../chain.ts'

/** The answer that a value comes from, for the error that names it. */
export interface AnswerTo {
  readonly setting: string
  readonly method: string
}

export const makeMalformedError = ({ setting, method }: AnswerTo, what: string): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    `gave an answer to ${method} that ${what}`,
    'see whether the address is the JSON-RPC address of an EVM node',
  )

/** A number of at most 256 bits. Leading zeros are accepted: they change nothing. */
export function parseQuantity(value: unknown, from: AnswerTo): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw makeMalformedError(from, 'is no quantity')
  return BigInt(value)
}

export function parseNumber(value: unknown, from: AnswerTo): number {
  const number = Number(parseQuantity(value, from))
  if (!Number.isSafeInteger(number)) throw makeMalformedError(from, 'has a number that is too large')
  return number
}

/** Whole bytes, in lower case; exactly `bytes` of them where that is given. */
export function parseData(value: unknown, from: AnswerTo, bytes?: number): Hex {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[0-9a-f]*$/i.test(value))
    throw makeMalformedError(from, 'is no data')
  if (bytes !== undefined && value.length !== 2 + 2 * bytes)
    throw makeMalformedError(from, `does not have ${bytes} bytes`)
  return value.toLowerCase() as Hex
}

export const writeQuantity = (number: number | bigint): Hex => `0x${number.toString(16)}`
