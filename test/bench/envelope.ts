import { createKeccak } from 'hash-wasm'

/**
 * The six signed lines and the proof id, written for speed and for the bench's own bodies only: ASCII, so that
 * normalizing is left out and UTF-16 order is code-point order. The real one is in src/envelope.
 */
export interface Subset {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: Record<string, unknown>
  readonly signedTimestamp: number
  readonly chainId: number
}

export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  for (const key of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${canonicalJson(members[key])}`
  return text === '' ? '{}' : `${text}}`
}

/** Takes the canonical JSON of `data`, because both texts hold it and it is the dear part. */
export const signerString = (subset: Subset, canonicalData: string): string =>
  `Portable Proof Verification Request\nWallet: ${subset.walletAddress.toLowerCase()}\nChain: ${subset.chainId}\n` +
  `Verifiers: ${subset.verifierIds.join(',')}\nData: ${canonicalData}\nTimestamp: ${subset.signedTimestamp}`

export const didOf = (subset: Subset): string =>
  `did:pkh:eip155:${subset.chainId}:${subset.walletAddress.toLowerCase()}`

export const qHashOf = (subset: Subset, canonicalData: string): string =>
  `0x${Bun.CryptoHasher.hash(
    'shake256',
    `{"chainId":${subset.chainId},"data":${canonicalData},"did":"${didOf(subset)}",` +
      `"signedTimestamp":${subset.signedTimestamp},"verifierIds":${JSON.stringify(subset.verifierIds)}}`,
    'hex',
  )}`

const keccak = await createKeccak(256)

export const keccak256 = (bytes: Uint8Array | string): Uint8Array => keccak.init().update(bytes).digest('binary')

const encoder = new TextEncoder()
const scratch = new Uint8Array(256 * 1024)

/** EIP-191 `personal_sign` hash. */
export function personalHash(text: string): Uint8Array {
  // A character is three bytes at most. Longer text may not fit the scratch buffer, and gets bytes of its own.
  const fits = text.length * 3 <= scratch.length
  const bytes = fits ? scratch.subarray(0, encoder.encodeInto(text, scratch).written) : encoder.encode(text)
  return keccak.init().update(`\x19Ethereum Signed Message:\n${bytes.length}`).update(bytes).digest('binary')
}

/** Lower-case address of an uncompressed public key. */
export const addressOf = (publicKey: Uint8Array): string =>
  `0x${Buffer.from(keccak256(publicKey.subarray(1)).buffer, 12, 20).toString('hex')}`
