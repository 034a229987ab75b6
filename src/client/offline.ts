/** A portable proof, checked without a server: the rule of the server, with hashes and signatures computed here. */
import { writeCanonicalSubset } from '../envelope/canonical-subset.ts'
import type { PortableProof } from '../envelope/portable-proof.ts'
import { findShapeFault } from '../envelope/portable-shape.ts'
import { newestTitle, type SignedClaim } from '../envelope/signer-string.ts'
import { verifyPortableProof } from '../envelope/verify-portable.ts'
import { decodeBase58 } from '../wallet/base58.ts'
import type { NotSigned, OfferedSignature, SignatureVerdict } from '../wallet/signature.ts'
import { isContractMethod, isKeyMethod } from '../wallet/signature-method.ts'
import { encodeUtf8, parseHex, toHex } from './bytes.ts'
import { isHighS, isSignedByEd25519, readNumber, recoverKey } from './curves.ts'
import type { EnvelopeVerdict, VerifyOptions } from './module.d.ts'
import { hashKeccak256, hashShake256 } from './sponge.ts'

export async function verifyEnvelope(
  proof: unknown,
  { now = Date.now(), maxAgeMs = 300_000, maxAheadMs = 60_000, titles = [] }: VerifyOptions = {},
): Promise<EnvelopeVerdict> {
  const fault = findShapeFault(Object(proof))
  if (fault)
    return {
      verdict: 'invalid',
      checks: { qHash: false, did: false, signature: false },
      fresh: false,
      faults: [`${fault.member}: ${fault.is}`],
    }
  let lacksHash = false
  const { valid, needsChain, checks, fresh, faults } = await verifyPortableProof(proof as PortableProof, {
    deriveQHash: (claim: SignedClaim) => toHex(hashShake256(encodeUtf8(writeCanonicalSubset(claim)))),
    async verifySignature(offered, texts) {
      const verdict = await judgeSignature(offered, texts)
      lacksHash = verdict === undefined
      return verdict ?? refuse('NOT_SIGNED', 'this page has no Web Cryptography')
    },
    titles: [newestTitle, ...titles],
    now,
    window: { maxAgeMs, maxAheadMs },
  })
  return {
    verdict: valid ? 'valid' : (needsChain || lacksHash) && checks.qHash && checks.did ? 'undecided' : 'invalid',
    checks,
    fresh,
    faults,
  }
}

/** Undefined when it cannot be computed here. */
const judgeSignature = async (
  offered: OfferedSignature,
  texts: readonly string[],
): Promise<SignatureVerdict | undefined> =>
  offered.chain.startsWith('eip155:') ? verifyEvm(offered, texts) : verifyOther(offered, texts)

const refuse = (reason: NotSigned['reason'], message: string): NotSigned => ({ signed: false, reason, message })

/** By the rules of wallet/eip191.ts and wallet/signature.ts, whose tests this one passes too. */
function verifyEvm({ address, signature, method }: OfferedSignature, texts: readonly string[]): SignatureVerdict {
  const isContract = isContractMethod(method)
  if (method !== undefined && !isKeyMethod(method) && !isContract)
    return refuse('METHOD_UNKNOWN', 'the method does not fit this wallet')
  const position = texts.findIndex((text) => recoverSigner(text, signature) === address.toLowerCase())
  if (position >= 0) return { signed: true, method: 'eip191', position }
  return isContract && /^0x(?:[0-9a-fA-F]{2})+$/.test(signature)
    ? refuse('NO_CHAIN', 'only its chain can tell')
    : refuse('OTHER_WALLET', 'not by this wallet, or not over exactly this')
}

/** The address whose key signed, or undefined when none can have (EIP-191, EIP-2, EIP-2098). */
export function recoverSigner(text: string, signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{128}(?:[0-9a-fA-F]{2})?$/.test(signature)) return undefined
  const bytes = parseHex(signature.slice(2))
  const last = bytes[64]
  // Without the last byte the top bit of s carries the parity.
  const v = last === undefined ? bytes[32]! >> 7 : last >= 27 ? last - 27 : last
  if (last === undefined) bytes[32]! &= 0x7f
  const s = readNumber(bytes.subarray(32, 64))
  if (v > 1 || isHighS(s)) return undefined
  const message = encodeUtf8(text)
  const prefix = encodeUtf8(`\x19Ethereum Signed Message:\n${message.length}`)
  const key = recoverKey(
    hashKeccak256(Uint8Array.from([...prefix, ...message])),
    readNumber(bytes.subarray(0, 32)),
    s,
    BigInt(v),
  )
  return key && `0x${toHex(hashKeccak256(key)).slice(26)}`
}

/** By the rules of wallet/ed25519.ts. */
async function verifyOther(
  { address, signature, method }: OfferedSignature,
  texts: readonly string[],
): Promise<SignatureVerdict | undefined> {
  if (method !== undefined && method.toLowerCase() !== 'ed25519')
    return refuse('METHOD_UNKNOWN', 'the method does not fit this wallet')
  const key = decodeBase58(address.replace(/^ed25519:/, ''), 32)
  if (!key) return refuse('ACCOUNT_HAS_NO_KEY', 'the wallet is not a public key')
  const spelled = signature.replace(/^ed25519:/, '')
  const hex = /^(?:0x)?([0-9a-fA-F]{128})$/.exec(spelled)?.[1]
  const bytes = hex ? parseHex(hex) : decodeBase58(spelled, 64)
  if (!bytes) return refuse('MALFORMED', 'it is not 64 bytes')
  for (const [position, text] of texts.entries()) {
    const isSigned = await isSignedByEd25519(key, encodeUtf8(text), bytes)
    if (isSigned) return { signed: true, method: 'ed25519', position }
    if (isSigned === undefined) return undefined
  }
  return refuse('NOT_SIGNED', 'not by this wallet, or not over exactly this')
}
