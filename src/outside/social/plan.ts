/** The effective settings of one provider: the built-in ones, overridden by the operator's. */
import { type ProviderFacts, type ProviderWord, providers, type SignInKind } from './providers.ts'

/** The choices of the operator. Undefined members are built in. */
export interface ProviderSettings {
  readonly provider: ProviderWord
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly label?: string | undefined
  readonly issuer?: string | undefined
  readonly issuerTemplate?: string | undefined
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  readonly userinfoEndpoint?: string | undefined
  readonly jwksUri?: string | undefined
  readonly revocationEndpoint?: string | undefined
  readonly organizationEndpoint?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly clientAuth?: 'basic' | 'post' | undefined
  readonly pkce?: boolean | undefined
  readonly idField?: string | undefined
  readonly handleField?: string | undefined
  readonly profileUrl?: string | undefined
  /** A name, `=` and a member of the account. */
  readonly traits?: readonly string[] | undefined
  readonly orgClaim?: string | undefined
}

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

export function makePlan(id: string, settings: ProviderSettings): ProviderPlan {
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
