/** Reading proofs by id: who is asking decides how much they see. */

import { type Credentials, makeUnsignedError, requireCaller, selectRelevant } from '../auth/caller.ts'
import type { Account } from '../auth/identity.ts'
import { describeSigning } from '../auth/owner-text.ts'
import { preferReplica } from '../db/prefer-replica.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { findPublications } from '../publishing/store.ts'
import { mayMean, readNamedAccount, writeAccount, writeChain } from '../wallet/account.ts'
import { chooseHolder, makeHolder, wrapHolder } from './account-store.ts'
import { readAction } from './actions.ts'
import { findLaterReadings } from './follow-store.ts'
import { hasAccessGrant } from './grant-store.ts'
import { isProofOwner } from './owner.ts'
import { readPortable } from './portable.ts'
import { computeScopeKey, type ProofRow, readStatus } from './proof.ts'
import { readSources } from './source.ts'
import { findContent, findLatestOfScope, findProof, findScope52, findStatuses } from './store.ts'
import { buildProofView, chooseAudience, type ProofView, type ViewTools } from './view.ts'
import { visibilities } from './visibility.ts'

/** For the views of these proofs. */
export const makeViewTools = async (
  { catalog, addresses, db }: Parts,
  now: number,
  proofs: readonly ProofRow[],
): Promise<ViewTools> => ({
  catalog,
  now,
  baseUrl: addresses().baseUrl,
  laterReadings: await findLaterReadings(db, proofs),
  publications: await findPublications(
    db,
    proofs.flatMap(({ id, record }) => (record.publishing ? [id] : [])),
  ),
})

export const explainUnknownProof = (qHash: string): string =>
  `there is no proof ${qHash.toLowerCase()} here: check the id, and that it was made on this server`

/** Errors: NOT_FOUND. */
export async function requireProof(parts: Parts, qHash: string): Promise<ProofRow> {
  const proof = await findProof(parts.db, qHash)
  if (!proof) throw new AppError('NOT_FOUND', explainUnknownProof(qHash), { qHash: qHash.toLowerCase() })
  return proof
}

export interface ReadRequest {
  readonly qHash: string
  readonly credentials: Credentials | undefined
  /** Answer with the newest proof of the same claim in place of this one. */
  readonly latestScope: boolean
  /** For a page that somebody reads who is not signed in: it may be some seconds old. */
  readonly isPage?: boolean
  /** Refuses a caller who may not see all of a private proof, instead of showing its status. */
  readonly refusesStrangers?: boolean
  /** Also the portable form, for the owner, where it was kept. */
  readonly includePortable?: boolean
  /** The claim to take the newest proof of, when it is not the one of qHash. */
  readonly scope?:
    | { readonly walletAddress: string; readonly verifierId: string; readonly scopeKey: string }
    | undefined
}

/**
 * The proof as the caller may see it. A private one shows everything to its owner and to wallets with a grant, its
 * status to everybody else. Errors: NOT_FOUND, WALLET_AUTH_REQUIRED with refusesStrangers, and those of requireCaller when the caller offers a credential that bears on
 * it.
 */
export async function readProof(
  all: Parts,
  request: ReadRequest,
): Promise<ProofView & { requestedQHash?: string; isLatest?: boolean }> {
  const parts = request.isPage ? preferReplica(all, 'proof pages') : all
  const { db, sealer } = parts
  const now = parts.now()
  const asked = await requireProof(parts, request.qHash)
  const mayRead = (account: Account): Promise<boolean> => mayReadPrivate(parts, asked, account, now)
  const credentials = await selectRelevant(request.credentials, mayRead)
  const caller =
    credentials &&
    (await requireCaller(credentials, readAction(request.qHash), parts, { about: mayRead, needs: 'profile' }))
  const maySeeAsked = caller !== undefined && (await mayReadPrivate(parts, asked, caller, now))
  // The id of a private proof tells strangers nothing: neither its successor nor, with a scope, that they are related.
  const isHidden = chooseAudience(asked, maySeeAsked) === 'stranger'
  const proof = request.latestScope && !isHidden ? await findLatest(parts, asked, request.scope, caller) : asked
  const audience = chooseAudience(proof, caller !== undefined && (await mayReadPrivate(parts, proof, caller, now)))
  if (request.refusesStrangers && audience === 'stranger') throw makeStrangerError(request.qHash)
  const content =
    audience === 'stranger' || !proof.record.storeOriginalContent ? undefined : await findContent(db, sealer, proof)
  // A viewer sees the findings; only the owner gets a signature that can be shown around.
  const isOwner = caller !== undefined && isProofOwner(proof, caller)
  const mayHavePortable = request.includePortable === true && isOwner
  const view = {
    ...buildProofView(proof, audience, await makeViewTools(parts, now, [proof]), content),
    ...(mayHavePortable ? await readPortable(parts, proof) : {}),
    ...(isOwner ? (await readSources(db, [proof]))(proof) : {}),
  }
  if (!request.latestScope) return view
  return { ...view, requestedQHash: asked.qHash, ...(isHidden ? {} : { isLatest: proof.id === asked.id }) }
}

