import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startApp } from '../app.ts'
import { temporaryFolder } from '../parts/folders.ts'

const app = await startApp()
afterAll(() => app.close())
const text = async (path: string): Promise<string> => (await app.get(path)).body

const folder = temporaryFolder()

describe('GET /client.js', () => {
  test('is for every page and program, and is asked for again by its tag', async () => {
    const { status, headers } = await app.get('/client.js', { origin: 'https://anywhere.example' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript;charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('x-typescript-types')).toBe('./client.d.ts')
    const again = await app.get('/client.js', { 'if-none-match': headers.get('etag')! })
    expect(again.status).toBe(304)
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is for every page also where the API is for some only', async () => {
    const narrow = await startApp({ PROOFGATE_CORS_ORIGINS: 'https://only.example' })
    for (const path of ['/client.js', '/client.d.ts']) {
      const { headers } = await narrow.get(path, { origin: 'https://anywhere.example' })
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
    narrow.close()
  })

  test('is smaller than 9 kB as it travels, and needs nothing', async () => {
    const script = await text('/client.js')
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(9_216)
    expect(script).not.toMatch(/\b(import|require)\b\s*[({'"]/)
    expect(script).not.toMatch(/\b(eval|Function|process|Buffer|Bun|Deno)\b[.(]/)
  })

  test('holds exactly the members of its types', async () => {
    const file = join(folder, 'client.mjs')
    writeFileSync(file, await text('/client.js'))
    const declared = [...(await text('/client.d.ts')).matchAll(/^export declare (?:async )?(?:function|class) (\w+)/gm)]
    expect(Object.keys(await import(file)).sort()).toEqual(declared.map(([, name]) => name!).sort())
  })
})

describe('GET /client.d.ts', () => {
  test('is for every program', async () => {
    const { status, headers } = await app.get('/client.d.ts')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/typescript;charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('describes every member', async () => {
    const lines = (await text('/client.d.ts')).split('\n')
    const methods = lines.flatMap((line, at) => (/^ {2}\w+(<T>)?\(.*$/.test(line) ? [[line, lines[at - 1]]] : []))
    expect(methods.length).toBeGreaterThan(14)
    for (const [line, before] of methods)
      if (!line!.includes('constructor'))
        expect(before).toMatch(/\*\/$|^ {2}readonly|^export interface EthereumProvider/)
  })
})

/** Compiles a file beside the two that a user downloads, and returns the compiler's output. */
async function compiled(source: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'user-'))
  writeFileSync(join(place, 'client.d.ts'), await text('/client.d.ts'))
  writeFileSync(join(place, 'client.js'), await text('/client.js'))
  writeFileSync(join(place, 'use.ts'), source)
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', '--types', '']
  const tsc = Bun.spawnSync([process.execPath, compiler, ...options, ...target, 'use.ts'], { cwd: place })
  expect(readdirSync(place)).toHaveLength(4)
  return tsc.stdout.toString()
}
const root = join(import.meta.dir, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

describe('the types', () => {
  test('are those of the source, both ways', () => {
    // The settings of the project, for one file. Not called tsconfig.json, which programs below would find.
    const config = join(folder, 'same-types.json')
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots: [join(root, 'node_modules')] },
        include: [],
        files: [join(import.meta.dir, 'declaration.ts')],
      }),
    )
    const { stdout, exitCode } = Bun.spawnSync([process.execPath, compiler, '-p', config])
    expect(stdout.toString()).toBe('')
    expect(exitCode).toBe(0)
  })

  test('serve a strict program of a user', async () => {
    expect(
      await compiled(`
        import { createClient, ethereumSigner, ProofgateError, solanaSigner, verifyEnvelope, type Proof } from './client.js'
        const client = createClient({ url: 'https://proofs.example', headers: () => ({ authorization: 'Bearer npk_x' }) })
        const signer = await ethereumSigner({ request: async () => ['0x'] })
        const phantom = solanaSigner({ publicKey: 'x', signMessage: async (bytes) => ({ signature: bytes }) })
        const created = await client.prove(signer, { verifierIds: ['ownership-basic'], data: { owner: signer.address } })
        const { verdict } = await verifyEnvelope(created.portableProof)
        const same: 'valid' | 'invalid' | 'undecided' = verdict
        const proofs: Proof[] = []
        for await (const proof of client.listAll(signer.address, { signer, tags: ['a'] })) proofs.push(proof)
        const checked = await client.check({ gateId: 'gate_x', sanctioned: false }, { signer: phantom })
        const open: boolean | undefined = checked.gate?.allRequiredSatisfied
        const outcome = await client.fulfil('gate_x', { qHash: created.qHash }, { signer })
        if (outcome.fulfilled) outcome.fulfillment.value
        else outcome.accepts.map(({ method }) => method)
        try {
          await client.revoke(created.qHash, { signer, signal: AbortSignal.timeout(1000) })
        } catch (error) {
          if (error instanceof ProofgateError && error.retryable) error.retryAfterSeconds?.toFixed()
        }
        const { data } = await client.request<{ data: string[] }>('GET', '/api/v1/verification/verifiers')
        data[0]?.length
        export { same, open }
      `),
    ).toBe('')
  })

  test.each([
    ['a claim without data', "await client.prove({ address: '0x', sign: () => '' }, { verifierIds: ['a'] })"],
    ['a client without an address', 'createClient({})'],
    ['the reward of what may not have been paid', "(await client.fulfil('g', { qHash: '0x' })).fulfillment"],
    ['a method that there is not', 'client.verify()'],
  ])('find %s', async (_, line) => {
    const said = await compiled(`import { createClient } from './client.js'
      const client = createClient({ url: 'https://proofs.example' })
      ${line}`)
    expect(said).toMatch(/^use\.ts\(\d+,\d+\): error TS/)
  })
})
