/**
 * The card of an agent: what everybody may know of it, from listed proofs alone. Its agent-identity says who it is, and
 * an agent-delegation who lets it act.
 *
 * Anybody may call an agent by any id. So an id that several wallets claim names none of them until the caller says which
 * is meant. Anybody may also let anybody's agent act: where several do, the card lists them and puts none of them first,
 * save the wallet of the agent itself.
 */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { chooseHolder, findAccounts, matchesHolder } from '../proofs/account-store.ts'
import { type AgentColumn, findNamedAccounts, findNamedIds } from '../proofs/agent-store.ts'
import { readSigner } from '../proofs/owner.ts'
import { readWholePage } from '../proofs/page-store.ts'
import type { ProofRow } from '../proofs/proof.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { type NamedAccount, nameAccount, readNamedAccount, writeName } from '../wallet/account.ts'

export interface CardRequest {
  readonly agentId: string
  /** Which of several wallets that call themselves so: an address, did:pkh or CAIP-10. */
  readonly agentWallet: string | undefined
}

export interface Granted {
  readonly controllerWallet: string
  readonly scope: string
  readonly expiresAt: number | null
  readonly qHash: string
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
}

/** Wallets that are named where several call themselves alike. */
const mostClaimants = 10
const mostControllers = 10
/** Delegations of one controller that are looked through, for other ids and other chains. */
const mostOfController = 5
const mostBytes = 1_000_000

/** Errors: NOT_FOUND, CONFLICT where several wallets claim the id, INVALID_WALLET_ADDRESS. */
export function readAgentCard(parts: Parts, { agentId, agentWallet }: CardRequest): AgentCard {
  const { db } = parts
  const now = parts.now()
  const asked = { column: 'agent_id', name: agentId, now } as const
  const accounts =
    agentWallet === undefined
      ? findNamedAccounts(db, asked, mostClaimants)
      : findAccounts(db, chooseHolder(requireNamed(agentWallet, parts)))
  const identities = accounts.flatMap((account) => {
    const [proof] = readWholePage(db, findNamedIds(db, asked, account, 1))
    return proof ? [proof] : []
  })
  const [proof] = identities
  const data = proof && dataIn(proof, 'agent-identity')
  if (!proof || !data)
    throw new AppError(
      'NOT_FOUND',
      `no listed agent-identity here has ${agentWallet === undefined ? 'this agentId' : 'this agentId and agentWallet'}: check the spelling, and that the agent made its proof public and listed`,
    )
  if (identities.length > 1) throw ambiguous(identities.map((one) => nameOf(one, parts)))

  const delegations = findDelegations(parts, proof, { agentId, agentWallet: String(data.agentWallet), now })
  const wallet = nameOf(proof, parts)
  const own = delegations.find(({ controllerWallet }) => controllerWallet === wallet)
  const first = own ?? (delegations.length === 1 ? delegations[0] : undefined)
  return {
    agentId,
    wallet,
    label: text(data.agentLabel) ?? agentId,
    description: text(data.description) ?? null,
    capabilities: Object.entries((data.capabilities ?? {}) as object).flatMap(([name, has]) => (has ? [name] : [])),
    skills: Array.isArray(data.skills) ? data.skills.map((skill) => ({ ...(skill as object) })) : [],
    services: Array.isArray(data.services)
      ? data.services.map((service) => ({ ...(service as never as Service) }))
      : [],
    identityQHash: proof.qHash,
    controllerWallet: first?.controllerWallet ?? null,
    scope: first?.scope ?? null,
    delegations,
  }
}

type Service = AgentCard['services'][number]

function ambiguous(agentWallets: readonly string[]): AppError {
  const count = agentWallets.length < mostClaimants ? String(agentWallets.length) : `${mostClaimants} or more`
  return new AppError(
    'CONFLICT',
    `${count} wallets call their agent so, and anybody may: add agentWallet with the one that you mean`,
    { parameter: 'agentWallet', agentWallets: [...agentWallets] },
  )
}

function requireNamed(agentWallet: string, { config }: Pick<Parts, 'config'>): NamedAccount {
  const named = readNamedAccount(agentWallet, config.signing.hubChainId)
  if (named) return named
  throw new AppError(
    'INVALID_WALLET_ADDRESS',
    'agentWallet is not a wallet address, a did:pkh or a CAIP-10 account such as eip155:8453:0x…',
    { path: '/agentWallet' },
  )
}

/** As agentWallet takes it: an address, and with its chain where it is a contract. */
const nameOf = (proof: ProofRow, { config }: Pick<Parts, 'config'>): string =>
  writeName(nameAccount(readSigner(proof), config.signing.hubChainId))

const dataIn = ({ record }: ProofRow, verifierId: string): Evidence | undefined =>
  record.rows.find((row) => row.verifierId === verifierId && row.verified)?.data

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Of each controller the newest for this agent. What only its owner may see of a delegation is not even read. */
function findDelegations(
  parts: Parts,
  identity: ProofRow,
  { agentId, agentWallet, now }: { readonly agentId: string; readonly agentWallet: string; readonly now: number },
): Granted[] {
  const { db, config } = parts
  const asked = { column: 'granted_to' as AgentColumn, name: agentWallet, now }
  const controllers = findNamedAccounts(db, asked, mostControllers)
  const own = findAccounts(db, { either: [identity.account as never], besides: undefined })
  return [...new Set([...own, ...controllers])].flatMap((account) => {
    const proofs = readWholePage(db, findNamedIds(db, asked, account, mostOfController), mostBytes)
    const fitting = proofs.flatMap((proof) => {
      const data = dataIn(proof, 'agent-delegation')
      if (!data || (data.agentId !== undefined && data.agentId !== agentId)) return []
      const meant = readNamedAccount(String(data.agentAccountId ?? agentWallet), config.signing.hubChainId)
      return meant && matchesHolder(db, identity.account, chooseHolder(meant)) ? [{ proof, data }] : []
    })
    return fitting.slice(0, 1).map(({ proof, data }) => ({
      controllerWallet: nameOf(proof, parts),
      scope: text(data.scope) ?? 'global',
      expiresAt: proof.expiresAt,
      qHash: proof.qHash,
    }))
  })
}

/** In a path or a query, and between single quotes of a shell as well. */
export const encodeWord = (word: string): string => encodeURIComponent(word).replaceAll("'", '%27')

/** The card for people. */
export const agentPageUrl = (
  { addresses }: Pick<Parts, 'addresses'>,
  { agentId, wallet }: Pick<AgentCard, 'agentId' | 'wallet'>,
): string => `${addresses().authUrl}/agent/${encodeWord(agentId)}?agentWallet=${encodeWord(wallet)}`
