/**
 * What an address of /verify asks for (section 6.7 of the interface), checked in full before anything of it is shown or
 * followed. Members that are not known are left alone: sites add their own.
 */
import { Type } from '@sinclair/typebox'
import { appIdForm, appIdRule } from '../http/client-app.ts'
import { mayHearCode, mayReturnWithCode } from '../http/handover-sites.ts'
import { challengeFault } from '../http/pkce.ts'
import { originFault, returnUrlFault } from '../http/return-url.ts'
import { checkOf, oneOf } from '../shape.ts'
import { agentDelegation } from '../verifiers/agent-delegation.ts'
import { agentIdentity } from '../verifiers/agent-identity.ts'
import { readAccountId, readAddress, readChain } from '../wallet/account.ts'

/** Bundles by the names that links give them: the packs, and single verifiers under their older names. */
export const presets: Readonly<Record<string, readonly string[]>> = {
  'agent-pack': ['agent-identity', 'agent-delegation', 'wallet-risk'],
  'workspace-pack': ['ownership-social', 'ownership-basic', 'agent-identity', 'wallet-link'],
  'project-pack': ['contract-ownership', 'ownership-dns-txt'],
  'creator-pack': ['ownership-basic', 'ai-content-moderation'],
  basic: ['ownership-basic'],
  social: ['ownership-social'],
  org: ['ownership-org-oauth'],
  domain: ['ownership-dns-txt'],
  human: ['proof-of-human'],
  nft: ['nft-ownership'],
  holder: ['token-holding'],
  pseudonym: ['ownership-pseudonym'],
  username: ['ownership-pseudonym'],
  'wallet-link': ['wallet-link'],
}

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

/** Members of agent-identity and agent-delegation that a link fills in; the person sees them before signing. */
export interface AgentPlan {
  readonly agentId?: string
  readonly agentWallet?: string
  /** CAIP-2 chain that the link names it with. */
  readonly agentChain?: string
  readonly controllerWallet?: string
  readonly controllerChain?: string
  readonly agentLabel?: string
  readonly agentType?: string
  readonly scope?: string
  readonly expiresAt?: number
  readonly maxSpend?: string
  readonly permissions?: readonly string[]
  readonly allowedActions?: readonly string[]
  readonly deniedActions?: readonly string[]
  readonly runtimePolicy?: object
  readonly approvalPolicy?: object
}

export interface VerifyRequest {
  /** In the order in which they are done. Empty for a gate, and where the person is to choose. */
  readonly verifierIds: readonly string[]
  readonly gateId?: string
  readonly returnUrl?: string
  /** The origin of the page that opened this one in a popup. */
  readonly popup?: string
  /** Goes back unchanged. */
  readonly state?: string
  /** Where the site is registered: it is told who the person is, if the person agrees. */
  readonly handover?: Handover
  readonly oauthProvider?: string
  readonly appId?: string
  readonly billingWallet?: string
  readonly connect: boolean
  readonly presetLabel?: string
  readonly message?: string
  readonly expectedOrgDomain?: string
  readonly agent?: AgentPlan
  /** Where the page of payment fills in its own id. */
  readonly paymentCheckoutSessionId?: string
  /** Where the sign-in at another provider came back to this page instead of to its opener. */
  readonly oauthState?: string
  readonly oauthError?: string
}

/** As POST /api/v1/auth/code takes it. */
export interface Handover {
  readonly returnUrl?: string
  readonly origin?: string
  readonly code_challenge?: string
  readonly code_challenge_method?: string
}

/** `parameter` is to blame; `why` ends the sentence that begins with its name. */
export interface Fault {
  readonly parameter: string
  readonly why: string
}

class Faulty extends Error {
  constructor(readonly fault: Fault) {
    super()
  }
}

