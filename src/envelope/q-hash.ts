/** The id of a proof: SHAKE-256 (256 bits) over the canonical subset of the envelope (CAIP-380). */
import { writeCanonicalSubset } from './canonical-subset.ts'
import type { SignedClaim } from './signer-string.ts'

/** `0x` and 64 lower-case hexadecimal digits. */
export const computeQHash = (claim: SignedClaim): string =>
  `0x${Bun.CryptoHasher.hash('shake256', writeCanonicalSubset(claim), 'hex')}`

export const qHashPattern = '^0x[a-fA-F0-9]{64}$'
