import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../src/commands/index.ts'
import { loadAssets } from '../../src/pages/assets.ts'
import { listPublicFiles } from '../../src/pages/scripts.ts'
import { version } from '../../src/version.ts'
import { languages } from '../../src/web/languages.ts'
import { injectMainThread } from '../health/fault-stage.ts'
import { bearer, handshake, messageOf, modern } from '../mcp/mcp.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { startDns, txt } from '../parts/dns.ts'
import { isMissing } from '../parts/optional.ts'
import semaphore from '../vectors/semaphore.json'
import { alice } from '../wallets.ts'
import { build, emptyFolder, removeAll, run, start } from './executable.ts'

beforeAll(build)
afterAll(removeAll)

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const postTo = (base: string) => async (path: string, body: object) => {
  const response = await fetch(`${base}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any }
}

async function prove(
  base: string,
  verifierId = 'ownership-basic',
  data: object = { owner: alice.address, content: 'Grüße aus der Datei 🎟' },
  privacyLevel?: 'public',
) {
  const post = postTo(base)
  const options = privacyLevel && { privacyLevel }
  const claim = { walletAddress: alice.address, verifierIds: [verifierId], data, signedTimestamp: Date.now(), options }
  const prepared = await post('/verification/standardize', claim)
  return post('/verification', { ...claim, signature: await alice.sign(prepared.body.data.signerString) })
}

/** The headers of a browser that Alice is signed in to. */
async function signIn(base: string): Promise<{ cookie: string; 'x-csrf-token': string }> {
  const { body } = await postTo(base)('/auth/nonce', { walletAddress: alice.address })
  const { message } = body.data
  const answer = await fetch(`${base}/api/v1/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature: await alice.sign(message) }),
  })
  const { data } = (await answer.json()) as { data: { csrfToken: string } }
  return { cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]!, 'x-csrf-token': data.csrfToken }
}

