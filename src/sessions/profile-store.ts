/** Profiles and the accounts that belong to them: SQL and what its rows mean. */
import type { Db } from '../db/db.ts'
import type { Account, Profile } from '../http/identity.ts'
import { accountIdOf } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature.ts'

/**
 * How an account is written in one text. A contract wallet is somebody on its chain only, because at its address on
 * another chain may be somebody else: it is CAIP-10. Keys are the bare address.
 */
export const accountText = ({ wallet, contractOn }: Account): string =>
  contractOn === undefined ? wallet : accountIdOf(contractOn, wallet)

export function accountIn(text: string): Account {
  const contract = /^(eip155:[0-9]+):(0x[0-9a-f]{40})$/.exec(text)
  return contract ? { wallet: contract[2]!, contractOn: contract[1]! } : { wallet: text, contractOn: undefined }
}

interface ProfileRow {
  readonly id: number
  readonly subject: string
  readonly did: string
  readonly account: string
  readonly createdAt: number
}

export const profileColumns =
  'profiles.id, profiles.subject, profiles.did, profiles.account, profiles.created_at AS createdAt'

export const profileOf = ({ account, ...rest }: ProfileRow): Profile => ({ ...rest, primary: accountIn(account) })

export type { ProfileRow }

export function findProfileByAccount(db: Db, account: Account): Profile | undefined {
  const row = db
    .prepare<ProfileRow, [string]>(`SELECT ${profileColumns} FROM profiles WHERE account = ?1`)
    .get(accountText(account))
  return row ? profileOf(row) : undefined
}

/** The profile of the account, made when there is none. `did` and `subject` count for a new one only. */
export async function requireProfile(
  db: Db,
  { account, did, subject, now }: { account: Account; did: string; subject: string; now: number },
): Promise<Profile> {
  const found = findProfileByAccount(db, account)
  if (found) return found
  await db.write([
    {
      sql: 'INSERT INTO profiles (subject, account, did, created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account) DO NOTHING',
      params: [subject, accountText(account), did, now],
    },
  ])
  const made = findProfileByAccount(db, account)
  if (!made) throw new Error('a profile that was just stored is not there')
  return made
}

/** Sessions, keys, grants, consents and secrets go with it; proofs, which belong to wallets, stay. */
export async function deleteProfile(db: Db, id: number): Promise<boolean> {
  const result = await db.write([{ sql: 'DELETE FROM profiles WHERE id = ?1', params: [id], must: true }])
  return 'changes' in result
}

export interface LinkedAccount extends Account {
  /** proofs.id of the link. */
  readonly linkProof: number
  /** As the primary wallet signed it: primary, personal, org, affiliate, agent or linked. */
  readonly relationship: string
}

/** Nobody works with more. */
const mostLinked = 64

/** A superseded link does not count: whoever revokes the newest run of it wants to be rid of it. */
const activeLink = 'p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?2)'

const evidence = (member: string) =>
  `(SELECT value ->> '$.data.${member}' FROM json_each(p.record, '$.rows') WHERE value ->> 'verifierId' = 'wallet-link' AND value ->> 'verified')`

const linkColumns = `
  p.id AS linkProof, p.signature_method AS primaryMethod, p.chain_id AS chainId, p.chain AS signedOn,
  ${evidence('primaryWalletAddress')} AS "primary", ${evidence('secondaryWalletAddress')} AS secondary,
  ${evidence('chain')} AS secondaryChain, ${evidence('signatureMethod')} AS secondaryMethod,
  ${evidence('relationshipType')} AS relationship`

/** The plus keeps the planner on the key of wallet_links. */
const selectLinks = `
  SELECT ${linkColumns} FROM wallet_links l CROSS JOIN proofs p ON p.id = l.proof_id
  WHERE l.wallet = ?1 AND ${activeLink} ORDER BY p.id LIMIT ${mostLinked * 2}`

const selectLink = `SELECT ${linkColumns} FROM proofs p WHERE p.id = ?1 AND ${activeLink}`

interface LinkRow {
  readonly linkProof: number
  readonly primaryMethod: string | null
  readonly chainId: number | null
  readonly signedOn: string | null
  readonly primary: string
  readonly secondary: string
  readonly secondaryChain: string
  readonly secondaryMethod: string | null
  readonly relationship: string
}

/** The primary side of a link: the wallet that signed the proof. */
const primaryIn = ({ primary, primaryMethod, chainId, signedOn }: LinkRow): Account => ({
  wallet: primary,
  contractOn: isContractMethod(primaryMethod ?? undefined) ? (signedOn ?? `eip155:${chainId}`) : undefined,
})

/** The secondary side. Links of before its method was noted may be a contract's, and then count on their chain only. */
const secondaryIn = ({ secondary, secondaryChain, secondaryMethod }: LinkRow): Account => ({
  wallet: secondary,
  contractOn:
    secondaryChain.startsWith('eip155:') && (secondaryMethod === null || isContractMethod(secondaryMethod))
      ? secondaryChain
      : undefined,
})

const sameAccount = (a: Account, b: Account): boolean => a.wallet === b.wallet && a.contractOn === b.contractOn

/** The accounts that the primary one has linked to itself, the oldest link first. */
export function linkedTo(db: Db, primary: Account, now: number): LinkedAccount[] {
  const found = new Map<string, LinkedAccount>()
  for (const row of db.prepare<LinkRow, [string, number]>(selectLinks).all(primary.wallet, now)) {
    const account = secondaryIn(row)
    if (!sameAccount(primaryIn(row), primary) || sameAccount(account, primary)) continue
    found.set(accountText(account), { ...account, linkProof: row.linkProof, relationship: row.relationship })
  }
  return [...found.values()].slice(0, mostLinked)
}

/** Who has linked this account to itself: each with the link, the newest first. */
export function primariesOf(db: Db, account: Account, now: number): (LinkedAccount & { readonly primary: Account })[] {
  return db
    .prepare<LinkRow, [string, number]>(selectLinks)
    .all(account.wallet, now)
    .filter((row) => sameAccount(secondaryIn(row), account))
    .map((row) => ({
      ...account,
      primary: primaryIn(row),
      linkProof: row.linkProof,
      relationship: row.relationship,
    }))
    .reverse()
}

/** Whether a link by which somebody signed in still stands. */
export const isLinkActive = (db: Db, linkProof: number, now: number): boolean =>
  db.prepare<LinkRow, [number, number]>(selectLink).get(linkProof, now) !== null
