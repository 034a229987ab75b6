/**
 * A full disk: new data is refused with 503 and not stored in part. Acknowledged data stays readable, and the server
 * goes on without a restart once there is space.
 *
 * Two ways to fill it: a small file system of its own, where the tests may mount one. The other is a limit on file
 * sizes for the server process, which needs no rights.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Db } from '../../src/db/db.ts'
import { openLog } from '../../src/log.ts'
import { openParts } from '../../src/start.ts'
import { startApp } from '../app.ts'
import { rowCounts } from '../http/refused.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { alice } from '../wallets.ts'
import { firstLine } from './child.ts'
import { until } from './faulty-disk.ts'
import { faultsIn, inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Send = (path: string, body?: object) => Promise<{ status: number; body: any }>

/** A proof that keeps 40 KB of content, so that a few fill the remaining space. */
async function prove(send: Send, name: string) {
  const body = {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: `${name} ${'x'.repeat(40_000)}` },
    signedTimestamp: Date.now(),
    options: { storeOriginalContent: true },
  }
  const prepared = await send('/api/v1/verification/standardize', body)
  const request = { ...body, signature: await alice.sign(prepared.body.data.signerString) }
  return { request, answer: await send('/api/v1/verification', request) }
}

const disk = mountSmallDisk(12)
const smallDisk = disk?.folder
const cannotMount = isMissing(smallDisk, 'a full disk: run as root, who may mount one')
afterAll(() => disk?.end())

/** Takes all the space that is left. */
function fill(file: string): void {
  const handle = openSync(file, 'a')
  try {
    for (const size of [65_536, 1_024, 1])
      while (true)
        try {
          writeSync(handle, Buffer.alloc(size))
        } catch {
          break
        }
  } finally {
    closeSync(handle)
  }
}

test.skipIf(cannotMount).each([
  ['16', 503],
  ['0', 200],
])('with a floor of %s MB on a disk of 12 MB, signing in answers %d', async (floor, expected) => {
  const env = { PROOFGATE_STORAGE_MIN_FREE_MB: floor, PROOFGATE_LIMITS_ENABLED: 'false' }
  const app = await startApp(env, join(smallDisk!, `floor-${floor}`))
  const { message } = (await app.post('/api/v1/auth/nonce', { walletAddress: alice.address })).body.data
  const answer = await app.post('/api/v1/auth/verify', { message, signature: await alice.sign(message) })
  expect(answer.status).toBe(expected)
  expect(answer.body.error?.code).toBe(expected === 503 ? 'STORAGE_FULL' : undefined)
  await app.close()
})

describe.each(['worker', 'inline'])('on a full file system, with the %s writer', (writer) => {
  test.skipIf(cannotMount)(
    'a refused proof is not stored in part, the others stay, and it succeeds when there is space',
    async () => {
      const folder = join(smallDisk!, writer)
      const env = {
        PROOFGATE_STORAGE_WRITER: writer,
        PROOFGATE_STORAGE_WAL_LIMIT_MB: '1',
        PROOFGATE_LIMITS_ENABLED: 'false',
        // In this test the disk itself refuses, not the free-space floor.
        PROOFGATE_STORAGE_MIN_FREE_MB: '0',
      }
      const opened = await openParts(await loadConfig({ env, cwd: '/' }), folder, Date.now)
      opened.setAddresses({ baseUrl: 'http://localhost', authUrl: 'http://localhost', mcpUrl: 'http://localhost' })
      const logged: string[] = []
      const log = openLog((level, line) => {
        if (level === 'error') logged.push(line)
      })
      const app = createApp({ ...opened.parts, log })
      const send: Send = async (path, body) => {
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        const response = await app.handle(new Request(`http://localhost${path}`, body ? post : {}))
        return { status: response.status, body: await response.json() }
      }

      const kept: string[] = []
      for (let turn = 0; turn < 5; turn++) kept.push((await prove(send, `kept ${turn}`)).answer.body.data.qHash)
      const ballast = join(smallDisk!, 'ballast')
      fill(ballast)
      // The log of the database may still have room that it took before.
      let first = await prove(send, 'room')
      for (let turn = 0; first.answer.status === 200 && turn < 200; turn++) {
        kept.push(first.answer.body.data.qHash)
        first = await prove(send, `room ${turn}`)
      }
      expect(first.answer).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_FULL' } } })

      // A checkpoint may make room in the log at any moment. Some of these may then be stored after all, but only
      // whole.
      const before = await rowCounts(opened.parts)
      const tried = await Promise.all(Array.from({ length: 10 }, (_, turn) => prove(send, `tried ${turn}`)))
      const stored = tried.filter(({ answer }) => answer.status === 200)
      for (const { answer } of tried) expect([200, 503]).toContain(answer.status)
      // Every table of proofs grows by as many rows as each earlier proof has there.
      const perProof = ['proofs', 'contents', 'envelopes', 'proof_facts', 'spent_signatures']
      expect(await rowCounts(opened.parts)).toEqual({
        ...before,
        ...Object.fromEntries(
          perProof.map((table) => [table, before[table]! + (before[table]! / before.proofs!) * stored.length]),
        ),
      })
      kept.push(...stored.map(({ answer }) => answer.body.data.qHash))
      expect(logged).toEqual(['a change could not be stored'])
      for (const qHash of kept) expect((await send(`/api/v1/proofs/${qHash}`)).status).toBe(200)
      expect((await rowCounts(opened.parts)).proofs).toBe(kept.length)

      rmSync(ballast)
      const again = await send('/api/v1/verification', first.request)
      expect(again.status).toBe(200)
      for (let turn = 0; turn < 20; turn++) expect((await prove(send, `after ${turn}`)).answer.status).toBe(200)
      await opened.close()
      expect(faultsIn(folder)).toEqual([])
      rmSync(folder, { recursive: true })
    },
  )
})

