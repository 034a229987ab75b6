/**
 * Reads the parameters of /verify (src/guides/wire.md, "Hosted pages"). All are validated before one of them is shown
 * or followed. Unknown parameters are ignored, because sites add their own.
 */

import { appIdForm, appIdRule } from '../http/client-app.ts'
import type { AgentPlan } from '../verifiers/form.ts'
import { presets } from '../verifiers/presets.ts'
import { agentDelegationId, agentIdentityId, agentVerifierIds } from '../verifiers/roles.ts'
import { readAgentName, readAgentPlan } from './agent-plan.ts'
import { type Handover, type Places, readDestination } from './destination.ts'
import {
  type Fault,
  Faulty,
  type Get,
  hasHidden,
  keepPresent,
  known,
  type Name,
  type Refuse,
} from './link-parameters.ts'

export const oauthProviders = [
  'x',
  'twitter',
  'github',
  'discord',
  'facebook',
  'linkedin',
  'telegram',
  'google',
  'microsoft',
] as const

export interface VerifyRequest {
  /** In the order of the steps. Empty for a gate, and when the person is to choose. */
  readonly verifierIds: readonly string[]
  readonly gateId?: string
  readonly returnUrl?: string
  /** The origin of the page that opened this one in a popup. */
  readonly popup?: string
  /** Returned unchanged. */
  readonly state?: string
  /** Present for a registered site, which is told who the person is, if the person agrees. */
  readonly handover?: Handover
  readonly oauthProvider?: string
  readonly appId?: string
  readonly billingWallet?: string
  readonly connect: boolean
  readonly presetLabel?: string
  readonly message?: string
  readonly expectedOrgDomain?: string
  readonly agent?: AgentPlan
  /** The checkout page fills in its session id. */
  readonly paymentCheckoutSessionId?: string
  /** Present when another provider returned to this page instead of to its opener. */
  readonly oauthState?: string
  readonly oauthError?: string
}

/** All ids of the interface, supported or not: the page says which ones this server lacks. */
export interface VerifyTools {
  readonly verifierIds: ReadonlySet<string>
  readonly places: Places
}

export function verifyRequest(
  parameters: URLSearchParams,
  tools: VerifyTools,
): { readonly request: VerifyRequest } | { readonly fault: Fault } {
  try {
    return { request: parseRequest(parameters, tools) }
  } catch (error) {
    if (error instanceof Faulty) return { fault: error.fault }
    throw error
  }
}

function parseRequest(parameters: URLSearchParams, tools: VerifyTools): VerifyRequest {
  const refuse = (parameter: string, why: string): Faulty => new Faulty({ parameter, why })
  const repeated = known.find((name) => parameters.getAll(name).length > 1)
  if (repeated !== undefined) throw refuse(repeated, 'is there more than once')
  /** An empty value counts as absent. */
  const get = (name: Name): string | undefined => parameters.get(name) || undefined
  const readMatching = (name: Name, pattern: RegExp, why: string): string | undefined => {
    const value = get(name)
    if (value !== undefined && !pattern.test(value)) throw refuse(name, why)
    return value
  }
  /** Shown to people as text: visible characters, spaces and line breaks. */
  const readWords = (name: Name, most: number): string | undefined => {
    const value = get(name)
    if (value !== undefined && [...value].length > most) throw refuse(name, `is longer than ${most} characters`)
    if (value !== undefined && hasHidden(value)) throw refuse(name, 'holds characters that cannot be seen')
    return value
  }

  const gateId = readMatching('gateId', /^[a-zA-Z0-9:_-]{1,80}$/, 'must be 1 to 80 characters of a-z A-Z 0-9 : _ -')
  const { returnUrl, popup, state, handover } = readDestination(get, tools.places, refuse)
  const agent = readAgentPlan(get, readWords, refuse)
  const verifierIds = readVerifiers(get, tools, refuse)

  if (gateId !== undefined && get('preset') !== undefined)
    throw refuse('preset', 'cannot stand beside gateId: the gate says what is asked for')
  if (gateId !== undefined && verifierIds.length > 0)
    throw refuse('verifiers', 'cannot stand beside gateId: the gate says what is asked for')
  if (agent && gateId !== undefined)
    throw refuse(readAgentName(parameters), 'sets up an agent, which a checkout (gateId) does not do')
  if (agent && !verifierIds.some((id) => agentVerifierIds.includes(id)))
    throw refuse(
      readAgentName(parameters),
      `sets up an agent, but verifiers names neither ${agentIdentityId} nor ${agentDelegationId}`,
    )
  const oauthProvider = readMatching(
    'oauthProvider',
    new RegExp(`^(${oauthProviders.join('|')})$`),
    `must be one of ${oauthProviders.join(', ')}`,
  )

  return keepPresent({
    verifierIds,
    gateId,
    returnUrl,
    popup,
    state,
    handover,
    oauthProvider: oauthProvider === 'twitter' ? 'x' : oauthProvider,
    appId: readMatching('appId', appIdForm, appIdRule),
    billingWallet: readMatching('billingWallet', /^[a-zA-Z0-9._-]{2,64}$/, 'must be a wallet address')?.toLowerCase(),
    connect: get('connect') === '1',
    presetLabel: readWords('presetLabel', 200),
    message: readWords('message', 200),
    expectedOrgDomain: readMatching(
      'expectedOrgDomain',
      /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i,
      'must be a domain such as example.com',
    )?.toLowerCase(),
    agent,
    paymentCheckoutSessionId: readMatching(
      'paymentCheckoutSessionId',
      /^[a-zA-Z0-9_]{1,255}$/,
      'must be the id of a checkout session',
    ),
    oauthState: readMatching('oauthState', /^[\x21-\x7e]{1,512}$/, 'is not one that this server gave out'),
    oauthError: readWords('oauthError', 200),
  })
}

const mostVerifiers = 16

function readVerifiers(get: Get, { verifierIds: all }: VerifyTools, refuse: Refuse): readonly string[] {
  const preset = get('preset')
  const asked = get('verifiers')
  if (preset !== undefined && asked !== undefined)
    throw refuse('preset', 'and verifiers say the same thing in two ways: give one of them')
  if (preset !== undefined) {
    const bundle = Object.hasOwn(presets, preset) ? presets[preset] : all.has(preset) ? [preset] : undefined
    if (!bundle) throw refuse('preset', `must be one of ${Object.keys(presets).join(', ')}, or the id of a verifier`)
    return bundle
  }
  const ids = (asked ?? '')
    .split(',')
    .map((id) => id.trim().replace(/@[0-9]{1,6}$/, ''))
    .filter(Boolean)
  if (ids.length > mostVerifiers) throw refuse('verifiers', `names more than ${mostVerifiers}`)
  if (ids.some((id) => !all.has(id)))
    throw refuse('verifiers', `must be ids from this list, with commas between them: ${[...all].join(', ')}`)
  if (new Set(ids).size !== ids.length) throw refuse('verifiers', 'names one of them twice')
  return ids
}
