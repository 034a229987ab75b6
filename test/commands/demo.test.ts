import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { demo } from '../../src/commands/demo.ts'
import { verify } from '../../src/commands/verify.ts'
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

const serverWith = async (env: Record<string, string> = {}): Promise<RunningServer> =>
  startServer(await loadConfig({ env: { PROOFGATE_PORT: '0', ...env }, cwd: newFolder() }), { folder: undefined })

const faultOf = (args: string[], given = {}) => run(demo, args, given).catch((error: Error) => error)

describe('proofgate demo', () => {
  test('runs every step on a server of its own, each with its request', async () => {
    const { code, out, err } = await run(demo, [])

    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('started for this demo, in memory, gone at its end')
    for (const request of [
      'GET /api/v1/health',
      'GET /api/v1/verification/verifiers',
      'POST /api/v1/verification/standardize',
      'POST /api/v1/verification  → 200',
      'GET /api/v1/proofs/0x',
      'GET /api/v1/proofs/by-wallet/0x',
      'POST /api/v1/proofs/revoke-self/0x',
    ])
      expect(out).toContain(request)
    expect(out).toMatch(/\| Portable Proof Verification Request\n {4}\| Wallet: 0x[0-9a-f]{40}\n {4}\| Chain: 84532\n/)
    expect(out).toContain('All 13 steps worked.\n\nWhat to try next:\n')
    expect(out).not.toContain('\u001b')
  })

  test('prints the same as one line of JSON', async () => {
    const { code, out, json } = await run(demo, ['--json'])

    expect(code).toBe(0)
    expect(out.trimEnd()).not.toContain('\n')
    expect(json).toMatchObject({ success: true, server: { isPrivate: true } })
    const told = json.steps.map(({ answer }: { answer: object }) => answer)
    expect(told[5]).toMatchObject({ status: 'verified', qHash: json.qHash })
    expect(Object.keys(told[6]).sort()).toEqual(['createdAt', 'lastUpdated', 'privacyLevel', 'qHash', 'status'])
    expect(told[8]).toEqual({ valid: true, qHash: true, did: true, signature: true, fresh: true })
    expect(told[10]).toEqual({ eligible: true, matchedCount: 1 })
    expect(told[12]).toEqual({ status: 'revoked', eligible: false })
  })

  test('each run has a wallet of its own', async () => {
    const [one, other] = await Promise.all([run(demo, ['--json']), run(demo, ['--json'])])
    expect(one.json.portableProof.walletAddress).not.toBe(other.json.portableProof.walletAddress)
  })

  test('keeps the portable proof, which verify accepts', async () => {
    const cwd = newFolder()
    const { out } = await run(demo, ['--out', 'proof.json'], { cwd })
    expect(out).toContain(`verify ${join(cwd, 'proof.json')}`)
    expect((await run(verify, ['proof.json'], { cwd })).code).toBe(0)
    expect(Object.keys(JSON.parse(readFileSync(join(cwd, 'proof.json'), 'utf8')))).toHaveLength(9)
  })

  test('does not look at a configuration or write anything beside --out', async () => {
    const cwd = newFolder()
    await Bun.write(join(cwd, 'proofgate.toml'), 'port = "wrong"')
    expect((await run(demo, [], { cwd, env: { PROOFGATE_PORT: 'wrong' } })).code).toBe(0)
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })
})

describe('proofgate demo --url', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await serverWith({ PROOFGATE_SIGNING_HUB_CHAIN_ID: '1', PROOFGATE_BRAND: 'acme' })
  })
  afterAll(() => server.stop())

  test('runs the same steps on a running server, whatever its hub chain and brand', async () => {
    const { code, json } = await run(demo, ['--url', `${server.addresses.baseUrl}/`, '--json'])
    expect(code).toBe(0)
    expect(json.portableProof.chainId).toBe(1)
    expect(json.server).toEqual({ url: server.addresses.baseUrl, isPrivate: false })
  })

  test('stops where a server refuses a step, with its words, and exits 1', async () => {
    const narrow = await serverWith({ PROOFGATE_VERIFIERS_ENABLED: 'wallet-link' })
    const { code, err, out } = await run(demo, ['--url', narrow.addresses.baseUrl])
    await narrow.stop()
    expect(code).toBe(1)
    expect(out).toContain(' 2  ')
    expect(err).toContain('Step 3 failed: this server does not offer ownership-basic')
  })

  test('stops where a server breaks the interface', async () => {
    const liar = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) =>
        url.endsWith('/verifiers')
          ? Response.json({ success: true, data: ['ownership-basic'] })
          : Response.json({ success: true, data: { signerString: 'x' } }),
    })
    const { code, json } = await run(demo, ['--json', '--url', `http://127.0.0.1:${liar.port}`])
    liar.stop(true)
    expect(code).toBe(1)
    expect(json).toMatchObject({ success: false, failedStep: 5 })
    expect(json.error).toContain('does not behave as the interface says')
  })

  test('a refusal is shown with its code and without control characters', async () => {
    const refusing = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ success: false, error: { code: 'X', message: 'no\u001b[2J' } }, { status: 503 }),
    })
    const { err } = await run(demo, ['--url', `http://127.0.0.1:${refusing.port}`])
    refusing.stop(true)
    expect(err).toContain('GET /api/v1/health was answered with 503 X: no\\u{1b}[2J')
  })

  test.each([
    ['HTML', () => new Response('<html>'), 'is not Proofgate'],
    ['JSON that is no object', () => Response.json(1), 'is not Proofgate'],
    ['a redirect', () => Response.redirect('https://elsewhere.example/'), 'redirect to https://elsewhere.example/'],
  ])('says what to do when %s answers', async (_, fetch, message) => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
    const fault = await faultOf(['--url', `http://127.0.0.1:${other.port}`])
    other.stop(true)
    expect(fault).toBeInstanceOf(UnavailableError)
    expect((fault as Error).message).toContain(message)
    expect((fault as Error).message).toContain('--url')
  })

  test('says what to do when no server answers', async () => {
    const closed = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { port } = closed
    await closed.stop(true)
    const fault = await faultOf(['--url', `http://127.0.0.1:${port}`])
    expect(fault).toBeInstanceOf(UnavailableError)
    expect((fault as Error).message).toContain(`no server answers at http://127.0.0.1:${port}`)
    expect((fault as Error).message).toContain('Start a server there')
  })

  test.each([
    ['ftp://example.com'],
    ['example.com'],
    [''],
    ['http://user:word@example.com'],
    ['http://example.com/?a'],
  ])('refuses %j', async (url) => {
    expect(await faultOf(['--url', url])).toBeInstanceOf(UsageError)
  })

  test('reports an unwritable --out before any request', async () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'folder'))
    for (const out of ['', 'folder', 'none/proof.json'])
      expect(await faultOf(['--url', 'http://127.0.0.1:1', '--out', out], { cwd })).toBeInstanceOf(UsageError)
  })

  test('says why the file of --out cannot be written, where only writing it shows that', async () => {
    const fault = await faultOf(['--out', '/dev/full'])
    expect(fault).toBeInstanceOf(UsageError)
    expect((fault as Error).message).toBe('/dev/full cannot be written (ENOSPC): name another file after --out')
  })
})
