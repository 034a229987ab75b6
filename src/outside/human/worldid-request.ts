/**
 * The relying party's signature that World ID 4 requires of a proof request. The developer portal holds its public key,
 * so that others cannot request proofs in this server's name. The format is that of @worldcoin/idkit-server 1.1. It
 * covers version, nonce, begin, end and the hash of the action, signed as an Ethereum message (EIP-191).
 */
import type { Hex } from '../chains/chain.ts'
import { computeShiftedKeccak } from './shifted-keccak.ts'

/** The `rp_context` of IDKit. Times are Unix seconds. */
export interface RequestContext {
  readonly rp_id: string
  readonly nonce: Hex
  readonly created_at: number
  readonly expires_at: number
  readonly signature: Hex
}

const holdsSeconds = 300

export async function requestContext(
  { id, signingKey }: { readonly id: string; readonly signingKey: Hex },
  action: string,
  /** Unix milliseconds. */
  now: number,
  random: Uint8Array,
): Promise<RequestContext> {
  const { privateKeyToAccount } = await import('viem/accounts')
  const [nonce, created_at] = [computeShiftedKeccak(random), Math.floor(now / 1000)]
  const expires_at = created_at + holdsSeconds
  const times = Buffer.alloc(16)
  times.writeBigUInt64BE(BigInt(created_at))
  times.writeBigUInt64BE(BigInt(expires_at), 8)
  const raw = Buffer.concat([Uint8Array.of(1), parseBytes(nonce), times, parseBytes(computeShiftedKeccak(action))])
  const signature = await privateKeyToAccount(signingKey).signMessage({ message: { raw } })
  return { rp_id: id, nonce, created_at, expires_at, signature }
}

const parseBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
