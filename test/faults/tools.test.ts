/** The faults themselves: each must reach Bun and the SQLite in it, or the tests that use it prove nothing. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../db/store.ts'
import { dataFolder, EIO, ENOSPC, faultLibrary, journalFile, openStage, type Stage } from './faulty-server.ts'
import { cutPower, cutTornEntry } from './power-cut.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const stages: Stage[] = []
afterAll(() => {
  for (const { faults } of stages) faults.close()
})

function newStage(): Stage {
  const stage = openStage(newFolder())
  stages.push(stage)
  return stage
}

/** Runs text beside the faults of a stage. `db` is a database in its data folder. */
const runBeside = ({ folder }: Stage, text: string) =>
  Bun.spawn(
    [
      process.execPath,
      '-e',
      `import { Database } from 'bun:sqlite'
       const db = new Database(${JSON.stringify(join(dataFolder(folder), 'a.db'))}, { create: true })
       db.run('PRAGMA journal_mode = WAL'); db.run('PRAGMA synchronous = FULL')
       db.run('CREATE TABLE IF NOT EXISTS t (n INTEGER)')
       const attempt = (step) => { try { step(); return 'done' } catch (error) { return error.code } }
       ${text}`,
    ],
    {
      env: {
        LD_PRELOAD: faultLibrary(),
        FAULTS_CONTROL: join(folder, 'control'),
        FAULTS_FOLDER: dataFolder(folder),
        FAULTS_JOURNAL: journalFile(folder),
      },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
const answerOf = async (stage: Stage, text: string) => JSON.parse(await firstLine(runBeside(stage, text).stdout))
const insert = `db.run('INSERT INTO t VALUES (1)')`

test('the clock is faked for Bun, its threads and SQLite, and waits are not longer', async () => {
  const stage = newStage()
  stage.faults.set({ clockOffsetMs: 86_400_000 })
  const seen = await answerOf(
    stage,
    `const before = performance.now(); await Bun.sleep(20)
     const inThread = await new Promise((resolve) => {
       new Worker('data:text/javascript,postMessage(Date.now())').onmessage = ({ data }) => resolve(data) })
     console.log(JSON.stringify({ bun: Date.now(), inThread, sqlite: db.query("SELECT unixepoch() * 1000 AS at").get().at,
       slept: performance.now() - before }))
     process.exit()`,
  )
  const tomorrow = Date.now() + 86_400_000
  for (const at of [seen.bun, seen.inThread, seen.sqlite]) expect(Math.abs(at - tomorrow)).toBeLessThan(3_600_000)
  expect(seen.slept).toBeLessThan(3_600_000)
})

test.each([
  ['EIO at fsync', { syncErrno: EIO }, 'SQLITE_IOERR_FSYNC', 'failedSyncs'],
  ['EIO at write', { writeErrno: EIO }, 'SQLITE_IOERR_WRITE', 'failedWrites'],
  ['ENOSPC at write', { writeErrno: ENOSPC }, 'SQLITE_FULL', 'failedWrites'],
] as const)(
  '%s reaches SQLite, for the data folder only, and ends when it is lifted',
  async (_, values, code, counter) => {
    const stage = newStage()
    const child = runBeside(
      stage,
      `console.log('ready')
     for await (const line of console) {
       const inside = attempt(() => ${insert})
       await Bun.write(${JSON.stringify(join(stage.folder, 'elsewhere'))}, 'x')
       console.log(inside)
       if (line === 'last') process.exit()
     }`,
    )
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
    expect((await lines.read()).value).toBe('ready\n')
    stage.faults.set(values)
    child.stdin.write('now\n')
    await child.stdin.flush()
    expect((await lines.read()).value).toBe(`${code}\n`)
    expect(stage.faults.get(counter)).toBeGreaterThan(0)
    stage.faults.mendDisk()
    child.stdin.write('last\n')
    await child.stdin.flush()
    expect((await lines.read()).value).toBe('done\n')
  },
)

/** Calls that Bun makes without the C library, straight to the system. */
const ownCalls = `import { openSync, writeSync, readSync, ftruncateSync, fsyncSync } from 'node:fs'
  const file = openSync(process.argv.at(-1), 'w+')
  const bytes = Buffer.alloc(1024, 'x')
  const calls = { writeAt: () => writeSync(file, bytes, 0, 1024, 1024), write: () => writeSync(file, bytes),
    cut: () => ftruncateSync(file, 1500), read: () => readSync(file, bytes, 0, 10, 0), sync: () => fsyncSync(file) }`

test('faults reach the reads and writes of Bun without the C library, in its threads too', async () => {
  const stage = newStage()
  const file = join(dataFolder(stage.folder), 'own')
  const script = join(stage.folder, 'own-calls.ts')
  await Bun.write(
    script,
    `${ownCalls.replace('process.argv.at(-1)', JSON.stringify(file))}
     const results = Object.entries(calls).map(([name, call]) => {
       try { call(); return [name, 'done'] } catch (error) { return [name, error.code] } })
     postMessage(Object.fromEntries(results))`,
  )
  const inThread = `const tellAll = () => new Promise((resolve) => {
       new Worker(${JSON.stringify(script)}).onmessage = ({ data }) => resolve(data) })
     console.log(JSON.stringify(await tellAll())); process.exit()`
  const all = (result: string) => ({ writeAt: result, write: result, cut: result, read: result, sync: result })
  expect(await answerOf(stage, inThread)).toEqual(all('done'))
  // The database of the process needs the disk too.
  const failing = `Bun.write(${JSON.stringify(join(stage.folder, 'x'))}, 'x'); ${inThread}`
  const child = runBeside(stage, `console.log('ready'); for await (const _ of console) { ${failing} }`)
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  await lines.read()
  stage.faults.set({ writeErrno: EIO, readErrno: EIO, syncErrno: EIO })
  child.stdin.write('now\n')
  await child.stdin.flush()
  expect(JSON.parse((await lines.read()).value!)).toEqual(all('EIO'))
})

test('a power cut removes the unsynced writes of Bun without the C library, and leaves the synced ones', async () => {
  const stage = newStage()
  const file = join(dataFolder(stage.folder), 'own')
  const child = runBeside(
    stage,
    `${ownCalls.replace('process.argv.at(-1)', JSON.stringify(file))}
     calls.writeAt(); calls.sync(); bytes.fill('y'); calls.write(); calls.cut(); console.log('written'); await Bun.sleep(30_000)`,
  )
  expect(await firstLine(child.stdout)).toBe('written')
  child.kill('SIGKILL')
  await child.exited
  const found = () => readFileSync(file, 'latin1')
  expect(found()).toBe('y'.repeat(1024) + 'x'.repeat(476))
  expect(cutPower(stage.folder, () => 0.99)).toMatchObject({ open: 2, lost: 2 })
  expect(found()).toBe('\0'.repeat(1024) + 'x'.repeat(1024))
})

test('a torn entry does not hide the writes of the next process', async () => {
  const stage = newStage()
  const file = join(dataFolder(stage.folder), 'own')
  const write = async (letter: string) => {
    const child = runBeside(
      stage,
      `import { openSync, writeSync } from 'node:fs'
       writeSync(openSync(${JSON.stringify(file)}, 'a+'), '${letter}'.repeat(512)); console.log('written')
       // An end of its own would close the database, which writes as well.
       await Bun.sleep(30_000)`,
    )
    expect(await firstLine(child.stdout)).toBe('written')
    child.kill('SIGKILL')
    await child.exited
  }
  await write('x')
  truncateSync(journalFile(stage.folder), statSync(journalFile(stage.folder)).size - 100)
  cutTornEntry(stage.folder)
  await write('y')
  expect(cutPower(stage.folder, () => 0.99)).toMatchObject({ open: 1, lost: 1 })
})

test('a file that was removed and created again is the new one after a power cut', async () => {
  const stage = newStage()
  const file = join(dataFolder(stage.folder), 'own')
  const child = runBeside(
    stage,
    `import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
     const write = (text) => { const file = openSync(${JSON.stringify(file)}, 'w+'); writeSync(file, text, 0)
       const result = attempt(() => fsyncSync(file)); closeSync(file); return result }
     console.log('ready')
     for await (const line of console) {
       if (line === 'new') unlinkSync(${JSON.stringify(file)})
       console.log(write(line))
     }`,
  )
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const writeFile = async (text: string): Promise<string | undefined> => {
    child.stdin.write(`${text}\n`)
    await child.stdin.flush()
    return (await lines.read()).value
  }
  await lines.read()
  stage.faults.set({ syncErrno: EIO })
  expect(await writeFile('the old one')).toBe('EIO\n')
  stage.faults.mendDisk()
  expect(await writeFile('new')).toBe('done\n')
  child.kill('SIGKILL')
  await child.exited
  cutPower(stage.folder, () => 0.99)
  expect(readFileSync(file, 'latin1')).toBe('new')
})

test('a slow disk makes each commit wait', async () => {
  const stage = newStage()
  const child = runBeside(
    stage,
    `console.log('ready'); for await (const _ of console) { const before = performance.now(); ${insert}
     console.log(performance.now() - before); process.exit() }`,
  )
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  await lines.read()
  stage.faults.set({ syncDelayMs: 200 })
  child.stdin.write('now\n')
  await child.stdin.flush()
  expect(Number((await lines.read()).value)).toBeGreaterThan(190)
})

test('locks that lie let two writers in', async () => {
  const stage = newStage()
  const hold = `db.run('PRAGMA locking_mode = EXCLUSIVE'); console.log(JSON.stringify(attempt(() => db.run('BEGIN EXCLUSIVE'))))
    await Bun.sleep(30_000)`
  const first = runBeside(stage, hold)
  expect(await firstLine(first.stdout)).toBe('"done"')
  const second = runBeside(stage, hold)
  expect(await firstLine(second.stdout)).not.toBe('"done"')
  stage.faults.set({ locksLie: 1 })
  const third = runBeside(stage, hold)
  expect(await firstLine(third.stdout)).toBe('"done"')
  for (const child of [first, second, third]) child.kill('SIGKILL')
})

/** Commits until it is killed. Returns the newest number reported as stored, and the newest one found afterwards. */
async function commitAndCut(stage: Stage, pragma: string): Promise<{ told: number; found: number }> {
  const child = runBeside(
    stage,
    `${pragma}; for (let n = 1; ; n++) { db.run('INSERT INTO t VALUES (?)', [n]); console.log(n) }`,
  )
  let text = ''
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.split('\n').length > 20) break
  }
  child.kill('SIGKILL')
  await child.exited
  const told = Number(text.trim().split('\n').at(-2))
  // All that was not synced is lost.
  cutPower(stage.folder, () => 0.99)
  const db = new Database(join(dataFolder(stage.folder), 'a.db'))
  try {
    const found = db.query<{ n: number }, []>('SELECT coalesce(max(n), 0) AS n FROM t').get()!.n
    return { told, found }
  } catch {
    return { told, found: 0 }
  } finally {
    db.close()
  }
}

