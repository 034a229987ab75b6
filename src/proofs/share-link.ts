/**
 * Links that open a private proof, until they end or their owner ends them. Only the SHA-256 of a token is stored, so
 * nobody who reads the database can open one.
 */
import { randomBytes } from 'node:crypto'
import { type Identity, readSource } from '../auth/identity.ts'
import type { Db } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { flatMapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { requirePlainLabel } from '../plain-label.ts'
import { listLinked, listPrimaries } from '../profiles/store.ts'
import { type Account, type AccountText, parseAccount, writeAccount } from '../wallet/account.ts'
import { findOwnAccounts } from './account-store.ts'
import { isProofOwner } from './owner.ts'
import type { ProofRow } from './proof.ts'
import { explainUnknownProof, makeViewTools, requireProof } from './read.ts'
import {
  countOpened,
  deleteShareLink,
  findShared,
  insertShareLink,
  listLinksByMaker,
  listShareLinks,
  type ShareLinkRow,
} from './share-link-store.ts'
import { findContent } from './store.ts'
import { buildProofView, chooseAudience, type ProofView } from './view.ts'

/** Of one proof. */
export const mostLinks = 20
export const labelMaxLength = 60
const minuteMs = 60_000
const longestMs = 366 * 86_400_000

/** Enough to tell the links of a proof apart. It does not open one. */
export const linkIdLength = 16
const tokenForm = /^[\w-]{43}$/

const hashToken = (token: string): string => Bun.SHA256.hash(token, 'hex')

/** A link as its owner sees it. */
export interface ShareLink {
  readonly linkId: string
  readonly label: string | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly openedCount: number
  readonly lastOpenedAt: number | null
}

const describeLink = ({ digest, ...link }: ShareLinkRow): ShareLink => ({
  linkId: digest.slice(0, linkIdLength),
  ...link,
})

/** Errors: NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, CONFLICT. */
export async function makeShareLink(
  parts: Parts,
  identity: Identity,
  {
    qHash,
    expiresAt,
    label,
  }: { readonly qHash: string; readonly expiresAt: number; readonly label?: string | undefined },
): Promise<{ readonly link: ShareLink; readonly token: string }> {
  const proof = await requireOwnProof(parts, identity, qHash)
  const now = parts.now()
  if (expiresAt < now + minuteMs || expiresAt > now + longestMs)
    throw new AppError('VALIDATION_ERROR', 'expiresAt must be one minute to 366 days from now, in Unix milliseconds', {
      path: '/expiresAt',
    })
  const token = randomBytes(32).toString('base64url')
  const digest = hashToken(token)
  const named = label === undefined || label.trim() === '' ? null : requirePlainLabel(label)
  const outcome = await insertShareLink(parts.db, {
    proofId: proof.id,
    profile: identity.profile.id,
    digest,
    label: named,
    createdAt: now,
    expiresAt,
    endedBefore: parts.readSure(),
    most: mostLinks,
  })
  if (outcome === 'full')
    throw new AppError('CONFLICT', `this proof has ${mostLinks} links, which is the most: end one first`, {
      limit: mostLinks,
    })
  if (outcome === 'gone') throw new AppError('CONFLICT', 'the proof is revoked and can no longer be shared')
  const link = { digest, label: named, createdAt: now, expiresAt, openedCount: 0, lastOpenedAt: null }
  return { link: describeLink(link), token }
}

/** Errors: NOT_FOUND, FORBIDDEN. */
export async function listLinks(parts: Parts, identity: Identity, qHash: string): Promise<readonly ShareLink[]> {
  const proof = await requireOwnProof(parts, identity, qHash)
  return (await listShareLinks(parts.db, proof.id, parts.now(), mostLinks)).map(describeLink)
}

export interface OwnShareLink extends ShareLink {
  readonly qHash: string
}

/**
 * The links in force to all proofs that a person may share, a page at a time, ordered by linkId: those that the person
 * made, and those that another owner of such a wallet made.
 */
export async function listOwnLinks(
  { db, now: readNow }: Pick<Parts, 'db' | 'now'>,
  identity: Identity,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ readonly links: readonly OwnShareLink[]; readonly nextCursor: string | null }> {
  const now = readNow()
  const own = (await identity.listAccounts()).filter((account) => mayShareByLink(identity, account))
  const page = {
    accounts: [...new Set(await flatMapInOrder(own, (account) => findOwnAccounts(db, account)))],
    // The digest that the id begins comes before this one.
    after: (after ?? '').padEnd(after === undefined ? 0 : 64, 'f'),
    now,
    limit: limit + 1,
  }
  const makers = await listMakers(db, identity, own, now)
  const found = (await flatMapInOrder(makers, (maker) => listLinksByMaker(db, maker, page))).sort((one, other) =>
    one.digest < other.digest ? -1 : 1,
  )
  const links = found.slice(0, limit).map(({ qHash, ...row }) => ({ qHash, ...describeLink(row) }))
  return { links, nextCursor: found.length > limit ? links.at(-1)!.linkId : null }
}

/** The primary accounts of all who may share proofs of these wallets: a wallet has its own profile, or is linked. */
async function listMakers(
  db: Db,
  { profile }: Identity,
  own: readonly Account[],
  now: number,
): Promise<readonly AccountText[]> {
  const linkers = await flatMapInOrder(own, async (account) =>
    (await listPrimaries(db, account, now)).map(({ primary }) => primary),
  )
  return [...new Set([profile.primary, ...own, ...linkers].map(writeAccount))]
}

/** Ending again is no error. Errors: NOT_FOUND, FORBIDDEN. */
export async function endShareLink(
  parts: Parts,
  identity: Identity,
  { qHash, linkId }: { readonly qHash: string; readonly linkId: string },
): Promise<{ readonly wasShared: boolean }> {
  const proof = await requireOwnProof(parts, identity, qHash)
  return { wasShared: await deleteShareLink(parts.db, proof.id, linkId) }
}

const mayShareByLink = (identity: Identity, account: Account): boolean => readSource(identity, account).id === ''

/**
 * The proof, for a browser of its wallet or of the primary wallet. Another linked wallet may be unlinked again, and must
 * leave no link behind. A stranger gets the same answer for a proof of others as for an unknown one.
 */
async function requireOwnProof(parts: Parts, identity: Identity, qHash: string): Promise<ProofRow> {
  const proof = await requireProof(parts, qHash)
  const own = (await identity.listAccounts()).find((account) => isProofOwner(proof, account))
  if (!own) throw new AppError('NOT_FOUND', explainUnknownProof(qHash), { qHash: proof.qHash })
  if (!mayShareByLink(identity, own))
    throw new AppError(
      'FORBIDDEN',
      'sign in with the wallet of the proof, or with the primary wallet, to share it by a link',
    )
  return proof
}

export interface SharedProof {
  readonly view: ProofView
  /** Unix milliseconds. */
  readonly until: number
}

/**
 * The proof behind a link, as a wallet with an access grant sees it. Undefined for every link that does not work, for
 * whatever reason. A reader of the headers alone has not opened it.
 */
export async function openShareLink(
  parts: Parts,
  token: string,
  { readsHeadersOnly }: { readonly readsHeadersOnly: boolean },
): Promise<SharedProof | undefined> {
  if (!tokenForm.test(token)) return undefined
  const { db, sealer } = parts
  const now = parts.now()
  const digest = hashToken(token)
  const shared = await findShared(db, digest, now)
  if (!shared) return undefined
  const proof = await requireProof(parts, shared.qHash)
  if (shared.maker !== null && !(await mayStillShare(db, parseAccount(shared.maker), proof, now))) return undefined
  if (!readsHeadersOnly) await countOpened(db, digest, now)
  const content = proof.record.storeOriginalContent ? await findContent(db, sealer, proof) : undefined
  const view = buildProofView(proof, chooseAudience(proof, true), await makeViewTools(parts, now, [proof]), content)
  // Only its owner is told of a sponsor.
  const { sponsorWallet: _, ...shown } = view
  return { view: shown, until: shared.expiresAt }
}

/** Whether the wallet of the proof is still one of its maker's: a wallet-link may have ended in any way meanwhile. */
const mayStillShare = async (db: Db, maker: Account, proof: ProofRow, now: number): Promise<boolean> =>
  [maker, ...(await listLinked(db, maker, now))].some((account) => isProofOwner(proof, account))
