/**
 * The wallets of a person: the primary one, those it has linked to itself, and those that linked it. A link is a
 * wallet-link proof of the primary wallet, so unlinking revokes that proof. The linked wallet's sessions and client
 * grants then end (profiles/store.ts linkStands), and are removed.
 */

import { makeAuditStatement } from '../audit/log-store.ts'
import { countEndingWithLink, type EndsWith } from '../auth/ending-store.ts'
import type { Account, Identity } from '../auth/identity.ts'
import { dropSessionsByLink, type Session } from '../auth/sessions/store.ts'
import type { Db, Statement } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { mapInOrder } from '../in-order.ts'
import { dropCodesByLink } from '../oauth/code-store.ts'
import { revokeGrantsByLink } from '../oauth/family-store.ts'
import type { Parts } from '../parts.ts'
import { findSignInLink, type LinkedAccount, listPrimaries, type Profile, queryLinks } from '../profiles/store.ts'
import { findLinkFacts, type LinkFacts } from '../proofs/linked-wallets-store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { requireProof } from '../proofs/read.ts'
import { listRevocationStatements } from '../proofs/store.ts'
import { normalizeAddress, writeAccount } from '../wallet/account.ts'
import { countByLink } from './wallet-store.ts'

export interface LinkedWallet extends LinkFacts, Account {
  readonly relationship: string
  /** Whether signing in with it opens this profile. */
  readonly signsIn: boolean
  /** The sessions and apps that would end with the link. */
  readonly openSessions: number
  readonly apps: number
  readonly endsWith: EndsWith
}

export interface LinkedBy extends LinkFacts, Account {
  readonly relationship: string
}

export interface Wallets {
  readonly primary: Account
  readonly linked: readonly LinkedWallet[]
  readonly linkedBy: readonly LinkedBy[]
}

/** The oldest link first. */
export async function readWallets({ db, now }: Pick<Parts, 'db' | 'now'>, { profile }: Identity): Promise<Wallets> {
  const at = now()
  const { primary } = profile
  return {
    primary,
    linked: await mapInOrder([...(await groupLinks(db, primary, at)).values()], async (links) => {
      const newest = links.at(-1)!
      const { wallet, contractOn, relationship } = newest
      const lead = await findSignInLink(db, { wallet, contractOn }, at)
      const counts = await mapInOrder(links, ({ linkProof }) => countByLink(db, profile.id, linkProof, at))
      return {
        wallet,
        contractOn,
        relationship,
        ...(await readFacts(db, newest)),
        signsIn: lead !== undefined && writeAccount(lead.primary) === writeAccount(primary),
        openSessions: counts.reduce((sum, { sessions }) => sum + sessions, 0),
        apps: counts.reduce((sum, { apps }) => sum + apps, 0),
        endsWith: sumFacts(await mapInOrder(links, ({ linkProof }) => countEndingWithLink(db, linkProof, at))),
      }
    }),
    linkedBy: await mapInOrder(
      (await listPrimaries(db, primary, at)).filter((link) => writeAccount(link.primary) !== writeAccount(primary)),
      async (link) => ({ ...link.primary, relationship: link.relationship, ...(await readFacts(db, link)) }),
    ),
  }
}

const sumFacts = (all: readonly EndsWith[]): EndsWith => ({
  delegations: all.reduce((sum, { delegations }) => sum + delegations, 0),
  agents: all.reduce((sum, { agents }) => sum + agents, 0),
  accessGrants: all.reduce((sum, { accessGrants }) => sum + accessGrants, 0),
})

const readFacts = async (db: Db, { linkProof }: LinkedAccount): Promise<LinkFacts> => {
  const facts = await findLinkFacts(db, linkProof)
  if (!facts) throw new Error('a link that was just found has no proof')
  return facts
}

/** A wallet of one key may be linked on several chains. */
async function groupLinks(db: Db, primary: Account, at: number): Promise<ReadonlyMap<string, LinkedAccount[]>> {
  const links = new Map<string, LinkedAccount[]>()
  for (const link of await queryLinks(db, primary, at))
    links.set(writeAccount(link), [...(links.get(writeAccount(link)) ?? []), link])
  return links
}

export interface Unlinked {
  readonly account: string
  readonly revoked: readonly string[]
  readonly endedSessions: number
  readonly endedApps: number
}

/**
 * Revokes every link to the account, as the primary wallet; a linked wallet may only remove itself. Errors: NOT_FOUND,
 * FORBIDDEN.
 */
export async function unlinkWallet(parts: Parts, session: Session, given: string): Promise<Unlinked> {
  const { db } = parts
  const { profile } = session
  const at = parts.now()
  const account = given.startsWith('eip155:') ? given.toLowerCase() : normalizeAddress(given)
  if (session.linkProof !== null && session.account !== account)
    throw new AppError(
      'FORBIDDEN',
      `a linked wallet may unlink itself only: sign in with ${profile.primary.wallet} to unlink others`,
    )
  const links = (await groupLinks(db, profile.primary, at)).get(account)
  if (!links)
    throw new AppError('NOT_FOUND', 'no such wallet is linked: GET /api/v1/profile/wallets lists those that are')
  const revoked = await mapInOrder(links, async (link) => (await readFacts(db, link)).qHash)
  const proofs = await mapInOrder(revoked, (qHash) => requireProof(parts, qHash))
  const ended = await endLinks(parts, profile, { account, proofs })
  // Lost the race: one of the links was revoked meanwhile.
  return ended ? { account, revoked, ...ended } : unlinkWallet(parts, session, given)
}

/** Ends the effects of one link: the sessions of its wallet, the codes that they got, and the grants made of those. */
const listLinkEndings = ({ id }: Pick<Profile, 'id'>, link: number, at: number): readonly Statement[] => [
  dropSessionsByLink(id, link),
  dropCodesByLink(id, link),
  revokeGrantsByLink(id, link, at),
]

/**
 * Revokes the links of a wallet and ends their effects in one write. A retry after a partial write would find no link,
 * and the rest would stay. Undefined if one of the links has ended already.
 */
async function endLinks(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  profile: Pick<Profile, 'id'>,
  { account, proofs }: { readonly account: string; readonly proofs: readonly ProofRow[] },
): Promise<Pick<Unlinked, 'endedSessions' | 'endedApps'> | undefined> {
  const at = now()
  const endings = proofs.map(({ id }) => listLinkEndings(profile, id, at))
  const revocations = proofs.flatMap((proof) => {
    const [mark, ...others] = listRevocationStatements(proof, at)
    return [{ ...mark, must: true }, ...others]
  })
  const audit = makeAuditStatement('wallet_unlinked', { profile: profile.id, at, account })
  const result = await db.write([...endings.flat(), ...revocations, audit], 'free')
  if (!('changes' in result)) return undefined
  const countChanged = (step: number): number =>
    endings.reduce((sum, { length }, index) => sum + (result.changes[index * length + step] ?? 0), 0)
  return { endedSessions: countChanged(0), endedApps: countChanged(2) }
}
