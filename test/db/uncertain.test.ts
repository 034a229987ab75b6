/**
 * The disk fails while a commit is on its way to it. Acknowledged writes are always there afterwards, uncertain ones
 * may be, and refused ones never are.
 */
import { describe, expect, test as inOrder, setDefaultTimeout } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectRefused } from '../http/refused.ts'
import { isMissing } from '../parts/optional.ts'
import { alice } from '../wallets.ts'
import { copyFolder, type FaultyServer, missingTools, startFaulty, until } from './faulty-disk.ts'
import { diskAfterPowerCut } from './power-cut.ts'
import { faultsIn, inspect, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
/**
 * Side by side: each test has a server of its own, and mostly waits for its disk. Tests that count every line of a log
 * run in order, because a busy machine adds some.
 */
const test = inOrder.concurrent

test('CI has the programs that these tests need', () => {
  expect(process.env.CI ? missingTools : []).toEqual([])
})
const lacksTools = isMissing(
  missingTools.length === 0,
  `a disk that fails in the middle of a commit: install ${missingTools.join(', ')}`,
)

const contentsIn = (folder: string): number =>
  inspect(folder, (db) => db.query<{ count: number }, []>('SELECT count(*) AS count FROM proofs').get()!.count)

const isReady = async (server: FaultyServer) => (await server.send('/api/v1/health/ready')).status === 200

test.skipIf(lacksTools).each([
  ['worker', 'fsync -wal eio'],
  ['inline', 'fsync -wal eio'],
  ['worker', 'pwrite -wal eio'],
])(
  'with the %s writer, a commit that meets "%s" is answered as uncertain, and not as refused',
  async (writer, rule) => {
    const folder = join(newFolder(), 'data')
    const server = await startFaulty(folder, { env: { PROOFGATE_STORAGE_WRITER: writer } })
    const kept = (await server.prove('kept')).answer
    expect(kept.status).toBe(200)
    server.fail(rule)
    const { request, answer } = await server.prove('doubtful')
    expectRefused(
      answer,
      'SERVICE_UNAVAILABLE',
      /not known whether .*was stored.*same request again, nothing happens twice/,
    )
    expect(answer.body.error.details).toEqual({ uncertain: true })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)

    // No write may follow it, so a later request is refused untried, and is told that it did not happen.
    const next = (await server.prove('not tried')).answer
    expectRefused(next, 'SERVICE_UNAVAILABLE', /did not happen/)
    expect(next.body.error.details).toEqual({})
    // The same request again is not told that the first one is not there.
    expectRefused(
      await server.send('/api/v1/verification', request),
      'SERVICE_UNAVAILABLE',
      /"uncertain": true is still open: what it asked for may be stored/,
    )
    const ready = await server.send('/api/v1/health/ready')
    expect(ready.status).toBe(503)
    expect(ready.body.error.details).toMatchObject({ condition: 'storage-uncertain' })
    expect((await server.send('/api/v1/health/live')).status).toBe(200)
    // Reads still answer from data that is certain.
    expect((await server.send(`/api/v1/proofs/${kept.body.data.qHash}`)).status).toBe(200)

    server.fail()
    await until(() => isReady(server))
    expect((await server.send('/api/v1/verification', request)).status).toBe(200)
    expect((await server.prove('after')).answer.status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(faultsIn(folder)).toEqual([])
    expect(contentsIn(folder)).toBe(3)
    const said = await server.said
    expect(said.match(/the disk failed a commit/g)).toHaveLength(2)
    expect(said).toMatch(/this has ended: the disk failed a commit/)
  },
)

test.skipIf(lacksTools)('after a kill, no refused data exists, and all acknowledged data does', async () => {
  const folder = join(newFolder(), 'data')
  const server = await startFaulty(folder)
  const acknowledged: string[] = []
  for (let turn = 0; turn < 3; turn++) acknowledged.push((await server.prove(`kept ${turn}`)).answer.body.data.qHash)
  server.fail('fsync -wal eio')
  const doubtful = await server.prove('doubtful')
  const refused = await server.prove('refused')
  expect([doubtful, refused].map(({ answer }) => answer.body.error.details.uncertain)).toEqual([true, undefined])
  await server.kill()

  const again = await startFaulty(folder)
  for (const qHash of acknowledged) expect((await again.send(`/api/v1/proofs/${qHash}`)).status).toBe(200)
  // The log holds its commit mark, so the proof is stored: a plain refusal would have been wrong.
  expect(inspect(folder, (db) => db.query('SELECT count(*) AS count FROM proofs').get())).toEqual({ count: 4 })
  expect((await again.send('/api/v1/verification', doubtful.request)).status).toBe(200)
  expect(await again.stop()).toBe(0)
  expect(contentsIn(folder)).toBe(4)
})

test.skipIf(lacksTools)('a disk without room is a certain refusal, and leaves no data after a crash', async () => {
  const folder = join(newFolder(), 'data')
  const server = await startFaulty(folder)
  await server.prove('kept')
  server.fail('pwrite -wal enospc')
  const { answer } = await server.prove('refused')
  expectRefused(answer, 'STORAGE_FULL', /nothing of this request was/)
  const copy = copyFolder(folder, `${folder}-copy`)
  expect(contentsIn(copy)).toBe(1)
  server.fail()
  expect((await server.prove('after')).answer.status).toBe(200)
  await server.kill()
  expect(contentsIn(folder)).toBe(2)
})

describe.skipIf(lacksTools)('a power cut after a failed fsync, which the system forgets', () => {
  const traced = (file: string) => [
    'strace',
    '-D',
    '-f',
    '-q',
    '-y',
    '-xx',
    '-s',
    '4000000',
    '-o',
    file,
    '-e',
    tracedCalls,
  ]
  const tracedCalls = 'trace=pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,access'

  const hasEnded = (trace: string) => readFileSync(trace, 'latin1').includes('+++ killed by SIGKILL +++')

  test('keeps every write that is acknowledged after the recovery', async () => {
    const folder = join(newFolder(), 'data')
    const trace = `${folder}.trace`
    const server = await startFaulty(folder, { before: traced(trace) })
    await server.prove('kept')
    server.fail('fsync -wal eio')
    await server.prove('doubtful')
    server.fail()
    await until(() => isReady(server))
    expect((await server.prove('after')).answer.status).toBe(200)
    await server.kill()
    await until(async () => hasEnded(trace))
    const disk = diskAfterPowerCut([trace], `${folder}-disk`)
    expect(faultsIn(disk)).toEqual([])
    expect(contentsIn(disk)).toBe(2)
  })

  test('does not make the next start rely on data in memory alone', async () => {
    const folder = join(newFolder(), 'data')
    const traces = [`${folder}.trace1`, `${folder}.trace2`]
    const first = await startFaulty(folder, { before: traced(traces[0]!) })
    await first.prove('kept')
    first.fail('fsync -wal eio')
    await first.prove('doubtful')
    await first.kill()
    await until(async () => hasEnded(traces[0]!))
    const second = await startFaulty(folder, { before: traced(traces[1]!) })
    expect((await second.prove('after')).answer.status).toBe(200)
    await second.kill()
    await until(async () => hasEnded(traces[1]!))
    // The second start used data that the kill left in memory. It was on the disk before anything was made of it.
    const early = diskAfterPowerCut(traces, `${folder}-early`, 'at the copy')
    expect(faultsIn(early)).toEqual([])
    expect(contentsIn(early)).toBe(2)
    const disk = diskAfterPowerCut(traces, `${folder}-disk`)
    expect(faultsIn(disk)).toEqual([])
    expect(contentsIn(disk)).toBe(3)
    expect(contentsIn(folder)).toBe(3)
  })
})

describe.skipIf(lacksTools)('a disk that hangs', () => {
  test('ends the server with its own exit code, after every waiting request was answered', async () => {
    const folder = join(newFolder(), 'data')
    const server = await startFaulty(folder, {
      env: { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2', PROOFGATE_LOG_FORMAT: 'json' },
    })
    await server.prove('kept')
    server.fail('fsync -wal hang')
    const waiting = server.prove('doubtful')
    // The rest of the server goes on meanwhile.
    expect((await server.send('/api/v1/health/live')).status).toBe(200)
    const { answer } = await waiting
    expect(answer.status).toBe(503)
    expect(answer.body.error.details).toEqual({ uncertain: true })
    expect(await server.exited).toBe(74)
    const told = toldIn(await server.said).filter((line) => line.condition !== 'writes-wait')
    expect(told).toEqual([
      expect.objectContaining({
        message: 'the disk does not answer, so the server ends',
        setting: 'storage.write_timeout_seconds',
        mend: expect.stringContaining('start again'),
      }),
    ])

    server.fail()
    const again = await startFaulty(folder)
    expect(await isReady(again)).toBe(true)
    expect(await again.stop()).toBe(0)
    expect(await again.said).toMatch(/did not end cleanly: the disk did not answer/)
  })

  test('while the server stops ends it as well', async () => {
    const folder = join(newFolder(), 'data')
    const server = await startFaulty(folder, { env: { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2' } })
    server.fail('fsync -wal hang')
    const waiting = server.prove('doubtful').catch(() => {})
    const ended = server.stop()
    await waiting
    expect(await ended).toBe(74)
  })

  test('for as long as the server waits for it: a stop is cut off, with an exit code of its own, and the next start knows', async () => {
    const folder = join(newFolder(), 'data')
    const server = await startFaulty(folder, {
      env: { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '300', PROOFGATE_SERVER_SHUTDOWN_SECONDS: '1' },
    })
    const proof = (await server.prove('kept')).answer.body.data.qHash
    server.fail('fsync -wal hang')
    expect(await server.stop()).toBe(75)
    expect(await server.said).toMatch(
      /error the server did not stop within 11 s and is cut off event=stop-cut-off mend=/,
    )

    server.fail()
    const again = await startFaulty(folder)
    expect((await again.send(`/api/v1/proofs/${proof}`)).status).toBe(200)
    expect(await again.stop()).toBe(0)
    expect(await again.said).toMatch(/did not end cleanly.*it did not stop in time and was cut off/)
  })
})

/** Returns the warnings and errors of the log. */
const toldIn = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{"time"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level === 'error' || level === 'warn')

inOrder.skipIf(lacksTools).each([
  ['pwrite -wal eio', 'storage-uncertain'],
  ['fsync -wal eio', 'storage-uncertain'],
  ['pwrite -wal erofs', 'storage-uncertain'],
  ['pwrite -wal enospc', 'writes-fail'],
])('the log reports "%s" in one line with the remedy, whatever requests meet it', async (rule, condition) => {
  const server = await startFaulty(join(newFolder(), 'data'), { env: { PROOFGATE_LOG_FORMAT: 'json' } })
  server.fail(rule)
  for (let turn = 0; turn < 3; turn++) {
    await Promise.all([server.prove(`one ${turn}`), server.prove(`two ${turn}`)])
    expect((await server.send('/oauth/register', { redirect_uris: ['http://127.0.0.1/back'] })).status).toBe(503)
    // The watch looks each second, and finds the same fault.
    await Bun.sleep(700)
  }
  expect((await server.send('/api/v1/health/ready')).body.error.details.conditions).toMatchObject([{ name: condition }])
  server.fail()
  await until(() => isReady(server))
  expect(await server.stop()).toBe(0)
  const said = await server.said
  expect(toldIn(said)).toEqual([expect.objectContaining({ level: 'error', condition, mend: expect.any(String) })])
  expect(said.match(/"message":"this has ended: /g)).toHaveLength(1)
})

inOrder.skipIf(lacksTools).each(['pwrite -wal eio-once', 'fsync -wal eio-once'])(
  'the log has no more lines on "%s", which is settled before the request is answered',
  async (rule) => {
    const server = await startFaulty(join(newFolder(), 'data'), { env: { PROOFGATE_LOG_FORMAT: 'json' } })
    server.fail(rule)
    expectRefused((await server.prove('doubtful')).answer, 'SERVICE_UNAVAILABLE', /not known whether/)
    await until(() => isReady(server))
    expect((await server.prove('after')).answer.status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(toldIn(await server.said)).toEqual([
      expect.objectContaining({ level: 'error', condition: 'storage-uncertain', mend: expect.any(String) }),
    ])
  },
)

test.skipIf(lacksTools)('a start whose disk does not take the log again says so, and does not run', async () => {
  const folder = join(newFolder(), 'data')
  const server = await startFaulty(folder)
  await server.prove('kept')
  await server.kill()
  writeFileSync(`${folder}.faults`, '')
  const failing = startFaulty(folder, { rules: ['fsync -wal eio'] })
  await expect(failing).rejects.toThrow(/the log of the database could not be written again.*state of the disk/)
  rmSync(`${folder}.faults`)
  const again = await startFaulty(folder)
  expect(await again.stop()).toBe(0)
  expect(contentsIn(folder)).toBe(1)
})

test.skipIf(lacksTools)('a database file that cannot be synced leaves the log as it is, also at the end', async () => {
  const folder = join(newFolder(), 'data')
  const server = await startFaulty(folder, { env: { PROOFGATE_STORAGE_WAL_LIMIT_MB: '1' } })
  server.fail('fsync .sqlite eio')
  const names: string[] = []
  await until(async () => {
    const { answer } = await server.prove(`large ${names.length} ${'x'.repeat(49_000)}`)
    expect(answer.status).toBe(200)
    names.push(answer.body.data.qHash)
    const { body } = await server.send('/api/v1/health')
    return JSON.stringify(body).includes('could not be brought to the disk') || names.length > 300
  })
  expect(names.length).toBeLessThan(300)
  server.fail()
  expect(await server.stop()).toBe(0)
  // A second fsync that succeeds proves nothing: the next start copies everything again.
  expect(Bun.file(join(folder, 'proofgate.sqlite-wal')).size).toBeGreaterThan(1_000_000)
  expect(contentsIn(folder)).toBe(names.length)
})

inOrder.skipIf(lacksTools)(
  'a log that grows because the database file cannot be synced is not blamed on a reader',
  async () => {
    const server = await startFaulty(join(newFolder(), 'data'), {
      env: { PROOFGATE_STORAGE_WAL_LIMIT_MB: '1', PROOFGATE_LOG_FORMAT: 'json' },
    })
    expect((await server.prove('erased')).answer.status).toBe(200)
    server.fail('fsync .sqlite eio-once')
    const eraseAll = async (data: object) =>
      server.send('/api/v1/proofs/erase-all', await alice.signAction(data, Date.now()))
    const asked = await eraseAll({ action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() })
    // It names the server whose text is to be signed.
    const { body: erased } = await eraseAll(asked.body.error.details.signedData)
    expect(erased).toMatchObject({ erasedCount: 1, erasure: { state: 'traces-left' }, traces: { pending: true } })
    // More than the log may hold.
    for (let turn = 0; turn < 30; turn++)
      expect((await server.prove(`large ${turn} ${'x'.repeat(49_000)}`)).answer.status).toBe(200)
    const conditions = async () => (await server.send('/api/v1/health')).body.data.conditions as { name: string }[]
    await until(async () => (await conditions()).length > 1)
    // Several looks of the upkeep.
    await Bun.sleep(2_500)
    expect(await conditions()).toMatchObject([
      { name: 'storage-unsynced' },
      { name: 'erasure-pending', says: expect.stringContaining('the database file could not be brought to the disk') },
    ])
    expect((await server.send(erased.erasure.status)).body).toMatchObject({ traces: { pending: true } })
    expect(await server.stop()).toBe(0)
    const said = await server.said
    expect(said).not.toContain('another program')
    expect(toldIn(said).map(({ condition }) => condition)).toEqual(['storage-unsynced', 'erasure-pending'])
  },
)
