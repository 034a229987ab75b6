/** A server's main thread stands still: by a disk that hangs, a stopped process, or its own work. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../db/store.ts'
import { injectMainThread, startFaulty } from '../health/fault-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { mountImage } from '../parts/small-disk.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
/** Without such a disk, the tests below use a read that does not return. */
const disk = mountImage()
afterAll(() => disk?.end())

const env = { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2', PROOFGATE_LOG_FORMAT: 'json' }
const hangsForever = 'pread64:delay_enter=600000000'

const troublesIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{"time"'))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level !== 'info')
const endLine = {
  time: expect.any(String),
  level: 'error',
  event: 'disk-hung',
  message: expect.stringContaining('the disk has not answered for 2 s'),
  condition: 'disk-hangs',
  exitCode: 74,
  setting: 'storage.write_timeout_seconds',
  mend: expect.stringContaining('start again'),
}

describe('a main thread that waits for the disk', () => {
  test('in a read ends the server with exit code 74 and one line that names the file', async () => {
    const folder = newFolder()
    const server = await startFaulty(folder, env)
    expect((await server.prove('kept')).status).toBe(200)
    const fault = await injectMainThread(server.pid, hangsForever)
    void server.prove('never answered').catch(() => {})
    expect(await server.exited).toBe(74)
    await fault.end()
    expect(troublesIn(await server.log)).toEqual([
      { ...endLine, waitsFor: expect.stringMatching(/proofgate\.sqlite(-wal)?$/) },
    ])

    const again = await startFaulty(folder, env)
    expect((await again.prove('kept')).status).toBe(200)
    expect(await again.stop()).toBe(0)
  })

  test('on a frozen file system logs that while it is frozen, and has ended with 74 when it is not any more', async () => {
    const folder = join(disk?.folder ?? newFolder(), 'data')
    mkdirSync(folder)
    const server = await startFaulty(folder, env)
    await server.prove('kept')
    // After the change below a read writes into the log's index, so the server is stopped until the freeze.
    process.kill(server.pid, 'SIGSTOP')
    inspect(folder, (db) => db.run('INSERT OR REPLACE INTO heartbeat (id, beaten_at) VALUES (1, 1)'))
    const fault = disk ? disk.freeze() : await injectMainThread(server.pid, hangsForever)
    process.kill(server.pid, 'SIGCONT')
    await server.says(/has not answered for 2 s/)
    await fault.end()
    expect(await server.exited).toBe(74)
    expect(troublesIn(await server.log)).toContainEqual({ ...endLine, waitsFor: expect.any(String) })
  })
})

describe('a server goes on', () => {
  test('when its process was stopped for longer than the time, and continued', async () => {
    const server = await startFaulty(newFolder(), env)
    const underWay = Promise.all(Array.from({ length: 40 }, (_, number) => server.prove(`proof ${number}`)))
    await Bun.sleep(10)
    process.kill(server.pid, 'SIGSTOP')
    await Bun.sleep(8_000)
    process.kill(server.pid, 'SIGCONT')
    for (const { status } of await underWay) expect(status).toBe(200)
    await Bun.sleep(1_000)
    expect((await server.prove('kept')).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(troublesIn(await server.log)).toEqual([])
  })

  test.each([
    ['computes', 'const until = performance.now() + 6_000; while (performance.now() < until);', /computes/],
    [
      'waits for something that is no disk',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000)',
      /something other than the disk/,
    ],
  ])('when its main thread %s for longer than the time, and tells so', async (_, work, doing) => {
    const preload = join(newFolder(), 'work.ts')
    writeFileSync(preload, `process.on('SIGUSR2', () => { ${work} })\n`)
    const server = await startFaulty(newFolder(), env, preload)
    process.kill(server.pid, 'SIGUSR2')
    await server.says(/has answered nobody for 2 s/)
    expect((await server.prove('kept')).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(troublesIn(await server.log)).toContainEqual(
      expect.objectContaining({ level: 'warn', doing: expect.stringMatching(doing), mend: expect.any(String) }),
    )
  })
})
