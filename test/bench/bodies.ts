import { createHash } from 'node:crypto'
import { addressOf, canonicalJson, keccak256, personalHash, qHashOf, type Subset, signerString } from './envelope.ts'
import { loadSecp256k1 } from './secp256k1.ts'

/** Kind of signed body: the six lines of this service, or an EIP-4361 message beside the same data. */
export type BodyKind = 'proof' | 'siwe'

/** The domain that the SIWE peer signs people in for, and checks. */
export const siweDomain = 'bench.example'

const walletCount = 256
const chainId = 84532
const verifierIds = ['ownership-basic']

const secp256k1 = loadSecp256k1()

const wallets = Array.from({ length: walletCount }, (_, index) => {
  const privateKey = new Uint8Array(createHash('sha256').update(`bench wallet ${index}`).digest())
  const publicKey = new Uint8Array(65)
  secp256k1.publicKeyCreate(publicKey, privateKey)
  return { privateKey, address: addressOf(publicKey) }
})

export const walletAddresses: readonly string[] = wallets.map(({ address }) => address)

/** Signs as the wallet of this number (EIP-191). */
export const signText = (text: string, wallet: number): string => personalSign(text, wallets[wallet]!)

/**
 * Signs `count` requests, each a different proof, spread over 256 wallets. Signed at the last moment and not kept:
 * a signature is accepted for five minutes only.
 */
export function signBodies(kind: BodyKind, count: number, label: string): string[] {
  const signedTimestamp = Date.now()
  return Array.from({ length: count }, (_, index) => {
    const wallet = wallets[index % walletCount]!
    const subset = {
      walletAddress: wallet.address,
      verifierIds,
      data: claimData(wallet.address, `${label} ${index}`),
      signedTimestamp,
      chainId,
    }
    if (kind === 'proof')
      return JSON.stringify({
        ...subset,
        signature: personalSign(signerString(subset, canonicalJson(subset.data)), wallet),
      })
    const message = siweMessage(subset)
    return JSON.stringify({
      message,
      signature: personalSign(message, wallet),
      verifierIds,
      data: subset.data,
      signedTimestamp,
    })
  })
}

/** About 400 bytes, three levels, members not in sorted order: as a client would send it. */
const claimData = (owner: string, name: string) => ({
  owner,
  content:
    `Field notes ${name}: the tide gauge was read at dawn and again at dusk, the two readings agree to a millimetre, ` +
    'and the sheet was signed on the pier by the person named above, who keeps the paper original.',
  reference: {
    type: 'url',
    id: `https://notes.example/sheets/${name.replaceAll(' ', '-')}`,
    title: 'Tide gauge sheet',
  },
  provenance: { declaredKind: 'human', aiContext: { generatorType: 'local', provider: 'none' } },
  contentType: 'text/plain',
})

/** The proof id goes in as the request id, which ties the data beside the message to the signature. */
const siweMessage = (subset: Subset) => `${siweDomain} wants you to sign in with your Ethereum account:
${checksummed(subset.walletAddress)}

Store a proof of ownership for the content that the request id names.

URI: https://${siweDomain}/proofs
Version: 1
Chain ID: ${subset.chainId}
Nonce: ${subset.signedTimestamp.toString(36)}bench
Issued At: ${new Date(subset.signedTimestamp).toISOString()}
Expiration Time: ${new Date(subset.signedTimestamp + 300_000).toISOString()}
Request ID: ${qHashOf(subset, canonicalJson(subset.data))}`

function personalSign(text: string, wallet: { privateKey: Uint8Array }): string {
  const out = { signature: new Uint8Array(64), recid: 0 }
  if (secp256k1.ecdsaSign(out, personalHash(text), wallet.privateKey) !== 0) throw new Error('signing failed')
  return `0x${Buffer.from(out.signature).toString('hex')}${(27 + out.recid).toString(16)}`
}

/** EIP-55: SIWE messages name the wallet in mixed case. */
function checksummed(address: string): string {
  const digits = address.slice(2)
  const nibbles = Buffer.from(keccak256(digits)).toString('hex')
  return `0x${[...digits].map((digit, at) => (nibbles[at]! >= '8' ? digit.toUpperCase() : digit)).join('')}`
}