describe('the executable, in an empty folder', () => {
  test('starts with nothing configured, keeps its data to itself, and stops cleanly', async () => {
    const server = await start([])
    expect(server.out).toStartWith(`Proofgate ${version} is running at http://127.0.0.1:`)
    expect(server.out).toContain(`Data folder     ${join(server.cwd, 'data')}`)
    expect(server.out).toContain('proofgate demo --url http')
    expect(server.out).not.toContain('\u001b')

    const health = await fetch(`${server.base}/api/v1/health`)
    expect(await health.json()).toMatchObject({ success: true, data: { status: 'ok', version } })
    const created = await prove(server.base)
    expect(created).toMatchObject({ status: 200, body: { status: 'verified' } })

    expect(await server.stop()).toBe(0)
    expect(readdirSync(server.cwd)).toEqual(['data'])
    const data = join(server.cwd, 'data')
    expect(modeOf(data)).toBe('700')
    // No -wal and no -shm: everything is in the one file.
    const files = ['master.key', 'proofgate.sqlite', 'proofgate.sqlite.lock', 'proofgate.sqlite.locks']
    // The reserve is made a second after the start.
    expect(
      readdirSync(data)
        .sort()
        .filter((file) => file !== 'reserve'),
    ).toEqual(files)
    expect(files.map((file) => modeOf(join(data, file)))).toEqual(['600', '600', '600', '600'])

    const again = await start([], { cwd: server.cwd })
    const read = await fetch(`${again.base}/api/v1/proofs/${created.body.data.qHash}`)
    expect(await read.json()).toMatchObject({ status: 'verified' })
    await again.stop()
  })

  test('prints a link by which a person becomes operator, and none once there is an operator', async () => {
    const server = await start([])
    const [, link] = /^ {2}Operator {8}(\S+)$/m.exec(server.out)!
    expect(link).toMatch(new RegExp(`^${server.base}/operator/claim#[A-Za-z0-9_-]{43}$`))
    expect(await (await fetch(link!)).text()).toContain('Become the operator')
    const headers = await signIn(server.base)
    const claim = () =>
      fetch(`${server.base}/api/v1/operator/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ token: link!.split('#')[1] }),
      })
    expect((await claim()).status).toBe(200)
    expect((await claim()).status).toBe(404)
    const page = await fetch(`${server.base}/operator`, { headers: { ...headers, accept: 'text/html' } })
    expect(await page.text()).toContain('id="dashboard"')
    const { data } = (await (await fetch(`${server.base}/api/v1/operator/health`, { headers })).json()) as {
      data: { disk: { freeBytes: number }; database: { bytes: number } }
    }
    expect(data.disk.freeBytes).toBeGreaterThan(0)
    expect(data.database.bytes).toBeGreaterThan(0)
    await server.stop()

    const again = await start([], { cwd: server.cwd })
    expect(again.out).not.toContain('Operator')
    expect((await fetch(`${again.base}/operator/claim`)).status).toBe(404)
    await again.stop()
  })

  test.skipIf(
    isMissing(process.platform === 'linux' && process.arch === 'x64', 'the addon in the executable: run on Linux x64'),
  )('recovers signers natively, with the addon it carries', async () => {
    const server = await start(['serve', '--json'], {}, '}\n')
    const { recovery, recoveryLibrary } = JSON.parse((await run(['version', '--json'], {})).out)
    expect(recovery).toBe('native')
    expect(JSON.parse(server.out)).toMatchObject({ ready: true, recovery, recoveryLibrary })
    await server.stop()
  })

  test('refuses a data folder that another one uses, and says so', async () => {
    const first = await start([])
    const { code, out, err } = await run([], { cwd: first.cwd, env: { PROOFGATE_PORT: '0' } })
    expect({ code, out }).toEqual({ code: 69, out: '' })
    expect(err).toContain('another Proofgate already uses this data folder')
    expect(err).toContain('PROOFGATE_DATA')
    expect((await fetch(`${first.base}/api/v1/health`)).status).toBe(200)
    await first.stop()
  })

  test('refuses a port that is taken, and says what to do', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { port } = other
    const { code, err } = await run([], { env: { PROOFGATE_PORT: String(port) } })
    await other.stop(true)
    expect(code).toBe(69)
    expect(err).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(err).toContain('PROOFGATE_PORT')
  })

  test('refuses a data folder that cannot be one, and says why', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), '')
    const below = await run([], { cwd, env: { PROOFGATE_DATA: 'file/data' } })
    expect(below.code).toBe(69)
    expect(below.err).toContain(
      `the data folder ${join(cwd, 'file/data')} cannot be used (a part of the path is a file)`,
    )
    const same = await run([], { cwd, env: { PROOFGATE_DATA: 'file' } })
    expect(same.code).toBe(69)
    expect(same.err).toContain('there is a file of that name')
    expect(below.err + same.err).not.toContain('    at ')
  })

  test('refuses a file that is not a database', async () => {
    const { cwd, stop } = await start([])
    await stop()
    writeFileSync(join(cwd, 'data/proofgate.sqlite'), 'not a database, and longer than a header '.repeat(100))
    const { code, err } = await run([], { cwd, env: { PROOFGATE_PORT: '0' } })
    expect(code).toBe(69)
    expect(err).toContain('is damaged or not a database')
  })

  test('refuses a wrong configuration, by file and line', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'proofgate.toml'), 'host = "127.0.0.1"\nport = "eighty"\n')
    const { code, err } = await run([], { cwd })
    expect(code).toBe(78)
    expect(err).toContain('\nproofgate.toml:2: port: expected a whole number from 0 to 65535, found "eighty"')
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })

  test('serves its pages: their files, as small as the sources make them, and nothing of the machine it was built on', async () => {
    const server = await start([])
    for (const path of [
      '/',
      '/docs',
      '/docs/guides',
      '/docs/guides/errors',
      '/login',
      '/verify?intent=mcp&returnTo=/oauth/authorize',
      '/verify?preset=basic',
      '/widget',
    ]) {
      const page = await (await fetch(server.base + path)).text()
      const files = [...page.matchAll(/(?:href|src)="(?:\.\.\/)*(assets\/[^"]+)"/g)].map(([, file]) => file!)
      expect(files.length).toBeGreaterThan(1)
      for (const file of files) {
        const answer = await fetch(`${server.base}/${file}`)
        expect({ file, status: answer.status }).toEqual({ file, status: 200 })
        expect(answer.headers.get('cache-control')).toContain('immutable')
      }
    }
    // Commands on a page are for whoever has what the server runs from.
    expect(await (await fetch(`${server.base}/login`)).text()).toContain('>proofgate sign --url http://127.0.0.1:')
    for (const language of languages) {
      const { served, scripts, paths } = await loadAssets(language)
      const ofScripts = Object.values(scripts).flatMap(({ path, needed }) => [path, ...needed])
      for (const path of new Set([...Object.values(paths), ...ofScripts])) {
        const answer = await fetch(`${server.base}/${path}`)
        expect({ path, status: answer.status }).toEqual({ path, status: 200 })
        expect(await answer.bytes()).toEqual(new Uint8Array(served.get(path.slice('assets/'.length))!.bytes))
      }
    }
    for (const [name, file] of Object.entries<Blob>(await listPublicFiles()))
      expect(await (await fetch(`${server.base}/${name}`)).bytes()).toEqual(new Uint8Array(await file.arrayBuffer()))
    await server.stop()
  })

  test('draws the picture of a proof with the program and the fonts that it carries', async () => {
    const server = await start([])
    const made = await prove(server.base, 'ownership-basic', { owner: alice.address, content: 'x' }, 'public')
    const page = await (await fetch(`${server.base}/proof/${made.body.data.qHash}`)).text()
    const address = /property="og:image" content="([^"]+)"/.exec(page)![1]!
    const answer = await fetch(address)
    expect(answer.headers.get('content-type')).toBe('image/png')
    const png = Buffer.from(await answer.arrayBuffer())
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
    // Letters make it larger than the empty card.
    expect(png.length).toBeGreaterThan(15_000)
    expect(await server.stop()).toBe(0)
  })

  test('finishes the request that is under way when a stop signal comes', async () => {
    const server = await start([])
    const body = JSON.stringify({
      walletAddress: alice.address,
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'Hello' },
      signedTimestamp: 1,
    })
    let answer = ''
    const closed = Promise.withResolvers<void>()
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(server.base).port),
      socket: {
        data: (_, bytes) => {
          answer += bytes.toString()
        },
        close: () => closed.resolve(),
      },
    })
    socket.write(
      `POST /api/v1/verification/standardize HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    )
    await Bun.sleep(100)
    server.signal('SIGTERM')
    await Bun.sleep(200)
    socket.write(body.slice(20))

    expect(await server.exited).toBe(0)
    await closed.promise
    expect(answer).toStartWith('HTTP/1.1 200 OK')
    expect(answer).toContain('"signerString"')
  })

  test('a stop signal right after the ready line is heard', async () => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      const server = await start(['--json'], {}, '}\n')
      server.signal(name)
      expect(await server.exited).toBe(0)
      expect(readdirSync(join(server.cwd, 'data'))).not.toContain('proofgate.sqlite-wal')
    }
  })

  test('ends with 74 when the disk does not answer its main thread, and says so', async () => {
    const server = await start([], { env: { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2' } })
    const fault = await injectMainThread(server.pid, 'pread64:delay_enter=600000000')
    void prove(server.base).catch(() => {})
    expect(await server.exited).toBe(74)
    await fault.end()
    expect(await server.readLog()).toMatch(
      / error the disk has not answered for 2 s.* condition=disk-hangs waitsFor=\S+sqlite/,
    )
  }, 60_000)

  test('ignores every file in the working directory except proofgate.toml', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, '.env'), 'PROOFGATE_PORT=wrong')
    writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.ts"]')
    writeFileSync(join(cwd, 'evil.ts'), 'console.log("evil")')
    writeFileSync(join(cwd, 'package.json'), '{"name": "evil", "version": "9.9.9"}')
    writeFileSync(join(cwd, 'tsconfig.json'), 'broken')
    expect(await run(['--version'], { cwd })).toEqual({ code: 0, out: `proofgate ${version}\n`, err: '' })
    expect((await run(['check-config'], { cwd })).code).toBe(0)
  })
})

