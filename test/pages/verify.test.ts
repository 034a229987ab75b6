/** The parameters in an address of /verify: each is checked before any of it is shown. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { pageHeaders } from '../../src/http/headers.ts'
import { verifierIds, verifiers } from '../../src/verifiers/index.ts'
import { startApp, type TestApp } from '../app.ts'
import { alice } from '../wallets.ts'

let app: TestApp
let narrow: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  narrow = await startApp({
    PROOFGATE_PAGES_RETURN_ORIGINS: 'https://app.example.com',
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
})

const at = (parameters: Record<string, string>, on = app) => on.get(`/verify?${new URLSearchParams(parameters)}`)

/** Returns the model that the page hands to its script. */
async function modelAt(parameters: Record<string, string>, on = app) {
  const { status, body } = await at(parameters, on)
  expect(status).toBe(200)
  const [, written = ''] = / data-ask="([^"]*)"/.exec(body) ?? []
  const text = written
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return JSON.parse(text)
}

const frontOf = (body: string): string => body.replace(/<[^>]*>/g, ' ')

const agent = { verifiers: 'agent-identity,agent-delegation', agentId: 'a1' }
const wallet = alice.address

describe('a link that is wrong names the mistake, and goes nowhere', () => {
  const wrong: readonly (readonly [string, Record<string, string>])[] = [
    ['verifiers', { verifiers: 'ownership-basic,nothing' }],
    ['verifiers', { verifiers: 'ownership-basic,ownership-basic' }],
    ['verifiers', { verifiers: Array.from({ length: 17 }, () => 'ownership-basic').join(',') }],
    ['verifiers', { verifiers: 'ownership-basic', gateId: 'gate_a' }],
    ['preset', { preset: 'party-pack' }],
    ['preset', { preset: 'constructor' }],
    ['preset', { preset: 'basic', verifiers: 'ownership-basic' }],
    ['preset', { preset: 'basic', gateId: 'gate_a' }],
    ['gateId', { gateId: 'gate a' }],
    ['gateId', { gateId: 'g'.repeat(81) }],
    ['returnUrl', { returnUrl: '/docs' }],
    ['returnUrl', { returnUrl: '//evil.example' }],
    ['returnUrl', { returnUrl: 'http://evil.example' }],
    ['returnUrl', { returnUrl: 'https:evil.example' }],
    ['returnUrl', { returnUrl: 'https:/evil.example' }],
    ['returnUrl', { returnUrl: 'javascript:alert(1)' }],
    ['returnUrl', { returnUrl: 'data:text/html,evil' }],
    ['returnUrl', { returnUrl: 'https://user:evil@evil.example/' }],
    ['returnUrl', { returnUrl: 'https://evil.example/#x' }],
    ['returnUrl', { returnUrl: 'https://evil.example\\@a.example' }],
    ['returnUrl', { returnUrl: ' https://evil.example' }],
    ['returnUrl', { returnUrl: 'https://evil.example/\n' }],
    ['returnUrl', { returnUrl: `https://evil.example/${'x'.repeat(2048)}` }],
    ['returnUrl', { returnUrl: 'http://127.0.0.1.evil.example/' }],
    ['mode', { mode: 'frame' }],
    ['origin', { mode: 'popup' }],
    ['origin', { mode: 'popup', origin: '*' }],
    ['origin', { mode: 'popup', origin: 'null' }],
    ['origin', { mode: 'popup', origin: 'https://evil.example/' }],
    ['origin', { mode: 'popup', origin: 'https://EVIL.example' }],
    ['origin', { mode: 'popup', origin: 'http://evil.example' }],
    ['oauthProvider', { oauthProvider: 'myspace' }],
    ['appId', { appId: 'an app' }],
    ['billingWallet', { billingWallet: '0x<script>' }],
    ['presetLabel', { presetLabel: 'x'.repeat(201) }],
    ['message', { message: 'x'.repeat(201) }],
    ['message', { message: 'abc\u202edef' }],
    ['expectedOrgDomain', { expectedOrgDomain: 'not a domain' }],
    ['agentId', { agentId: 'a1' }],
    ['agentId', { ...agent, agentId: 'x'.repeat(129) }],
    ['agentId', { agentId: 'a1', gateId: 'gate_a' }],
    ['agentWallet', { ...agent, agentWallet: '0x12' }],
    ['controllerWallet', { ...agent, controllerWallet: 'evil wallet' }],
    ['agentLabel', { ...agent, agentLabel: 'x'.repeat(129) }],
    ['agentType', { ...agent, agentType: 'human' }],
    ['scope', { ...agent, scope: 'x'.repeat(129) }],
    ['expiresAt', { ...agent, expiresAt: 'tomorrow' }],
    ['expiresAt', { ...agent, expiresAt: '9999999999999999' }],
    ['expiresAt', { ...agent, expiresAt: '1893456000' }],
    ['maxSpend', { ...agent, maxSpend: '1.5' }],
    ['maxSpend', { ...agent, maxSpend: '9'.repeat(79) }],
    ['prefillDelegationDefaults', { ...agent, prefillDelegationDefaults: '{"permissions":"all"}' }],
    ['prefillDelegationDefaults', { ...agent, prefillDelegationDefaults: '{"permissions":[],"more":1}' }],
    ['prefillAllowedActions', { ...agent, prefillAllowedActions: '[' }],
    ['prefillAllowedActions', { ...agent, prefillAllowedActions: JSON.stringify(Array(33).fill('a')) }],
    ['prefillDeniedActions', { ...agent, prefillDeniedActions: '[1]' }],
    ['prefillRuntimePolicy', { ...agent, prefillRuntimePolicy: '{"allowEverything":true}' }],
    ['prefillApprovalPolicy', { ...agent, prefillApprovalPolicy: '[]' }],
    ['prefillApprovalPolicy', { ...agent, prefillApprovalPolicy: `{"a":"${'x'.repeat(16_384)}"}` }],
    ['paymentCheckoutSessionId', { gateId: 'gate_a', paymentCheckoutSessionId: '../x' }],
  ]
  test.each(wrong)('%s: %j', async (parameter, parameters) => {
    const { status, body, headers } = await at(parameters)
    expect(status).toBe(400)
    expect(headers.get('location')).toBeNull()
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(frontOf(body)).toContain(`This link does not work`)
    expect(frontOf(body)).toContain(` ${parameter} `)
    expect(body).not.toContain('data-ask')
    expect(body).not.toContain('evil')
  })

  test('given twice is refused, whichever is valid', async () => {
    const { status, body } = await app.get('/verify?returnUrl=https://a.example&returnUrl=https://b.example')
    expect(status).toBe(400)
    expect(body).toContain('returnUrl is there more than once')
  })

  test('with a list of the operator, leads and speaks only to its origins', async () => {
    expect((await at({ preset: 'basic', returnUrl: 'https://app.example.com/done' }, narrow)).status).toBe(200)
    expect((await at({ preset: 'basic', mode: 'popup', origin: 'https://app.example.com' }, narrow)).status).toBe(200)
    const elsewhere = await at({ preset: 'basic', returnUrl: 'https://evil.example/done' }, narrow)
    expect(elsewhere.status).toBe(400)
    expect(elsewhere.body).toContain('pages.return_origins')
    expect((await at({ preset: 'basic', mode: 'popup', origin: 'https://evil.example' }, narrow)).status).toBe(400)
    expect((await at({ preset: 'basic', returnUrl: 'http://127.0.0.1:5000/' }, narrow)).status).toBe(400)
  })
})

