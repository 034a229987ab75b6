/** The peer of a call: names, addresses, certificates, proxies, and reused connections. */
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { makeGuard, makePublicGuard } from '../../../src/outside/http/address-guard.ts'
import { temporaryFolder } from '../../parts/folders.ts'
import { freePort } from '../../parts/free-port.ts'
import { httpAnswer, rawServer, stopRawServers } from '../../parts/http-server.ts'
import { isMissing } from '../../parts/optional.ts'
import { calling, failureOf, get, resolver } from './calling.ts'
import { authority, certificate, certificateKey } from './certificate.ts'

afterEach(stopRawServers)

const folder = temporaryFolder()
const trusting = { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') }
writeFileSync(trusting.NODE_EXTRA_CA_CERTS, authority)

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

const greeting = (text: string) => rawServer((socket) => socket.write(httpAnswer(200, text)))
const textOf = ({ body }: { readonly body: Uint8Array }): string => new TextDecoder().decode(body)

describe('a name', () => {
  test.each([
    ['one private address', ['127.0.0.1']],
    ['several private addresses', ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0']],
    ['no address', []],
  ])('is refused before a packet leaves when it resolves to %s', async (_, addresses) => {
    const server = await greeting('secret')
    const names = resolver(addresses)
    const endpoint = calling(`http://rebound.example:${server.port}`, { guard: makeGuard([], names.resolve) })
    const failure = await failureOf(endpoint.send(get))
    expect(failure.fault).toBe('forbidden-address')
    expect(failure.mend).toContain('outside.private_networks')
    expect(names.asked()).toBe(1)
    expect(server.connections()).toBe(0)
  })

  test('is called in a network of outside.private_networks', async () => {
    const server = await greeting('inside')
    const names = resolver(['127.0.0.1'])
    const endpoint = calling(`http://node.example:${server.port}`, { guard: makeGuard(['127.0.0.0/8'], names.resolve) })
    expect(textOf(await endpoint.send(get))).toBe('inside')
    expect(server.requests[0]).toContain(`Host: node.example:${server.port}\r\n`)
  })

  test('is resolved only once, even when it changes between the check and the call', async () => {
    const allowed = await greeting('allowed')
    const secret = await rawServer((socket) => socket.write(httpAnswer(200, 'secret')), {
      host: '127.0.0.2',
      port: allowed.port,
    })
    const names = resolver(['127.0.0.1'], ['127.0.0.2'])
    const endpoint = calling(`http://rebound.example:${allowed.port}`, {
      guard: makeGuard(['127.0.0.1'], names.resolve),
    })
    expect(textOf(await endpoint.send(get))).toBe('allowed')
    expect(names.asked()).toBe(1)
    // The kept connection still leads to the address that was judged.
    expect(textOf(await endpoint.send(get))).toBe('allowed')
    expect(names.asked()).toBe(1)
    // A new connection is judged anew.
    allowed.hangUp()
    expect((await failureOf(endpoint.send(get))).fault).toBe('forbidden-address')
    expect(names.asked()).toBe(2)
    expect(secret.connections()).toBe(0)
  })

  test('with some addresses that may be called never reaches the others', async () => {
    const server = await greeting('secret')
    const names = resolver(['127.0.0.1', '127.0.0.2', '::1'])
    const endpoint = calling(`http://mixed.example:${server.port}`, { guard: makeGuard(['127.0.0.2'], names.resolve) })
    const failure = await failureOf(endpoint.send(get))
    expect([failure.fault, failure.happened]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')])
    expect(server.connections()).toBe(0)
  })

  test('is called at its next address when the first does not answer', async () => {
    const server = await greeting('second')
    const names = resolver(['127.0.0.3', '127.0.0.1'])
    const endpoint = calling(`http://two.example:${server.port}`, { guard: makeGuard(['127.0.0.0/8'], names.resolve) })
    expect(textOf(await endpoint.send(get))).toBe('second')
  })

  test('cannot be reached when it does not resolve', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('ENOTFOUND no.example'), { code: 'ENOTFOUND' }))
    const failure = await failureOf(calling('http://no.example', { guard: makeGuard([], resolve) }).send(get))
    expect([failure.fault, failure.happened]).toEqual([
      'unreachable',
      'has a host name that does not resolve (ENOTFOUND)',
    ])
  })

  test('counts a hanging resolver against the time limit, and ignores a later answer', async () => {
    const server = await greeting('late')
    const { promise, resolve: answer } = Promise.withResolvers<[{ address: string; family: number }]>()
    const guard = makeGuard(['127.0.0.1'], () => promise)
    const failure = await failureOf(calling(`http://slow.example:${server.port}`, { guard, timeoutMs: 200 }).send(get))
    expect(failure.fault).toBe('timeout')
    answer([{ address: '127.0.0.1', family: 4 }])
    await Bun.sleep(100)
    expect(server.connections()).toBe(0)
  })

  test('is resolved by the system when nothing else is said', async () => {
    const server = await greeting('secret')
    // A name of /etc/hosts, in a spelling that is not the one exception.
    const endpoint = calling(`http://localhost.:${server.port}`, { timeoutMs: 5000 })
    const failure = await failureOf(endpoint.send(get))
    expect(['forbidden-address', 'unreachable']).toContain(failure.fault)
    expect(server.connections()).toBe(0)
  })
})

