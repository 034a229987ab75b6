/**
 * What the two token programs keep in accounts: mints and token accounts, read from their bytes. Only the members that
 * a holding needs; the rest of the layout, and the extensions of Token-2022 after it, are not looked at.
 */
import { base58 } from '@scure/base'
import type { AccountState } from './node.ts'

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const mintLength = 82
const tokenAccountLength = 165
/** A multisig signer of either program. Its bytes are chosen by whoever makes it, so it must not pass for the others. */
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

/** Undefined for what is no mint, or not yet one. */
export function parseMint(account: AccountState): Mint | undefined {
  if (!hasForm(account, mintLength, 1)) return undefined
  const bytes = makeDataView(account)
  if (bytes.getUint8(45) !== 1) return undefined
  return { supply: bytes.getBigUint64(36, true), decimals: bytes.getUint8(44) }
}

/**
 * Undefined for what is no token account, or not yet one. A frozen account is one: its tokens cannot move, and they
 * are its owner's. The NFTs that Metaplex calls programmable are always frozen.
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

/** Token-2022 pads both kinds to the length of a token account, and the byte after that says which of the two it is. */
function hasForm({ program, data }: AccountState, length: number, kind: 1 | 2): boolean {
  if (program !== tokenProgram && program !== token2022Program) return false
  if (data.length === length) return true
  return program === token2022Program && data.length !== multisigLength && data[tokenAccountLength] === kind
}

const makeDataView = ({ data }: AccountState): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)
