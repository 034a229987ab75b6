/**
 * A restore that is killed at each of its renames, beside the data folder and inside a mount: what stands there then is
 * refused by a start or is whole, and the same restore again ends with everything. Needs strace; the mount needs root.
 */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backup } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { listUnfinished } from '../../src/db/folder-state.ts'
import { listLeftovers } from '../../src/db/work-folder.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(300_000)
const newFolder = temporaryFolders()
const minute = 60_000
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const strace = Bun.which('strace')
const usual = { PROOFGATE_LOG_LEVEL: 'error', PROOFGATE_STORAGE_RESERVE_MB: '0', PROOFGATE_STORAGE_MIN_FREE_MB: '0' }

const statusOf = async (app: TestApp, qHash: string) =>
  (await app.get(`/api/v1/verification/status/${qHash}`)).body.data?.status

/** A data folder whose proof was revoked after the backup, as a killed server leaves it: with a log. */
async function makeTemplate() {
  const home = newFolder()
  const data = join(home, 'template')
  const app = await startApp({ ...usual, PROOFGATE_DATA: data }, data, startOfTime)
  const qHash = await app.prove(alice)
  const given = { cwd: home, env: { PROOFGATE_DATA: data }, now: () => app.now() }
  await run(backup, ['out/', '--without-secrets'], given)
  app.wait(1)
  const signed = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
  await app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)
  const killed = join(home, 'killed')
  cpSync(data, killed, { recursive: true })
  await app.close()
  return { home, killed, qHash }
}

/** True where it was killed at that rename; false where it made fewer. */
function killAt(count: number, home: string, data: string): boolean {
  const inject = `inject=rename:signal=SIGKILL:when=${count}`
  const { exitCode, stderr } = Bun.spawnSync(
    [
      strace!,
      '-f',
      '--seccomp-bpf',
      '-o',
      '/dev/null',
      '-e',
      inject,
      process.execPath,
      main,
      'restore',
      'out/',
      '--json',
    ],
    { cwd: home, env: { ...process.env, ...usual, PROOFGATE_DATA: data }, stdout: 'ignore', stderr: 'pipe' },
  )
  if (exitCode !== 0 && exitCode !== 137 && exitCode !== null) throw new Error(stderr.toString())
  return exitCode !== 0
}

const startOrRefuse = async (data: string, qHash: string): Promise<string> => {
  let app: TestApp | undefined
  try {
    app = await startApp({ ...usual, PROOFGATE_DATA: data }, data, Date.now())
    return (await statusOf(app, qHash)) ?? 'gone'
  } catch (error) {
    return (error as Error).message
  } finally {
    await app?.close()
  }
}

async function killEach(makeData: (home: string) => string): Promise<number> {
  const { home, killed, qHash } = await makeTemplate()
  const data = makeData(home)
  for (let count = 1; ; count++) {
    for (const name of existsSync(data) ? readdirSync(data) : []) rmSync(join(data, name), { recursive: true })
    for (const name of readdirSync(home)) if (/^data\./.test(name)) rmSync(join(home, name), { recursive: true })
    cpSync(killed, data, { recursive: true })
    const wasKilled = killAt(count, home, data)
    const found = await startOrRefuse(data, qHash)
    const at = `rename ${count}`
    expect([at, found]).toEqual([at, expect.stringMatching(/^revoked$|[Rr]un (it|the restore) again/)])
    if (!wasKilled) return count - 1
    const again = await run(restore, ['out/', '--json'], {
      cwd: home,
      env: { ...usual, PROOFGATE_DATA: data },
      now: () => Date.now() + minute,
    })
    expect([at, again.json]).toMatchObject([at, { journal: 'replayed', sound: true }])
    // The folder that is told holds what stood there before all of this.
    expect([at, await startOrRefuse(again.json.keptFolder, qHash)]).toEqual([at, 'revoked'])
    expect([at, await startOrRefuse(data, qHash)]).toEqual([at, 'revoked'])
    expect([at, listUnfinished(data), listLeftovers(data, Date.now())]).toEqual([at, [], []])
  }
}

test.if(strace !== null)('beside the data folder', async () => {
  expect(await killEach((home) => join(home, 'data'))).toBeGreaterThan(1)
})

const disk = mountSmallDisk(64)
afterAll(() => disk?.end())
test.if(strace !== null && disk !== undefined)('inside a mount', async () => {
  expect(await killEach(() => disk!.folder)).toBeGreaterThan(5)
})