describe('a link that is valid', () => {
  test.each([
    ['agent-pack', ['agent-identity', 'agent-delegation', 'wallet-risk']],
    ['workspace-pack', ['ownership-social', 'ownership-basic', 'agent-identity', 'wallet-link']],
    ['project-pack', ['contract-ownership', 'ownership-dns-txt']],
    ['creator-pack', ['ownership-basic', 'ai-content-moderation']],
    ['basic', ['ownership-basic']],
    ['social', ['ownership-social']],
    ['org', ['ownership-org-oauth']],
    ['domain', ['ownership-dns-txt']],
    ['human', ['proof-of-human']],
    ['nft', ['nft-ownership']],
    ['holder', ['token-holding']],
    ['pseudonym', ['ownership-pseudonym']],
    ['username', ['ownership-pseudonym']],
    ['wallet-link', ['wallet-link']],
    ['agent-identity', ['agent-identity']],
  ])('preset %s', async (preset, ids) => {
    expect((await modelAt({ preset })).request.verifierIds).toEqual(ids)
  })

  test('every parameter reaches the page as it was checked', async () => {
    const { request } = await modelAt({
      verifiers: 'agent-identity@2, agent-delegation',
      returnUrl: 'https://APP.example.com/done?x=1',
      mode: 'popup',
      origin: 'http://127.0.0.1:5000',
      oauthProvider: 'twitter',
      appId: 'app-1',
      billingWallet: wallet,
      connect: '1',
      presetLabel: 'Join us',
      message: 'Line one\nline two',
      expectedOrgDomain: 'Example.COM',
      agentId: 'a1',
      agentWallet: wallet,
      controllerWallet: wallet,
      agentLabel: 'Label',
      agentType: 'bot',
      scope: 'payments:x402',
      expiresAt: '1893456000000',
      maxSpend: '1000000',
      prefillDelegationDefaults: '{"permissions":["read"]}',
      prefillAllowedActions: '["read_data"]',
      prefillDeniedActions: '[]',
      prefillRuntimePolicy: '{"requiresHumanApproval":true}',
      prefillApprovalPolicy: '{"preApprovedContentOnly":true}',
      utm_source: 'a site',
    })
    expect(request).toEqual({
      verifierIds: ['agent-identity', 'agent-delegation'],
      returnUrl: 'https://app.example.com/done?x=1',
      popup: 'http://127.0.0.1:5000',
      oauthProvider: 'x',
      appId: 'app-1',
      billingWallet: wallet.toLowerCase(),
      connect: true,
      presetLabel: 'Join us',
      message: 'Line one\nline two',
      expectedOrgDomain: 'example.com',
      agent: {
        agentId: 'a1',
        agentWallet: wallet,
        controllerWallet: wallet,
        agentLabel: 'Label',
        agentType: 'bot',
        scope: 'payments:x402',
        expiresAt: 1893456000000,
        maxSpend: '1000000',
        permissions: ['read'],
        allowedActions: ['read_data'],
        deniedActions: [],
        runtimePolicy: { requiresHumanApproval: true },
        approvalPolicy: { preApprovedContentOnly: true },
      },
    })
  })

  test('with foreign text shows it as text: in the page, in its title, and in the data of the script', async () => {
    const markup = `"><script>alert(1)</script>'&amp;`
    const { body } = await at({ preset: 'basic', presetLabel: markup, message: markup })
    expect(body).not.toContain('<script>alert')
    expect(body).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/)
    expect((await modelAt({ preset: 'basic', presetLabel: markup })).request.presetLabel).toBe(markup)
  })

  test('describes the claim in our own words, whatever the link says', async () => {
    const { body } = await at({ verifiers: 'agent-delegation', presetLabel: 'Claim your gift' })
    expect(body).toContain('<h1 id="title">Permission for an agent</h1>')
    expect(body).toContain('<title>Permission for an agent · Proofgate</title>')
    expect(frontOf(body)).toMatch(/The link that brought you here says:\s+Claim your gift/)
  })

  test('names where the person will be sent, before any question', async () => {
    const { body } = await at({ preset: 'basic', returnUrl: 'https://app.example.com/x' })
    expect(frontOf(body)).toContain('At the end you can go on to  app.example.com')
  })

  test('has the headers of every page; a popup keeps its opener, and nothing else does', async () => {
    for (const parameters of [{ preset: 'basic' }, { gateId: 'gate_a' }, {}]) {
      const { headers } = await at(parameters as Record<string, string>, app)
      for (const [name, value] of Object.entries(pageHeaders)) expect(headers.get(name)).toBe(value)
      expect(headers.get('cache-control')).toBe('no-store')
    }
    const { headers } = await at({ preset: 'basic', mode: 'popup', origin: 'https://app.example.com' })
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(headers.get('content-security-policy')).toBe(pageHeaders['content-security-policy']!)
  })

  test('with nothing to prove offers the available verifiers', async () => {
    const { status, body } = await app.get('/verify')
    expect(status).toBe(200)
    expect(body).toContain('href="?verifiers=ownership-basic"')
    expect(body).not.toContain('verifiers=nft-ownership')
  })

  test('with nothing to prove has the browser fetch the script of the next page, and runs none', async () => {
    const listFiles = (body: string) =>
      [...body.matchAll(/(?:href|src)="(assets\/[^"]+\.js)"/g)].map(([, path]) => path)
    const choice = await app.get('/verify')
    const next = await app.get('/verify?verifiers=ownership-basic')
    expect(listFiles(next.body).length).toBeGreaterThan(1)
    expect(listFiles(choice.body)).toEqual(listFiles(next.body))
    expect(choice.body).not.toContain('<script')
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['for ever', {}, false],
    ['1 day', { PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '1' }, true],
    ['30 days', { PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '30' }, true],
  ])('says of a name that lasts %s how long it is kept', async (days, env, isSaid) => {
    const other = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', ...env })
    const sentence = `It is yours for ${days}. After that, others can take it.`
    for (const path of ['/verify', '/verify?verifiers=ownership-pseudonym']) {
      const { body } = await other.get(path)
      expect(String(body).includes(sentence)).toBe(isSaid)
      expect(String(body).includes('It is yours for')).toBe(isSaid)
    }
  })

  test('passes the signed-in person to its script, and no other', async () => {
    expect((await modelAt({ preset: 'basic' })).session).toBeUndefined()
    const { cookie, csrf } = await app.signIn(alice)
    const { body } = await app.get('/verify?preset=basic', { cookie })
    expect(body).toContain(csrf)
    expect(body).toContain(alice.address.toLowerCase())
  })
})

