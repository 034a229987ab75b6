/** Wallets for load: OpenSSL signs in 50 µs, so that the load comes from the server's work and not from ours. */
import { createPrivateKey, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { writeSignerString } from '../../src/envelope/signer-string.ts'

export interface Signer {
  readonly address: string
  readonly context: { readonly chain: string } | { readonly chainId: number }
  sign(message: string): Promise<string> | string
}

export function makeFastWallet(seed: Uint8Array): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return {
    address: base58.encode(ed25519.getPublicKey(seed)),
    context: { chain: 'solana:mainnet' },
    sign: (message) => base58.encode(sign(null, Buffer.from(message), key)),
  }
}

/** Wallet `number` of many. */
export const makeFastWalletAt = (number: number): Signer =>
  makeFastWallet(new Uint8Array(Bun.SHA256.hash(`wallet ${number}`).buffer as ArrayBuffer))

/** The members of an owner's action. */
export const ownerSigned = async ({ address, context, sign: signText }: Signer, data: object, at = Date.now()) => {
  const claim = {
    walletAddress: address,
    verifierIds: ['ownership-basic'],
    canonicalData: writeCanonicalJson(data),
    signedTimestamp: at,
    context,
  }
  const signature = await signText(writeSignerString(claim))
  return { walletAddress: address, signedTimestamp: at, signature, ...('chain' in context ? context : {}) }
}

export interface Claimed {
  readonly verifierIds?: readonly string[]
  readonly data: object
  readonly options?: object
  readonly signedTimestamp?: number
}

/** The signed body of a claim. */
export async function claimSigned({ address, context, sign: signText }: Signer, claimed: Claimed): Promise<object> {
  const { verifierIds = ['ownership-basic'], data, options = {}, signedTimestamp = Date.now() } = claimed
  const claim = { walletAddress: address, verifierIds, signedTimestamp, context }
  const signature = await signText(writeSignerString({ ...claim, canonicalData: writeCanonicalJson(data) }))
  return { walletAddress: address, verifierIds, data, signedTimestamp, signature, ...context, options }
}
