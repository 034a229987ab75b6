/** Verifies that a value exists under a state root (EIP-1186), or that none does. It relies on hashes alone. */
import { verifyMerkleProof } from '@ethereumjs/mpt'
import { fromRlp, hexToBigInt, hexToBytes, keccak256, pad, toHex } from 'viem'
import type { Hex } from '../../chain.ts'

export interface Account {
  readonly nonce: bigint
  /** Wei. */
  readonly balance: bigint
  readonly storageRoot: Hex
  readonly codeHash: Hex
}

/** Hash of no code, and root of the trie of no storage. */
export const noCodeHash = keccak256('0x')
export const emptyRoot = keccak256('0x80')

/** A key has 64 nibbles, and each node on the way takes at least one. */
const mostNodes = 65
/** A branch with 16 hashes is the longest node. Only the leaf of an account or slot differs, and it is shorter. */
const mostNodeDigits = 2 * 600

/** Undefined when it is not proved. A missing account is an empty one. */
export async function readProvedAccount(stateRoot: Hex, address: Hex, proof: unknown): Promise<Account | undefined> {
  const leaf = await readProvedLeaf(stateRoot, address, proof)
  if (leaf === undefined) return undefined
  if (leaf === null) return { nonce: 0n, balance: 0n, storageRoot: emptyRoot, codeHash: noCodeHash }
  const fields = decodeLeaf(leaf)
  if (!Array.isArray(fields) || fields.length !== 4) return undefined
  const [nonce, balance, storageRoot, codeHash] = fields
  if (!isWord(storageRoot) || !isWord(codeHash) || !isNumber(nonce) || !isNumber(balance)) return undefined
  return { nonce: parseNumber(nonce), balance: parseNumber(balance), storageRoot, codeHash }
}

/** Undefined when it is not proved. A missing slot holds zero. */
export async function readProvedSlot(storageRoot: Hex, slot: Hex, proof: unknown): Promise<Hex | undefined> {
  if (storageRoot === emptyRoot) return pad('0x')
  const leaf = await readProvedLeaf(storageRoot, pad(slot), proof)
  if (leaf === undefined) return undefined
  const value = leaf === null ? '0x' : decodeLeaf(leaf)
  return isNumber(value) ? pad(value) : undefined
}

async function readProvedLeaf(root: Hex, key: Hex, proof: unknown): Promise<Uint8Array | null | undefined> {
  if (!Array.isArray(proof) || proof.length === 0 || proof.length > mostNodes || !proof.every(isNode)) return undefined
  try {
    return await verifyMerkleProof(
      hexToBytes(key),
      proof.map((node) => hexToBytes(node)),
      {
        root: hexToBytes(root),
        useKeyHashing: true,
      },
    )
  } catch {
    return undefined
  }
}

function decodeLeaf(leaf: Uint8Array): unknown {
  try {
    return fromRlp(toHex(leaf), 'hex')
  } catch {
    return undefined
  }
}

const isNode = (node: unknown): node is Hex =>
  typeof node === 'string' && node.length <= mostNodeDigits && /^0x([0-9a-f]{2})+$/i.test(node)
const isWord = (field: unknown): field is Hex => typeof field === 'string' && field.length === 66
const isNumber = (field: unknown): field is Hex => typeof field === 'string' && field.length <= 66
const parseNumber = (field: Hex): bigint => (field === '0x' ? 0n : hexToBigInt(field))