describe('a page that is refused is a page for browsers, and JSON for programs', () => {
  const html = { accept: 'text/html,application/xhtml+xml' }

  test.each(['/nothing', '/proof', '/verify/nothing', `/proof/0x${'0'.repeat(64)}/more`])('%s', async (path) => {
    const page = await app.get(path, html)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toBe('text/html;charset=utf-8')
    expect(page.headers.get('content-security-policy')).toBe(pageHeaders['content-security-policy']!)
    expect(page.body).toContain('Page not found')
    expect((await app.get(path)).body.error.code).toBe('NOT_FOUND')
  })

  test('/api answers JSON, whatever a browser says that it accepts', async () => {
    expect((await app.get('/api/v1/nothing', html)).body.error.code).toBe('NOT_FOUND')
  })

  test('above the rate limit says how long to wait', async () => {
    const slow = await startApp({ PROOFGATE_LIMITS_RATES_READS: '2/1m' })
    await slow.get('/verify', html)
    await slow.get('/verify', html)
    const { status, body, headers } = await slow.get('/verify', html)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toContain('Too many requests')
    expect(headers.get('content-type')).toContain('text/html')
  })
})

describe('a server that offers no verification', () => {
  test('says so in place of an empty list, and names the setting', async () => {
    const off = await startApp({ PROOFGATE_VERIFIERS_DISABLED: verifierIds.join(',') })
    const { status, body } = await off.get('/verify')
    expect(status).toBe(200)
    expect(body).not.toContain('class="choices"')
    expect(body).not.toContain('What do you want to prove?')
    expect(frontOf(body)).toMatch(/This server offers no verification now\s/)
    expect(frontOf(body)).toContain('the setting verifiers.disabled switches off Claim content,')
  })

  test('reports a disabled verifier of a link before any wallet is asked', async () => {
    const off = await startApp({ PROOFGATE_VERIFIERS_DISABLED: 'wallet-link' })
    const front = frontOf((await at({ verifiers: 'wallet-link' }, off)).body)
    expect(front).toContain('This server does not offer')
    expect(front).toContain('The operator has not turned it on.')
    expect(frontOf((await at({ verifiers: 'ownership-basic' }, off)).body)).not.toContain('does not offer')
  })
})

