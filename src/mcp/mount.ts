/**
 * The runtime bundle (src/guides/wire.md, "The runtime bundle"). It is made from stored proofs. A runtime needs it to
 * work as a person's agent. It holds the names of secrets, never their content.
 */
import type { Identity } from '../auth/identity.ts'
import type { Parts } from '../parts.ts'
import { readSigner } from '../proofs/owner.ts'
import { listProfileSecrets } from '../secrets/secret.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { nameAccount } from '../wallet/account.ts'
import {
  type Attested,
  type Delegated,
  listAgentIdentities,
  listCapabilities,
  listSkills,
  makeContextPack,
} from './agents.ts'
import { buildProofPageUrl } from './hosted.ts'

export const mountSchema = (brand: string): string => `${brand}.runtime-mount.v1`

/** Runtimes of this interface know no other when a model is named without one. */
const fallbackProvider = 'openai'

export interface Mounting {
  readonly attested: Attested
  /** Undefined only for an agent whose wallet is the person's own. */
  readonly delegation: Delegated | undefined
  /** Every delegation of this agent. */
  readonly granted: readonly Delegated[]
}

export async function makeRuntimeBundle(
  { attested, delegation, granted: delegations }: Mounting,
  parts: Parts,
  identity: Identity,
  tools: readonly string[],
) {
  const { data, proof } = attested
  const agentWallet = String(data.agentWallet)
  const identities = await listAgentIdentities(
    parts,
    identity,
    nameAccount(readSigner(proof), parts.config.signing.hubChainId),
  )
  const granted = delegation?.data
  return {
    schema: mountSchema(parts.config.brand),
    mountedAt: new Date(parts.now()).toISOString(),
    trust: {
      identityQHash: proof.qHash,
      delegationQHash: delegation?.proof.qHash ?? null,
      identityProofUrl: buildProofPageUrl(parts, proof.qHash),
      delegationProofUrl: delegation ? buildProofPageUrl(parts, delegation.proof.qHash) : null,
    },
    identity: {
      agentId: String(data.agentId),
      agentWallet,
      agentLabel: readText(data, 'agentLabel') ?? String(data.agentId),
      agentType: readText(data, 'agentType') ?? 'agent',
      ...readTextMember(data, 'description'),
      ...readTextMember(data, 'instructions'),
      capabilities: listCapabilities(data),
      skills: listSkills(data),
      ...(Array.isArray(data.services) ? { services: data.services } : {}),
      ...(data.defaultRuntime === undefined ? {} : { defaultRuntime: data.defaultRuntime as object }),
    },
    delegation: delegation ? makeDelegationPart(delegation) : null,
    effectiveRuntime: readEffectiveRuntime(granted, data),
    tools: [...tools],
    secretBindings: identity.scopes.has('secrets')
      ? (await listProfileSecrets(parts.db, identity.profile.id)).map(({ alias, qHash, type }) => ({
          alias,
          qHash,
          type,
        }))
      : [],
    enforce: readEnforced(granted),
    contextPack: makeContextPack(identities, delegations),
  }
}

function makeDelegationPart({ data, isExpired }: Delegated) {
  return {
    controllerWallet: String(data.controllerWallet),
    scope: String(data.scope),
    allowedActions: readWords(data, 'allowedActions'),
    deniedActions: readWords(data, 'deniedActions'),
    runtimePolicy: readObject(data, 'runtimePolicy'),
    approvalPolicy: readObject(data, 'approvalPolicy'),
    expiresAt: typeof data.expiresAt === 'number' ? data.expiresAt : null,
    isExpired,
    maxSpend: readText(data, 'maxSpend') ?? null,
    instructions: readText(data, 'instructions') ?? null,
    skills: listSkills(data),
    provider: readText(data, 'provider') ?? null,
    model: readText(data, 'model') ?? null,
  }
}

/** The delegation's values take precedence over the agent's own. */
function readEffectiveRuntime(granted: Evidence | undefined, about: Evidence) {
  const own = (about.defaultRuntime ?? {}) as Evidence
  const provider = readText(granted ?? {}, 'provider') ?? readText(own, 'provider')
  const model = readText(granted ?? {}, 'model') ?? readText(own, 'model')
  if (provider === undefined && model === undefined) return null
  return { provider: provider ?? fallbackProvider, model: model ?? null }
}

function readEnforced(granted: Evidence | undefined) {
  const allowed = readWords(granted ?? {}, 'allowedActions')
  const policy = readObject(granted ?? {}, 'approvalPolicy')
  const runtime = readObject(granted ?? {}, 'runtimePolicy') as Evidence | null
  return {
    deniedActions: readWords(granted ?? {}, 'deniedActions'),
    ...(allowed.length > 0 ? { allowedActions: allowed } : {}),
    ...(typeof runtime?.requiresHumanApproval === 'boolean'
      ? { requiresHumanApproval: runtime.requiresHumanApproval }
      : {}),
    ...(policy ? { approvalPolicy: policy } : {}),
  }
}

const readText = (data: Evidence, name: string): string | undefined => {
  const value = data[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const readTextMember = (data: Evidence, name: string): Record<string, string> => {
  const value = readText(data, name)
  return value === undefined ? {} : { [name]: value }
}

const readWords = (data: Evidence, name: string): string[] => {
  const value = data[name]
  return Array.isArray(value) ? value.map(String) : []
}

const readObject = (data: Evidence, name: string): object | null => {
  const value = data[name]
  return typeof value === 'object' && value !== null ? value : null
}
