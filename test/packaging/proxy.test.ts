/** The recipes for proxies, each with the real program before a real server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'
import { alice } from '../wallets.ts'
import { type Front, fronts, publicHost } from './fronts.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const publicUrl = `https://${publicHost}`
const requestsEach = 12

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The last number of the client's address, 127.0.0.N: each test has clients of its own. */
  readonly client: number
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The command that asks through the proxy, as a client of the public address. */
const writeCall = (front: Front, path: string, { method = 'GET', headers = {}, client }: Omit<Call, 'body'>) => [
  'curl',
  '--silent',
  '--show-error',
  '--include',
  '--no-buffer',
  '--insecure',
  '--interface',
  `127.0.0.${client}`,
  '--resolve',
  `${publicHost}:${front.port}:127.0.0.1`,
  '--request',
  method,
  ...Object.entries({ host: publicHost, expect: '', ...headers }).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]),
  `https://${publicHost}:${front.port}${path}`,
]

/** An HTTP/2 stream that ended early (curl --manual, EXIT CODES). */
const endedEarly = 92

async function ask(front: Front, path: string, asked: Call, triesLeft = 2): Promise<Answered> {
  const { body, ...call } = asked
  const command = [...writeCall(front, path, call), ...(body === undefined ? [] : ['--data-binary', '@-'])]
  const child = Bun.spawn(command, {
    stdin: body === undefined ? 'ignore' : Buffer.from(body),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const [head = '', ...rest] = out.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/\S+ (\d+)/.exec(first)?.[1])
  // A proxy that refuses a body ends the stream while curl is still sending, and curl may lose the answer by that.
  if (!status && triesLeft > 0 && (await child.exited) === endedEarly) return ask(front, path, asked, triesLeft - 1)
  if (!status) throw new Error(`no answer: ${err}`)
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
  return { status, headers, text: rest.join('\r\n\r\n') }
}

const ourForm = { 'content-type': 'application/json' }

describe.each(fronts.map((kind) => [kind.name, kind] as const))('behind %s', (_, kind) => {
  const lacks = !Bun.which(kind.program, { PATH: `${process.env.PATH}:/usr/sbin` })
  const skips = isMissing(!lacks && Bun.which('curl'), `${kind.name}: apt-get install nginx-light caddy haproxy curl`)

  describe.skipIf(skips)('with the recipe', () => {
    let server: RunningServer
    let front: Front
    let port: number
    const folder = newFolder()

    async function startProofgate(): Promise<RunningServer> {
      const config = await loadConfig({
        env: {
          PROOFGATE_PORT: String(port),
          PROOFGATE_BASE_URL: publicUrl,
          PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32',
          PROOFGATE_LIMITS_RATES_API: `${requestsEach}/1h`,
        },
        cwd: folder,
      })
      return startServer(config, { folder: config.data })
    }

    beforeAll(async () => {
      port = await freePort()
      server = await startProofgate()
      front = await kind.start(join(newFolder()), port)
    })
    afterAll(async () => {
      await front?.stop()
      await server?.stop()
    })

    test('the rate limit counts the client, whatever address its headers name', async () => {
      const statuses: number[] = []
      for (let turn = 0; turn <= requestsEach; turn++) {
        const forged = `198.51.100.${turn}`
        const headers = {
          'x-forwarded-for': forged,
          'x-real-ip': forged,
          forwarded: `for=${forged}`,
          'cf-connecting-ip': forged,
        }
        statuses.push((await ask(front, '/api/v1/verification/verifiers', { client: 2, headers })).status)
      }
      expect(statuses).toEqual([...Array(requestsEach).fill(200), 429])
      expect((await ask(front, '/api/v1/verification/verifiers', { client: 3 })).status).toBe(200)
    })

    test('addresses come from the settings, whatever host the headers name', async () => {
      const headers = {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'gopher',
        forwarded: 'host=evil.example',
      }
      const { text } = await ask(front, '/.well-known/oauth-authorization-server', { client: 4, headers })
      expect(JSON.parse(text).issuer).toBe(publicUrl)
      expect(text).not.toContain('evil')
    })

    test('the largest allowed body passes, and larger ones are refused: by the server with its reason, at last by the proxy', async () => {
      const claim = JSON.stringify({
        walletAddress: alice.address,
        verifierIds: ['ownership-basic'],
        data: { owner: alice.address, content: 'x' },
        signedTimestamp: Date.now(),
      })
      const send = (bytes: number) =>
        ask(front, '/api/v1/verification/standardize', {
          client: 5,
          method: 'POST',
          headers: ourForm,
          body: claim.padEnd(bytes),
        })
      const largest = 512 * 1024
      expect((await send(largest)).status).toBe(200)
      const above = await send(largest + 1)
      expect([above.status, JSON.parse(above.text).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect((await send(3_000_000)).status).toBe(413)
    })

    test('a long address, as sign-ins of apps may have, reaches the server', async () => {
      const { status } = await ask(front, `/login?return_to=${'a'.repeat(20_000)}`, { client: 9 })
      expect(status).toBe(200)
    })

    test('a sign-in works with its cookie, and the cookie is for https alone', async () => {
      const headers = { ...ourForm, origin: publicUrl }
      const post = (path: string, body: object) =>
        ask(front, `/api/v1/auth/${path}`, { client: 6, method: 'POST', headers, body: JSON.stringify(body) })
      const { message } = JSON.parse((await post('nonce', { walletAddress: alice.address })).text).data
      const signedIn = await post('verify', { message, signature: await alice.sign(message) })
      const cookie = signedIn.headers.get('set-cookie')!
      expect(cookie).toMatch(/; Secure(;|$)/)
      const me = await ask(front, '/api/v1/auth/me', { client: 6, headers: { cookie: cookie.split(';', 1)[0]! } })
      expect([me.status, me.text]).toEqual([200, expect.stringContaining(alice.address.toLowerCase())])
    })

    test('plain http leads to https', () => {
      const told = Bun.spawnSync([
        'curl',
        '--silent',
        '--include',
        '--header',
        `host: ${publicHost}`,
        `http://127.0.0.1:${front.plainPort}/login?a=b`,
      ])
      expect(String(told.stdout)).toMatch(
        /^HTTP\/1\.1 30[18] [\s\S]*^location: https:\/\/proofs\.example\.com(:\d+)?\/login\?a=b\r$/im,
      )
    })

    // nginx has nothing that waits.
    const testOfCaddy = kind.program === 'caddy' ? test : undefined
    testOfCaddy?.('a request waits while the server restarts', async () => {
      await server.stop()
      const waiting = ask(front, '/api/v1/health/live', { client: 7 })
      await Bun.sleep(500)
      server = await startProofgate()
      expect((await waiting).status).toBe(200)
    })

    test('parts of an answer arrive as they are sent', async () => {
      const parts = ['data: first\n\n', 'data: second\n\n', 'data: third\n\n']
      const heard = parts.map(() => Promise.withResolvers<void>())
      const stream = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () =>
          new Response(
            new ReadableStream({
              async start(controller) {
                for (const [place, part] of parts.entries()) {
                  controller.enqueue(part)
                  // The next one is sent only after this one arrived.
                  await heard[place]!.promise
                }
                controller.close()
              },
            }),
            { headers: { 'content-type': 'text/event-stream' } },
          ),
      })
      const second = await kind.start(newFolder(), stream.port!)
      try {
        const child = Bun.spawn(writeCall(second, '/events', { client: 8 }), { stdout: 'pipe' })
        let text = ''
        for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
          text += part
          for (const [place, { resolve }] of heard.entries()) if (text.includes(parts[place]!)) resolve()
        }
        expect(text).toEndWith(parts.join(''))
      } finally {
        await second.stop()
        await stream.stop(true)
      }
    })
  })
})