describe('the page of one kind', () => {
  test.each([...verifiers])(
    '$id says what its proof will say, in each language, and leads back to the list',
    async ({ id, words, translations }) => {
      expect(Object.keys(translations ?? {}).length).toBeGreaterThan(0)
      for (const [language, { says, lacks }] of [['en', words] as const, ...Object.entries(translations ?? {})]) {
        expect(says).toMatch(/^[A-Z].*\.$/)
        expect(lacks === undefined).toBe(words.lacks === undefined)
        const { body } = await app.get(`/verify?verifiers=${id}`, { 'accept-language': language })
        expect(frontOf(body)).toContain(says!)
        expect(body).toContain('<a href="verify">')
      }
    },
  )

  test.each(['gateId=a-gate', 'verifiers=ownership-basic&returnUrl=https://shop.example'])(
    'has no way to the list when a site or a gate asked: %s',
    async (query) => {
      expect((await app.get(`/verify?${query}`)).body).not.toContain('<a href="verify">')
    },
  )

  test('of a verifier that lacks its configuration is explained in German without English or settings', async () => {
    for (const { id, isOptIn, words, translations } of verifiers.filter(({ absentWithout }) => absentWithout)) {
      const { body } = await app.get(`/verify?verifiers=${id}`, { 'accept-language': 'de' })
      if (!frontOf(body).includes('bietet')) continue
      expect(frontOf(body)).toContain(isOptIn ? 'nicht eingeschaltet' : translations!.de!.lacks!.what)
      expect(body).not.toContain(words.lacks!.what)
      expect(body).not.toMatch(/is not offered here|needs |not configured/)
    }
  })
})