function makeStrangerError(qHash: string): AppError {
  const needed = readAction(qHash)()[0]!
  return makeUnsignedError(
    `this proof is private: ask without includePrivate for its status, or ${describeSigning(needed, true)}`,
    needed,
  )
}

const mayReadPrivate = async ({ db }: Parts, proof: ProofRow, account: Account, now: number): Promise<boolean> =>
  isProofOwner(proof, account) || (await hasAccessGrant(db, proof.id, writeAccount(account), now))

/** The account of a proof, for a caller who may be its owner; of an unknown proof none. */
export async function makeOwnerTest({ db }: Parts, qHash: string): Promise<(account: Account) => boolean> {
  const proof = await findProof(db, qHash)
  return (account) => proof !== undefined && isProofOwner(proof, account)
}

/**
 * The newest run that the caller may learn of. Strangers learn only of listed proofs. They must not get the id of a
 * private or unlisted run, unless they named it.
 */
async function findLatest(
  { db, config }: Parts,
  asked: ProofRow,
  scope: ReadRequest['scope'],
  caller: Account | undefined,
): Promise<ProofRow> {
  const scope52 = scope
    ? computeScopeKey(scope.walletAddress, [{ verifierId: scope.verifierId, scope: scope.scopeKey }])
    : await findScope52(db, asked.qHash)
  const named = scope && readNamedAccount(scope.walletAddress, config.signing.hubChainId)
  const isOwn =
    caller !== undefined && (scope ? named !== undefined && mayMean(named, caller) : isProofOwner(asked, caller))
  const holder =
    isOwn && scope
      ? makeHolder(caller, writeChain(asked.context))
      : named
        ? chooseHolder(named)
        : wrapHolder(asked.account)
  const latest =
    scope52 === undefined ? undefined : await findLatestOfScope(db, scope52, holder, isOwn ? 'all' : 'listed')
  if (!latest) return asked
  // A listed run that is older than the proof that was named is not its successor.
  return !scope && latest.id < asked.id && asked.revokedAt === null ? asked : latest
}

/** One line of a status batch: nothing that a stranger may not see. */
export interface StatusLine {
  readonly qHash: string
  readonly status: string
  readonly createdAt: string | null
  readonly completedAt: string | null
  readonly lastUpdated: number | null
  readonly privacyLevel: 'private' | 'public' | 'unknown'
  readonly cached: false
  readonly cachedAt: null
}

/** The status of each id, in this order; an unknown one is `not_found`. */
export async function readStatuses(parts: Parts, qHashes: readonly string[]): Promise<StatusLine[]> {
  const now = parts.now()
  const ids = qHashes.map((qHash) => qHash.toLowerCase())
  const proofs = await findStatuses(parts.db, ids)
  return ids.map((qHash) => {
    const proof = proofs.get(qHash)
    const created = proof ? new Date(proof.createdAt).toISOString() : null
    return {
      qHash,
      status: proof ? readStatus(proof, now) : 'not_found',
      createdAt: created,
      completedAt: created,
      lastUpdated: proof?.updatedAt ?? null,
      privacyLevel: proof ? (proof.visibility === visibilities.private ? 'private' : 'public') : 'unknown',
      cached: false,
      cachedAt: null,
    }
  })
}
