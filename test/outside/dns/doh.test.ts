import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { startDns, txt } from '../../parts/dns.ts'
import { trustCertificate } from '../../parts/dns-certificate.ts'
import { type DohServer, type Given, type Speaks, startDoh } from '../../parts/dns-over-https.ts'
import { failureOf } from '../http/calling.ts'
import { opened } from './asking.ts'

const name = '_svc.example.test'
const zone = { [name]: [txt('wallet=', '0x1')] }
const servers: Readonly<Record<Speaks, DohServer>> = {
  h2: await startDoh('h2', zone),
  'http/1.1': await startDoh('http/1.1', zone),
  old: await startDoh('old', zone),
}
const restoreTrust = trustCertificate()
afterEach(() => {
  for (const server of Object.values(servers)) {
    server.script = undefined
    server.asked.splice(0)
  }
})
afterAll(async () => {
  restoreTrust()
  await Promise.all(Object.values(servers).map((server) => server.stop()))
})

const urlOf = (speaks: Speaks, host = '127.0.0.1'): string => `https://${host}:${servers[speaks].port}/dns-query`
const everyKind: readonly Speaks[] = ['h2', 'http/1.1', 'old']

describe.each(everyKind)('DNS over HTTPS (RFC 8484) with a server that speaks %s', (speaks) => {
  const server = servers[speaks]
  const { txt: ask } = opened([urlOf(speaks)])

  test('records, and "no such name"', async () => {
    expect(await ask(name)).toMatchObject({ outcome: 'records', records: ['wallet=0x1'], source: 'dns.resolvers[0]' })
    expect(await ask('_svc.none.test')).toMatchObject({ outcome: 'no-such-name' })
  })

  test('is one POST of a message with the id 0, to the path and query of the setting', async () => {
    const { txt: askWithKey } = opened([`${urlOf(speaks)}?key=a%20b`])
    await askWithKey(name)
    expect(server.asked).toHaveLength(1)
    const [posted] = server.asked
    expect(posted).toMatchObject({
      method: 'POST',
      path: '/dns-query?key=a%20b',
      httpVersion: speaks === 'h2' ? '2.0' : '1.1',
      headers: {
        accept: 'application/dns-message',
        'content-type': 'application/dns-message',
        'content-length': String(posted!.body.length),
      },
    })
    expect(posted!.body.readUInt16BE(0)).toBe(0)
  })

  test('the name of the host goes into the handshake, and must be that of the certificate', async () => {
    const { txt: askByName } = opened([urlOf(speaks, 'localhost')])
    expect(await askByName(name)).toMatchObject({ outcome: 'records' })
    expect(server.asked.map(({ serverName }) => serverName)).toEqual(['localhost'])
    const elsewhere = makeGuard(['127.0.0.1'], async () => [{ address: '127.0.0.1', family: 4 }])
    const { txt: askOther } = opened([urlOf(speaks, 'other.test')], { guard: elsewhere })
    expect(await failureOf(askOther(name))).toMatchObject({
      fault: 'unreachable',
      happened: 'showed a certificate that cannot be trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
    })
    expect(server.asked).toHaveLength(1)
  })

  test.each<[string, Given | 'never', object]>([
    ['503', { status: 503, body: '' }, { fault: 'unreachable', happened: 'answered 503' }],
    [
      '429',
      { status: 429, headers: { 'retry-after': '7' }, body: '' },
      { fault: 'rate-limited', retryAfterSeconds: 7 },
    ],
    ['403', { status: 403, body: '' }, { fault: 'credentials' }],
    ['a redirect', { status: 302, headers: { location: 'https://127.0.0.1/' }, body: '' }, { fault: 'malformed' }],
    ['the right message with 404', { status: 404 }, { fault: 'malformed' }],
    ['404', { status: 404, body: 'not here' }, { fault: 'malformed' }],
    [
      'HTML',
      { headers: { 'content-type': 'text/html' }, body: '<html>' },
      { fault: 'malformed', happened: 'answered 200 with something that is not a DNS message' },
    ],
    ['something that is no message', { body: 'hello' }, { fault: 'malformed' }],
    ['nothing', { body: '' }, { fault: 'malformed' }],
    [
      'more than a message can hold',
      { body: Buffer.alloc(70_000) },
      { fault: 'malformed', happened: 'sent more than 65535 bytes' },
    ],
    ['no answer', 'never', { fault: 'timeout', happened: 'did not answer within 0.3 s' }],
  ])('decides nothing: %s', async (_, given, failure) => {
    server.script = () => given
    // The short limit is for the server that never answers: under load a handshake takes longer.
    const { txt: ask } = opened([urlOf(speaks)], given === 'never' ? { timeoutMs: 300 } : {})
    expect(await failureOf(ask(name))).toMatchObject(failure)
  })

  test('decides nothing: the answer to another question, a truncated one, half of one', async () => {
    server.script = (posted) => ({
      body: posted.answer(({ questions }) => {
        questions[0] = { ...questions[0]!, name: '_svc.other.test' }
      }),
    })
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'malformed' })
    server.script = (posted) => ({
      body: posted.answer(({ header }) => {
        header.tc = 1
      }),
    })
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'malformed' })
    server.script = (posted) => ({ body: posted.answer().subarray(0, -5), breaksOff: true })
    expect(['unreachable', 'malformed']).toContain((await failureOf(ask(name))).fault)
  })
})