describe('an address in a setting', () => {
  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'http://%s is called',
    async (host) => {
      const server = await greeting('here')
      expect(textOf(await calling(`http://${host}:${server.port}`).send(get))).toBe('here')
    },
  )

  test.skipIf(isMissing(hasIpv6, 'calls over IPv6: run on a machine with IPv6 on loopback'))(
    'http://[::1] is called, where the machine has IPv6',
    async () => {
      // Another test may listen at the same port of 127.0.0.1, which localhost means as well.
      const place = { host: '::1', port: await freePort() }
      const server = await rawServer((socket) => socket.write(httpAnswer(200, 'six')), place)
      for (const host of ['[::1]', 'localhost'])
        expect(textOf(await calling(`http://${host}:${server.port}`).send(get))).toBe('six')
    },
  )

  test('is refused without a packet under the guard for users', async () => {
    const server = await greeting('secret')
    for (const url of [server.url, server.url.replace('http:', 'https:'), 'https://127.0.0.1', 'https://[::1]/']) {
      const failure = await failureOf(calling(url, { guard: makePublicGuard() }).send(get))
      expect([url, failure.fault]).toEqual([url, 'forbidden-address'])
    }
    expect(server.connections()).toBe(0)
  })
})

describe('a connection', () => {
  test('is used again by the calls of its endpoint, and by no other endpoint', async () => {
    const server = await greeting('ok')
    const [one, other] = [calling(server.url), calling(server.url)]
    for (let round = 0; round < 5; round++) await one.send(get)
    expect(server.connections()).toBe(1)
    await other.send(get)
    expect(server.connections()).toBe(2)
  })

  test('is replaced when it was closed in the meantime, without counting as a failure', async () => {
    const server = await rawServer((socket, nth) =>
      nth === 2 ? socket.resetAndDestroy() : socket.write(httpAnswer(200)),
    )
    const endpoint = calling(server.url, { attempts: 1 })
    expect((await endpoint.send(get)).status).toBe(200)
    expect((await endpoint.send(get)).status).toBe(200)
    expect(server.requests).toHaveLength(3)
  })

  test('is a new one for a request that may be made once only', async () => {
    const server = await rawServer((socket, nth) =>
      nth === 2 ? socket.resetAndDestroy() : socket.write(httpAnswer(200)),
    )
    const endpoint = calling(server.url, { attempts: 3 })
    await endpoint.send(get)
    expect((await failureOf(endpoint.send({ ...get, once: true }))).fault).toBe('unreachable')
    expect(server.requests).toHaveLength(2)
  })

  test('is not used again after it hung', async () => {
    const server = await rawServer((socket, nth) => (nth === 1 ? undefined : socket.write(httpAnswer(200))))
    const endpoint = calling(server.url, { timeoutMs: 200 })
    expect((await failureOf(endpoint.send(get))).fault).toBe('timeout')
    expect((await endpoint.send(get)).status).toBe(200)
    expect(server.connections()).toBe(2)
  })

  test('does not keep a process alive', async () => {
    const server = await greeting('ok')
    expect(await inProcess(server.url)).toEqual({ status: 200, text: 'ok' })
    // The server still holds the connection: the process above has ended by itself.
  })
})

describe('https', () => {
  const secure = () =>
    rawServer((socket) => socket.write(httpAnswer(200, 'secure')), { tls: { cert: certificate, key: certificateKey } })

  test('is spoken with a host whose certificate is made out to its name', async () => {
    const { port } = await secure()
    expect(await inProcess(`https://good.test:${port}`, trusting)).toEqual({ status: 200, text: 'secure' })
  })

  test.each([
    ['of another name', 'other.test', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['for an address that it does not name', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is not spoken with a certificate %s', async (_, host, code) => {
    const server = await secure()
    expect(await inProcess(`https://${host}:${server.port}`, trusting)).toEqual({
      fault: 'unreachable',
      happened: `showed a certificate that cannot be trusted (${code})`,
    })
    expect(server.requests).toEqual([])
  })

  test.each<[string, Record<string, string>]>([
    ['nobody trusts', {}],
    ['nobody trusts, even where the environment turns the check off', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('is not spoken with an authority that %s', async (_, env) => {
    const server = await secure()
    expect(await inProcess(`https://good.test:${server.port}`, env)).toEqual({
      fault: 'unreachable',
      happened: 'showed a certificate that cannot be trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    })
    expect(server.requests).toEqual([])
  })

  test('is not spoken with a server that speaks http', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('plain') })
    try {
      const failure = await failureOf(calling(`https://127.0.0.1:${server.port}`, { timeoutMs: 5000 }).send(get))
      expect([failure.fault, failure.happened]).toEqual(['unreachable', expect.stringContaining('cannot be reached')])
    } finally {
      await server.stop(true)
    }
  })
})

test('a proxy of the environment is not used', async () => {
  const proxy = await greeting('from the proxy')
  const server = await greeting('from the server')
  const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
  const env = { ...Object.fromEntries(variables.map((name) => [name, proxy.url])), NODE_USE_ENV_PROXY: '1' }
  expect(await inProcess(`http://good.test:${server.port}`, env)).toEqual({ status: 200, text: 'from the server' })
  expect(proxy.connections()).toBe(0)
})

/** The call in a process of its own, which must end by itself. */
async function inProcess(url: string, env: Record<string, string> = {}): Promise<unknown> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'call.ts'), url], {
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 20_000,
  })
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([child.exitCode, child.exitCode === 0 ? '' : errors]).toEqual([0, ''])
  return JSON.parse(out)
}
