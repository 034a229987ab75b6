/**
 * Agents of a person, from stored proofs: an agent-identity by the wallet of the agent says what it is, an
 * agent-delegation by one of the person's wallets says what it may do. Without the second one nobody's agent is theirs.
 */

import type { Identity } from '../http/identity.ts'
import type { Parts } from '../parts.ts'
import { listProofs } from '../proofs/list-store.ts'
import { type ProofRow, statusAt } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { visibilities } from '../proofs/visibility.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { ownProofs } from './vault.ts'
import { accountOf } from './wallets.ts'

export interface Attested {
  readonly proof: ProofRow
  /** Of the row in question, which holds. */
  readonly data: Evidence
}

export interface Delegated extends Attested {
  readonly isExpired: boolean
}

/** Nobody's agent wallet has more identities that are looked through. */
const mostLooked = 100

/** What wallets say of themselves as agents, the newest first: public ones, and those of the person's own wallets. */
export function identitiesAt(parts: Parts, identity: Identity, agentWallet: string, limit = mostLooked): Attested[] {
  const now = parts.now()
  const isOwn = accountOf(identity, agentWallet) !== undefined
  return listProofs(parts.db, {
    accounts: [{ wallet: agentWallet, contractOn: undefined }],
    isOwner: true,
    filter: { verifierIds: ['agent-identity'] },
    before: undefined,
    offset: 0,
    limit,
    now,
  })
    .rows.filter((proof) => isOwn || proof.visibility !== visibilities.private)
    .flatMap((proof) => attestedIn(proof, 'agent-identity', now))
}

/** The agent-identity of an id, as far as the person may see it. */
export function identityByQHash(parts: Parts, identity: Identity, qHash: string): Attested | undefined {
  const proof = findProof(parts.db, qHash)
  if (!proof || proof.revokedAt !== null || proof.isSuperseded) return undefined
  if (proof.visibility === visibilities.private && !accountOf(identity, proof.walletAddress)) return undefined
  return attestedIn(proof, 'agent-identity', parts.now())[0]
}

/** What the person lets agents do, the newest first, expired delegations included. */
export const delegationsBy = (parts: Parts, identity: Identity): Delegated[] =>
  ownProofs(parts, identity, ['agent-delegation']).flatMap((proof) =>
    proof.record.rows.flatMap(({ verifierId, verified, data }) => {
      const isExpired = proof.expiresAt !== null && proof.expiresAt <= parts.now()
      return verifierId === 'agent-delegation' && verified ? [{ proof, data, isExpired }] : []
    }),
  )

const attestedIn = (proof: ProofRow, verifierId: string, now: number): Attested[] =>
  statusAt(proof, now) === 'expired'
    ? []
    : proof.record.rows.flatMap((row) =>
        row.verifierId === verifierId && row.verified ? [{ proof, data: row.data }] : [],
      )

/** Delegations of one agent. A delegation without agentId is for the wallet, whatever it calls itself. */
export const delegationsTo = (delegations: readonly Delegated[], agentWallet: string, agentId?: string): Delegated[] =>
  delegations.filter(
    ({ data }) =>
      data.agentWallet === agentWallet &&
      (agentId === undefined || data.agentId === undefined || data.agentId === agentId),
  )

/** The names of the capabilities that an identity says it has. */
export const capabilitiesOf = ({ capabilities }: Evidence): string[] =>
  Object.entries((capabilities ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, has]) =>
    has ? [name] : [],
  )

export const skillsOf = ({ skills }: Evidence): Record<string, unknown>[] =>
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
/** Identities that are read for one list of agents. */
const mostIdentities = 500

export function agentsOf(parts: Parts, identity: Identity): AgentLine[] {
  const seen = new Set<string>()
  const byWallet = new Map<string, Attested[]>()
  let left = mostIdentities
  /** Agents of one wallet share what is read. */
  const readIdentities = (agentWallet: string): Attested[] => {
    const known = byWallet.get(agentWallet)
    if (known) return known
    const found = left > 0 ? identitiesAt(parts, identity, agentWallet, Math.min(left, mostLooked)) : []
    left -= found.length
    byWallet.set(agentWallet, found)
    return found
  }
  return delegationsBy(parts, identity)
    .filter(({ data, isExpired }) => {
      const key = `${data.agentWallet} ${data.agentId ?? ''}`
      return !isExpired && !seen.has(key) && seen.add(key).size > 0
    })
    .slice(0, mostListed)
    .map(({ proof, data }) => {
      const agentWallet = String(data.agentWallet)
      const found = readIdentities(agentWallet).find(
        (one) => data.agentId === undefined || one.data.agentId === data.agentId,
      )
      const about = found?.data ?? {}
      return {
        agentId: String(about.agentId ?? data.agentId ?? agentWallet),
        agentWallet,
        identityQHash: found?.proof.qHash ?? null,
        qHash: found?.proof.qHash ?? null,
        delegationQHash: proof.qHash,
        ...shownOf(about),
      }
    })
}

/** What an identity says beside its id and wallet. */
export const shownOf = (about: Evidence): Record<string, unknown> => ({
  ...(about.agentLabel === undefined ? {} : { agentLabel: about.agentLabel }),
  ...(about.agentType === undefined ? {} : { agentType: about.agentType }),
  ...(about.description === undefined ? {} : { description: about.description }),
  ...(about.instructions === undefined ? {} : { instructions: about.instructions }),
  capabilities: capabilitiesOf(about),
  skills: skillsOf(about),
  services: Array.isArray(about.services) ? about.services : [],
})

export interface ContextPack {
  readonly identityCount: number
  readonly delegationCount: number
  readonly activeDelegations: number
  readonly capabilitiesSummary: string[]
  readonly skillsSummary: string[]
}

export const contextPackOf = (identities: readonly Attested[], delegations: readonly Delegated[]): ContextPack => ({
  identityCount: identities.length,
  delegationCount: delegations.length,
  activeDelegations: delegations.filter(({ isExpired }) => !isExpired).length,
  capabilitiesSummary: [...new Set(identities.flatMap(({ data }) => capabilitiesOf(data)))],
  skillsSummary: [
    ...new Set([...identities, ...delegations].flatMap(({ data }) => skillsOf(data).map(({ id }) => String(id)))),
  ],
})
