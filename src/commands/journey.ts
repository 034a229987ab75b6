/**
 * The main job, step by step: a claim becomes a proof, which is read, checked, listed and revoked. Only the interface
 * is used, so every client can do the same.
 */

import type { Proof, Signer } from '../client/client.ts'
import type { PortableProof } from '../envelope/portable-proof.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { type Calls, RefusedError } from './client.ts'
import { shorten } from './escape-invisible.ts'
import { verifyOffline } from './offline.ts'

export interface Step {
  /** One sentence for a newcomer. */
  readonly title: string
  /** Method and path, for steps that are a request. */
  readonly request?: string
  readonly status?: number
  /** The relevant part of the answer. */
  readonly answer: Readonly<Record<string, unknown>>
  /** Shown line by line in place of `answer`, when the lines matter. */
  readonly text?: string
}

const verifierIds = [ownerActionVerifierId]
const signedLikewise = '  (signed likewise)'

/**
 * Yields each finished step, and returns the proof to keep. Errors: those of the client module, which `told` words;
 * RefusedError.
 */
export async function* runJourney(
  { client, last }: Calls,
  wallet: Signer,
  now: () => number,
): AsyncGenerator<Step, PortableProof> {
  /** The last request, and its answer. */
  const describeRequest = (note = ''): Pick<Step, 'request' | 'status'> => {
    const { method, path, status } = last()
    return { request: `${method} ${path}${note}`, status }
  }
  const owner = { signer: wallet }

  const { status: state, version, ...health } = (await client.health()) ?? {}
  yield {
    title: 'The server is up.',
    ...describeRequest(),
    answer: { status: state, version, services: readServices(health) },
  }

  const { ids } = await client.verifiers()
  yield {
    title: 'These are the kinds of claims it can check. The demo uses ownership-basic: "this content is mine".',
    ...describeRequest(),
    answer: { verifiers: ids ?? [] },
  }
  if (!ids?.includes(ownerActionVerifierId))
    throw new RefusedError(
      'this server does not offer ownership-basic, which the demo needs (verifiers.disabled, verifiers.enabled)',
    )

  yield {
    title: 'A throw-away wallet, made just now. Its key never leaves this process and is forgotten at the end.',
    answer: { walletAddress: wallet.address },
  }

  const signedTimestamp = now()
  const content = `A note of the Proofgate demo, written ${new Date(signedTimestamp).toISOString()}`
  const claim = {
    walletAddress: wallet.address,
    verifierIds,
    data: { owner: wallet.address, content },
    signedTimestamp,
    options: { storeOriginalContent: true },
  }
  const prepared = await client.standardize(claim)
  const signerString = String(prepared?.signerString)
  yield {
    title: 'The server writes the claim as six lines: exactly this text is to be signed.',
    ...describeRequest(),
    answer: { signerString },
    text: signerString,
  }

  const signed = await client.sign(wallet, claim, { prepared })
  yield {
    title: 'The wallet signs the six lines (EIP-191, what wallets call "sign a message"): no transaction, no fee.',
    answer: { signature: signed.signature },
  }

  const created = await client.submit(signed)
  const { qHash, portableProof } = created ?? {}
  if (typeof qHash !== 'string' || typeof portableProof !== 'object')
    throw makeMisbehavior('the answer holds no qHash or no portableProof')
  yield {
    title: 'The same body with the signature becomes a proof. Its id, the qHash, is the hash of what was signed.',
    ...describeRequest(),
    answer: { status: created.status, qHash, receipt: created.receipt },
  }

  const stranger = await client.proof(qHash)
  expect(stranger?.walletAddress === undefined, 'a stranger sees the wallet of a private proof')
  yield {
    title: 'Proofs are private unless you say otherwise: a stranger who knows the id learns its status, and no more.',
    ...describeRequest(),
    answer: { ...stranger },
  }

  const own = await client.proof(qHash, owner)
  expect(own?.publicContent?.content === content, 'the owner does not see the content')
  yield {
    title: 'The owner signs "I want to read this" and sees everything.',
    ...describeRequest('  (x-wallet-address, x-signature, x-signed-timestamp)'),
    answer: {
      walletAddress: own.walletAddress,
      verifiedVerifiers: own.verifiedVerifiers?.map(({ verifierId, verified }) => ({ verifierId, verified })),
      content,
    },
  }

  const verdict = await verifyOffline(portableProof, now())
  expect(verdict.valid, `the portable proof is not valid: ${verdict.faults.join('; ')}`)
  yield {
    title: 'The portable proof came with the proof. Anybody can check it, without this server and offline.',
    answer: { valid: verdict.valid, ...verdict.checks, fresh: verdict.fresh },
  }

  const { proofs, totalCount } = (await client.list(wallet.address, owner)) ?? {}
  expect(
    proofs?.some((one: Proof) => one.qHash === qHash),
    'the list of the owner does not hold the proof',
  )
  yield {
    title: 'The owner lists all proofs of the wallet, the private ones too.',
    ...describeRequest(signedLikewise),
    answer: { totalCount, proofs: proofs.map((one) => ({ qHash: shorten(one.qHash, 19), status: one.status })) },
  }

  const criteria = { verifierIds }
  const checked = await client.check(criteria, owner)
  expect(checked?.eligible, 'a gate check does not find the proof')
  yield {
    title: 'A server asks whether this wallet may pass. The proof is private, so the owner signs that it may count.',
    ...describeRequest(signedLikewise),
    answer: { eligible: checked.eligible, matchedCount: checked.matchedCount },
  }

  const { alreadyRevoked } = await client.revoke(qHash, owner)
  yield {
    title: 'The owner takes the claim back, signed once more.',
    ...describeRequest(signedLikewise),
    answer: { success: true, alreadyRevoked },
  }

  const after = await client.proof(qHash)
  const read = describeRequest(', and the check once more')
  expect(after?.status === 'revoked', `the proof reads as "${after?.status}" after it was revoked`)
  const refused = await client.check(criteria, owner)
  expect(refused?.eligible === false, 'a gate check still finds the revoked proof')
  yield {
    title: 'Everybody who asks now learns that it is revoked, and it opens no gate. An offline check cannot know that.',
    ...read,
    answer: { status: after.status, eligible: refused.eligible },
  }
  return portableProof
}

/** The answer may hold more than its types name. */
const readServices = (health: object): unknown => ('services' in health ? health.services : undefined)

const makeMisbehavior = (how: string): RefusedError =>
  new RefusedError(`the server does not behave as the interface says: ${how}`)

function expect(holds: boolean | undefined, otherwise: string): void {
  if (!holds) throw makeMisbehavior(otherwise)
}