test.skipIf(cannotMount)('a server that stops on a full file system stops cleanly, and keeps all data', async () => {
  const folder = join(smallDisk!, 'stopping')
  mkdirSync(folder)
  const write = (db: Db, id: number) =>
    db.write([
      { sql: 'INSERT INTO erased_proofs (q52, expires_at) VALUES (?, ?)', params: [id, 1] },
      { sql: 'INSERT INTO accounts (address) VALUES (?)', params: [`${id} ${'x'.repeat(20_000)}`] },
    ])
  for (const writer of ['worker', 'inline'] as const) {
    const db = await openStore(folder, writer)
    const first = writer === 'worker' ? 1 : 100
    for (let id = first; id < first + 30; id++) await write(db, id)
    fill(join(smallDisk!, 'ballast'))
    await db.close()
    rmSync(join(smallDisk!, 'ballast'))
    expect(faultsIn(folder)).toEqual([])
  }
  const stored = inspect(folder, (db) => db.query('SELECT count(*) AS count FROM erased_proofs').get())
  expect(stored).toEqual({ count: 60 })
  rmSync(folder, { recursive: true })
})

test.skipIf(isMissing(Bun.which('prlimit'), 'a limit on file sizes: apt-get install util-linux'))(
  'a server whose files may not grow refuses, lives, and goes on when they may',
  async () => {
    const folder = newFolder()
    // With the signal ignored, a write past the limit fails as one on a full disk does.
    const server = Bun.spawn(
      ['sh', '-c', `trap '' XFSZ; exec prlimit --fsize=${1024 * 1024}:unlimited "$0" "$@" serve --json`, ...program],
      {
        env: { PATH: process.env.PATH, PROOFGATE_DATA: folder, PROOFGATE_PORT: '0', PROOFGATE_LIMITS_ENABLED: 'false' },
        cwd: folder,
        stdout: 'pipe',
        stderr: 'ignore',
      },
    )
    try {
      const { port } = JSON.parse(await firstLine(server.stdout))
      const send: Send = async (path, body) => {
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        const response = await fetch(`http://127.0.0.1:${port}${path}`, body ? post : {})
        return { status: response.status, body: await response.json() }
      }
      const acknowledged: string[] = []
      let last = await prove(send, 'first')
      for (let turn = 0; last.answer.status === 200 && turn < 200; turn++) {
        acknowledged.push(last.answer.body.data.qHash)
        last = await prove(send, `turn ${turn}`)
      }
      expect(acknowledged.length).toBeGreaterThan(5)
      expect(last.answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      for (const qHash of acknowledged) expect((await send(`/api/v1/proofs/${qHash}`)).status).toBe(200)
      expect((await send('/api/v1/health/live')).status).toBe(200)

      Bun.spawnSync(['prlimit', '--pid', String(server.pid), '--fsize=unlimited'])
      // A write that failed in the middle is uncertain, and settled before anything else is written.
      await until(async () => (await send('/api/v1/health/ready')).status === 200)
      expect((await send('/api/v1/verification', last.request)).status).toBe(200)
      for (let turn = 0; turn < 30; turn++) expect((await prove(send, `after ${turn}`)).answer.status).toBe(200)
      expect((await send('/api/v1/health/ready')).status).toBe(200)

      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      expect(faultsIn(folder)).toEqual([])
      const stored = inspect(folder, (db) =>
        db.query<{ count: number }, []>('SELECT count(*) AS count FROM proofs').get(),
      )
      expect(stored?.count).toBe(acknowledged.length + 31)
    } finally {
      server.kill('SIGKILL')
    }
  },
)
