import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pageHeaders } from '../../src/http/headers.ts'
import type { RunningServer } from '../../src/start.ts'
import { startApp, type TestApp } from '../app.ts'
import { startTestServer } from '../parts/test-server.ts'

const linksIn = (html: string): string[] => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!)

describe.each(['/', '/docs'])('GET %s', (path) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })

  test('is a page under the strict policy, with nothing inline', async () => {
    const { status, body, headers } = await app.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
    for (const [name, value] of Object.entries(pageHeaders)) expect(headers.get(name)).toBe(value)
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(body).toMatch(/<title>Proofgate[^<]*<\/title>/)
    expect(body).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/)
  })

  test('has working links only, of the type they should have', async () => {
    const links = linksIn((await app.get(path)).body)
    expect(links.length).toBeGreaterThan(4)
    const types: Record<string, string> = {
      js: 'text/javascript;charset=utf-8',
      css: 'text/css;charset=utf-8',
      svg: 'image/svg+xml',
      json: 'application/json;charset=utf-8',
    }
    for (const link of links) {
      // No scheme, no host, no leading slash: the page may be below the path prefix of a proxy.
      expect(link).not.toMatch(/^\/|:/)
      const { status, headers } = await app.get(new URL(link, `http://localhost${path}`).pathname)
      expect({ link, status }).toEqual({ link, status: 200 })
      const wanted = types[/\.(\w+)$/.exec(link)?.[1] ?? '']
      if (wanted) expect(headers.get('content-type')).toBe(wanted)
    }
  })

  test('a browser that has it gets 304, under the same policy', async () => {
    const etag = (await app.get(path)).headers.get('etag')!
    const again = await app.get(path, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.headers.get('content-security-policy')).toBe(pageHeaders['content-security-policy']!)
  })

  test('does not show the version of the program', async () => {
    const { version } = (await app.get('/api/v1/health')).body.data
    expect((await app.get(path)).body).not.toContain(version)
  })
})

describe('the files of the pages', () => {
  test('are kept by the browser for good, because their names change with their content', async () => {
    const app = await startApp()
    const assets = linksIn((await app.get('/docs')).body).filter((link) => link.startsWith('assets/'))
    expect(assets.length).toBeGreaterThan(4)
    for (const asset of new Set(assets)) {
      expect(asset).toMatch(/-[0-9a-f]{16}\.(js|css|svg)$/)
      const { headers } = await app.get(`/${asset}`)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('etag')).toContain(/-([0-9a-f]{16})\./.exec(asset)![1]!)
    }
  })

  test.each(['/assets/nothing.js', '/assets/..%2fmain.ts', '/assets/%2e%2e%2fpackage.json'])(
    '%s is refused with the envelope, and is not kept',
    async (path) => {
      const { status, body, headers } = await (await startApp()).get(path)
      expect(status).toBe(404)
      expect(body.error.code).toBe('NOT_FOUND')
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
})

describe('over a socket', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startTestServer({})
  })
  afterAll(() => server.stop())
  const fetched = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers, redirect: 'manual', decompress: false })

  test.each(['/docs', '/openapi.json'])('%s travels compressed where the caller takes that', async (path) => {
    const plain = await fetched(path, { 'accept-encoding': 'identity' })
    const packed = await fetched(path, { 'accept-encoding': 'br, gzip;q=0.8' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toContain('Accept-Encoding')
    const text = await plain.text()
    const bytes = await packed.bytes()
    expect(bytes.length).toBeLessThan(text.length)
    expect(Buffer.from(Bun.gunzipSync(bytes)).toString()).toBe(text)
  })

  test('a caller that refuses gzip gets the plain form', async () => {
    const answer = await fetched('/docs', { 'accept-encoding': 'gzip;q=0, identity' })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test('/docs/ leads to the one address of the page', async () => {
    const answer = await fetched('/docs/')
    expect(answer.status).toBe(308)
    expect(new URL(answer.headers.get('location')!, 'https://proxy.example/below/docs/').pathname).toBe('/below/docs')
  })
})

test('the start page offers two actions, and keeps what is for developers in one line', async () => {
  const app = await startApp()
  const { body } = await app.get('/', { accept: 'text/html', 'accept-language': 'de' })
  expect([...body.matchAll(/<a class="button[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    'Nachweis erstellen',
    'Anmelden',
  ])
  const [, line = ''] = /<p class="quiet for-developers">(.*?)<\/p>/s.exec(body) ?? []
  expect(line.replace(/<[^>]*>/g, '')).toMatch(/^Für Entwickler: /)
  expect(linksIn(line)).toEqual(['docs', 'docs/guides', 'widget'])
  expect(body).not.toMatch(/openapi\.json|api\/v1\/health/)
})

describe('with docs.enabled = false', () => {
  test('the reference page and the links to it are gone, and the description for programs stays', async () => {
    const app = await startApp({ PROOFGATE_DOCS_ENABLED: 'false' })
    const reference = await app.get('/docs')
    expect(reference.status).toBe(404)
    expect(reference.body).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
    const links = linksIn((await app.get('/')).body)
    expect(links).not.toContain('docs')
    expect(links).toContain('openapi.json')
    expect((await app.get('/openapi.json')).status).toBe(200)
  })
})
