/** GET /widget.js and /widget.d.ts: one small file for every site, and its types. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_CORS_ORIGINS: 'https://app.example.com' })
})

describe('GET /widget.js', () => {
  test('is for pages of every origin, isolated ones too, whatever the operator lists for the API', async () => {
    const { status, headers } = await app.get('/widget.js', { origin: 'https://somebody.example' })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('content-type')).toBe('text/javascript;charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is asked for each time, and not sent again while it is the same', async () => {
    const { headers } = await app.get('/widget.js')
    expect(headers.get('cache-control')).toBe('public, no-cache')
    const again = await app.get('/widget.js', {
      'if-none-match': headers.get('etag')!,
      origin: 'https://somebody.example',
    })
    expect(again.status).toBe(304)
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is one file without imports, under 10 kB', async () => {
    const script: string = (await app.get('/widget.js')).body
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(10_240)
    expect(new Bun.Transpiler({ loader: 'js' }).scanImports(script)).toEqual([])
  })

  test('does nothing without a page, and can be imported there', async () => {
    const folder = newFolder()
    const file = join(folder, 'widget.mjs')
    writeFileSync(file, (await app.get('/widget.js')).body)
    const { stdout, exitCode } = Bun.spawnSync([
      process.execPath,
      '-e',
      `console.log(Object.keys(await import(${JSON.stringify(file)})).join())`,
    ])
    expect(stdout.toString().trim()).toBe('setTexts')
    expect(exitCode).toBe(0)
  })
})

describe('GET /widget.d.ts', () => {
  test('types an application', async () => {
    const { status, body, headers } = await app.get('/widget.d.ts')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/typescript;charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toContain('export interface ProofGateElement extends HTMLElement')
    expect(body).not.toContain('import ')
  })

  test('holds an application to the existing names, strictly and by itself', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'proofgate-widget.d.ts'), (await app.get('/widget.d.ts')).body)
    writeFileSync(
      join(folder, 'application.ts'),
      `import type { ProofGateDone, ProofState } from './proofgate-widget'
const gate = document.querySelector('proof-gate')!
gate.gateId = 'gate_club'
gate.disabled = true
gate.addEventListener('proofgate-done', ({ detail }) => heard(detail))
addEventListener('proofgate-error', ({ detail }) => detail.retryable === true)
document.addEventListener('proofgate-closed', ({ detail }) => detail satisfies null)
const heard = (done: ProofGateDone): boolean | null => done.eligible
const badge = document.createElement('proof-badge')
badge.qHash = null
void badge.refresh().then(() => badge.state satisfies ProofState)
// @ts-expect-error: it is told, not set
gate.state = 'open'
// @ts-expect-error: there is no such attribute
gate.gateid = 'gate_club'
`,
    )
    const { stdout, exitCode } = Bun.spawnSync(
      [
        join(import.meta.dir, '../../node_modules/.bin/tsc'),
        ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'preserve', '--lib', 'es2022,dom', '--types', ''],
        'application.ts',
        'proofgate-widget.d.ts',
      ],
      { cwd: folder },
    )
    expect(stdout.toString()).toBe('')
    expect(exitCode).toBe(0)
  })

  test('names every state and every word that exists', async () => {
    const { body } = await app.get('/widget.d.ts')
    const { words } = await import('../../src/pages/browser/widget/words/en.ts')
    const states = /export type ProofState =(.+?)\n\n/s.exec(body)![1]!.match(/\w+/g)!
    const named = [
      ...body
        .split('export type ProofgateText =')[1]!
        .split('\n\n')[0]!
        .matchAll(/'(\w+)'/g),
    ].map(([, name]) => name!)
    expect([...named, ...states, ...states.map((state) => `${state}More`)].sort()).toEqual(Object.keys(words).sort())
  })
})
