/** The picture that a link to a proof shows: drawn for public proofs, off the main thread, within bounds. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateSync } from 'node:zlib'
import { createApp } from '../../src/app.ts'
import { writeCard } from '../../src/pages/preview/card.ts'
import { makeDrawer } from '../../src/pages/preview/draw.ts'
import { fitText, isDrawable } from '../../src/pages/preview/text-fit.ts'
import { listPageWords } from '../../src/pages/verifier-words.ts'
import { words } from '../../src/pages/words/words.ts'
import { readProof } from '../../src/proofs/read.ts'
import { languages } from '../../src/web/languages.ts'
import { startApp, type TestApp } from '../app.ts'
import { alice } from '../wallets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_BASE_URL: 'https://proofs.example' })
})

const isPublic = { privacyLevel: 'public', storeOriginalContent: true }
const findImage = (page: string): string | undefined => /property="og:image" content="([^"]+)"/.exec(page)?.[1]
const readPath = (address: string): string => address.replaceAll('&amp;', '&').replace('https://proofs.example', '')

/** The bytes, because the client of the tests reads text. */
async function fetchImage(path: string, headers: Record<string, string> = {}) {
  served ??= createApp(app.parts)
  const answer = await served.handle(new Request(`http://localhost${path}`, { headers }))
  return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() }
}
let served: { handle(request: Request): Promise<Response> } | undefined