describe('DNS over HTTPS', () => {
  test('refuses a certificate of an unknown authority', async () => {
    restoreTrust()
    try {
      const { txt: ask } = opened([urlOf('h2')])
      expect(await failureOf(ask(name))).toMatchObject({
        fault: 'unreachable',
        happened: expect.stringContaining('certificate that cannot be trusted'),
      })
      expect(servers.h2.asked).toHaveLength(0)
    } finally {
      trustCertificate()
    }
  })

  test('does not call a name that leads to a private address', async () => {
    const guard = makeGuard([], async () => [{ address: '127.0.0.1', family: 4 }])
    const { txt: ask } = opened([urlOf('h2', 'resolver.test')], { guard })
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'forbidden-address' })
    expect(servers.h2.asked).toHaveLength(0)
  })

  test('says so when the name of the host does not resolve', async () => {
    const guard = makeGuard([], () => Promise.reject(new Error('no')))
    const { txt: ask } = opened([urlOf('h2', 'resolver.test')], { guard })
    expect(await failureOf(ask(name))).toMatchObject({
      fault: 'unreachable',
      happened: 'has a host name that does not resolve',
    })
  })

  test('resolves the name once for each question, so that it cannot lead elsewhere after the check', async () => {
    const asked: string[] = []
    const guard = makeGuard(['127.0.0.1'], async (host) => {
      asked.push(host)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }]
    })
    const { txt: ask } = opened([urlOf('h2', 'localhost.')], { guard })
    expect(await ask(name)).toMatchObject({ outcome: 'records' })
    expect(asked).toEqual(['localhost.'])
  })

  test('tries the next address of a name when the first does not answer', async () => {
    const guard = { ...makeGuard([]), permitted: async () => [at('127.0.0.9'), at('127.0.0.1')] }
    const { txt: ask } = opened([urlOf('h2', 'localhost')], { guard })
    expect(await ask(name)).toMatchObject({ outcome: 'records' })
  })

  test('a server that does not speak TLS is unreachable', async () => {
    const plain = await startDns()
    try {
      const { txt: ask } = opened([`https://${plain.address}/dns-query`], { timeoutMs: 300 })
      expect(await failureOf(ask(name))).toMatchObject({ source: 'dns.resolvers[0]' })
    } finally {
      await plain.stop()
    }
  })

  test('is left alone for as long as it asks for (429), while the next resolver answers', async () => {
    servers.h2.script = () => ({ status: 429, headers: { 'retry-after': '30' }, body: '' })
    const { txt: ask } = opened([urlOf('h2'), urlOf('http/1.1')])
    for (let turn = 0; turn < 3; turn++) expect(await ask(name)).toMatchObject({ source: 'dns.resolvers[1]' })
    expect(servers.h2.asked).toHaveLength(1)
  })
})

const at = (address: string) => ({ address, family: 4 as const })
