/**
 * [social.<name>]: providers where people sign in to prove an account or an organization. The name is the provider's in
 * proofs.
 */
import { Type } from '@sinclair/typebox'
import { isEndpoint, isSafeToSend, keyForm } from '../config/address.ts'
import {
  type Contradiction,
  describeChoice,
  describeFlag,
  describeTable,
  describeTables,
  describeText,
  list,
} from '../config/setting.ts'
import { providers } from '../outside/social/providers.ts'
import { defineVerifierTable } from './verifier-table.ts'

/** The providers whose addresses are built in, and `oidc` for any other that speaks OpenID Connect. */
const providerWords = Object.keys(providers) as (keyof typeof providers)[]

const builtIn = 'that of the provider'
const fieldPath = {
  expected: 'a member, or members with dots between them',
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
}

const describeAddress = (what: string, consequence: string, example: string, whenEmpty = builtIn) =>
  Type.Optional(
    describeText({
      description: what,
      consequence,
      whenEmpty,
      example,
      expected: 'an http(s) address',
      accepts: isEndpoint,
    }),
  )

const provider = describeTable({
  provider: describeChoice(providerWords, {
    description: 'Which provider it is. oidc: any that speaks OpenID Connect, named by issuer.',
    consequence: 'Decides every address and field that is not set below.',
    example: 'github',
  }),
  client_id: describeText({
    description: 'Client id that the provider gave this server.',
    consequence: 'The provider shows people the name that is registered for it.',
    example: 'Iv1.8a61f9b3a7aba766',
    ...keyForm,
  }),
  client_secret: Type.Optional(
    describeText({
      description: 'Client secret that the provider gave this server.',
      consequence: 'The provider believes whoever has it to be this server.',
      whenEmpty: 'the server is a public client, which PKCE alone protects',
      secret: true,
      example: '<secret>',
      ...keyForm,
    }),
  ),
  label: Type.Optional(
    describeText({
      description: 'What people call the provider.',
      consequence: 'It is only shown.',
      whenEmpty: 'the name of the provider; for oidc the name of the table',
      example: 'Acme',
      maxLength: 40,
    }),
  ),
  issuer: describeAddress(
    'Issuer of OpenID Connect, below which /.well-known/openid-configuration lies.',
    'Whoever runs it decides who people are.',
    'https://id.example.com',
  ),
  issuer_template: Type.Optional(
    describeText({
      description: 'Issuer of ID tokens where each tenant has its own, with {tenantid} in the place of the tenant.',
      consequence: 'ID tokens of other issuers are refused.',
      whenEmpty: 'that of the provider, unless issuer is set',
      example: 'https://login.microsoftonline.com/{tenantid}/v2.0',
      expected: 'an http(s) address with {tenantid}',
      pattern: '^https?://[^\\s]+\\{tenantid\\}[^\\s]*$',
    }),
  ),
  authorization_endpoint: describeAddress(
    'Where people are sent to sign in.',
    'They enter their password there.',
    'https://github.example.com/login/oauth/authorize',
  ),
  token_endpoint: describeAddress(
    'Where the code is exchanged.',
    'The client secret is sent there.',
    'https://github.example.com/login/oauth/access_token',
  ),
  userinfo_endpoint: describeAddress(
    'Where the account is read.',
    'What it answers is who the person is.',
    'https://github.example.com/api/v3/user',
  ),
  jwks_uri: describeAddress(
    'Where the keys of the provider are.',
    'Whoever signs with them decides who people are.',
    'https://id.example.com/jwks',
    'as the provider says itself',
  ),
  revocation_endpoint: describeAddress(
    'Where the token of the provider is given back after the look-up.',
    'Some providers ask the person for consent again every time.',
    'https://id.example.com/revoke',
    'the token is forgotten and left to expire',
  ),
  organization_endpoint: describeAddress(
    'microsoft only: where the verified domains of the organization are read. Needs a scope of Microsoft Graph.',
    'Organizations without the claim xms_edov can be shown as well.',
    'https://graph.microsoft.com/v1.0/organization',
    'only the claim xms_edov vouches for a domain',
  ),
  scopes: Type.Optional(
    list(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$', expected: 'a scope without spaces' }), {
      description: 'What the person is asked to allow.',
      consequence: 'More asks people for more than is needed. Less may hide the fields below.',
      whenEmpty: 'those that the provider needs',
      example: ['openid', 'profile'],
      maxItems: 20,
    }),
  ),
  client_auth: Type.Optional(
    describeChoice(['basic', 'post'], {
      description: 'How the client secret is sent: in the Authorization header, or in the body.',
      consequence: 'Most providers take one of the two only.',
      whenEmpty: 'as the provider wants it; basic for oidc',
      example: 'post',
    }),
  ),
  pkce: Type.Optional(
    describeFlag({
      description: 'Whether PKCE (S256) is used.',
      consequence: 'false lets a code that was stolen on the way be used by somebody else.',
      whenEmpty: 'true, except for providers that refuse it',
      example: true,
    }),
  ),
  id_field: Type.Optional(
    describeText({
      description: 'Member of the account that never changes and names nobody else.',
      consequence: 'With a member that changes hands, so do proofs.',
      whenEmpty: builtIn,
      example: 'data.id',
      maxLength: 128,
      ...fieldPath,
    }),
  ),
  handle_field: Type.Optional(
    describeText({
      description: 'Member of the account that holds its public name, which only one account may have at a time.',
      consequence: 'Gates ask for it. A display name, which everybody may choose, would let people pass for others.',
      whenEmpty: `${builtIn}; for oidc preferred_username`,
      example: 'login',
      maxLength: 128,
      ...fieldPath,
    }),
  ),
  profile_url: Type.Optional(
    describeText({
      description: 'Public page of an account, with {handle} or {id} in its place.',
      consequence: 'It is shown with proofs.',
      whenEmpty: `${builtIn}; for oidc none`,
      example: 'https://github.example.com/{handle}',
      expected: 'an https address with {handle} or {id}',
      pattern: '^https://[^\\s<>"{}]+\\{(handle|id)\\}[^\\s<>"{}]*$',
    }),
  ),
  traits: Type.Optional(
    list(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}=[A-Za-z0-9_.-]{1,128}$',
        expected: 'a name, = and a member of the account',
      }),
      {
        description: 'Numbers of the account that go into proofs.',
        consequence: 'Gates can ask for them with traitPath and traitGte.',
        whenEmpty: builtIn,
        example: ['followers=followers', 'posts=public_metrics.tweet_count'],
        maxItems: 20,
      },
    ),
  ),
  org_claim: Type.Optional(
    describeText({
      description: 'oidc only: claim that holds the domain, or the domains, of the organization of the person.',
      consequence: 'The provider must vouch for it: a claim that people fill in themselves lets everybody in.',
      whenEmpty: 'the provider shows no organization',
      example: 'org_domain',
      maxLength: 128,
      ...fieldPath,
    }),
  ),
})