const identity = agentIdentity.data.properties
const delegation = agentDelegation.data.properties
const wallet = identity.agentWallet
/** What each agent parameter must be; the same bounds as those of the proofs that it goes into. */
const agentShapes = {
  agentId: checkOf(identity.agentId),
  agentWallet: checkOf(wallet),
  controllerWallet: checkOf(wallet),
  agentLabel: checkOf(Type.String({ maxLength: 128 })),
  agentType: checkOf(oneOf(['ai', 'bot', 'service', 'automation', 'agent'])),
  scope: checkOf(Type.String({ maxLength: 128 })),
  maxSpend: checkOf(Type.String({ pattern: '^[0-9]{1,78}$' })),
  permissions: checkOf(delegation.permissions),
  allowedActions: checkOf(delegation.allowedActions),
  deniedActions: checkOf(delegation.deniedActions),
  runtimePolicy: checkOf(delegation.runtimePolicy),
  approvalPolicy: checkOf(delegation.approvalPolicy),
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

const known = [
  'verifiers',
  'preset',
  'gateId',
  'returnUrl',
  'mode',
  'origin',
  'state',
  'code_challenge',
  'code_challenge_method',
  'oauthProvider',
  'appId',
  'billingWallet',
  'connect',
  'presetLabel',
  'message',
  'expectedOrgDomain',
  'agentId',
  'agentWallet',
  'controllerWallet',
  'agentLabel',
  'agentType',
  'scope',
  'expiresAt',
  'maxSpend',
  'prefillDelegationDefaults',
  'prefillAllowedActions',
  'prefillDeniedActions',
  'prefillRuntimePolicy',
  'prefillApprovalPolicy',
  'paymentCheckoutSessionId',
  'oauthState',
  'oauthError',
] as const
type Name = (typeof known)[number]

/** Of the interface, whether this server offers them or not: the page says which it does not. */
export interface VerifyTools {
  readonly verifierIds: ReadonlySet<string>
  readonly places: Places
}

/** Where people may be sent on to, by the settings. */
export interface Places {
  /** None means every https origin. */
  readonly returnOrigins: readonly string[]
  readonly handoverSites: readonly string[]
}

export function verifyRequest(
  parameters: URLSearchParams,
  tools: VerifyTools,
): { readonly request: VerifyRequest } | { readonly fault: Fault } {
  try {
    return { request: parsed(parameters, tools) }
  } catch (error) {
    if (error instanceof Faulty) return { fault: error.fault }
    throw error
  }
}

function parsed(parameters: URLSearchParams, tools: VerifyTools): VerifyRequest {
  const refuse = (parameter: string, why: string): Faulty => new Faulty({ parameter, why })
  const repeated = known.find((name) => parameters.getAll(name).length > 1)
  if (repeated !== undefined) throw refuse(repeated, 'is there more than once')
  /** An empty one is the same as none. */
  const get = (name: Name): string | undefined => parameters.get(name) || undefined
  const matching = (name: Name, pattern: RegExp, why: string): string | undefined => {
    const value = get(name)
    if (value !== undefined && !pattern.test(value)) throw refuse(name, why)
    return value
  }
  /** Shown to people as text: visible characters, spaces and line breaks. */
  const words = (name: Name, most: number): string | undefined => {
    const value = get(name)
    if (value !== undefined && [...value].length > most) throw refuse(name, `is longer than ${most} characters`)
    if (value !== undefined && hasHidden(value)) throw refuse(name, 'holds characters that cannot be seen')
    return value
  }

  const gateId = matching('gateId', /^[a-zA-Z0-9:_-]{1,80}$/, 'must be 1 to 80 characters of a-z A-Z 0-9 : _ -')
  const { returnUrl, popup, state, handover } = destinationOf(get, tools.places, refuse)
  const agent = agentPlan(get, words, refuse)
  const verifierIds = verifiersOf(get, tools, refuse)

  if (gateId !== undefined && get('preset') !== undefined)
    throw refuse('preset', 'cannot stand beside gateId: the gate says what is asked for')
  if (gateId !== undefined && verifierIds.length > 0)
    throw refuse('verifiers', 'cannot stand beside gateId: the gate says what is asked for')
  if (agent && gateId !== undefined)
    throw refuse(agentNameIn(parameters), 'sets up an agent, which a checkout (gateId) does not do')
  if (agent && !verifierIds.some((id) => id === 'agent-identity' || id === 'agent-delegation'))
    throw refuse(
      agentNameIn(parameters),
      'sets up an agent, but verifiers names neither agent-identity nor agent-delegation',
    )
  const oauthProvider = matching(
    'oauthProvider',
    new RegExp(`^(${oauthProviders.join('|')})$`),
    `must be one of ${oauthProviders.join(', ')}`,
  )

  return present({
    verifierIds,
    gateId,
    returnUrl,
    popup,
    state,
    handover,
    oauthProvider: oauthProvider === 'twitter' ? 'x' : oauthProvider,
    appId: matching('appId', appIdForm, appIdRule),
    billingWallet: matching('billingWallet', /^[a-zA-Z0-9._-]{2,64}$/, 'must be a wallet address')?.toLowerCase(),
    connect: get('connect') === '1',
    presetLabel: words('presetLabel', 200),
    message: words('message', 200),
    expectedOrgDomain: matching(
      'expectedOrgDomain',
      /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i,
      'must be a domain such as example.com',
    )?.toLowerCase(),
    agent,
    paymentCheckoutSessionId: matching(
      'paymentCheckoutSessionId',
      /^[a-zA-Z0-9_]{1,255}$/,
      'must be the id of a checkout session',
    ),
    oauthState: matching('oauthState', /^[\x21-\x7e]{1,512}$/, 'is not one that this server gave out'),
    oauthError: words('oauthError', 200),
  })
}

type Get = (name: Name) => string | undefined
type Refuse = (parameter: string, why: string) => Faulty

const mostVerifiers = 16

function verifiersOf(get: Get, { verifierIds: all }: VerifyTools, refuse: Refuse): readonly string[] {
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

/** Where the person goes on to, and which origin is told, each as it was checked. */
export interface Destination {
  readonly returnUrl: string | undefined
  readonly popup: string | undefined
  readonly state: string | undefined
  readonly handover: Handover | undefined
}

/** Of a link that asks for no more than signing in. */
export function loginDestination(parameters: URLSearchParams, places: Places): Destination | { readonly fault: Fault } {
  try {
    return destinationOf(
      (name) => parameters.get(name) || undefined,
      places,
      (parameter, why) => new Faulty({ parameter, why }),
    )
  } catch (error) {
    if (error instanceof Faulty) return { fault: error.fault }
    throw error
  }
}

const longestState = 1024

function destinationOf(get: Get, { returnOrigins, handoverSites }: Places, refuse: Refuse): Destination {
  const asked = get('returnUrl')
  const isNamedSite =
    asked !== undefined && URL.canParse(asked) && mayReturnWithCode(new URL(asked).href, handoverSites)
  // A site that the operator registered is one that people may be sent to.
  const fault = asked === undefined ? undefined : returnUrlFault(asked, isNamedSite ? [] : returnOrigins)
  if (fault !== undefined) throw refuse('returnUrl', fault)
  const returnUrl = asked === undefined ? undefined : new URL(asked).href
  const origin = get('origin')
  const isNamedOrigin = origin !== undefined && mayHearCode(origin, handoverSites)
  const popup = popupOf(get, isNamedOrigin ? [] : returnOrigins, refuse)
  const state = get('state')
  if (state !== undefined && !new RegExp(`^[\\x20-\\x7e]{1,${longestState}}$`).test(state))
    throw refuse('state', `must be at most ${longestState} visible characters of ASCII`)
  const [challenge, method] = [get('code_challenge'), get('code_challenge_method')]
  const wrongChallenge = challengeFault(challenge, method)
  if (wrongChallenge) throw refuse(wrongChallenge.parameter, wrongChallenge.why)
  const site =
    popup !== undefined ? isNamedOrigin && { origin: popup } : isNamedSite && returnUrl !== undefined && { returnUrl }
  return {
    returnUrl,
    popup,
    state,
    handover: site ? present({ ...site, code_challenge: challenge, code_challenge_method: method }) : undefined,
  }
}

function popupOf(get: Get, returnOrigins: readonly string[], refuse: Refuse): string | undefined {
  const [mode, origin] = [get('mode'), get('origin')]
  if (mode !== undefined && mode !== 'popup') throw refuse('mode', 'must be popup, or left out')
  // A widget whose popup was blocked sends the same address without the mode.
  if (mode === undefined) return undefined
  if (origin === undefined) throw refuse('origin', 'is missing: mode=popup needs the origin of the page that opened it')
  const fault = originFault(origin, returnOrigins)
  if (fault !== undefined) throw refuse('origin', fault)
  return origin
}

const agentNames = known.slice(known.indexOf('agentId'), known.indexOf('paymentCheckoutSessionId'))
const agentNameIn = (parameters: URLSearchParams): string =>
  agentNames.find((name) => parameters.get(name)) ?? 'agentId'

function agentPlan(
  get: Get,
  words: (name: Name, most: number) => string | undefined,
  refuse: Refuse,
): AgentPlan | undefined {
  if (!agentNames.some((name) => get(name) !== undefined)) return undefined
  const checked = <T>(member: keyof typeof agentShapes, name: Name, value: T): T => {
    if (value !== undefined && !agentShapes[member].Check(value)) throw refuse(name, shouldBe[member])
    return value
  }
  const text = (name: Name & keyof typeof agentShapes): string | undefined => checked(name, name, words(name, 160))
  const account = (name: 'agentWallet' | 'controllerWallet') => {
    const value = words(name, 160)
    const chain = value === undefined ? undefined : readChain(value)
    if (value === undefined || chain === undefined) return { wallet: checked(name, name, value), chain }
    if (readAccountId(value) === undefined) throw refuse(name, shouldBe[name])
    return { wallet: checked(name, name, readAddress(value)), chain }
  }
  const json = (name: Name, member: keyof typeof agentShapes, pick = (value: unknown): unknown => value): unknown => {
    const written = get(name)
    if (written === undefined) return undefined
    try {
      if (written.length > jsonMaxLength) throw new Error('too long')
      return checked(member, name, pick(JSON.parse(written)) ?? null)
    } catch (error) {
      throw error instanceof Faulty ? error : refuse(name, shouldBe[member])
    }
  }
  const expiresAt = get('expiresAt')
  if (expiresAt !== undefined && !(/^[0-9]{1,16}$/.test(expiresAt) && Number(expiresAt) <= 8_640_000_000_000_000))
    throw refuse('expiresAt', 'must be Unix milliseconds')
  const [agent, controller] = [account('agentWallet'), account('controllerWallet')]
  return present({
    agentId: text('agentId'),
    agentWallet: agent.wallet,
    agentChain: agent.chain,
    controllerWallet: controller.wallet,
    controllerChain: controller.chain,
    agentLabel: text('agentLabel'),
    agentType: text('agentType'),
    scope: text('scope'),
    expiresAt: expiresAt === undefined ? undefined : Number(expiresAt),
    maxSpend: text('maxSpend'),
    permissions: json('prefillDelegationDefaults', 'permissions', permissionsIn),
    allowedActions: json('prefillAllowedActions', 'allowedActions'),
    deniedActions: json('prefillDeniedActions', 'deniedActions'),
    runtimePolicy: json('prefillRuntimePolicy', 'runtimePolicy'),
    approvalPolicy: json('prefillApprovalPolicy', 'approvalPolicy'),
  }) as AgentPlan
}

const permissionsIn = (value: unknown): unknown => {
  const { permissions, ...more } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return Object.keys(more).length === 0 ? permissions : null
}

/** Control characters other than line breaks, and those that turn the direction of what follows. */
const hasHidden = (text: string): boolean => /[^\P{C}\n\r\t]|[\u2028\u2029]/u.test(text.replace(/\u200d/g, ''))

type Present<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>
}
