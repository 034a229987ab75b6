/**
 * Finds the controllers of an agent in listed delegations. Any wallet may delegate to any agent. So delegations with
 * the agent's agreement come first. Its own wallet can agree, and wallets that a listed wallet-link joins to it.
 */

import { filterInOrder, flatMapInOrder, mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { chooseHolder, findAccounts, matchesHolder, wrapHolder } from '../proofs/account-store.ts'
import { findNamedAccounts, findNamedIds, type Named } from '../proofs/agent-store.ts'
import { findLinked } from '../proofs/listed-links-store.ts'
import { readSigner } from '../proofs/owner.ts'
import { readWholePage } from '../proofs/page-store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { agentDelegationId } from '../verifiers/roles.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { nameAccount, readNamedAccount, writeName } from '../wallet/account.ts'

export interface Granted {
  readonly controllerWallet: string
  /** Whether the controller is the agent's wallet, or one that is linked to it. */
  readonly agentAgreed: boolean
  readonly scope: string
  readonly expiresAt: number | null
  readonly qHash: string
}

export interface Delegations {
  readonly found: Granted[]
  /** Whether there may be further delegations than those found. */
  readonly areMore: boolean
}

/** The limit of controllers that the agent agreed to, besides its own wallet, and of all others. */
const mostControllers = 10
/** The delegations searched for each controller, because some are for other ids or chains. */
const mostOfController = 5
const mostBytes = 1_000_000

interface Agent {
  readonly agentId: string
  readonly agentWallet: string
  readonly now: number
}

/** The newest delegation of each controller for this agent. Owner-only evidence is not even read. */
export async function findDelegations(parts: Parts, identity: ProofRow, agent: Agent): Promise<Delegations> {
  const { db } = parts
  const asked: Named = { column: 'granted_to', name: agent.agentWallet, now: agent.now }
  const own = await findAccounts(db, wrapHolder(identity.account))
  const linkedAccounts = await flatMapInOrder(await findLinked(db, readSigner(identity), agent.now), (account) =>
    findAccounts(db, wrapHolder(account)),
  )
  const linked = await filterInOrder(
    linkedAccounts,
    async (account) => !own.includes(account) && (await findNamedIds(db, asked, account, 1)).length > 0,
  )
  const agreed = [...own, ...linked.slice(0, mostControllers)]
  const others = (await findNamedAccounts(db, asked, agreed.length + mostControllers + 1)).filter(
    (account) => !agreed.includes(account),
  )
  const looks = await mapInOrder([...agreed, ...others.slice(0, mostControllers)], (account) =>
    walkDelegations(parts, identity, { ...agent, asked, account, agentAgreed: agreed.includes(account) }),
  )
  return {
    found: looks.flatMap(({ granted }) => granted ?? []),
    areMore: others.length > mostControllers || looks.some(({ wasCut }) => wasCut),
  }
}

interface Look extends Agent {
  readonly asked: Named
  /** accounts.id */
  readonly account: number
  readonly agentAgreed: boolean
}

async function walkDelegations(
  { db, config }: Parts,
  identity: ProofRow,
  { agentId, agentWallet, asked, account, agentAgreed }: Look,
): Promise<{ readonly granted: Granted | undefined; readonly wasCut: boolean }> {
  const { hubChainId } = config.signing
  const ids = await findNamedIds(db, asked, account, mostOfController + 1)
  const proofs = await readWholePage(db, ids.slice(0, mostOfController), mostBytes)
  for (const proof of proofs) {
    const data = readData(proof, agentDelegationId)
    if (!data || (data.agentId !== undefined && data.agentId !== agentId)) continue
    const meant = readNamedAccount(String(data.agentAccountId ?? agentWallet), hubChainId)
    if (!meant || !(await matchesHolder(db, identity.account, chooseHolder(meant)))) continue
    const controllerWallet = writeName(nameAccount(readSigner(proof), hubChainId))
    const scope = typeof data.scope === 'string' && data.scope !== '' ? data.scope : 'global'
    return {
      granted: { controllerWallet, agentAgreed, scope, expiresAt: proof.expiresAt, qHash: proof.qHash },
      wasCut: false,
    }
  }
  return { granted: undefined, wasCut: ids.length > proofs.length }
}

export const readData = ({ record }: ProofRow, verifierId: string): Evidence | undefined =>
  record.rows.find((row) => row.verifierId === verifierId && row.verified)?.data
