/** The parameters with which a link describes an agent and its permissions. */
import { Type } from '@sinclair/typebox'
import { compileCheck, defineChoice } from '../shape.ts'
import { agentDelegation } from '../verifiers/agent-delegation/rule.ts'
import { agentIdentity } from '../verifiers/agent-identity/rule.ts'
import type { AgentPlan } from '../verifiers/form.ts'
import { explainNoAccount, looksLikeAddress, readAccountId, readAddress, readChain } from '../wallet/account.ts'
import { findSecondsFault } from '../wallet/unix-milliseconds.ts'
import { Faulty, type Get, keepPresent, known, type Name, type Refuse } from './link-parameters.ts'

const identity = agentIdentity.data.properties
const delegation = agentDelegation.data.properties
const wallet = identity.agentWallet
/** The shape of each agent parameter, with the same bounds as the proofs that it goes into. */
const agentShapes = {
  agentId: compileCheck(identity.agentId),
  agentWallet: compileCheck(wallet),
  controllerWallet: compileCheck(wallet),
  agentLabel: compileCheck(Type.String({ maxLength: 128 })),
  agentType: compileCheck(defineChoice(['ai', 'bot', 'service', 'automation', 'agent'])),
  scope: compileCheck(Type.String({ maxLength: 128 })),
  maxSpend: compileCheck(Type.String({ pattern: '^[0-9]{1,78}$' })),
  permissions: compileCheck(delegation.permissions),
  allowedActions: compileCheck(delegation.allowedActions),
  deniedActions: compileCheck(delegation.deniedActions),
  runtimePolicy: compileCheck(delegation.runtimePolicy),
  approvalPolicy: compileCheck(delegation.approvalPolicy),
} as const

const mustBeWallet = 'must be a wallet address, or a did:pkh or CAIP-10 account such as eip155:8453:0x…'

const shouldBe: Readonly<Record<keyof typeof agentShapes, string>> = {
  agentId: 'must be 1 to 128 characters',
  agentWallet: mustBeWallet,
  controllerWallet: mustBeWallet,
  agentLabel: 'must be at most 128 characters',
  agentType: 'must be ai, bot, service, automation or agent',
  scope: 'must be at most 128 characters',
  maxSpend: 'must be a whole number of base units: 1 to 78 digits',
  permissions: 'must be JSON such as {"permissions":["read"]}, at most 32 of at most 64 characters',
  allowedActions: 'must be a JSON list of at most 32 words of at most 128 characters',
  deniedActions: 'must be a JSON list of at most 32 words of at most 128 characters',
  runtimePolicy: 'must be a JSON object with the members of runtimePolicy and no others',
  approvalPolicy: 'must be a JSON object with the members of approvalPolicy and no others',
}

/** JSON is bounded before it is parsed. */
const jsonMaxLength = 16_384

const agentNames = known.slice(known.indexOf('agentId'), known.indexOf('paymentCheckoutSessionId'))
export const readAgentName = (parameters: URLSearchParams): string =>
  agentNames.find((name) => parameters.get(name)) ?? 'agentId'

export function readAgentPlan(
  get: Get,
  words: (name: Name, most: number) => string | undefined,
  refuse: Refuse,
): AgentPlan | undefined {
  if (!agentNames.some((name) => get(name) !== undefined)) return undefined
  const checkMember = <T>(member: keyof typeof agentShapes, name: Name, value: T): T => {
    if (value !== undefined && !agentShapes[member].Check(value)) throw refuse(name, shouldBe[member])
    return value
  }
  const readText = (name: Name & keyof typeof agentShapes): string | undefined =>
    checkMember(name, name, words(name, 160))
  const readAccount = (name: 'agentWallet' | 'controllerWallet') => {
    const value = words(name, 160)
    if (value === undefined) return {}
    const chain = readChain(value)
    if (chain === undefined) {
      const wallet = checkMember(name, name, value)
      if (!looksLikeAddress(wallet)) throw refuse(name, `is ${explainNoAccount(wallet)}`)
      return { wallet }
    }
    if (readAccountId(value) === undefined) throw refuse(name, shouldBe[name])
    return { wallet: checkMember(name, name, readAddress(value)), chain }
  }
  const readJson = (
    name: Name,
    member: keyof typeof agentShapes,
    pick = (value: unknown): unknown => value,
  ): unknown => {
    const written = get(name)
    if (written === undefined) return undefined
    try {
      if (written.length > jsonMaxLength) throw new Error('too long')
      return checkMember(member, name, pick(JSON.parse(written)) ?? null)
    } catch (error) {
      throw error instanceof Faulty ? error : refuse(name, shouldBe[member])
    }
  }
  const expiresAt = get('expiresAt')
  if (expiresAt !== undefined && !(/^[0-9]{1,16}$/.test(expiresAt) && Number(expiresAt) <= 8_640_000_000_000_000))
    throw refuse('expiresAt', 'must be Unix milliseconds')
  const inSeconds = findSecondsFault(Number(expiresAt))
  if (inSeconds !== undefined) throw refuse('expiresAt', inSeconds)
  const [agent, controller] = [readAccount('agentWallet'), readAccount('controllerWallet')]
  return keepPresent({
    agentId: readText('agentId'),
    agentWallet: agent.wallet,
    agentChain: agent.chain,
    controllerWallet: controller.wallet,
    controllerChain: controller.chain,
    agentLabel: readText('agentLabel'),
    agentType: readText('agentType'),
    scope: readText('scope'),
    expiresAt: expiresAt === undefined ? undefined : Number(expiresAt),
    maxSpend: readText('maxSpend'),
    permissions: readJson('prefillDelegationDefaults', 'permissions', readPermissions),
    allowedActions: readJson('prefillAllowedActions', 'allowedActions'),
    deniedActions: readJson('prefillDeniedActions', 'deniedActions'),
    runtimePolicy: readJson('prefillRuntimePolicy', 'runtimePolicy'),
    approvalPolicy: readJson('prefillApprovalPolicy', 'approvalPolicy'),
  }) as AgentPlan
}

const readPermissions = (value: unknown): unknown => {
  const { permissions, ...more } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return Object.keys(more).length === 0 ? permissions : null
}