/** Width, height and the rows of an image of 8-bit RGBA, whose filters are undone (PNG, sections 9 and 11). */
function decode(png: Uint8Array) {
  expect([...png.slice(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const view = new DataView(png.buffer, png.byteOffset)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  expect([...png.slice(24, 26)]).toEqual([8, 6])
  const parts: Uint8Array[] = []
  for (let at = 8; at < png.length; ) {
    const size = view.getUint32(at)
    if (Buffer.from(png.slice(at + 4, at + 8)).toString() === 'IDAT') parts.push(png.slice(at + 8, at + 8 + size))
    at += size + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * 4
  const pixels = new Uint8Array(stride * height)
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)]!
    for (let i = 0; i < stride; i++) {
      const left = i < 4 ? 0 : pixels[row * stride + i - 4]!
      const up = row === 0 ? 0 : pixels[(row - 1) * stride + i]!
      const corner = i < 4 || row === 0 ? 0 : pixels[(row - 1) * stride + i - 4]!
      const guess = left + up - corner
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner
      const added = [0, left, up, (left + up) >> 1, paeth][filter]!
      pixels[row * stride + i] = raw[row * (stride + 1) + 1 + i]! + added
    }
  }
  return { width, height, at: (x: number, y: number) => [...pixels.slice(y * stride + x * 4, y * stride + x * 4 + 3)] }
}

describe('the picture of a proof', () => {
  test('is a PNG of 1200 by 630 pixels, named by the page with an absolute address', async () => {
    const qHash = await app.prove(alice, isPublic)
    const { body } = await app.get(`/proof/${qHash}`)
    const address = findImage(body)!
    expect(address).toStartWith(`https://proofs.example/proof/${qHash}/preview.png?v=`)
    expect(body).toContain('<meta name="twitter:card" content="summary_large_image">')
    expect(body).toContain('<meta property="og:image:width" content="1200">')
    const { status, headers, bytes } = await fetchImage(readPath(address))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const image = decode(bytes)
    expect(image).toMatchObject({ width: 1200, height: 630 })
    // The stripe at the top has the color of the seal: valid.
    expect(image.at(600, 6)).toEqual([0x0f, 0x6b, 0x5c])
    const again = await fetchImage(readPath(address), { 'if-none-match': headers.get('etag')! })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
  })

  test('of a revoked proof is another one, at another address', async () => {
    const qHash = await app.prove(alice, isPublic)
    const before = findImage((await app.get(`/proof/${qHash}`)).body)!
    const valid = await fetchImage(readPath(before))
    const { headers } = await app.signIn(alice)
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, headers)
    const after = findImage((await app.get(`/proof/${qHash}`)).body)!
    expect(after).not.toBe(before)
    for (const path of [readPath(after), readPath(before)]) {
      const revoked = await fetchImage(path)
      expect(revoked.headers.get('etag')).not.toBe(valid.headers.get('etag'))
      expect(decode(revoked.bytes).at(600, 6)).toEqual([0xb3, 0x26, 0x1e])
    }
  })

  test('of a private proof is refused like that of an unknown one, to its owner as well', async () => {
    const qHash = await app.prove(alice, {}, { content: 'my secret text' })
    const { cookie } = await app.signIn(alice)
    const withoutIds = (body: unknown) => JSON.stringify(body).replace(/"requestId":"[^"]*"/, '')
    const unknown = await app.get(`/proof/0x${'0'.repeat(64)}/preview.png`)
    expect(unknown.status).toBe(404)
    for (const [id, headers] of [
      [qHash, {}],
      [qHash, { cookie }],
      ['0x12', {}],
    ] as const) {
      const { status, body } = await app.get(`/proof/${id}/preview.png`, headers)
      expect(status).toBe(404)
      expect(withoutIds(body)).toBe(withoutIds(unknown.body))
    }
    for (const headers of [{}, { cookie }]) {
      const page = (await app.get(`/proof/${qHash}`, headers)).body
      expect(page).not.toContain('og:image')
      expect(page).not.toContain('twitter:')
    }
  })

  test('is drawn so often a minute for one client, which can still read the kept ones and the pages', async () => {
    const limited = await startApp({ PROOFGATE_LIMITS_RATES_PICTURES: '2/1m' })
    const qHash = await limited.prove(alice, isPublic)
    const fetchFrom = (language: string) => limited.get(`/proof/${qHash}/preview.png?language=${language}`)
    for (const language of ['en', 'de', 'en', 'de']) expect((await fetchFrom(language)).status).toBe(200)
    await limited.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, (await limited.signIn(alice)).headers)
    const refused = await fetchFrom('en')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { policy: 'pictures' } })
    expect((await limited.get(`/proof/${qHash}`, { accept: 'text/html' })).status).toBe(200)
    limited.wait(30_000)
    expect((await fetchFrom('en')).status).toBe(200)
  })

  test('is drawn for a stranger while many addresses of one network ask for others', async () => {
    const busy = await startApp({ PROOFGATE_LIMITS_RATES_CREATE: '100/1m', PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32' })
    const ids: string[] = []
    for (let count = 0; count < 42; count++) ids.push(await busy.prove(alice, isPublic))
    const server = createApp(busy.parts).listen({ port: 0, hostname: '127.0.0.1' })
    try {
      const fetchFor = (address: string) =>
        fetch(`http://127.0.0.1:${server.server?.port}/proof/${ids.pop()}/preview.png`, {
          headers: { 'x-forwarded-for': address },
        })
      for (const [listNeighbor, stranger] of [
        [(count: number) => `198.51.100.${1 + (count % 5)}`, '198.51.101.1'],
        [(count: number) => `2001:db8:1:${count % 5}::1`, '2001:db8:2::1'],
      ] as const) {
        const neighbors = Array.from({ length: 20 }, (_, count) => fetchFor(listNeighbor(count)))
        await Promise.any(neighbors.map(async (answer) => expect((await answer).status).toBe(503)))
        expect((await fetchFor(stranger)).status).toBe(200)
        const statuses = (await Promise.all(neighbors)).map(({ status }) => status)
        expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
      }
    } finally {
      await server.stop()
    }
  })

  test('leaves mistyped addresses of proofs to the page that says so', async () => {
    const { status, headers } = await app.get('/proof/0x12/nothing', { accept: 'text/html' })
    expect(status).toBe(404)
    expect(headers.get('content-type')).toStartWith('text/html')
  })

  test('speaks the language of its page', async () => {
    const qHash = await app.prove(alice, isPublic)
    const address = findImage((await app.get(`/proof/${qHash}`, { 'accept-language': 'de' })).body)!
    expect(address).toContain('preview.png?language=de&amp;v=')
    const german = await fetchImage(readPath(address))
    const english = await fetchImage(`/proof/${qHash}/preview.png`)
    expect(german.status).toBe(200)
    expect(german.headers.get('etag')).not.toBe(english.headers.get('etag'))
  })

  test('shows no value that its font cannot write', async () => {
    expect(isDrawable('0x19e7…af2a owns domain example.org')).toBe(true)
    for (const text of ['домен', '証明', '🎟', 'a\u202eb', 'a\u0000b', 'Ł']) expect(isDrawable(text)).toBe(false)
    const qHash = await app.prove(alice, isPublic)
    const proof = await readProof(app.parts, { qHash, credentials: undefined, latestScope: false })
    const verifiers = listPageWords(app.parts.catalog.known, 'en')
    const draw = (domain: string) =>
      writeCard({
        proof: {
          ...proof,
          verifiedVerifiers: [{ ...proof.verifiedVerifiers![0]!, verifierId: 'ownership-dns-txt', data: { domain } }],
        },
        language: 'en',
        verifiers,
        host: 'proofs.example',
      })
    expect(draw('example.org')).toContain('example.org')
    expect(draw('домен.example')).not.toContain('домен')
    expect(draw('домен.example')).toContain('Domain')
  })

  test('has a font for every word of its own, in every language', async () => {
    for (const language of languages) {
      const { states, unsigned, privateTitle, several, other, checkedBy } = words[language].proofPage
      const titles = Object.values(listPageWords(app.parts.catalog.known, language)).map(({ title }) =>
        other('0x19e7…af2a', title),
      )
      const all = [
        ...Object.values(states),
        unsigned,
        privateTitle,
        several('0x', 2),
        ...titles,
        ...checkedBy('a', 'b'),
      ]
      expect(all.filter((text) => !isDrawable(text))).toEqual([])
    }
  })
})

