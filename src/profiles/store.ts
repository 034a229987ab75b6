/** Profiles and the accounts that belong to them: SQL and what its rows mean. */

import type { Db, Reader, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { compose, label, pick, query, type RowOf } from '../db/query.ts'
import { walletLinkId } from '../verifiers/roles.ts'
import { type Account, isSameAccount, parseAccount, writeAccount } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'

export interface Profile {
  /** profiles.id */
  readonly id: number
  /** `sub` of tokens. */
  readonly subject: string
  /** did:pkh of the primary account. */
  readonly did: string
  /** The primary account. */
  readonly primary: Account
  /** Unix milliseconds. */
  readonly createdAt: number
}

export const profileColumns = pick('profiles', 'id', 'subject', 'did', 'account', 'createdAt')

export type ProfileRow = RowOf<typeof profileColumns>

export const toProfile = ({ account, ...rest }: ProfileRow): Profile => ({ ...rest, primary: parseAccount(account) })

const selectProfileByAccount = query<[string]>()`SELECT ${profileColumns} FROM profiles WHERE account = ?1`

export async function findProfileByAccount(db: Reader, account: Account): Promise<Profile | undefined> {
  const row = await db.read(selectProfileByAccount).get(writeAccount(account))
  return row ? toProfile(row) : undefined
}

const selectProfileByDid = query<[string]>()`SELECT ${profileColumns} FROM profiles WHERE did = ?1`

/** For the operator only: no index supports this query. */
export async function findProfileByDid(db: Db, did: string): Promise<Profile | undefined> {
  const row = await db.read(selectProfileByDid).get(did)
  return row ? toProfile(row) : undefined
}

const selectBySubject = query<[string]>()`SELECT ${profileColumns} FROM profiles WHERE subject = ?1`

export async function findProfileBySubject(db: Db, subject: string): Promise<Profile | undefined> {
  const row = await db.read(selectBySubject).get(subject)
  return row ? toProfile(row) : undefined
}

/** Makes the profile of the account unless one exists; `did` and `subject` apply to a new one only. */
export const makeProfile = ({
  account,
  did,
  subject,
  now,
}: {
  account: Account
  did: string
  subject: string
  now: number
}): Statement => ({
  sql: 'INSERT INTO profiles (subject, account, did, created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account) DO NOTHING',
  params: [subject, writeAccount(account), did, now],
})

/**
 * Refuses its write when the profile was deleted meanwhile. Another person's new profile may have its id then, and never
 * its subject. The writes that it is in run one after another for each person, so that a limit holds.
 */
export const requireProfile = ({ id, subject }: Pick<Profile, 'id' | 'subject'>): Statement => ({
  sql: 'SELECT 1 FROM profiles WHERE id = ?1 AND subject = ?2',
  params: [id, subject],
  mustFind: true,
  holds: 'update',
})

/** The same for a profile that may be as new as its write. `account`: wallet/account.ts writeAccount(). */
export const requireProfileOf = (account: string): Statement => ({
  sql: 'SELECT 1 FROM profiles WHERE account = ?1',
  params: [account],
  mustFind: true,
  holds: 'update',
})

/** Sessions, keys, grants, consents, share links and secrets are deleted with it. Proofs belong to wallets, and stay. */
export const dropProfile = (id: number): Statement => ({
  sql: 'DELETE FROM profiles WHERE id = ?1',
  params: [id],
  must: true,
})

export interface LinkedAccount extends Account {
  /** proofs.id of the link. */
  readonly linkProof: number
  /** As the primary wallet signed it: primary, personal, org, affiliate, agent or linked. */
  readonly relationship: string
}

/** More links than a person needs. */
const mostLinked = 64

/** A superseded link does not count: revoking its newest run must end it. */
const activeLink = `p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?2)
  AND ${standsProof('p')}`

const selectEvidence = (member: string) =>
  `(SELECT value ->> '$.data.${member}' FROM json_each(p.record, '$.rows') WHERE value ->> 'verifierId' = '${walletLinkId}' AND value -> 'verified' = 'true')`

const linkColumns = compose`
  ${pick('proofs p', { linkProof: 'id', primaryMethod: 'signatureMethod' }, 'chainId', { signedOn: 'chain' })},
  ${selectEvidence('primaryWalletAddress')} AS ${label('primary', 'text')},
  ${selectEvidence('secondaryWalletAddress')} AS ${label('secondary', 'text')},
  ${selectEvidence('chain')} AS ${label('secondaryChain', 'text')},
  ${selectEvidence('signatureMethod')} AS ${label('secondaryMethod', 'text or null')},
  ${selectEvidence('relationshipType')} AS ${label('relationship', 'text')}`

/** A link of two contracts at one address has two rows. */
const selectLinks = query<[string, number]>()`
  SELECT ${linkColumns} FROM wallet_links l CROSS JOIN proofs p ON p.id = l.proof_id
  WHERE l.wallet = ?1 AND ${activeLink} GROUP BY p.id ORDER BY p.id LIMIT ${mostLinked * 2}`

const selectLink = query<[number, number]>()`SELECT ${linkColumns} FROM proofs p WHERE p.id = ?1 AND ${activeLink}`

type LinkRow = RowOf<typeof linkColumns>

/** The primary side of a link: the wallet that signed the proof. */
const readPrimary = ({ primary, primaryMethod, chainId, signedOn }: LinkRow): Account => ({
  wallet: primary,
  contractOn: isContractMethod(primaryMethod ?? undefined) ? (signedOn ?? `eip155:${chainId}`) : undefined,
})

interface LinkEvidence {
  readonly secondaryWalletAddress?: unknown
  readonly chain?: unknown
  readonly signatureMethod?: unknown
}

/**
 * The account that a wallet-link names beside its signer. Older links without a recorded method may be a contract's, so
 * they count on their chain only.
 */
export function readLinkedAccount({ secondaryWalletAddress, chain, signatureMethod }: LinkEvidence): Account {
  const linkedOn = String(chain)
  const mayBeContract = signatureMethod === undefined || isContractMethod(String(signatureMethod))
  return {
    wallet: String(secondaryWalletAddress),
    contractOn: linkedOn.startsWith('eip155:') && mayBeContract ? linkedOn : undefined,
  }
}

const readSecondary = ({ secondary, secondaryChain, secondaryMethod }: LinkRow): Account =>
  readLinkedAccount({
    secondaryWalletAddress: secondary,
    chain: secondaryChain,
    signatureMethod: secondaryMethod ?? undefined,
  })

/** Every link that the primary account has made, the oldest first; an account may have several. */
export const queryLinks = async (db: Reader, primary: Account, now: number): Promise<LinkedAccount[]> =>
  (await db.read(selectLinks).all(primary.wallet, now))
    .filter((row) => isSameAccount(readPrimary(row), primary) && !isSameAccount(readSecondary(row), primary))
    .map((row) => ({ ...readSecondary(row), linkProof: row.linkProof, relationship: row.relationship }))

/** The accounts that the primary one has linked to itself, the oldest link first. */
export async function listLinked(db: Reader, primary: Account, now: number): Promise<LinkedAccount[]> {
  const found = new Map<string, LinkedAccount>()
  for (const link of await queryLinks(db, primary, now)) found.set(writeAccount(link), link)
  return [...found.values()].slice(0, mostLinked)
}

/** The accounts that linked this one to themselves, each with its link, the newest first. */
export async function listPrimaries(
  db: Reader,
  account: Account,
  now: number,
): Promise<(LinkedAccount & { readonly primary: Account })[]> {
  return (await db.read(selectLinks).all(account.wallet, now))
    .filter((row) => isSameAccount(readSecondary(row), account))
    .map((row) => ({
      ...account,
      primary: readPrimary(row),
      linkProof: row.linkProof,
      relationship: row.relationship,
    }))
    .reverse()
}

/** Relationships that mean the same person, not an employee or a member. */
const signsIn = new Set(['primary', 'personal', 'linked'])

/**
 * The link by which an account signs in to another profile: exactly one account must have linked it. Otherwise it signs
 * in to its own. Two wallets that linked each other each keep their own.
 */
export async function findSignInLink(
  db: Reader,
  account: Account,
  now: number,
): Promise<{ readonly primary: Account; readonly linkProof: number } | undefined> {
  const links = (await listPrimaries(db, account, now)).filter(({ relationship }) => signsIn.has(relationship))
  const [link] = links
  if (!link || links.some(({ primary }) => !isSameAccount(primary, link.primary))) return undefined
  const isOther = !isSameAccount(link.primary, account)
  const isMutual = (await listLinked(db, account, now)).some((linked) => isSameAccount(linked, link.primary))
  return isOther && !isMutual ? { primary: link.primary, linkProof: link.linkProof } : undefined
}

/**
 * Whether the right to act by a link, if any, still stands. The accounts of the link are compared, because the id of an
 * erased proof may be reused.
 */
export async function linkStands(
  db: Db,
  { linkProof, account, profile }: { linkProof: number | null; account: string; profile: Pick<Profile, 'primary'> },
  now: number,
): Promise<boolean> {
  if (linkProof === null) return true
  const row = await db.read(selectLink).get(linkProof, now)
  return (
    row !== null &&
    row.secondary !== null &&
    signsIn.has(row.relationship) &&
    writeAccount(readSecondary(row)) === account &&
    isSameAccount(readPrimary(row), profile.primary)
  )
}
