/**
 * Puts each odd signature of test/wallet on an otherwise correct envelope, with the verdict of `proofgate verify`. The
 * client module must reach the same verdict in every runtime.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { verifyOffline } from '../../src/commands/offline.ts'
import { parsePortableProof, UnusableProofError } from '../../src/commands/portable-file.ts'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import type { PortableProof } from '../../src/envelope/portable-proof.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { type SignedClaim, writeSignerString } from '../../src/envelope/signer-string.ts'
import { writeDid } from '../../src/wallet/account.ts'
import { concat, L, Point, signOddly, smallOrderEncodings, toLe, torsion } from '../wallet/odd-ed25519.ts'
import { oddSignatures, signer } from '../wallet/odd-evm.ts'

export interface OddEnvelope {
  readonly name: string
  readonly proof: PortableProof
  readonly verdict: 'valid' | 'invalid' | 'undecided'
}

const data = { content: 'Caf\u00e9, and \u{1f39f}', n: [1e21, -0], '\u{10000}': 1, '\uffee': 2 }
const claimOf = (walletAddress: string, context: SignedClaim['context']): SignedClaim => ({
  walletAddress,
  verifierIds: ['ownership-basic'],
  canonicalData: writeCanonicalJson(data),
  signedTimestamp: 1_767_225_600_000,
  context,
})

const envelopeOf = (claim: SignedClaim, signature: string, signatureMethod: string): PortableProof => ({
  qHash: computeQHash(claim),
  did: writeDid(claim.context, claim.walletAddress),
  walletAddress: claim.walletAddress,
  verifierIds: claim.verifierIds,
  data,
  signedTimestamp: claim.signedTimestamp,
  ...claim.context,
  signature,
  signatureMethod,
})

async function commandSays(proof: PortableProof): Promise<OddEnvelope['verdict']> {
  try {
    const { valid, needsChain } = await verifyOffline(parsePortableProof(JSON.stringify(proof)), proof.signedTimestamp)
    return valid ? 'valid' : needsChain ? 'undecided' : 'invalid'
  } catch (error) {
    if (error instanceof UnusableProofError) return 'invalid'
    throw error
  }
}

async function evmEnvelopes(): Promise<(readonly [string, PortableProof])[]> {
  const claim = claimOf(signer.address.toLowerCase(), { chainId: 84_532 })
  const { signature, agreed, strangers, stricter } = await oddSignatures(writeSignerString(claim))
  return [...agreed, ...strangers, ...stricter].flatMap(([name, odd]) => [
    [name, envelopeOf(claim, odd, 'eip191')] as const,
    [`${name}, said to be of a contract`, envelopeOf(claim, odd, 'EIP-1271')] as const,
    [`${name}, with an unknown method`, envelopeOf(claim, odd === signature ? odd : signature, 'eth_sign')] as const,
  ])
}

function solanaEnvelopes(): (readonly [string, PortableProof])[] {
  /** Makes the envelope of this key's owner, with a signature of its text. */
  const of = (key: Uint8Array, sign: (text: Uint8Array) => Uint8Array): PortableProof => {
    const claim = claimOf(base58.encode(key), { chain: 'solana:mainnet' })
    return envelopeOf(claim, base58.encode(sign(new TextEncoder().encode(writeSignerString(claim)))), 'ed25519')
  }
  const secret = new Uint8Array(32).fill(7)
  const ordinary = of(ed25519.getPublicKey(secret), (text) => ed25519.sign(text, secret))
  const mixed = torsion.flatMap((keyPart, keyAt) =>
    torsion.flatMap((rPart, rAt) =>
      [
        { a: 77n, r: 99n },
        { a: 0n, r: 99n },
        { a: 77n, r: 0n },
      ].map((scalars) => {
        const key = (scalars.a === 0n ? Point.ZERO : Point.BASE.multiply(scalars.a)).add(keyPart).toBytes()
        const proof = of(key, (text) => signOddly(text, keyPart, rPart, scalars).signature)
        return [`parts ${keyAt} and ${rAt} with ${scalars.a} and ${scalars.r}`, proof] as const
      }),
    ),
  )
  const small = smallOrderEncodings.flatMap(([name, key]) =>
    [0n, L - 1n].map((s) => [`a key of small order ${name}`, of(key, () => concat(key, toLe(s)))] as const),
  )
  return [['an ordinary one', ordinary], ...mixed, ...small]
}

export async function oddEnvelopes(): Promise<readonly OddEnvelope[]> {
  const all = [...(await evmEnvelopes()), ...solanaEnvelopes()]
  return Promise.all(all.map(async ([name, proof]) => ({ name, proof, verdict: await commandSays(proof) })))
}
