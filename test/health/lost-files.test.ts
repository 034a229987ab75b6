/** A server loses files while it runs, and the next start reports it. Real processes. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { startFaulty } from './fault-stage.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const isElsewhere = isMissing(process.platform === 'linux', 'files that a process holds open: run on Linux')

async function startRefused(folder: string): Promise<{ code: number; says: string }> {
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 20_000,
  })
  const [says, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, says }
}

test.skipIf(isElsewhere)('a second server does not start beside one whose lock was removed', async () => {
  const folder = newFolder()
  const server = await startFaulty(folder)
  try {
    const held = await startRefused(folder)
    expect(held.says).toContain(`process ${server.pid} holds ${join(folder, 'proofgate.sqlite.lock')}`)
    expect(held).toMatchObject({ code: 69, says: expect.stringContaining('another Proofgate already uses') })
    rmSync(join(folder, 'proofgate.sqlite.lock'))
    const refused = await startRefused(folder)
    expect(refused.code).toBe(69)
    expect(refused.says).toContain(`process ${server.pid} still runs on this data folder, though its lock was removed`)
    expect((await server.prove('goes on')).status).toBe(200)
  } finally {
    await server.kill()
  }
})

test('a process that only has the number of the last run stops no start', async () => {
  const folder = newFolder()
  await (await startFaulty(folder)).kill()
  const mark = join(folder, 'running.json')
  writeFileSync(mark, JSON.stringify({ ...JSON.parse(readFileSync(mark, 'utf8')), pid: process.pid }))
  const server = await startFaulty(folder)
  expect((await server.send('/health')).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test.skipIf(isElsewhere)(
  'a deleted folder is copied out of the open files of the process, with its log and its key',
  async () => {
    const folder = join(newFolder(), 'data')
    const copy = join(newFolder(), 'copy')
    const server = await startFaulty(folder)
    const proofs: string[] = []
    for (const content of ['one', 'two', 'three']) proofs.push((await server.prove(content)).body.data.qHash)
    const key = readFileSync(join(folder, 'master.key'), 'utf8')
    rmSync(folder, { recursive: true })
    const told = await server.fails('data-files-lost')
    expect(JSON.stringify(told.body)).toContain('its -wal and master.key')
    // Follows the guide: ls -l /proc/PID/fd, and cp.
    mkdirSync(copy)
    const opened = `/proc/${server.pid}/fd`
    for (const name of readdirSync(opened)) {
      const link = readlinkSync(`${opened}/${name}`)
      const found = /\/(proofgate\.sqlite|proofgate\.sqlite-wal|master\.key) \(deleted\)$/.exec(link)
      if (found) copyFileSync(`${opened}/${name}`, join(copy, found[1]!))
    }
    await server.kill()
    expect(readFileSync(join(copy, 'master.key'), 'utf8')).toBe(key)
    expect(statSync(join(copy, 'proofgate.sqlite-wal')).size).toBeGreaterThan(0)
    const again = await startFaulty(copy)
    for (const proof of proofs) expect((await again.send(`/proofs/${proof}`)).status).toBe(200)
    expect(await again.stop()).toBe(0)
  },
)

test('a backup that was put back beside the log of the last run is not opened', async () => {
  const folder = newFolder()
  const server = await startFaulty(folder)
  const proof = (await server.prove('kept')).body.data.qHash
  await server.kill()
  const file = join(folder, 'proofgate.sqlite')
  const later = Date.now() / 1000 + 120
  utimesSync(file, later, later)
  const refused = await startRefused(folder)
  expect(refused.code).toBe(69)
  expect(refused.says).toContain('is not as the last run left it')
  expect(existsSync(`${file}-wal`)).toBe(true)
  // The copy keeps its time, as cp -a and tar do.
  const before = Date.now() / 1000 - 86_400
  utimesSync(file, before, before)
  expect((await startRefused(folder)).says).toContain('is not as the last run left it')
  utimesSync(file, later, later)
  // A copy gives every file a new time: then the log is as young as the database.
  utimesSync(`${file}-wal`, later, later)
  const copied = await startFaulty(folder)
  expect((await copied.send(`/proofs/${proof}`)).status).toBe(200)
  await copied.kill()
  utimesSync(file, later + 600, later + 600)
  // The message names this file as the way to confirm an intended change.
  rmSync(join(folder, 'running.json'))
  const meant = await startFaulty(folder)
  expect(await meant.stop()).toBe(0)
})
