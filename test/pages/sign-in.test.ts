/** The sign-in page as the server makes it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { pageHeaders } from '../../src/http/headers.ts'
import { startApp, type TestApp } from '../app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

const pageAt = (returnTo: string, path = '/verify') =>
  app.get(`${path}?intent=login&returnTo=${encodeURIComponent(returnTo)}`)

describe('A14 A15 the page', () => {
  test.each(['/verify?intent=login', '/verify?intent=mcp', '/login', '/verify', '/verify?intent=other', '/login/'])(
    '%s is in no frame, sends no referrer, and is not cached',
    async (path) => {
      const { body, headers } = await app.get(path)
      for (const [name, value] of Object.entries(pageHeaders)) expect(headers.get(name)).toBe(value)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
      expect(body).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/)
      for (const [, link] of body.matchAll(/(?:href|src)="([^"]+)"/g)) expect(link).not.toMatch(/^\/|:/)
    },
  )

  test('A23 cannot be read by pages of other origins', async () => {
    const { headers } = await app.get('/login', { origin: 'https://evil.example' })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('A16 returnTo', () => {
  const frontOf = (body: string): string => body.replace(/<[^>]*>/g, ' ')

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'HTTPS:evil.example',
    'http:/oauth/authorize',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '',
    '?x',
    '/oauth/authorize@evil.example',
    '/oauth/authorize/../../evil',
    '/oauth/authorizer',
    '/oauth/authorize/',
    '/oauth/token',
    '/oauth/authorize#x',
    '/oauth/authorize?x=\\evil',
    '/oauth/authorize?x=a b',
    '/oauth/authorize?x=\u0000',
    '/oauth/authorize?x=ü',
    '/oauth/authorize\t?x',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /docs',
    '/docs\r\nlocation: https://evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/docs/..//evil.example',
    '/.//evil.example',
    '/api/v1/auth/logout',
    `/oauth/authorize?${'x'.repeat(16_384)}`,
  ])('%j is refused, by a page that says so and goes nowhere', async (returnTo) => {
    for (const path of ['/verify', '/login']) {
      const { status, body, headers } = await pageAt(returnTo, path)
      expect(status).toBe(400)
      expect(headers.get('location')).toBeNull()
      expect(frontOf(body)).toContain('This link does not work')
      expect(body).not.toContain('data-next')
      expect(body).not.toContain('evil')
    }
  })

  test.each([
    ['/', './'],
    ['/docs', 'docs'],
    ['/login', 'login'],
    ['/verify?intent=login', 'verify?intent=login'],
    ['/oauth/authorize', 'oauth/authorize'],
    [
      '/oauth/authorize?state=%2F%2Fevil&redirect_uri=https%3A%2F%2Fa.example',
      'oauth/authorize?state=%2F%2Fevil&amp;redirect_uri=https%3A%2F%2Fa.example',
    ],
    [`/oauth/authorize?x="><script>'`, 'oauth/authorize?x=&quot;&gt;&lt;script&gt;&#39;'],
  ])('%s leads there, relative to the page', async (returnTo, next) => {
    const { status, body } = await pageAt(returnTo)
    expect(status).toBe(200)
    expect(body).toContain(` data-next="${next}"`)
  })

  test('given twice is refused, whichever is valid', async () => {
    const { status } = await app.get('/verify?intent=login&returnTo=/docs&returnTo=//evil.example')
    expect(status).toBe(400)
    expect((await app.get('/verify?intent=login&intent=mcp')).status).toBe(400)
  })
})

describe('intent', () => {
  test.each([
    ['/login', 'Sign in'],
    ['/verify?intent=login', 'Sign in'],
    ['/verify?intent=mcp', 'An app asks for access'],
    ['/login?returnTo=%2Foauth%2Fauthorize%3Fx', 'An app asks for access'],
  ])('%s', async (path, heading) => {
    const { status, body } = await app.get(path)
    expect(status).toBe(200)
    expect(body).toContain(`<h1>${heading}</h1>`)
  })

  test('the set-up of an agent does not belong to signing in', async () => {
    const { status, body } = await app.get('/verify?intent=login&agentId=a1')
    expect(status).toBe(400)
    expect(body).toContain('sets up an agent')
  })

  test('an unknown one is refused', async () => {
    expect((await app.get('/verify?intent=%3Cscript%3E')).status).toBe(400)
    expect((await app.get('/verify?intent=%3Cscript%3E')).body).not.toContain('<script>')
  })

  test('a site to return to is named before any question, and checked as everywhere', async () => {
    const good = await app.get('/verify?intent=login&returnUrl=https%3A%2F%2Fa.example%2Fdone')
    expect(good.body).toContain('<strong>a.example</strong>. The site learns nothing about you')
    for (const place of [
      'http://a.example/',
      'javascript:alert(1)',
      'https://u:p@a.example/',
      'https://a.example/#x',
    ]) {
      const { status, body } = await app.get(`/verify?intent=login&returnUrl=${encodeURIComponent(place)}`)
      expect([place, status]).toEqual([place, 400])
      expect(body).toContain('returnUrl must be')
      // The switch of the language, below, leads back to the whole address.
      expect(body.split('<footer')[0]).not.toContain('a.example')
    }
  })

  test('a popup names the origin that gets the result, and no other place to go', async () => {
    const popup = '/verify?intent=login&mode=popup'
    expect((await app.get(popup)).body).toContain('origin is missing')
    expect((await app.get(`${popup}&origin=https://a.example/page`)).status).toBe(400)
    expect((await app.get(`${popup}&origin=https://a.example&returnTo=/docs`)).body).toContain('two places')
    expect((await app.get(`${popup}&origin=https://a.example&origin=https://b.example`)).status).toBe(400)
    expect((await app.get(`${popup}&origin=https://a.example`)).body).toContain('<strong>a.example</strong> asks which')
  })

  test('an application is asked about on the page of consent only: other places of such a link are ignored', async () => {
    const { status, body } = await app.get('/verify?intent=mcp&mode=popup&origin=https://a.example')
    expect(status).toBe(200)
    expect(body.split('<footer')[0]).not.toContain('a.example')
  })
})

test.each([
  ['http://127.0.0.1:8787', true],
  ['http://localhost:8787', true],
  ['https://proofs.example', false],
])('%s tells whether a phone can open it: %p', async (address, isOnlyHere) => {
  const app = await startApp({ PROOFGATE_BASE_URL: address })
  for (const path of ['/login', '/verify?preset=basic']) {
    const { body } = await app.get(path, { accept: 'text/html' })
    expect(body.includes(`A phone cannot open ${new URL(address).host}, which is this computer only.`)).toBe(isOnlyHere)
    const german = await app.get(path, { accept: 'text/html', 'accept-language': 'de' })
    expect(german.body.includes('Stellen Sie base_url auf eine Adresse')).toBe(isOnlyHere)
  }
})

test('the pages work below a path prefix, and name the public host', async () => {
  const { body } = await app.get('/login/')
  expect(body).toContain('href="../assets/pages-')
  expect(body).toContain('data-api="../api/v1/auth/"')
  expect(body).toContain('>localhost:8787<')
})
