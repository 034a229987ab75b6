/**
 * Proofs for the contract that stands for ZKPassport's root verifier (contracts/sources/ZkPassportVerifier.sol). They
 * are random words, laid out as the app does. This file repeats the hashing and the layout from the SDK.
 */
import { concatHex, type Hex, numberToHex, pad, sha256, stringToBytes, toHex } from 'viem'
import { startOfTime } from '../app.ts'
import type { Deployed } from './contracts/contracts.ts'

export interface Disclosed {
  /** Inputs by circuit name. */
  readonly [circuit: string]: object
}

export interface Made {
  readonly committedInputs: Disclosed
  readonly nullifier?: bigint
  /** 0 plain, 1 salted, 2 and 3 of passports for tests. */
  readonly identifierType?: bigint
  readonly domain?: string
  readonly scope?: string
  /** Unix milliseconds. */
  readonly at?: number
  /** Without it the contract does not know the proof. */
  readonly isRight?: boolean
}

/** A hash of 32 bytes, moved by one byte to fit into the field. */
const shifted = (data: Hex | Uint8Array): Hex => `0x00${sha256(data).slice(2, 64)}`

const words = (number: number): Hex => toHex(crypto.getRandomValues(new Uint8Array(32 * number)))

const header = (type: number, bytes: number): Hex =>
  concatHex([numberToHex(type, { size: 1 }), numberToHex(bytes, { size: 2 })])
const padded = (data: Hex, bytes: number): Hex => pad(data, { dir: 'right', size: bytes })
const field = (text: string): Hex => pad(numberToHex(BigInt(text)), { size: 32 })

// biome-ignore lint/suspicious/noExplicitAny: the inputs of each circuit have a shape of their own
const bytesOf: Readonly<Record<string, (inputs: any) => Hex>> = {
  compare_age_evm: ({ minAge, maxAge }) => concatHex([header(1, 2), toHex(Uint8Array.of(minAge, maxAge))]),
  bind_evm: ({ data: { user_address: address, custom_data: text } }) => {
    const parts: Hex[] = []
    if (address) parts.push('0x01', '0x0014', address)
    if (text) {
      const bytes = stringToBytes(text)
      parts.push('0x03', numberToHex(bytes.length, { size: 2 }), toHex(bytes))
    }
    return concatHex([header(8, 509), padded(parts.length > 0 ? concatHex(parts) : '0x', 509)])
  },
  exclusion_check_sanctions_evm: ({ rootHash, isStrict }) =>
    concatHex([header(9, 33), field(rootHash), isStrict ? '0x01' : '0x00']),
  facematch_evm: ({ rootKeyLeaf, environment, appIdHash, integrityPubkeyHash, mode }) =>
    concatHex([
      header(10, 98),
      field(rootKeyLeaf),
      environment === 'production' ? '0x01' : '0x00',
      field(appIdHash),
      field(integrityPubkeyHash),
      mode === 'regular' ? '0x01' : '0x02',
    ]),
}

/** The proof as the app gives it to a page, after the contract was told that it is one. */
export async function makeProof(contract: Deployed, made: Made) {
  const {
    committedInputs,
    nullifier = 7n,
    identifierType = 0n,
    domain = 'localhost',
    scope = 'svc-v1',
    at = startOfTime,
    isRight = true,
  } = made
  const commitments = Object.entries(committedInputs).map(([name, inputs]) => shifted(bytesOf[name]!(inputs)))
  const publicInputs: Hex[] = [
    words(1),
    words(1),
    numberToHex(Math.floor(at / 1000), { size: 32 }),
    shifted(stringToBytes(domain)),
    shifted(stringToBytes(scope)),
    ...commitments,
    numberToHex(identifierType, { size: 32 }),
    numberToHex(nullifier, { size: 32 }),
    words(1),
  ]
  const proof = words(20)
  const vkeyHash = words(1)
  if (isRight) await contract.write('addProof', [vkeyHash, proof, publicInputs])
  return {
    name: `outer_evm_count_${3 + commitments.length}`,
    version: '0.16.0',
    vkeyHash,
    proof: concatHex([...publicInputs, proof]).slice(2),
    committedInputs,
  }
}

/** A face that was matched by the app on an iPhone. */
export const faceOf = (mode: 'regular' | 'strict', more: object = {}) => ({
  facematch_evm: {
    rootKeyLeaf: '0x2532418a107c5306fa8308c22255792cf77e4a290cbce8a840a642a3e591340b',
    environment: 'production',
    appIdHash: '0x1fa73686cf510f8f85757b0602de0dd72a13e68ae2092462be8b72662e7f179b',
    integrityPubkeyHash: '0x0',
    mode,
    ...more,
  },
})
export const aged = (minAge: number) => ({ compare_age_evm: { minAge, maxAge: 0 } })
export const boundTo = (address: string) => ({ bind_evm: { data: { user_address: address } } })
export const boundText = (text: string) => ({ bind_evm: { data: { custom_data: text } } })
export const sanctionsRoot = '0x0b1d3c'
export const unsanctioned = (rootHash = sanctionsRoot) => ({
  exclusion_check_sanctions_evm: { rootHash, isStrict: true },
})
