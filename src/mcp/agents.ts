/**
 * Agents of a person, from stored proofs. An agent-identity by the agent's wallet describes it. An agent-delegation by
 * one of the person's wallets states its rights. An agent belongs to a person only with a delegation.
 */

import type { Identity } from '../auth/identity.ts'
import { filterInOrder, findInOrder, flatMapInOrder, mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { chooseHolder, chooseReceiver, findAccounts, findOwnAccounts, matchesHolder } from '../proofs/account-store.ts'
import { findIdsByVerifier } from '../proofs/list-store.ts'
import { isProofOwner } from '../proofs/owner.ts'
import { readWholePage } from '../proofs/page-store.ts'
import { type ProofRow, readStatus } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { visibilities } from '../proofs/visibility.ts'
import { agentDelegationId, agentIdentityId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import {
  type AccountText,
  type NamedAccount,
  readNamedAccount,
  readWallet,
  writeAccount,
  writeName,
} from '../wallet/account.ts'
import { listByVerifier } from './vault.ts'
import { findOwn } from './wallets.ts'

export interface Attested {
  readonly proof: ProofRow
  /** The evidence of the row that is valid. */
  readonly data: Evidence
}

export interface Delegated extends Attested {
  readonly isExpired: boolean
}

/** Identities of one agent wallet that are looked through. */
const mostLooked = 100
/** Identities of several agent wallets together that are looked through, with their bytes. */
const mostLookedTogether = 500
const mostBytesTogether = 600_000
/** Identities that were replaced are walked past, as far as this. */
const mostWalkedTogether = 10_000

/**
 * Identities that a wallet states as an agent, the newest first. For a foreign wallet only listed ones: an unlisted id
 * is shown only to callers who named it.
 */
export const listAgentIdentities = (parts: Parts, identity: Identity, agent: NamedAccount): Promise<Attested[]> =>
  listIdentities(parts, identity, [agent], mostLooked)

/**
 * Identities of several wallets, the newest first. One budget covers all wallets. Identities above it are in short
 * form, and findWhole() reads one in full.
 */
export function findIdentities(parts: Parts, identity: Identity, agents: Iterable<NamedAccount>): Promise<Attested[]> {
  const wallets = [...new Map([...agents].map((agent) => [writeName(agent), agent])).values()]
  const perWallet = Math.min(mostLooked, Math.max(Math.floor(mostLookedTogether / Math.max(wallets.length, 1)), 1))
  return listIdentities(parts, identity, wallets, perWallet, mostBytesTogether)
}

/** The same identity with everything it says. */
export async function findWhole(parts: Parts, attested: Attested): Promise<Attested> {
  if (!attested.proof.record.isShortened) return attested
  const proof = await findProof(parts.db, attested.proof.qHash)
  return (proof && listAttested(proof, agentIdentityId, parts.now())[0]) ?? attested
}

async function listIdentities(
  { db, now }: Parts,
  identity: Identity,
  agents: readonly NamedAccount[],
  limit: number,
  mostBytes?: number,
): Promise<Attested[]> {
  const mostWalked = Math.max(Math.floor(mostWalkedTogether / Math.max(agents.length, 1)), limit)
  const ids = await flatMapInOrder(agents, async (agent) => {
    const own = await findOwn(identity, agent)
    const accounts = own ? await findOwnAccounts(db, own) : await findAccounts(db, chooseHolder(agent))
    return findIdsByVerifier(db, accounts, agentIdentityId, { isOwner: own !== undefined, limit, mostWalked })
  })
  return (
    await readWholePage(
      db,
      [...new Set(ids)].sort((one, other) => other - one),
      mostBytes,
    )
  ).flatMap((proof) => listAttested(proof, agentIdentityId, now()))
}

/** The agent-identity of an id, as far as the person may see it. */
export async function findIdentity(parts: Parts, identity: Identity, qHash: string): Promise<Attested | undefined> {
  const proof = await findProof(parts.db, qHash)
  if (!proof || proof.revokedAt !== null || proof.isSuperseded) return undefined
  if (
    proof.visibility === visibilities.private &&
    !(await identity.listAccounts()).some((own) => isProofOwner(proof, own))
  )
    return undefined
  return listAttested(proof, agentIdentityId, parts.now())[0]
}

/** The person's delegations to agents, the newest first, expired ones included. */
export const listOwnDelegations = async (parts: Parts, identity: Identity): Promise<Delegated[]> =>
  (await listByVerifier(parts, identity, agentDelegationId)).flatMap((proof) =>
    proof.record.rows.flatMap(({ verifierId, verified, data }) => {
      const isExpired = proof.expiresAt !== null && proof.expiresAt <= parts.now()
      return verifierId === agentDelegationId && verified ? [{ proof, data, isExpired }] : []
    }),
  )

const listAttested = (proof: ProofRow, verifierId: string, now: number): Attested[] =>
  readStatus(proof, now) === 'expired'
    ? []
    : proof.record.rows.flatMap((row) =>
        row.verifierId === verifierId && row.verified ? [{ proof, data: row.data }] : [],
      )

/** The agent of a delegation or an identity. Older evidence, without the chain, names an address alone. */
export function readAgent({ agentWallet, agentAccountId }: Evidence, { config }: Pick<Parts, 'config'>): NamedAccount {
  const { hubChainId } = config.signing
  const wallet = String(agentWallet)
  const named = typeof agentAccountId === 'string' ? readNamedAccount(agentAccountId, hubChainId) : undefined
  return named ?? readNamedAccount(wallet, hubChainId) ?? { wallet, chain: undefined, isChainGiven: false }
}

/** The account behind an agent's name: one of the person's, or any with proofs under it. */
export async function chooseAgent(
  { db }: Pick<Parts, 'db'>,
  identity: Identity,
  agent: NamedAccount,
): Promise<AccountText> {
  const own = await findOwn(identity, agent)
  return own ? writeAccount(own) : await chooseReceiver(db, agent)
}

/** Whether the account behind an agent's name signed the proof, and not another one at its address. */
export async function isAgent(
  { db }: Pick<Parts, 'db'>,
  identity: Identity,
  agent: NamedAccount,
  proof: ProofRow,
): Promise<boolean> {
  const own = await findOwn(identity, agent)
  return own ? isProofOwner(proof, own) : await matchesHolder(db, proof.account, chooseHolder(agent))
}

/** Delegations to one account, as texts have it. A delegation without agentId is for the wallet, whatever it calls itself. */
export const listAgentDelegations = (
  parts: Pick<Parts, 'db' | 'config'>,
  delegations: readonly Delegated[],
  agent: string,
  agentId?: string,
): Promise<Delegated[]> =>
  filterInOrder(
    delegations,
    async ({ data }) =>
      data.agentWallet === readWallet(agent) &&
      (agentId === undefined || data.agentId === undefined || data.agentId === agentId) &&
      (await matchesHolder(parts.db, agent, chooseHolder(readAgent(data, parts)))),
  )

/** The names of the capabilities that an identity says it has. */
export const listCapabilities = ({ capabilities }: Evidence): string[] =>
  Object.entries((capabilities ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, has]) =>
    has ? [name] : [],
  )

export const listSkills = ({ skills }: Evidence): Record<string, unknown>[] =>
  Array.isArray(skills) ? skills.map((skill) => ({ ...(skill as object) })) : []

/** One agent of a person, for lists. */
export interface AgentLine {
  readonly agentId: string
  readonly agentWallet: string
  readonly identityQHash: string | null
  readonly qHash: string | null
  readonly delegationQHash: string
  readonly [member: string]: unknown
}

const mostListed = 50

export async function listAgents(parts: Parts, identity: Identity): Promise<AgentLine[]> {
  const seen = new Set<string>()
  const delegations = (await listOwnDelegations(parts, identity))
    .filter(({ data, isExpired }) => {
      const key = `${writeName(readAgent(data, parts))} ${data.agentId ?? ''}`
      return !isExpired && !seen.has(key) && seen.add(key).size > 0
    })
    .slice(0, mostListed)
  const identities = await findIdentities(
    parts,
    identity,
    delegations.map(({ data }) => readAgent(data, parts)),
  )
  return mapInOrder(delegations, async ({ proof, data }) => {
    const agentWallet = String(data.agentWallet)
    const found = await findInOrder(
      identities,
      async (one) =>
        one.proof.walletAddress === agentWallet &&
        (data.agentId === undefined || one.data.agentId === data.agentId) &&
        (await isAgent(parts, identity, readAgent(data, parts), one.proof)),
    )
    const about = found?.data ?? {}
    return {
      agentId: String(about.agentId ?? data.agentId ?? agentWallet),
      agentWallet,
      ...(data.agentAccountId === undefined ? {} : { agentAccountId: data.agentAccountId }),
      identityQHash: found?.proof.qHash ?? null,
      qHash: found?.proof.qHash ?? null,
      delegationQHash: proof.qHash,
      ...showAgent(about),
      ...(found?.proof.record.isShortened ? { contentTruncated: true } : {}),
    }
  })
}

/** The members of an identity beside its id and wallet. */
export const showAgent = (about: Evidence): Record<string, unknown> => ({
  ...(about.agentLabel === undefined ? {} : { agentLabel: about.agentLabel }),
  ...(about.agentType === undefined ? {} : { agentType: about.agentType }),
  ...(about.description === undefined ? {} : { description: about.description }),
  ...(about.instructions === undefined ? {} : { instructions: about.instructions }),
  capabilities: listCapabilities(about),
  skills: listSkills(about),
  services: Array.isArray(about.services) ? about.services : [],
})

export interface ContextPack {
  readonly identityCount: number
  readonly delegationCount: number
  readonly activeDelegations: number
  readonly capabilitiesSummary: string[]
  readonly skillsSummary: string[]
}

export const makeContextPack = (identities: readonly Attested[], delegations: readonly Delegated[]): ContextPack => ({
  identityCount: identities.length,
  delegationCount: delegations.length,
  activeDelegations: delegations.filter(({ isExpired }) => !isExpired).length,
  capabilitiesSummary: [...new Set(identities.flatMap(({ data }) => listCapabilities(data)))],
  skillsSummary: [
    ...new Set([...identities, ...delegations].flatMap(({ data }) => listSkills(data).map(({ id }) => String(id)))),
  ],
})
