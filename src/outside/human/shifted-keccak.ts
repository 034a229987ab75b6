import { hashKeccak256 } from '../../wallet/keccak.ts'
import type { Hex } from '../chains/chain.ts'

/** Keccak-256 without its last byte, after a zero byte: a hash that fits into the field of BN254. */
export const computeShiftedKeccak = (data: string | Uint8Array): Hex => `0x00${hashKeccak256(data).slice(2, 64)}`
