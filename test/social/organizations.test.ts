/** ownership-org-oauth: whose organization a provider vouches for, and everything that is no proof of it. */

import { afterEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { oidcProvider, type ProviderOptions, stopProviders, visitProvider } from '../parts/oidc-provider.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { claimOf, comeBack, localSettings, signInThere, socialSettings, start, tokenFor } from './person.ts'

const id = 'ownership-org-oauth'
let app: TestApp | undefined
afterEach(() => {
  app?.close()
  app = undefined
  stopProviders()
})

type Claims = Readonly<Record<string, unknown>>

const reasonOf = ({ body }: { readonly body: { error?: { details?: { reason?: string } } } }) =>
  body.error?.details?.reason

async function claimed(here: TestApp, provider: string, more: object = {}) {
  const internalSocialToken = await tokenFor(here, provider)
  return here.submit(alice, claimOf(id, { provider, internalSocialToken, ...more }))
}

async function googleApp(claims: Claims): Promise<TestApp> {
  const provider = await oidcProvider({
    claims: () => ({ email: 'alice@secret-address.example', email_verified: true, ...claims }),
    authentication: 'client_secret_post',
  })
  app = await startApp(socialSettings('google', { provider: 'google', issuer: provider.issuer }))
  return app
}

describe('Google', () => {
  test('vouches for the domain in hd; the proof names the organization and not the person', async () => {
    const here = await googleApp({ hd: 'Example.com' })
    const made = await claimed(here, 'google')
    expect(made.status).toBe(200)
    expect(made.body.data.verifiedVerifiers[0]).toMatchObject({ status: 'organization_verified' })
    expect(made.body.data.verifiedVerifiers[0].data).toEqual({
      provider: 'google',
      orgDomain: 'example.com',
      domain: 'example.com',
      walletAddress: alice.address.toLowerCase(),
      verifiedAt: here.now(),
      traits: {},
    })
    expect(JSON.stringify(made.body)).not.toContain('secret-address')
    for (const { record } of await select<{ record: string }>(here.parts.db, 'SELECT record FROM proofs').all())
      expect(record).not.toContain('secret-address')
  })

  test('names the organization, and gates find it by provider and domain', async () => {
    const here = await googleApp({ hd: 'example.com' })
    const internalSocialToken = await tokenFor(here, 'google')
    await here.submit(alice, {
      ...claimOf(id, { provider: 'google', internalSocialToken }),
      options: { privacyLevel: 'public' },
    })
    const check = async (query: Record<string, string>) =>
      (await here.get(`/api/v1/proofs/check?${new URLSearchParams({ address: alice.address, ...query })}`)).body.data
        .eligible
    expect(await check({ verifierId: id, provider: 'google', domain: 'EXAMPLE.com' })).toBe(true)
    expect(await check({ verifierId: id, provider: 'google', domain: 'example.org' })).toBe(false)
    expect(await check({ verifierId: id, provider: 'microsoft', domain: 'example.com' })).toBe(false)
  })

  test.each<[string, Claims]>([
    ['without hd, whatever the e-mail address', { email: 'boss@example.com' }],
    ['with an empty hd', { hd: '' }],
    ['with a number as hd', { hd: 5 }],
  ])('an account %s is a person’s', async (_, claims) => {
    const answer = await claimed(await googleApp(claims), 'google')
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('VERIFICATION_FAILED')
    expect(reasonOf(answer)).toBe('NOT_AN_ORGANISATION')
  })

  test.each([
    ['in other letters', 'EXAMPLE.com', 'example.com', 200],
    ['with a dot at the end', 'example.com.', 'example.com', 200],
    ['in Unicode', 'Bücher.example', 'xn--bcher-kva.example', 200],
    ['in ASCII, and Unicode said', 'xn--bcher-kva.example', 'bücher.example', 200],
    ['another one', 'example.org', 'example.com', 400],
    ['one above', 'example.com', 'mail.example.com', 400],
    ['one below', 'mail.example.com', 'example.com', 400],
    ['one that ends like it', 'ample.com', 'example.com', 400],
  ])('the domain is expected %s', async (_, expectedOrgDomain, hd, status) => {
    const answer = await claimed(await googleApp({ hd }), 'google', { expectedOrgDomain })
    expect(answer.status).toBe(status)
    if (status === 400) expect(reasonOf(answer)).toBe('ORG_DOMAIN_MISMATCH')
  })

  test.each(['https://example.com', 'example', '127.0.0.1', 'com', 'exam ple.com', 'ｅxample.com'])(
    'an expected domain of %s is reported as a mistake of the request',
    async (expectedOrgDomain) => {
      const answer = await claimed(await googleApp({ hd: 'example.com' }), 'google', { expectedOrgDomain })
      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe('INVALID_VERIFIER_DATA')
    },
  )

  test('shows no account', async () => {
    const here = await googleApp({ hd: 'example.com' })
    expect((await here.get('/api/v1/auth/oauth/providers')).body.data).toEqual([
      { id: 'google', label: 'Google', kinds: ['org'] },
    ])
    expect((await here.get('/api/v1/verification/verifiers')).body.data).not.toContain('ownership-social')
  })
})

const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const oid = '00000000-0000-0000-66f3-3332eca7ea81'

/** Each tenant is an issuer; their common document writes {tenantid} in its place. */
async function microsoftApp(
  claims: Claims,
  { of = tenant, graph, ...options }: ProviderOptions & { of?: string; graph?: unknown } = {},
  more: Record<string, string> = {},
): Promise<TestApp> {
  const provider = await oidcProvider({
    authentication: 'client_secret_post',
    path: `/${of}/v2.0`,
    claims: () => ({ tid: of, oid, preferred_username: 'boss@example.com', ...claims }),
    before: async (context, next) => {
      if (context.path === '/v1.0/organization') {
        context.status = 200
        context.body = graph
        return
      }
      await next()
    },
    ...options,
  })
  const { origin, issuer } = provider
  // The document of /organizations is that of a tenant but for its issuer.
  const common = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      const document = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as object
      return Response.json({ ...document, issuer: `${origin}/{tenantid}/v2.0` })
    },
  })
  commons.push(common)
  app = await startApp(
    socialSettings('microsoft', {
      provider: 'microsoft',
      issuer: `http://127.0.0.1:${common.port}/organizations/v2.0`,
      issuer_template: `${origin}/{tenantid}/v2.0`,
      ...(graph === undefined ? {} : { organization_endpoint: `${origin}/v1.0/organization` }),
      ...more,
    }),
  )
  return app
}
const commons: { stop(force: boolean): unknown }[] = []
afterEach(() => {
  for (const common of commons.splice(0)) common.stop(true)
})

