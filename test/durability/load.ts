/** Clients that make and revoke proofs as fast as they are answered, and record every answer. */
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { writeSignerString } from '../../src/envelope/signer-string.ts'
import { makeFastWallet, ownerSigned, type Signer } from '../parts/fast-wallet.ts'
import { alice, bob } from '../wallets.ts'

const evm = ({ address, sign: signText }: typeof alice): Signer => ({
  address,
  context: { chainId: 84532 },
  sign: signText,
})

const signers: readonly Signer[] = [
  ...[1, 2, 3, 4, 5, 6].map((digit) => makeFastWallet(new Uint8Array(32).fill(digit))),
  evm(alice),
  evm(bob),
]

/** A client's knowledge of a proof: only what an answer told it. */
export interface Known {
  readonly qHash: string
  readonly signer: Signer
  readonly content?: string
  readonly handle?: string
  /** `unsure`: the answer to a revocation never came. */
  state: 'stands' | 'unsure' | 'revoked'
}

export interface Book {
  /** Every proof whose creation was acknowledged. */
  readonly proofs: Known[]
  /** Requests whose answer never came, to be sent again after the next start. */
  readonly unanswered: object[]
  /** Answers that should never come. */
  readonly surprises: string[]
}

export const newBook = (): Book => ({ proofs: [], unanswered: [], surprises: [] })

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!
let count = 0
let lastTimestamp = 0
/** Never the same twice: two runs of one claim must be two proofs. */
const newTimestamp = (): number => {
  lastTimestamp = Math.max(lastTimestamp + 1, Date.now() - 120_000)
  return lastTimestamp
}

/** Makes a signed request of a random kind, and the state that its acknowledgment means. */
async function newRequest() {
  const signer = pick(signers)
  const { address, context } = signer
  const number = ++count
  const kind = pick(['plain', 'plain', 'kept private', 'kept public', 'handle', 'wanted handle', 'same claim'])
  const handle =
    kind === 'handle' ? `h${process.pid}-${number}` : kind === 'wanted handle' ? `wanted${number % 50}` : undefined
  const content =
    kind === 'same claim' ? 'One claim, again and again' : `${kind} ${number} ${'x'.repeat(number % 2_000)}`
  const verifierIds = [handle === undefined ? 'ownership-basic' : 'ownership-pseudonym']
  const data = handle === undefined ? { owner: address, content } : { pseudonymId: handle }
  const isKept = kind.startsWith('kept')
  const isPublic = kind === 'kept public' || number % 3 === 0
  const signedTimestamp = newTimestamp()
  const claim = {
    walletAddress: address,
    verifierIds,
    canonicalData: writeCanonicalJson(data),
    signedTimestamp,
    context,
  }
  const request = {
    walletAddress: address,
    verifierIds,
    data,
    signedTimestamp,
    signature: await signer.sign(writeSignerString(claim)),
    ...context,
    options: {
      storeOriginalContent: isKept,
      privacyLevel: isPublic ? 'public' : 'private',
      publicDisplay: isPublic,
    },
  }
  const known = { signer, ...(isKept ? { content } : {}), ...(handle === undefined ? {} : { handle }) }
  return { request, known }
}

async function post(url: string, path: string, body: object): Promise<{ status: number; qHash?: string } | undefined> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { data?: { qHash?: string } }
    return { status: response.status, ...(answer.data?.qHash ? { qHash: answer.data.qHash } : {}) }
  } catch {
    return undefined
  }
}

async function makeProof(url: string, book: Book): Promise<boolean> {
  const { request, known } = await newRequest()
  const answer = await post(url, '/api/v1/verification', request)
  if (!answer) {
    book.unanswered.push(request)
    return false
  }
  if (answer.status === 200 && answer.qHash) book.proofs.push({ ...known, qHash: answer.qHash, state: 'stands' })
  else if (answer.status !== 409) book.surprises.push(`create: ${answer.status}`)
  return true
}

async function revokeOne(url: string, book: Book): Promise<boolean> {
  const known = pick(book.proofs)
  if (known?.state !== 'stands') return true
  const body = await ownerSigned(known.signer, { action: 'revoke_proof', qHash: known.qHash })
  known.state = 'unsure'
  const answer = await post(url, `/api/v1/proofs/revoke-self/${known.qHash}`, body)
  if (!answer) return false
  if (answer.status === 200) known.state = 'revoked'
  else book.surprises.push(`revoke: ${answer.status}`)
  return true
}

/** Keeps `clients` requests under way until the server is gone. */
export async function runLoad(url: string, book: Book, clients = 24): Promise<void> {
  const client = async (): Promise<void> => {
    while (await (Math.random() < 0.2 && book.proofs.length > 0 ? revokeOne(url, book) : makeProof(url, book)));
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Sends unanswered requests again: each must be accepted, whether it was stored before the kill or not. */
export async function resend(url: string, book: Book): Promise<void> {
  for (const request of book.unanswered.splice(0)) {
    const answer = await post(url, '/api/v1/verification', request)
    if (answer?.status !== 200 && answer?.status !== 409) book.surprises.push(`again: ${answer?.status}`)
  }
}

/** The five headers by which the owner reads its proof. */
export async function ownerHeaders({ signer, qHash }: Known): Promise<Record<string, string>> {
  const { walletAddress, signature, signedTimestamp } = await ownerSigned(signer, {
    action: 'access_private_proof',
    qHash,
  })
  return {
    'x-wallet-address': walletAddress,
    'x-signature': signature,
    'x-signed-timestamp': String(signedTimestamp),
    ...('chain' in signer.context ? { 'x-chain': signer.context.chain } : {}),
  }
}