/** A name that people know, on something else, would make proofs say what is not so. */
const findContradictions = (tables: Readonly<Record<string, unknown>>): Contradiction[] =>
  Object.entries(tables as Readonly<Record<string, Provider>>).flatMap(([name, table]) => {
    const { provider } = table
    const isOtherName = provider !== name && provider !== 'oidc' && isBuiltIn(name)
    const unsafe = Object.keys(table).filter((key) => {
      const value = table[key]
      return typeof value === 'string' && value.startsWith('http:') && !isSafeToSend(value)
    })
    return [
      ...(isOtherName
        ? [
            {
              path: [name, 'provider'],
              problem: `a table of the name ${name} would show ${provider} accounts as accounts of ${name}: give the table another name`,
            },
          ]
        : []),
      ...(provider === 'oidc' && table.issuer === undefined
        ? [{ path: [name, 'provider'], problem: 'oidc needs to know whose: set issuer as well' }]
        : []),
      ...(provider !== 'oidc' && table.org_claim !== undefined
        ? [
            {
              path: [name, 'org_claim'],
              problem: `it is for provider = "oidc": what shows an organization of ${provider} is built in`,
            },
          ]
        : []),
      ...unsafe.map((key) => ({
        path: [name, key],
        problem:
          'plain http would show secrets and tokens to everybody on the way: write https (http is for 127.0.0.1, [::1] and localhost)',
      })),
    ]
  })

interface Provider {
  readonly provider: string
  readonly issuer?: string
  readonly org_claim?: string
  readonly [key: string]: unknown
}

const isBuiltIn = (name: string): boolean => (providerWords as readonly string[]).includes(name)

export const socialTable = defineVerifierTable({
  name: 'social',
  follows: 'operator',
  schema: describeTables('^[a-z][a-z0-9-]{0,31}$', provider, {
    description: 'Other providers that people can sign in to, each under a name, which is its name in proofs.',
    consequence: 'ownership-social and ownership-org-oauth are absent without one.',
    expected: 'a name of a-z 0-9 and -, beginning with a letter',
    example: { github: { provider: 'github', client_id: 'Iv1.8a61f9b3a7aba766' } },
    findContradictions,
  }),
})
