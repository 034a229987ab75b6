/**
 * Calls a contract at one block. A fault of the contract is a verdict about the claim; unreachable nodes are an
 * OutsideError, which passes through. A contract may answer anything: the author of the claim or gate decides whether
 * it deserves trust.
 */
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, numberToHex, pad } from 'viem'
import type { BlockView, EvmChain, Hex, ReadingProof } from '../../outside/chains/chain.ts'
import { findDelegate } from '../../outside/chains/delegation.ts'
import { type Fails, fails, type Reading } from '../verifier.ts'

/** Every function called here answers with one word of the ABI. */
interface Word {
  readonly address: Hex
  readonly uint256: bigint
  readonly uint8: number
  readonly bool: boolean
}

export interface Question<Type extends keyof Word> {
  /** Selector and arguments. */
  readonly data: Hex
  readonly answer: Type
  /** The keys of the mapping that holds the answer, the outermost first: they derive its storage slot. */
  readonly keys?: readonly (Hex | bigint)[]
  /** The verdict when the function is missing or reverts: `[reason, sentence]`. */
  readonly otherwise: readonly [string, string]
}

export type Answered<T> = { readonly value: T; readonly proof?: ReadingProof } | Fails

/** Errors: OutsideError. */
export async function ask<Type extends keyof Word>(
  view: BlockView,
  contract: Hex,
  { data, answer, keys = [], otherwise }: Question<Type>,
): Promise<Answered<Word[Type]>> {
  const { outcome, proof } = await view.read({ to: contract, data, keys: keys.map(encodeWord) })
  if ('returned' in outcome) {
    // A contract without the function, but with a fallback that accepts everything, returns nothing.
    if (outcome.returned === '0x') return fails(...otherwise)
    const value = decodeWord(outcome.returned, answer)
    return value === undefined
      ? fails('CONTRACT_ANSWER_MALFORMED', `the contract ${contract} answers with something that is no ${answer}`)
      : { value, ...(proof && { proof }) }
  }
  if (outcome.failed === 'reverted') return fails(...otherwise)
  return outcome.failed === 'out-of-gas'
    ? fails('CONTRACT_OUT_OF_GAS', `the contract ${contract} uses more gas than a question may cost`)
    : fails('CONTRACT_ANSWER_TOO_LARGE', `the contract ${contract} answers with more than an answer may hold`)
}

const encodeWord = (key: Hex | bigint): Hex =>
  typeof key === 'bigint' ? numberToHex(key, { size: 32 }) : pad(key.toLowerCase() as Hex)

/**
 * The answer must be exactly the ABI encoding of the value. A lenient decoder ignores the upper bytes of a word, and
 * bytes after it. It would then read garbage as an address or a large balance. Undefined for any other answer.
 */
function decodeWord<Type extends keyof Word>(returned: Hex, type: Type): Word[Type] | undefined {
  const shape: readonly AbiParameter[] = [{ type }]
  try {
    const [value] = decodeAbiParameters(shape, returned)
    return returned.toLowerCase() === encodeAbiParameters(shape, [value]) ? (value as Word[Type]) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a contract, or finds that there is none. The code, which is requested with every reading, decides. An address
 * without code may answer with a large number, or fail like a node. Errors: OutsideError.
 */
export async function readContract<Read>(
  view: BlockView,
  contract: Hex,
  reading: Promise<Read>,
): Promise<Read | Fails> {
  // Without a contract, the result of the reading is not needed.
  reading.catch(() => undefined)
  return (await findContractFault(view, contract)) ?? reading
}

async function findContractFault(view: BlockView, contract: Hex): Promise<Fails | undefined> {
  if (isPrecompile(contract))
    return fails('NO_CONTRACT', `${contract} is a function of the chain itself, not a contract: check the address`)
  const code = await view.readCode(contract)
  if (code === '0x')
    return fails(
      'NO_CONTRACT',
      `there is no contract at ${contract} at block ${view.blockNumber}: check address and chain`,
    )
  return isDelegation(code)
    ? fails(
        'NO_CONTRACT',
        `${contract} is a wallet that borrows code at block ${view.blockNumber}, not a contract: its key decides`,
      )
    : undefined
}

/** 0x01 to 0x11 and 0x0100 (EIP-7951) have no code on most chains, and on some a word that does nothing. */
function isPrecompile(address: Hex): boolean {
  const number = BigInt(address)
  return (number >= 1n && number <= 0x11n) || number === 0x100n
}

/** EIP-7702: code that begins like this belongs to a wallet with a key, and only the key decides. */
export const isDelegation = (code: Hex): boolean => findDelegate(code) !== undefined

/** The chain and the block of an evidence. */
export const makeSnapshot = ({ chain }: EvmChain, { blockNumber, blockHash, blockTime, readByNumber }: BlockView) => ({
  chain,
  blockNumber,
  blockHash,
  blockTime,
  ...(readByNumber.length > 0
    ? {
        readBy: 'blockNumber',
        readByReason: `${readByNumber.join(', ')} cannot read by block hash (EIP-1898): read by number, and the hash of that block compared afterwards`,
      }
    : {}),
})

/** The block to watch until it is final. */
export const makeReading = ({ chain }: EvmChain, { blockNumber, blockHash, isFinal }: BlockView): Reading =>
  isFinal ? { isFinal } : { isFinal, chain, blockNumber, blockHash }

/** The evidence of how the answer was proved; empty on chains that do not require proofs. */
export const addProof = (proof: ReadingProof | undefined) => (proof ? { proof } : {})

/** The contract could not be run over the proved state: its answer rests only on agreeing endpoints. */
export const isUnchecked = (reason: Extract<ReadingProof, { readonly proved: false }>['reason']): boolean =>
  reason === 'too-long' || reason === 'writes' || reason === 'outside-state'
