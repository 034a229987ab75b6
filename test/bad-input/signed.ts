/** Signed requests, and ways to spoil them. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { writeSignerString } from '../../src/envelope/signer-string.ts'
import type { Answer, TestApp } from '../app.ts'
import type { TestWallet } from '../wallets.ts'

export const verification = '/api/v1/verification'

export interface SignedRequest {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: Record<string, unknown>
  readonly signedTimestamp: number
  readonly signature: string
  readonly [member: string]: unknown
}

/** A claim of ownership-basic, signed and not sent yet: over our own text, because standardize refuses untrue claims. */
export async function signed(app: TestApp, wallet: TestWallet, more: object = {}): Promise<SignedRequest> {
  const body = {
    walletAddress: wallet.address,
    verifierIds: ['ownership-basic'],
    data: { owner: wallet.address, content: 'My words' },
    signedTimestamp: app.now(),
    ...wallet.signing,
    ...more,
  }
  const { chain } = wallet.signing
  const text = writeSignerString({
    ...body,
    canonicalData: writeCanonicalJson(body.data),
    context: chain === undefined ? { chainId: 84532 } : { chain },
  })
  return { ...body, signature: await wallet.sign(text) }
}

export const send = (app: TestApp, body: unknown): Promise<Answer> => app.post(verification, body)

/** The same consent in other bytes: n - s with the other parity, which the curve accepts as well. */
export function withHighS(signature: string): string {
  const n = secp256k1.Point.CURVE().n
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number.parseInt(signature.slice(130), 16)
  return `${signature.slice(0, 66)}${(n - s).toString(16).padStart(64, '0')}${(v === 27 ? 28 : 27).toString(16)}`
}

/** EIP-2098: the parity in the top bit of s. A valid form of the same signature. */
export function compact(signature: string): string {
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const parity = BigInt(Number.parseInt(signature.slice(130), 16) - 27)
  return `${signature.slice(0, 66)}${((parity << 255n) | s).toString(16).padStart(64, '0')}`
}
