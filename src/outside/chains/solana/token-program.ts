/**
 * Reads the accounts of the two token programs, mints and token accounts, from their bytes. It reads only the members
 * that a holding needs. It ignores the rest of the layout, and the Token-2022 extensions after it.
 */
import { base58 } from '@scure/base'
import type { AccountState } from './node.ts'

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const mintLength = 82
const tokenAccountLength = 165
/** A multisig signer of either program. Its creator chooses its bytes, so it must not pass for the other kinds. */
const multisigLength = 355

export interface Mint {
  readonly supply: bigint
  readonly decimals: number
}

export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
}

/** Undefined for an account that is not an initialized mint. */
export function parseMint(account: AccountState): Mint | undefined {
  if (!hasForm(account, mintLength, 1)) return undefined
  const bytes = makeDataView(account)
  if (bytes.getUint8(45) !== 1) return undefined
  return { supply: bytes.getBigUint64(36, true), decimals: bytes.getUint8(44) }
}

/**
 * Undefined for an account that is not an initialized token account. A frozen one counts: its tokens cannot move, but
 * belong to its owner. Metaplex's programmable NFTs are always frozen.
 */
export function parseTokenAccount(account: AccountState): TokenAccount | undefined {
  if (!hasForm(account, tokenAccountLength, 2)) return undefined
  const bytes = makeDataView(account)
  const state = bytes.getUint8(108)
  if (state !== 1 && state !== 2) return undefined
  return {
    mint: base58.encode(account.data.subarray(0, 32)),
    owner: base58.encode(account.data.subarray(32, 64)),
    amount: bytes.getBigUint64(64, true),
  }
}

/** Token-2022 pads both kinds to the length of a token account. The byte after that tells which of the two it is. */
function hasForm({ program, data }: AccountState, length: number, kind: 1 | 2): boolean {
  if (program !== tokenProgram && program !== token2022Program) return false
  if (data.length === length) return true
  return program === token2022Program && data.length !== multisigLength && data[tokenAccountLength] === kind
}

const makeDataView = ({ data }: AccountState): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)
