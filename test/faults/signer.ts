/** Wallets that sign fast: OpenSSL takes 50 µs, so that the time goes to the server. */
import { createPrivateKey, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { writeSignerString } from '../../src/envelope/signer-string.ts'
import { publicUrl } from './world.ts'

const chain = 'solana:mainnet'
/** The audience that owner actions must name. */
const audience = new URL(publicUrl).host

export interface Signer {
  readonly address: string
  sign(message: string): string
  /** A claim with its signature, and the id that its proof has or would have. */
  claim(verifierId: string, data: object, at: number): { readonly body: object; readonly qHash: string }
  /** The members of an owner's action. */
  act(data: object, at: number): Readonly<Record<string, string | number>>
  /** Headers by which a wallet reads. */
  reads(data: object, at: number): Record<string, string>
}

export function makeSigner(seed: Uint8Array): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const address = base58.encode(ed25519.getPublicKey(seed))
  const signText = (message: string): string => base58.encode(sign(null, Buffer.from(message), key))
  const signed = (verifierId: string, data: object, signedTimestamp: number) => {
    const verifierIds = [verifierId]
    const claim = {
      walletAddress: address,
      verifierIds,
      canonicalData: writeCanonicalJson(data),
      signedTimestamp,
      context: { chain },
    }
    return { claim, signature: signText(writeSignerString(claim)) }
  }
  const act: Signer['act'] = (data, at) => ({
    walletAddress: address,
    signedTimestamp: at,
    signature: signed('ownership-basic', data, at).signature,
    chain,
    signatureMethod: 'ed25519',
  })
  return {
    address,
    sign: signText,
    claim(verifierId, data, at) {
      const { claim, signature } = signed(verifierId, data, at)
      return {
        body: { walletAddress: address, verifierIds: [verifierId], data, signedTimestamp: at, signature, chain },
        qHash: computeQHash(claim),
      }
    },
    act: (data, at) => act({ ...data, audience }, at),
    reads(data, at) {
      const { walletAddress, signature, signedTimestamp } = act(data, at)
      return {
        'x-wallet-address': String(walletAddress),
        'x-signature': String(signature),
        'x-signed-timestamp': String(signedTimestamp),
        'x-chain': chain,
        'x-signature-method': 'ed25519',
      }
    },
  }
}
