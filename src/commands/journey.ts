/**
 * The main job, step by step: a wallet claims something, the claim becomes a proof, the proof is read, checked, listed
 * and revoked. Only the interface is used, so that what works here works for every client.
 */
import type { PortableProof } from '../envelope/portable-proof.ts'
import { type Client, RefusedError } from './client.ts'
import { verifyOffline } from './offline.ts'
import { shortened } from './visible.ts'

export interface Step {
  /** One sentence for a newcomer. */
  readonly title: string
  /** Method and path, for steps that are a request. */
  readonly request?: string
  readonly status?: number
  /** The telling part of the answer. */
  readonly answer: Readonly<Record<string, unknown>>
  /** Shown line by line in place of `answer`, where lines are what matters. */
  readonly text?: string
}

export interface DemoWallet {
  readonly address: string
  sign(text: string): Promise<string>
}

const api = '/api/v1'
const verifierIds = ['ownership-basic']

/** Yields each step when it is done, and returns the proof to take away. Errors: those of the client, RefusedError. */
export async function* journey(
  client: Client,
  wallet: DemoWallet,
  now: () => number,
): AsyncGenerator<Step, PortableProof> {
  const health = await client.get(`${api}/health`)
  const { status: state, version, services } = health.body.data ?? {}
  yield {
    title: 'The server is up.',
    request: `GET ${api}/health`,
    status: health.status,
    answer: { status: state, version, services },
  }

  const catalog = await client.get(`${api}/verification/verifiers`)
  const offered: readonly string[] = catalog.body.data ?? []
  yield {
    title: 'These are the kinds of claims it can check. The demo uses ownership-basic: "this content is mine".',
    request: `GET ${api}/verification/verifiers`,
    status: catalog.status,
    answer: { verifiers: offered },
  }
  if (!offered.includes('ownership-basic'))
    throw new RefusedError('this server does not offer ownership-basic, which the demo needs (verifiers.enabled)')

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
  const prepared = await client.post(`${api}/verification/standardize`, claim)
  const signerString = String(prepared.body.data?.signerString)
  yield {
    title: 'The server writes the claim as six lines: exactly this text is to be signed.',
    request: `POST ${api}/verification/standardize`,
    status: prepared.status,
    answer: { signerString },
    text: signerString,
  }

  const signature = await wallet.sign(signerString)
  yield {
    title: 'The wallet signs the six lines (EIP-191, what wallets call "sign a message"): no transaction, no fee.',
    answer: { signature },
  }

  const created = await client.post(`${api}/verification`, { ...claim, signature })
  const { qHash, portableProof } = created.body.data ?? {}
  expect(
    typeof qHash === 'string' && typeof portableProof === 'object',
    'the answer holds no qHash or no portableProof',
  )
  yield {
    title: 'The same body with the signature becomes a proof. Its id, the qHash, is the hash of what was signed.',
    request: `POST ${api}/verification`,
    status: created.status,
    answer: { status: created.body.status, qHash, receipt: created.body.data.receipt },
  }

  const path = `${api}/proofs/${qHash}`
  const stranger = await client.get(path)
  expect(stranger.body.data?.walletAddress === undefined, 'a stranger sees the wallet of a private proof')
  yield {
    title: 'Proofs are private unless you say otherwise: a stranger who knows the id learns its status, and no more.',
    request: `GET ${path}`,
    status: stranger.status,
    answer: stranger.body.data,
  }

  const owner = await client.get(
    path,
    headersOf(await ownerAction(client, wallet, { action: 'access_private_proof', qHash }, now)),
  )
  expect(owner.body.data?.publicContent?.content === content, 'the owner does not see the content')
  yield {
    title: 'The owner signs "I want to read this" and sees everything.',
    request: `GET ${path}  (x-wallet-address, x-signature, x-signed-timestamp)`,
    status: owner.status,
    answer: {
      walletAddress: owner.body.data.walletAddress,
      verifiedVerifiers: owner.body.data.verifiedVerifiers?.map(
        ({ verifierId, verified }: { verifierId: string; verified: boolean }) => ({ verifierId, verified }),
      ),
      content,
    },
  }

  const verdict = await verifyOffline(portableProof, now())
  expect(verdict.valid, `the portable proof is not valid: ${verdict.faults.join('; ')}`)
  yield {
    title: 'The portable proof came with the proof. Anybody can check it, without this server and offline.',
    answer: { valid: verdict.valid, ...verdict.checks, fresh: verdict.fresh },
  }

  const mine = { action: 'access_private_proofs_by_wallet', walletAddress: wallet.address.toLowerCase() }
  const list = `${api}/proofs/by-wallet/${wallet.address}`
  const listed = await client.get(list, headersOf(await ownerAction(client, wallet, mine, now)))
  expect(
    listed.body.data?.proofs?.some((one: { qHash?: string }) => one.qHash === qHash),
    'the list of the owner does not hold the proof',
  )
  yield {
    title: 'The owner lists all proofs of the wallet, the private ones too.',
    request: `GET ${list}  (signed likewise)`,
    status: listed.status,
    answer: {
      totalCount: listed.body.data.totalCount,
      proofs: listed.body.data.proofs.map((one: { qHash: string; status: string }) => ({
        qHash: shortened(one.qHash, 19),
        status: one.status,
      })),
    },
  }

  const question = `${api}/proofs/check?verifierIds=ownership-basic&includePrivate=true&address=${wallet.address}`
  const checkAction = { action: 'gate_check_private_proofs', walletAddress: wallet.address.toLowerCase() }
  const checking = headersOf(await ownerAction(client, wallet, checkAction, now))
  const checked = await client.get(question, checking)
  expect(checked.body.data?.eligible === true, 'a gate check does not find the proof')
  yield {
    title: 'A server asks whether this wallet may pass. The proof is private, so the owner signs that it may count.',
    request: `GET ${question}  (signed likewise)`,
    status: checked.status,
    answer: { eligible: checked.body.data.eligible, matchedCount: checked.body.data.matchedCount },
  }

  const revocation = await ownerAction(client, wallet, { action: 'revoke_proof', qHash }, now)
  const revoked = await client.post(`${api}/proofs/revoke-self/${qHash}`, revocation)
  yield {
    title: 'The owner takes the claim back, signed once more.',
    request: `POST ${api}/proofs/revoke-self/${qHash}`,
    status: revoked.status,
    answer: { success: revoked.body.success, alreadyRevoked: revoked.body.alreadyRevoked },
  }

  const after = await client.get(path)
  expect(after.body.status === 'revoked', `the proof reads as "${after.body.status}" after it was revoked`)
  const refused = await client.get(question, checking)
  expect(refused.body.data?.eligible === false, 'a gate check still finds the revoked proof')
  yield {
    title: 'Everybody who asks now learns that it is revoked, and it opens no gate. An offline check cannot know that.',
    request: `GET ${path}, and the check once more`,
    status: after.status,
    answer: { status: after.body.status, eligible: refused.body.data.eligible },
  }
  return portableProof
}

interface OwnerAction {
  readonly walletAddress: string
  readonly signature: string
  readonly signedTimestamp: number
}

/** Owner actions are signed like claims: six lines over a `data` that names the action. */
async function ownerAction(client: Client, wallet: DemoWallet, data: object, now: () => number): Promise<OwnerAction> {
  const signedTimestamp = now()
  const prepared = await client.post(`${api}/verification/standardize`, {
    walletAddress: wallet.address,
    verifierIds,
    data,
    signedTimestamp,
  })
  const signature = await wallet.sign(String(prepared.body.data?.signerString))
  return { walletAddress: wallet.address, signature, signedTimestamp }
}

const headersOf = ({ walletAddress, signature, signedTimestamp }: OwnerAction) => ({
  'x-wallet-address': walletAddress,
  'x-signature': signature,
  'x-signed-timestamp': String(signedTimestamp),
})

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new RefusedError(`the server does not behave as the interface says: ${otherwise}`)
}