const organization = (domains: object[], of = tenant) => ({ value: [{ id: of, verifiedDomains: domains }] })

describe('Microsoft', () => {
  test('vouches for the domain of an e-mail address with xms_edov', async () => {
    const here = await microsoftApp({ email: 'boss@Example.com', xms_edov: true })
    const made = await claimed(here, 'microsoft')
    expect(made.status).toBe(200)
    const [row] = made.body.data.verifiedVerifiers
    expect(row.data).toMatchObject({ provider: 'microsoft', orgDomain: 'example.com', domain: 'example.com' })
    expect(JSON.stringify(made.body)).not.toContain('boss@')
  })

  test.each<[string, Claims]>([
    ['e-mail address alone', { email: 'boss@example.com' }],
    ['xms_edov that is false', { email: 'boss@example.com', xms_edov: false }],
    ['xms_edov that says "0"', { email: 'boss@example.com', xms_edov: '0' }],
    ['xms_edov without an e-mail address', { xms_edov: true }],
    ['e-mail address without a domain', { email: 'boss', xms_edov: true }],
    ['user name alone', { upn: 'boss@example.com' }],
  ])('does not vouch for a domain by an %s', async (_, claims) => {
    const answer = await claimed(await microsoftApp(claims), 'microsoft')
    expect(answer.status).toBe(400)
    expect(reasonOf(answer)).toBe('DOMAIN_NOT_VOUCHED_FOR')
  })

  test('takes the last @, as the person chooses the text before it', async () => {
    const here = await microsoftApp({ email: '"a@example.org"@example.com', xms_edov: 1 })
    const made = await claimed(here, 'microsoft')
    expect(made.body.data.verifiedVerifiers[0].data.domain).toBe('example.com')
  })

  test.each([consumers, consumers.toUpperCase()])('the tenant %s is that of persons', async (of) => {
    const here = await microsoftApp({ email: 'boss@example.com', xms_edov: true }, { of })
    expect(reasonOf(await claimed(here, 'microsoft'))).toBe('NOT_AN_ORGANISATION')
  })

  test.each([
    ['another tenant', (issuer: string) => issuer.replace(tenant, consumers)],
    ['another provider', () => 'https://evil.example'],
  ])('a person who comes back in the name of %s is not let in', async (_, change) => {
    const here = await microsoftApp({ email: 'boss@example.com', xms_edov: true })
    const begun = await start(here, 'microsoft')
    const to = await visitProvider(begun.authorizationUrl)
    to.searchParams.set('iss', change(to.searchParams.get('iss')!))
    const page = await comeBack(here, to, begun.browser)
    expect(page.status).toBe(400)
    expect(page.body).toContain('data-error="wrong_issuer"')
  })

  test.each<[string, Claims]>([
    ['of another identity provider', { idp: 'https://sts.windows.net/another/' }],
    ['of personal accounts', { idp: 'live.com' }],
  ])('a guest %s is no member', async (_, more) => {
    const here = await microsoftApp({ email: 'boss@example.com', xms_edov: true, ...more })
    expect(reasonOf(await claimed(here, 'microsoft'))).toBe('NOT_A_MEMBER')
  })

  test('an ID token that names another tenant than the one that issued it is not believed', async () => {
    const here = await microsoftApp({
      tid: 'f8cdef31-a31e-4b4a-93e4-5f571e91255a',
      email: 'a@example.com',
      xms_edov: true,
    })
    const { page } = await signInThere(here, 'microsoft')
    expect(page.status).toBe(400)
    expect(page.body).toContain('data-error="wrong_issuer"')
  })

  test.each(['not-a-guid', '../../evil', undefined])(
    'an ID token whose tenant is %p is not believed either',
    async (tid) => {
      const here = await microsoftApp({ tid, email: 'a@example.com', xms_edov: true })
      const { page } = await signInThere(here, 'microsoft')
      expect(page.status).toBe(400)
      expect(page.body).toContain('data-error="wrong_issuer"')
    },
  )

  test('vouches for the verified domains of the tenant, the default one first', async () => {
    const graph = organization([
      { name: 'example.onmicrosoft.com', isInitial: true, isDefault: false },
      { name: 'example.org', isInitial: false, isDefault: false },
      { name: 'example.com', isInitial: false, isDefault: true },
    ])
    const made = await claimed(await microsoftApp({}, { graph }), 'microsoft')
    expect(made.body.data.verifiedVerifiers[0].data.domain).toBe('example.com')
    app?.close()
    const expected = await claimed(await microsoftApp({}, { graph }), 'microsoft', { expectedOrgDomain: 'example.org' })
    expect(expected.body.data.verifiedVerifiers[0].data.domain).toBe('example.org')
    app?.close()
    const initial = await claimed(await microsoftApp({}, { graph }), 'microsoft', {
      expectedOrgDomain: 'example.onmicrosoft.com',
    })
    expect(reasonOf(initial)).toBe('ORG_DOMAIN_MISMATCH')
  })

  test.each<[string, unknown]>([
    ['of another tenant', organization([{ name: 'example.com', isDefault: true }], consumers)],
    ['without domains', organization([])],
    ['of nobody', { value: [] }],
  ])('but not for domains %s', async (_, graph) => {
    expect(reasonOf(await claimed(await microsoftApp({}, { graph }), 'microsoft'))).toBe('DOMAIN_NOT_VOUCHED_FOR')
  })

  test('an unreachable Graph gives no verdict', async () => {
    const here = await microsoftApp({}, { graph: '<html>' })
    expect((await signInThere(here, 'microsoft')).page.status).toBe(503)
  })
})

