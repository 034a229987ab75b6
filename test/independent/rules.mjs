/**
 * The rules of CAIP-380 portable proofs, written a second time from the specification alone. This code shares nothing
 * with Proofgate, so the two agree only because both follow the same document.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const title = 'Portable Proof Verification Request'

/** Object keys in NFC and in code-point order, texts in NFC, no white space. */
export function canonical(value) {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'))
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number that JSON cannot say')
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = new Map()
  for (const [key, member] of Object.entries(value)) {
    const normal = key.normalize('NFC')
    if (members.has(normal)) throw new Error('two keys that are one')
    members.set(normal, member)
  }
  const keys = [...members.keys()].sort(byCodePoint)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(members.get(key))}`).join(',')}}`
}

function byCodePoint(one, other) {
  const left = Array.from(one, (character) => character.codePointAt(0))
  const right = Array.from(other, (character) => character.codePointAt(0))
  for (let at = 0; at < Math.min(left.length, right.length); at++)
    if (left[at] !== right[at]) return left[at] - right[at]
  return left.length - right.length
}

export const isEvm = (proof) => proof.chain === undefined || proof.chain.startsWith('eip155:')

const addressOf = (proof) => (isEvm(proof) ? proof.walletAddress.toLowerCase() : proof.walletAddress)

/** The six lines that the wallet signed. */
export function signedText(proof) {
  const chain = isEvm(proof) ? Number(proof.chain?.split(':')[1] ?? proof.chainId) : proof.chain
  const lines = [
    title,
    `Wallet: ${addressOf(proof)}`,
    `Chain: ${chain}`,
    `Verifiers: ${proof.verifierIds.join(',')}`,
    `Data: ${canonical(proof.data)}`,
    `Timestamp: ${proof.signedTimestamp}`,
  ]
  return lines.join('\n').normalize('NFC')
}

export const didOf = (proof) =>
  `did:pkh:${proof.chain?.split(':').slice(0, 2).join(':') ?? `eip155:${proof.chainId}`}:${addressOf(proof)}`

/** SHAKE-256 with 256 bits over what identifies the request. */
export function qHashOf(proof) {
  const { verifierIds, data, signedTimestamp, chainId, chain } = proof
  const context = chain === undefined ? { chainId } : { chain }
  const subset = canonical({ did: didOf(proof), verifierIds, data, signedTimestamp, ...context })
  return `0x${createHash('shake256', { outputLength: 32 }).update(subset, 'utf8').digest('hex')}`
}

/** Prints the verdict on the file named on the command line. Exit code 0: valid, 1: not, 2: no file named. */
export function judge(isSignedBy) {
  const file = process.argv[2]
  if (file === undefined) {
    console.error('Name the file of a portable proof.')
    process.exitCode = 2
    return
  }
  const read = JSON.parse(readFileSync(file, 'utf8'))
  // The whole answer that made the proof, or the portable proof alone.
  const proof = read.success === true ? read.data.portableProof : read
  const checks = {
    chain: (proof.chainId === undefined) !== (proof.chain === undefined),
    qHash: qHashOf(proof) === proof.qHash.toLowerCase(),
    did: didOf(proof) === proof.did,
    signature: isSignedBy(proof, signedText(proof)),
  }
  const failing = Object.keys(checks).filter((name) => !checks[name])
  console.log(failing.length === 0 ? `valid: signed by ${proof.did}` : `not valid: ${failing.join(', ')}`)
  process.exitCode = failing.length === 0 ? 0 : 1
}
