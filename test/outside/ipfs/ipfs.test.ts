/** Snapshots on IPFS: with a node that is one, and a pinning service that fetches from it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { OutsideError } from '../../../src/outside/failure.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { computeContentId } from '../../../src/outside/ipfs/content-id.ts'
import { openIpfs } from '../../../src/outside/ipfs/open.ts'
import { type Kubo, startKubo } from '../../parts/kubo.ts'
import { type PinningServer, startPinningService } from '../../parts/pinning-service.ts'
import { failureOf } from '../http/calling.ts'

let kubo: Kubo
let service: PinningServer

beforeAll(() => {
  kubo = startKubo()
  service = startPinningService(async (cid) => (await kubo.read(cid)) !== undefined)
})
afterEach(() => {
  kubo.answerWith(undefined)
  service.answerWith(undefined)
})
afterAll(() => Promise.all([kubo.stop(), service.stop()]))

type Settings = Parameters<typeof openIpfs>[0]
const opened = (settings: Partial<Settings>, timeoutMs = 2000) =>
  openIpfs(settings as Settings, { policy: { timeoutMs, attempts: 2, guard: makeGuard([]) } })
const ipfsOf = (settings: Partial<Settings>, timeoutMs?: number) => opened(settings, timeoutMs).ipfs!
const throughNode = () => ipfsOf({ kuboUrl: kubo.url })
const serviceSettings = () => ({ pinningUrl: service.url, pinningToken: service.token })
const throughBoth = (timeoutMs?: number) => ipfsOf({ kuboUrl: kubo.url, ...serviceSettings() }, timeoutMs)

let made = 0
const snapshot = (text = `{"proof":${++made}}`): Uint8Array => new TextEncoder().encode(text)

describe('a CID', () => {
  test.each<[string, string, string]>([
    // From SHA-256 and base32 of another language: 0x01 0x55 0x12 0x20 and the digest.
    ['nothing', '', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
    ['hello world', 'hello world', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
  ])('of %s is the known one', async (_, text, cid) => {
    expect((await computeContentId(snapshot(text))).toString()).toBe(cid)
  })

  test.each([0, 1, 255, 262_144, 262_145, 1_048_575, 1_048_576])(
    'for %i bytes equals the one that a node computes',
    async (size) => {
      const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 256)
      const { cid } = await throughNode().pin(bytes, 'sized')
      expect(await kubo.read(cid)).toEqual(Buffer.from(bytes))
    },
  )

  test('is not made for more than one block, and no node is asked', async () => {
    const pin = throughNode().pin(new Uint8Array(1_048_577), 'large')
    const error = await pin.catch((error) => error)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(OutsideError)
    expect(error.message).toBe('a snapshot of 1048577 bytes does not fit into one block of 1048576')
  })
})

describe('with a node', () => {
  test('a snapshot is pinned there, and can be read back under its CID', async () => {
    const bytes = snapshot('{"text":"Grüße 🎟 \\r\\n--boundary"}')
    const pinned = await throughNode().pin(bytes, 'proof-0x12')
    expect(pinned).toEqual({
      cid: (await computeContentId(bytes)).toString(),
      size: bytes.length,
      gateway: undefined,
      source: 'ipfs.kubo_url',
    })
    expect(kubo.pinned.has(pinned.cid)).toBe(true)
    expect(await kubo.read(pinned.cid)).toEqual(Buffer.from(bytes))
    expect(kubo.names.at(-1)).toBe('proof-0x12')
  })

  test('a name with anything in it stays a name', async () => {
    const name = 'a "b"\r\nX-Evil: 1/../c%20d;ü'
    await throughNode().pin(snapshot(), name)
    expect(kubo.names.at(-1)).toBe(name)
  })

  test.each([
    ['https://ipfs.example.com', 'https://ipfs.example.com/ipfs/'],
    ['https://ipfs.example.com/', 'https://ipfs.example.com/ipfs/'],
    ['https://example.com/gateway', 'https://example.com/gateway/ipfs/'],
  ])('the gateway %s is shown with the CID', async (gateway, prefix) => {
    const pinned = await ipfsOf({ kuboUrl: kubo.url, gateway }).pin(snapshot(), 'shown')
    expect(pinned.gateway).toBe(prefix + pinned.cid)
  })

  test('pins the same bytes again', async () => {
    const bytes = snapshot()
    expect(await throughNode().pin(bytes, 'one')).toEqual(await throughNode().pin(bytes, 'two'))
  })

  const line = (hash: unknown) => () => new Response(`${JSON.stringify({ Name: 'a', Hash: hash, Size: '1' })}\n`)
  test.each<[string, () => Response | Promise<Response>, string, RegExp]>([
    [
      'names another CID',
      line('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'),
      'disagree',
      /another CID/,
    ],
    ['names a CID of version 0', line('QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'), 'disagree', /another CID/],
    ['names what is no CID', line('../../etc/passwd'), 'disagree', /another CID/],
    ['names a number', line(5), 'malformed', /not as a Kubo node does/],
    ['names nothing', () => Response.json({}), 'malformed', /not as a Kubo node does/],
    ['says null', () => Response.json(null), 'malformed', /not as a Kubo node does/],
    ['answers with a page', () => new Response('<html>'), 'malformed', /not JSON/],
    ['answers with half a line', () => new Response('{"Name":"a","Ha'), 'malformed', /not JSON/],
    ['answers twice', () => new Response('{"Hash":"a"}\n{"Hash":"b"}\n'), 'malformed', /not JSON/],
    ['answers with nothing', () => new Response(''), 'malformed', /not JSON/],
    ['is a gateway', () => new Response('not found', { status: 404 }), 'malformed', /404/],
    ['has a full disk', () => Response.json({ Message: 'no space left' }, { status: 500 }), 'unreachable', /500/],
    ['wants a key', () => new Response('', { status: 403 }), 'credentials', /403/],
    ['wants fewer calls', () => new Response('', { status: 429 }), 'rate-limited', /429/],
    ['redirects', () => Response.redirect('http://127.0.0.1:1/'), 'malformed', /redirects/],
    ['sends 2 MB', () => new Response('x'.repeat(2_000_000)), 'malformed', /more than/],
  ])('a node that %s is not believed', async (_, answer, fault, happened) => {
    kubo.answerWith(answer)
    const failure = await failureOf(throughNode().pin(snapshot(), 'a'))
    expect([failure.fault, failure.source]).toEqual([fault as typeof failure.fault, 'ipfs.kubo_url'])
    expect(failure.happened).toMatch(happened)
  })

  test('a node that hangs is a timeout', async () => {
    kubo.answerWith(() => new Promise(() => undefined))
    const failure = await failureOf(ipfsOf({ kuboUrl: kubo.url }, 200).pin(snapshot(), 'a'))
    expect(failure.fault).toBe('timeout')
  })

  test('the right CID in another base is the right CID', async () => {
    const bytes = snapshot()
    const { base58btc } = await import('multiformats/bases/base58')
    kubo.answerWith(line((await computeContentId(bytes)).toString(base58btc)))
    expect((await throughNode().pin(bytes, 'a')).cid).toStartWith('bafkrei')
  })
})

describe('with a pinning service as well', () => {
  test('the node gets the snapshot first, and the service fetches it there', async () => {
    const bytes = snapshot()
    const pinned = await throughBoth().pin(bytes, 'proof-0x34')
    expect(pinned.source).toBe('ipfs.kubo_url, ipfs.pinning_url')
    expect(kubo.pinned.has(pinned.cid)).toBe(true)
    expect(service.pins[0]).toMatchObject({ status: 'pinned', pin: { cid: pinned.cid, name: 'proof-0x34' } })
  })

  test('a node that fails is reported before the service is asked', async () => {
    kubo.answerWith(() => new Response('', { status: 500 }))
    const asked = service.calls.length
    expect((await failureOf(throughBoth().pin(snapshot(), 'a'))).source).toBe('ipfs.kubo_url')
    expect(service.calls).toHaveLength(asked)
  })

  test('finds an earlier pin again, and does not request it twice', async () => {
    const bytes = snapshot()
    await throughBoth().pin(bytes, 'one')
    const pins = service.pins.length
    await throughBoth().pin(bytes, 'two')
    expect(service.pins).toHaveLength(pins)
  })

  test('a request whose answer got lost is not made again at once, and is found by the next call', async () => {
    const bytes = snapshot()
    let lost = 0
    const [before] = [service.pins.length]
    const authorization = `Bearer ${service.token}`
    service.answerWith((request) => {
      if (request.method !== 'POST') return undefined
      service.answerWith(undefined)
      lost++
      return request
        .text()
        .then((body) =>
          fetch(request.url, { method: 'POST', body, headers: { 'content-type': 'application/json', authorization } }),
        )
        .then(() => new Response('', { status: 502 }))
    })
    expect((await failureOf(throughBoth().pin(bytes, 'a'))).fault).toBe('unreachable')
    expect([lost, service.pins.length]).toEqual([1, before + 1])
    await throughBoth().pin(bytes, 'a')
    expect(service.pins).toHaveLength(before + 1)
  })
})

describe('with a pinning service alone', () => {
  test('gives up on content that no node holds, and does not ask a second time', async () => {
    const bytes = snapshot()
    const alone = ipfsOf(serviceSettings(), 400)
    const failure = await failureOf(alone.pin(bytes, 'a'))
    expect([failure.fault, failure.source, failure.happened]).toEqual([
      'timeout',
      'ipfs.pinning_url',
      'was not done pinning within 0.4 s',
    ])
    expect(service.pins[0]?.status).toBe('pinning')
    const pins = service.pins.length
    // Another node adds the same bytes, so the service completes the pin that it was asked for.
    await throughNode().pin(bytes, 'a')
    expect((await alone.pin(bytes, 'a')).source).toBe('ipfs.pinning_url')
    expect(service.pins).toHaveLength(pins)
  })

  const other = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
  const error = (status: number, reason: string) => () => Response.json({ error: { reason } }, { status })
  const status = (requestid: string, cid: string, word = 'pinned') =>
    Response.json({ requestid, status: word, created: '', pin: { cid }, delegates: [] }, { status: 202 })

  test.each<[string, 'GET' | 'POST', () => Response | Promise<Response>, string, RegExp]>([
    ['refuses the token', 'GET', error(401, 'UNAUTHORIZED'), 'credentials', /401/],
    ['forbids it', 'POST', error(403, 'FORBIDDEN'), 'credentials', /403/],
    ['has seen no money', 'POST', error(409, 'INSUFFICIENT_FUNDS'), 'credentials', /409 INSUFFICIENT_FUNDS/],
    ['finds the request bad', 'POST', error(400, 'BAD_REQUEST'), 'malformed', /400 BAD_REQUEST/],
    ['has no such path', 'GET', error(404, 'NOT_FOUND'), 'malformed', /404 NOT_FOUND/],
    ['has a reason that is a page', 'POST', error(400, '<b>Sign in</b>'), 'malformed', /Pinning Service API/],
    ['wants fewer calls', 'GET', error(429, 'TOO_MANY'), 'rate-limited', /429/],
    ['is down', 'GET', error(503, 'DOWN'), 'unreachable', /503/],
    ['is a page', 'GET', () => new Response('<html>'), 'malformed', /not JSON/],
    ['lists nothing that is a list', 'GET', () => Response.json({ count: 0 }), 'malformed', /Pinning Service API/],
    ['says 200 for 202', 'POST', () => Response.json({}), 'malformed', /Pinning Service API/],
    ['leaves out the request id', 'POST', () => status('', other), 'malformed', /Pinning Service API/],
    ['has a request id that is another path', 'POST', () => status('..', other), 'malformed', /Pinning Service API/],
    ['has a status of its own', 'POST', () => status('1', other, 'done'), 'malformed', /Pinning Service API/],
    ['keeps another CID', 'POST', () => status('1', other), 'disagree', /another CID/],
    ['keeps what is no CID', 'POST', () => status('1', 'no'), 'disagree', /another CID/],
  ])('a service that %s is not believed', async (_, method, answer, fault, happened) => {
    service.answerWith((request) => (request.method === method ? answer() : undefined))
    const failure = await failureOf(ipfsOf(serviceSettings()).pin(snapshot(), 'a'))
    expect([failure.fault, failure.source]).toEqual([fault as typeof failure.fault, 'ipfs.pinning_url'])
    expect(failure.happened).toMatch(happened)
  })

  test.each<[string, string, string, RegExp]>([
    ['gives up', 'failed', 'unreachable', /gave up/],
    ['comes to keep another CID', 'pinned', 'disagree', /another CID/],
  ])('a service that %s later is not believed', async (_, word, fault, happened) => {
    const bytes = snapshot()
    const cid = word === 'failed' ? (await computeContentId(bytes)).toString() : other
    service.answerWith((request) =>
      /\/pins\/./.test(request.url) ? Response.json({ requestid: '1', status: word, pin: { cid } }) : undefined,
    )
    const failure = await failureOf(ipfsOf(serviceSettings()).pin(bytes, 'a'))
    expect(failure.fault).toBe(fault as typeof failure.fault)
    expect(failure.happened).toMatch(happened)
  })

  test('a pin of something else in its list is not taken for ours', async () => {
    const bytes = snapshot()
    await throughNode().pin(bytes, 'a')
    const stranger = { requestid: '1', status: 'pinned', pin: { cid: other } }
    service.answerWith((request) =>
      request.method === 'GET' && request.url.includes('cid=')
        ? Response.json({ count: 1, results: [stranger] })
        : undefined,
    )
    const { cid } = await ipfsOf(serviceSettings()).pin(bytes, 'a')
    expect(service.pins[0]?.pin.cid).toBe(cid)
  })

  test('a service without a token is asked without one', async () => {
    const failure = await failureOf(ipfsOf({ pinningUrl: service.url }).pin(snapshot(), 'a'))
    expect(failure.fault).toBe('credentials')
  })
})

describe('doctor', () => {
  const findings = (settings: Partial<Settings>) =>
    Promise.all(opened(settings).probes.map(async (probe) => [probe.setting, await probe.run()]))

  test('finds the configured providers', async () => {
    expect(opened({})).toEqual({ ipfs: undefined, probes: [] })
    const keeps = { says: expect.stringMatching(/^answers, and keeps \d+ pins$/) }
    expect(await findings({ kuboUrl: kubo.url, ...serviceSettings() })).toEqual([
      ['ipfs.kubo_url', { level: 'ok', says: 'is a Kubo node of version 0.39.0' }],
      ['ipfs.pinning_url', { level: 'ok', ...keeps }],
    ])
  })

  test('warns of a service without a node to fetch from', async () => {
    const [[, finding]] = (await findings(serviceSettings())) as [[string, { level: string; mend: string }]]
    expect([finding.level, finding.mend]).toEqual(['warn', 'set ipfs.kubo_url as well'])
  })

  test.each<[string, Partial<Settings>, string]>([
    ['a gateway in place of the RPC', { kuboUrl: 'GATEWAY' }, 'malformed'],
    ['a service that refuses the token', { pinningUrl: 'SERVICE', pinningToken: 'wrong' }, 'credentials'],
    ['an address below the right one', { pinningUrl: 'SERVICE/pins' }, 'malformed'],
    ['nobody', { kuboUrl: 'http://127.0.0.1:1' }, 'unreachable'],
  ])('is told of %s', async (_, settings, fault) => {
    const gateway = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('', { status: 405 }) })
    const filled = Object.fromEntries(
      Object.entries({ pinningToken: service.token, ...settings }).map(([name, value]) => [
        name,
        value?.replace('GATEWAY', gateway.url.href).replace('SERVICE', service.url),
      ]),
    )
    const [probe] = opened(filled).probes
    expect((await failureOf(probe!.run())).fault).toBe(fault as never)
    await gateway.stop(true)
  })
})