describe('the commands of the executable', () => {
  test('demo walks the whole way and keeps a proof that verify accepts, and a changed one that it does not', async () => {
    const cwd = emptyFolder()
    const demo = await run(['demo', '--out', 'proof.json'], { cwd })
    expect(demo).toMatchObject({ code: 0, err: '' })
    expect(demo.out).toContain('All 13 steps worked.')
    expect(demo.out).toContain(`proofgate verify ${join(cwd, 'proof.json')}`)
    expect(readdirSync(cwd)).toEqual(['proof.json'])

    const proof = readFileSync(join(cwd, 'proof.json'), 'utf8')
    writeFileSync(join(cwd, 'changed.json'), proof.replace('A note', 'B note'))
    writeFileSync(join(cwd, 'unusable.json'), proof.slice(1))
    const verdicts = await Promise.all(
      ['proof.json', 'changed.json', 'unusable.json'].map((file) => run(['verify', file], { cwd })),
    )
    expect(verdicts.map(({ code }) => code)).toEqual([0, 1, 2])
    expect(verdicts[0]!.out).toStartWith('VALID')
    expect(verdicts[1]!.out).toStartWith('NOT VALID')
    expect(verdicts[2]!.err).toStartWith('unusable.json: this is not JSON')
  })

  test('sign and keys give access to a person without a wallet, and to a script', async () => {
    const server = await start([])
    const env = { HOME: emptyFolder(), PROOFGATE_DATA: join(server.cwd, 'data') }
    const signed = await run(['sign', '--url', server.base], { env })
    expect(signed.code).toBe(0)
    expect(modeOf(join(env.HOME, '.config', 'proofgate', 'wallet.key'))).toBe('600')
    const answer = await postTo(server.base)('/auth/verify', { token: signed.out.trim() })
    expect(answer).toMatchObject({ status: 200, body: { data: { authenticated: true } } })

    const address = (await run(['sign', '--address'], { env })).out.trim()
    const made = await run(['keys', 'create', '--wallet', address], { env })
    expect(made.code).toBe(0)
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    const me = await (await fetch(`${server.base}/api/v1/auth/me`, { headers })).json()
    expect(me.data).toMatchObject({ subjectId: answer.body.data.subjectId, via: 'access-key' })
    await server.stop()
  })

  test('demo and healthcheck work against a server that runs', async () => {
    const server = await start([])
    const { port } = new URL(server.base)
    expect((await run(['demo', '--json', '--url', server.base])).code).toBe(0)
    expect(await run(['healthcheck'], { env: { PROOFGATE_PORT: port } })).toEqual({ code: 0, out: 'ready\n', err: '' })
    await server.stop()
    expect((await run(['healthcheck'], { env: { PROOFGATE_PORT: port } })).code).toBe(1)
  })

  test.each(commands.map(({ name }) => [name]))('%s --help', async (name) => {
    const { code, out } = await run([name, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/Exit codes:\s+0 /)
  })

  test.each([
    [['--nonsense'], 'there is no option --nonsense'],
    [['verify', '--nonsense'], 'there is no option --nonsense'],
    [['nonsense'], 'There is no command "nonsense"'],
  ])('%j is a wrong call', async (args, message) => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('answers an assistant at /mcp, with the library it carries, in both eras', async () => {
    const cwd = emptyFolder()
    const server = await start([], { cwd })
    const made = await run(['keys', 'create', '--wallet', alice.address, '--name', 'script', '--json'], { cwd })
    expect(made.code).toBe(0)
    const { key } = JSON.parse(made.out)
    const ask = async (version: string) => {
      const { headers, body } = messageOf(version, 'tools/list')
      const response = await fetch(`${server.base}/mcp`, {
        method: 'POST',
        headers: { ...headers, ...bearer(key) },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { result: { tools: object[] } }
      return { status: response.status, tools: answer.result.tools.length }
    }
    for (const version of [modern, ...handshake]) expect(await ask(version)).toEqual({ status: 200, tools: 12 })
    const refused = await fetch(`${server.base}/mcp`, { method: 'POST' })
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${server.base}/.well-known/oauth-protected-resource"`,
    )
    expect(await server.stop()).toBe(0)
  })

  test('verifies proofs of Semaphore with the curve and the keys it carries', async () => {
    const env = {
      PROOFGATE_AUTH_URL: 'http://localhost:8787',
      PROOFGATE_HUMAN_SEMAPHORE_ROOTS: semaphore.adaForAlice.merkleTreeRoot,
    }
    const server = await start([], { env })
    const answers = [semaphore.adaAtDepth32, { ...semaphore.adaForAlice, nullifier: '1' }].map((proof) =>
      prove(server.base, 'proof-of-human', { provider: 'semaphore', proofs: [proof], queryResult: {} }),
    )
    expect(await Promise.all(answers)).toMatchObject([
      { status: 200 },
      { status: 400, body: { error: { details: { reason: 'INVALID_PROOF' } } } },
    ])
    expect(await server.stop()).toBe(0)
  })

  test('looks outside as the sources do: at a chain, at the DNS, and into its own word list', async () => {
    const anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) })
    const dns = await startDns({ '_svc.example.com': [txt(`wallet=${alice.address.toLowerCase()}`)] })
    const nft = await deploy(anvil, 'Erc721')
    await nft.write('mint', [alice.address, 7n])
    const env = {
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
      PROOFGATE_DNS_RESOLVERS: dns.address,
    }
    const server = await start([], { env })
    try {
      const held = await prove(server.base, 'nft-ownership', {
        contractAddress: nft.address,
        tokenId: '7',
        chainId: 8453,
      })
      const domain = await prove(server.base, 'ownership-dns-txt', { domain: 'example.com' })
      const plain = { content: 'A walk in the park', contentType: 'text/plain' }
      const moderated = await prove(server.base, 'ai-content-moderation', plain)
      const flagged = await prove(server.base, 'ai-content-moderation', { ...plain, content: 'f.u.c.k this' })
      expect([held.status, domain.status, moderated.status]).toEqual([200, 200, 200])
      expect(flagged).toMatchObject({ status: 400, body: { error: { details: { reason: 'CONTENT_FLAGGED' } } } })

      const examined = await run(['doctor', '--json'], { env })
      expect(JSON.parse(examined.out).findings).toContainEqual(
        expect.objectContaining({ setting: 'chains.base.rpc[0]', level: 'ok' }),
      )
      expect(examined.code).toBe(0)
    } finally {
      await Promise.all([server.stop(), anvil.stop(), dns.stop()])
    }
  })
})