describe('text in the picture', () => {
  const room = { width: 840, sizes: [64, 56, 48, 40], mostLines: 4 }

  test('breaks a long name after its marks', () => {
    expect(fitText('0x19 has a-very-long-name.of-a-domain-with-parts.example.org', room).lines).toEqual([
      '0x19 has',
      'a-very-long-name.of-a-',
      'domain-with-parts.',
      'example.org',
    ])
  })

  test('is as large as it has room, breaks at spaces, and within a long word', () => {
    expect(fitText('owns domain example.org', room)).toEqual({ size: 64, lines: ['owns domain', 'example.org'] })
    expect(
      fitText(`owns ${'x'.repeat(60)}`, room)
        .lines.join('')
        .replace('owns', ''),
    ).toBe('x'.repeat(60))
  })

  test('ends with an ellipsis where it has no room', () => {
    const { size, lines } = fitText('long words '.repeat(60), room)
    expect(size).toBe(40)
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toEndWith('…')
  })

  test('of the widest letters stays within its place', async () => {
    const { lines, size } = fitText('WWW@@@%%%MMMÆÆÆ'.repeat(8), room)
    const png = await makeDrawer().draw(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="#fff"/>${lines
        .map(
          (line, i) =>
            `<text x="0" y="${(i + 1) * 100}" font-weight="700" font-family="Inter" font-size="${size}">${line}</text>`,
        )
        .join('')}</svg>`,
    )
    const image = decode(png)
    const isDark = (x: number) => Array.from({ length: 630 }, (_, y) => image.at(x, y)[0]! < 128).some(Boolean)
    expect(Array.from({ length: 100 }, (_, i) => i + 700).some(isDark)).toBe(true)
    expect(Array.from({ length: 300 }, (_, i) => i + 841).some(isDark)).toBe(false)
  })
})

describe('drawing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'preview-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"/>'
  const heavy = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">${'<text x="9" y="99" font-family="Inter" font-size="60">Slow to draw</text>'.repeat(400)}</svg>`

  /** A thread that never answers. */
  function writeSilentThread(): URL {
    const file = join(folder, 'silent.ts')
    writeFileSync(file, 'self.onmessage = () => {}\n')
    return pathToFileURL(file)
  }

  test('leaves the event loop free', async () => {
    // A busy machine may need longer than the default.
    const drawer = makeDrawer({ timeoutMs: 50_000 })
    await drawer.draw(svg)
    const startedAt = performance.now()
    let longest = 0
    let tickedAt = startedAt
    const ticking = setInterval(() => {
      const at = performance.now()
      longest = Math.max(longest, at - tickedAt)
      tickedAt = at
    }, 2)
    await drawer.draw(heavy)
    clearInterval(ticking)
    const tookMs = performance.now() - startedAt
    // Blocking would be a gap as long as the drawing.
    expect(tookMs).toBeGreaterThan(50)
    expect(longest).toBeLessThan(tookMs / 2)
  })

  test('refuses when too many wait, and goes on afterwards', async () => {
    const drawer = makeDrawer({ mostWaiting: 2 })
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => drawer.draw(heavy)))
    expect(asked.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(3).fill('rejected')])
    const [refused] = asked.filter((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '5' } })
    expect((await drawer.draw(svg)).length).toBeGreaterThan(100)
  })

  test('has a place for others while one network asks for many', async () => {
    const drawer = makeDrawer({ mostWaitingPerNetwork: 2 })
    const greedy = Array.from({ length: 5 }, () => drawer.draw(svg, 'one'))
    const other = drawer.draw(svg, 'another')
    expect((await Promise.allSettled(greedy)).map(({ status }) => status)).toEqual([
      ...Array(2).fill('fulfilled'),
      ...Array(3).fill('rejected'),
    ])
    expect((await other).length).toBeGreaterThan(100)
    expect((await drawer.draw(svg, 'one')).length).toBeGreaterThan(100)
  })

  test('gives up after its time, and begins the next one with a new thread', async () => {
    const drawer = makeDrawer({ timeoutMs: 200, entry: writeSilentThread() })
    const asked = await Promise.allSettled([drawer.draw(svg), drawer.draw(svg)])
    for (const one of asked) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } })
  })

  test('reports what is no picture, and draws the next one', async () => {
    const drawer = makeDrawer()
    expect(drawer.draw('no svg')).rejects.toThrow('the picture could not be drawn')
    expect((await drawer.draw(svg)).length).toBeGreaterThan(100)
  })

  test('ends its thread when nobody asks, and starts another one', async () => {
    const drawer = makeDrawer({ idleMs: 1 })
    await drawer.draw(svg)
    await Bun.sleep(50)
    expect((await drawer.draw(svg)).length).toBeGreaterThan(100)
  })
})
