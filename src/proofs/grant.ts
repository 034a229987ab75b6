/** Sharing a private proof with other wallets, seeing with which, and taking it back. */

import { type Caller, type Credentials, requireCaller } from '../auth/caller.ts'
import { bySignature, isByCredential, readSource, type Source } from '../auth/identity.ts'
import { requireEnd } from '../auth/scope.ts'
import { AppError } from '../errors.ts'
import { findInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { explainNoAccount, type NamedAccount, readNamedAccount } from '../wallet/account.ts'
import { chooseReceiver, listMeant } from './account-store.ts'
import { grantAction, listAccessAction, withdrawAccessAction } from './actions.ts'
import { hasAccessGrant, insertAccessGrant, listAccessGrants, withdrawAccessGrant } from './grant-store.ts'
import { isProofOwner } from './owner.ts'
import type { ProofRow } from './proof.ts'
import { makeOwnerTest, requireProof } from './read.ts'
import { mostStanding } from './source-store.ts'

export const grantDefaultSeconds = 900
/** The limit for one proof: for the wallet itself, and as many again for all its credentials. */
const mostGranted = 500

export interface AccessGrant {
  readonly qHash: string
  /** An address, did:pkh or CAIP-10 account. Decided once which account that is: what is granted stays with it. */
  readonly viewerWallet: string
  /** Null: until the proof is revoked. */
  readonly expiresInSeconds: number | null | undefined
}

/**
 * Lets another wallet read a private proof of the signer, with a signature of its own. The same signature grants once;
 * sent again it is refused, so that a captured request cannot renew a grant. Errors: those of requireCaller, NOT_FOUND,
 * FORBIDDEN, CONFLICT, INVALID_WALLET_ADDRESS.
 */
export async function grantAccess(parts: Parts, grant: AccessGrant, credentials: Credentials) {
  const { qHash, viewerWallet, expiresInSeconds } = grant
  const caller = await requireCaller(credentials, grantAction(qHash, viewerWallet, expiresInSeconds), parts, {
    about: await makeOwnerTest(parts, qHash),
    needs: 'profile',
  })
  if (expiresInSeconds === null && caller.identity && isByCredential(caller.identity))
    requireEnd(caller.identity, 'an access grant', 'expiresInSeconds')
  const named = requireViewer(parts, viewerWallet)
  const proof = await requireOwn(parts, qHash, caller)
  const viewer = await chooseReceiver(parts.db, named)
  const now = parts.now()
  const seconds = expiresInSeconds === undefined ? grantDefaultSeconds : expiresInSeconds
  const expiresAt = seconds === null ? null : now + seconds * 1000
  const outcome = await insertAccessGrant(
    parts.db,
    {
      proofId: proof.id,
      viewer,
      createdAt: now,
      expiresAt,
      endedBefore: parts.readSure(),
      source: readGrantSource(caller),
    },
    caller.signed,
    { ofProof: mostGranted, ofSource: mostStanding },
  )
  if (outcome === 'spent')
    throw new AppError('CONFLICT', 'this signature was used for a grant already: sign again with a new signedTimestamp')
  if (outcome === 'source-ended')
    throw new AppError(
      'WALLET_AUTH_REQUIRED',
      'the credential was revoked, or its wallet unlinked, while the request was under way: nothing was shared. Sign in again',
    )
  if (outcome === 'full')
    throw new AppError('CONFLICT', explainFull(readGrantSource(caller)), { limit: mostGranted, path: '/viewerWallet' })
  if (outcome === 'source-full')
    throw new AppError(
      'CONFLICT',
      `this access key, app or linked wallet has made ${mostStanding} access grants, which is the most: withdraw some, or sign this grant with the wallet itself`,
      { limit: mostStanding },
    )
  if (outcome === 'gone') throw new AppError('CONFLICT', 'the proof is revoked and can no longer be shared')
  return { qHash: proof.qHash, viewerWallet: viewer, expiresAt }
}

const explainFull = (source: Source): string =>
  source.id !== ''
    ? `${mostGranted} grants of this proof were made with access keys, apps and linked wallets already: withdraw one, or sign this grant with the wallet itself`
    : `${mostGranted} wallets may read this proof already: withdraw a grant that is no longer needed`

const readGrantSource = (caller: Caller): Source =>
  caller.identity ? readSource(caller.identity, caller) : bySignature

/** The limit of one proof. Proofs from before the limit may have more. */
const mostListed = 2 * mostGranted

/** The wallets that may read the proof now. Errors: those of requireCaller, NOT_FOUND, FORBIDDEN. */
export async function listAccess(parts: Parts, qHash: string, credentials: Credentials) {
  const about = await makeOwnerTest(parts, qHash)
  const caller = await requireCaller(credentials, listAccessAction(qHash), parts, { about, needs: 'profile' })
  const proof = await requireOwn(parts, qHash, caller)
  const found = await listAccessGrants(parts.db, proof.id, parts.now(), mostListed + 1)
  const grants = found.slice(0, mostListed).map(({ viewer, ...times }) => ({ viewerWallet: viewer, ...times }))
  return { qHash: proof.qHash, grants, hasMore: found.length > mostListed }
}

/**
 * Withdraws the right to read from now on; earlier reads cannot be undone. Repeating it is no error, but a signature
 * withdraws once. It does not end a grant that its owner made afterwards. Errors: those of requireCaller, NOT_FOUND,
 * FORBIDDEN, CONFLICT, INVALID_WALLET_ADDRESS.
 */
export async function withdrawAccess(parts: Parts, qHash: string, viewerWallet: string, credentials: Credentials) {
  const about = await makeOwnerTest(parts, qHash)
  const action = withdrawAccessAction(qHash, viewerWallet)
  const caller = await requireCaller(credentials, action, parts, { about, needs: 'profile' })
  const meant = listMeant(requireViewer(parts, viewerWallet))
  const proof = await requireOwn(parts, qHash, caller)
  // Finds the viewer by the grant, not by today's proofs: an earlier grant to the same name can be withdrawn so.
  const viewer =
    (await findInOrder(meant, (text) => hasAccessGrant(parts.db, proof.id, text, parts.now()))) ?? meant[0]!
  const outcome = await withdrawAccessGrant(parts.db, proof.id, viewer, caller.signed)
  if (outcome === 'spent' && (await hasAccessGrant(parts.db, proof.id, viewer, parts.now())))
    throw new AppError(
      'CONFLICT',
      'this signature has withdrawn an earlier grant already: sign again with a new signedTimestamp',
    )
  const wasShared = outcome === 'withdrawn'
  return { qHash: proof.qHash, viewerWallet: viewer, wasShared }
}

function requireViewer({ config }: Parts, viewerWallet: string): NamedAccount {
  const named = readNamedAccount(viewerWallet, config.signing.hubChainId)
  if (named) return named
  throw new AppError('INVALID_WALLET_ADDRESS', `viewerWallet is ${explainNoAccount(viewerWallet)}`, {
    path: '/viewerWallet',
  })
}

async function requireOwn(parts: Parts, qHash: string, caller: Caller): Promise<ProofRow> {
  const proof = await requireProof(parts, qHash)
  if (isProofOwner(proof, caller)) return proof
  throw new AppError('FORBIDDEN', `only the wallet that signed this proof can share it; ${caller.wallet} did not`)
}