test('a power cut removes unsynced data, and nothing else', async () => {
  const synced = await commitAndCut(newStage(), '')
  expect(synced.found).toBeGreaterThanOrEqual(synced.told)
  const unsynced = await commitAndCut(newStage(), `db.run('PRAGMA synchronous = OFF')`)
  expect(unsynced.found).toBeLessThan(unsynced.told)
  const stage = newStage()
  stage.faults.set({ syncLies: 1 })
  const lied = await commitAndCut(stage, '')
  expect(lied.found).toBeLessThan(lied.told)
})

test('a sync that failed takes nothing from before it, nor from after it', async () => {
  const stage = newStage()
  const child = runBeside(
    stage,
    `for (let n = 1; ; n++) {
       if (attempt(() => db.run('INSERT INTO t VALUES (?)', [n])) === 'done') console.log(n)
       if (n % 50 === 0) attempt(() => db.run('PRAGMA wal_checkpoint(TRUNCATE)'))
       await Bun.sleep(0)
     }`,
  )
  let text = ''
  const reading = (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) text += part
  })()
  while (text === '') await Bun.sleep(1)
  for (let turn = 0; turn < 20 || text.split('\n').length < 20; turn++) {
    await Bun.sleep(10)
    stage.faults.set({ syncErrno: turn % 2 === 0 ? EIO : 0 })
  }
  await Bun.sleep(20)
  child.kill('SIGKILL')
  await Promise.all([child.exited, reading])
  cutPower(stage.folder, () => 0.99)
  const told = text.split('\n').slice(0, -1).map(Number)
  const db = new Database(join(dataFolder(stage.folder), 'a.db'))
  const found = new Set(
    db
      .query<{ n: number }, []>('SELECT n FROM t')
      .all()
      .map(({ n }) => n),
  )
  db.close()
  expect(told.length).toBeGreaterThan(10)
  expect(stage.faults.get('failedSyncs')).toBeGreaterThan(0)
  expect(told.filter((n) => !found.has(n))).toEqual([])
})

test('a server under a fault can be asked, killed and stopped', async () => {
  const stage = newStage()
  stage.faults.set({ clockOffsetMs: -86_400_000 })
  const server = await stage.start()
  const { timestamp } = (await (await fetch(`${server.url}/api/v1/health/live`)).json()) as { timestamp: string }
  expect(Math.abs(Date.parse(timestamp) - Date.now() + 86_400_000)).toBeLessThan(3_600_000)
  expect(await server.stop()).toBe(0)
  const again = await stage.start()
  await again.kill()
  stage.faults.set({ writeErrno: ENOSPC })
  await expect(stage.start()).rejects.toThrow('the server did not start')
})