describe('any OpenID provider whose operator named the claim', () => {
  const local = async (org_domain: unknown): Promise<TestApp> => {
    const provider = await oidcProvider({ claims: (login) => ({ preferred_username: login, org_domain }) })
    app = await startApp(localSettings(provider, { org_claim: 'org_domain' }))
    return app
  }

  test('shows accounts and organizations', async () => {
    const here = await local('example.com')
    expect((await here.get('/api/v1/auth/oauth/providers')).body.data[0].kinds).toEqual(['social', 'org'])
    const org = await claimed(here, 'local')
    expect(org.body.data.verifiedVerifiers[0].data).toMatchObject({ provider: 'local', domain: 'example.com' })
    const internalSocialToken = await tokenFor(here)
    const social = await here.submit(alice, claimOf('ownership-social', { provider: 'local', internalSocialToken }))
    expect(social.status).toBe(200)
  })

  test('may name several domains', async () => {
    const made = await claimed(await local(['example.com', 'example.org']), 'local', {
      expectedOrgDomain: 'example.org',
    })
    expect(made.body.data.verifiedVerifiers[0].data.domain).toBe('example.org')
  })

  test.each([
    ['no domain at all', 'Example Ltd'],
    ['a public suffix', 'co.uk'],
    ['an address', '10.0.0.1'],
    ['markup', '<script>.example'],
  ])('does not vouch for %s', async (_, org_domain) => {
    expect(reasonOf(await claimed(await local(org_domain), 'local'))).toBe('DOMAIN_NOT_VOUCHED_FOR')
  })

  test('gives no organization where the claim is absent', async () => {
    expect(reasonOf(await claimed(await local(undefined), 'local'))).toBe('NOT_AN_ORGANISATION')
  })
})
