/**
 * The runtime bundle: everything a runtime needs to work as an agent of a person, from stored proofs (contract of the
 * interface, section 8.10). It holds names of secrets, and never their content.
 */
import type { Identity } from '../auth/identity.ts'
import type { Parts } from '../parts.ts'
import { readSigner } from '../proofs/owner.ts'
import { secretsOfProfile } from '../secrets/secret.ts'
import type { Evidence } from '../verifiers/verifier.ts'
import { nameAccount } from '../wallet/account.ts'
import { type Attested, capabilitiesOf, contextPackOf, type Delegated, identitiesAt, skillsOf } from './agents.ts'
import { proofPageUrl } from './hosted.ts'

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

export function runtimeBundle(
  { attested, delegation, granted: delegations }: Mounting,
  parts: Parts,
  identity: Identity,
  tools: readonly string[],
) {
  const { data, proof } = attested
  const agentWallet = String(data.agentWallet)
  const identities = identitiesAt(parts, identity, nameAccount(readSigner(proof), parts.config.signing.hubChainId))
  const granted = delegation?.data
  return {
    schema: mountSchema(parts.config.brand),
    mountedAt: new Date(parts.now()).toISOString(),
    trust: {
      identityQHash: proof.qHash,
      delegationQHash: delegation?.proof.qHash ?? null,
      identityProofUrl: proofPageUrl(parts, proof.qHash),
      delegationProofUrl: delegation ? proofPageUrl(parts, delegation.proof.qHash) : null,
    },
    identity: {
      agentId: String(data.agentId),
      agentWallet,
      agentLabel: textIn(data, 'agentLabel') ?? String(data.agentId),
      agentType: textIn(data, 'agentType') ?? 'agent',
      ...textMember(data, 'description'),
      ...textMember(data, 'instructions'),
      capabilities: capabilitiesOf(data),
      skills: skillsOf(data),
      ...(Array.isArray(data.services) ? { services: data.services } : {}),
      ...(data.defaultRuntime === undefined ? {} : { defaultRuntime: data.defaultRuntime as object }),
    },
    delegation: delegation ? delegationPart(delegation) : null,
    effectiveRuntime: effectiveRuntime(granted, data),
    tools: [...tools],
    secretBindings: identity.scopes.has('secrets')
      ? secretsOfProfile(parts.db, identity.profile.id).map(({ alias, qHash, type }) => ({ alias, qHash, type }))
      : [],
    enforce: enforced(granted),
    contextPack: contextPackOf(identities, delegations),
  }
}

function delegationPart({ data, isExpired }: Delegated) {
  return {
    controllerWallet: String(data.controllerWallet),
    scope: String(data.scope),
    allowedActions: wordsIn(data, 'allowedActions'),
    deniedActions: wordsIn(data, 'deniedActions'),
    runtimePolicy: objectIn(data, 'runtimePolicy'),
    approvalPolicy: objectIn(data, 'approvalPolicy'),
    expiresAt: typeof data.expiresAt === 'number' ? data.expiresAt : null,
    isExpired,
    maxSpend: textIn(data, 'maxSpend') ?? null,
    instructions: textIn(data, 'instructions') ?? null,
    skills: skillsOf(data),
    provider: textIn(data, 'provider') ?? null,
    model: textIn(data, 'model') ?? null,
  }
}

/** What the delegation says comes before what the agent says of itself. */
function effectiveRuntime(granted: Evidence | undefined, about: Evidence) {
  const own = (about.defaultRuntime ?? {}) as Evidence
  const provider = textIn(granted ?? {}, 'provider') ?? textIn(own, 'provider')
  const model = textIn(granted ?? {}, 'model') ?? textIn(own, 'model')
  if (provider === undefined && model === undefined) return null
  return { provider: provider ?? fallbackProvider, model: model ?? null }
}

function enforced(granted: Evidence | undefined) {
  const allowed = wordsIn(granted ?? {}, 'allowedActions')
  const policy = objectIn(granted ?? {}, 'approvalPolicy')
  const runtime = objectIn(granted ?? {}, 'runtimePolicy') as Evidence | null
  return {
    deniedActions: wordsIn(granted ?? {}, 'deniedActions'),
    ...(allowed.length > 0 ? { allowedActions: allowed } : {}),
    ...(typeof runtime?.requiresHumanApproval === 'boolean'
      ? { requiresHumanApproval: runtime.requiresHumanApproval }
      : {}),
    ...(policy ? { approvalPolicy: policy } : {}),
  }
}

const textIn = (data: Evidence, name: string): string | undefined => {
  const value = data[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const textMember = (data: Evidence, name: string): Record<string, string> => {
  const value = textIn(data, name)
  return value === undefined ? {} : { [name]: value }
}

const wordsIn = (data: Evidence, name: string): string[] => {
  const value = data[name]
  return Array.isArray(value) ? value.map(String) : []
}

const objectIn = (data: Evidence, name: string): object | null => {
  const value = data[name]
  return typeof value === 'object' && value !== null ? value : null
}
