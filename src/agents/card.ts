/**
 * The public card of an agent, from listed proofs alone. Its agent-identity names it, and an agent-delegation names its
 * controllers. Any wallet may claim any agent id. So an id claimed by several wallets names none of them until the
 * caller chooses one. Any wallet may also delegate to any agent. The card lists such delegations, and names a
 * controller only if the agent's side agreed (delegations.ts).
 */

import { AppError } from '../errors.ts'
import { flatMapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { chooseHolder, findAccounts } from '../proofs/account-store.ts'
import { findNamedAccounts, findNamedIds } from '../proofs/agent-store.ts'
import { readSigner } from '../proofs/owner.ts'
import { readWholePage } from '../proofs/page-store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { agentIdentityId } from '../verifiers/roles.ts'
import { explainNoAccount, type NamedAccount, nameAccount, readNamedAccount, writeName } from '../wallet/account.ts'
import { findDelegations, type Granted, readData } from './delegations.ts'

export interface CardRequest {
  readonly agentId: string
  /** Selects one of several wallets with the same agent id: an address, did:pkh or CAIP-10. */
  readonly agentWallet: string | undefined
}

export interface AgentCard {
  readonly agentId: string
  readonly wallet: string
  readonly label: string
  readonly description: string | null
  readonly capabilities: string[]
  readonly skills: Readonly<Record<string, unknown>>[]
  readonly services: { readonly name: string; readonly endpoint: string }[]
  readonly identityQHash: string
  readonly controllerWallet: string | null
  readonly scope: string | null
  readonly delegations: Granted[]
  /** Whether there may be further delegations than those listed. */
  readonly moreDelegations: boolean
}

/** The number of wallets that a conflict names. */
const mostClaimants = 10

/** Errors: NOT_FOUND, CONFLICT where several wallets claim the id, INVALID_WALLET_ADDRESS. */
export async function readAgentCard(parts: Parts, { agentId, agentWallet }: CardRequest): Promise<AgentCard> {
  const { db } = parts
  const now = parts.now()
  const asked = { column: 'agent_id', name: agentId, now } as const
  const accounts =
    agentWallet === undefined
      ? await findNamedAccounts(db, asked, mostClaimants)
      : await findAccounts(db, chooseHolder(requireNamed(agentWallet, parts)))
  const identities = await flatMapInOrder(accounts, async (account) => {
    const [proof] = await readWholePage(db, await findNamedIds(db, asked, account, 1))
    return proof ? [proof] : []
  })
  const [proof] = identities
  const data = proof && readData(proof, agentIdentityId)
  if (!proof || !data)
    throw new AppError(
      'NOT_FOUND',
      `no listed agent-identity proof has ${agentWallet === undefined ? 'this agentId' : 'this agentId and agentWallet'}: check the spelling, and that the proof is public and listed`,
    )
  if (identities.length > 1) throw makeAmbiguousError(identities.map((one) => writeAgentName(one, parts)))

  const { found, areMore } = await findDelegations(parts, proof, {
    agentId,
    agentWallet: String(data.agentWallet),
    now,
  })
  const wallet = writeAgentName(proof, parts)
  const agreed = found.filter(({ agentAgreed }) => agentAgreed)
  const own = agreed.find(({ controllerWallet }) => controllerWallet === wallet)
  const controller = own ?? (agreed.length === 1 ? agreed[0] : undefined)
  return {
    agentId,
    wallet,
    label: readText(data.agentLabel) ?? agentId,
    description: readText(data.description) ?? null,
    capabilities: Object.entries((data.capabilities ?? {}) as object).flatMap(([name, has]) => (has ? [name] : [])),
    skills: Array.isArray(data.skills) ? data.skills.map((skill) => ({ ...(skill as object) })) : [],
    services: Array.isArray(data.services)
      ? data.services.map((service) => ({ ...(service as never as Service) }))
      : [],
    identityQHash: proof.qHash,
    controllerWallet: controller?.controllerWallet ?? null,
    scope: controller?.scope ?? null,
    delegations: found,
    moreDelegations: areMore,
  }
}

type Service = AgentCard['services'][number]

function makeAmbiguousError(agentWallets: readonly string[]): AppError {
  const count = agentWallets.length < mostClaimants ? String(agentWallets.length) : `${mostClaimants} or more`
  return new AppError('CONFLICT', `${count} wallets use this agentId, and anybody may: add agentWallet to choose one`, {
    parameter: 'agentWallet',
    agentWallets: [...agentWallets],
  })
}

function requireNamed(agentWallet: string, { config }: Pick<Parts, 'config'>): NamedAccount {
  const named = readNamedAccount(agentWallet, config.signing.hubChainId)
  if (named) return named
  throw new AppError('INVALID_WALLET_ADDRESS', `agentWallet is ${explainNoAccount(agentWallet)}`, {
    path: '/agentWallet',
  })
}

/** In the form of agentWallet: an address, with its chain for a contract. */
const writeAgentName = (proof: ProofRow, { config }: Pick<Parts, 'config'>): string =>
  writeName(nameAccount(readSigner(proof), config.signing.hubChainId))

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Encodes a word for a path or a query, and also for single quotes of a shell. */
export const encodeWord = (word: string): string => encodeURIComponent(word).replaceAll("'", '%27')

/** The address of the card as a page. */
export const buildAgentPageUrl = (
  { addresses }: Pick<Parts, 'addresses'>,
  { agentId, wallet }: Pick<AgentCard, 'agentId' | 'wallet'>,
): string => `${addresses().authUrl}/agent/${encodeWord(agentId)}?agentWallet=${encodeWord(wallet)}`
