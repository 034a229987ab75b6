/** The effective settings of one provider: the built-in ones, overridden by the operator's. */
import type { Config } from '../../config/schema.ts'
import { type ProviderFacts, type ProviderWord, providers, type SignInKind } from './providers.ts'

type Settings = Config['social'][string]

export interface ProviderPlan extends ProviderFacts {
  readonly id: string
  /** Path of its table. */
  readonly setting: string
  readonly word: ProviderWord
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly jwksUri?: string | undefined
  readonly revocationEndpoint?: string | undefined
  readonly organizationEndpoint?: string | undefined
  readonly orgClaim?: string | undefined
  /** Every address from a setting or from this build. */
  readonly trusted: readonly string[]
}

export function makePlan(id: string, settings: Settings): ProviderPlan {
  const word = settings.provider
  const facts: ProviderFacts = providers[word]
  // The built-in addresses do not fit an issuer that the operator has set.
  const base: ProviderFacts =
    settings.issuer === undefined ? facts : { ...omitFact(facts, 'issuerTemplate'), issuer: settings.issuer }
  const set = keepDefined({
    label: settings.label ?? (facts.label || id),
    issuerTemplate: settings.issuerTemplate,
    authorizationEndpoint: settings.authorizationEndpoint,
    tokenEndpoint: settings.tokenEndpoint,
    userinfoEndpoint: settings.userinfoEndpoint,
    scopes: settings.scopes,
    clientAuth: settings.clientAuth,
    pkce: settings.pkce,
    idField: settings.idField,
    handleField: settings.handleField,
    profileUrl: settings.profileUrl,
    traits: settings.traits && readTraits(settings.traits),
  })
  const { jwksUri, revocationEndpoint, organizationEndpoint, orgClaim } = settings
  const plan = { ...base, ...set, jwksUri, revocationEndpoint, organizationEndpoint, orgClaim }
  const { issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = plan
  const addresses = [issuer, authorizationEndpoint, tokenEndpoint, userinfoEndpoint, jwksUri, revocationEndpoint]
  return {
    ...plan,
    id,
    setting: `social.${id}`,
    word,
    kinds: listKinds(facts.kinds, orgClaim),
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    trusted: [...addresses, organizationEndpoint].filter((address) => address !== undefined),
  }
}

const listKinds = (kinds: readonly SignInKind[], orgClaim: string | undefined): readonly SignInKind[] =>
  orgClaim === undefined || kinds.includes('org') ? kinds : [...kinds, 'org']

const readTraits = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => line.split('=') as [string, string]))

function omitFact(facts: ProviderFacts, name: 'issuerTemplate'): ProviderFacts {
  const { [name]: _, ...rest } = facts
  return rest
}

type Kept<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

const keepDefined = <T extends object>(members: T): Kept<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Kept<T>
