/** `proofgate compact`: the database is rewritten without its free pages, or left unchanged. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError } from '../../src/commands/command.ts'
import { compactCommand } from '../../src/commands/compact.ts'
import { openConnection } from '../../src/db/connection.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { erasureAnswer } from '../../src/erasure/wire.ts'
import { faultsIn, inspect, oneMiB, openStore, temporaryFolders } from '../db/store.ts'
import { program } from '../parts/program.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const sizeOf = (folder: string): number => statSync(locateDatabaseFile(folder)).size
const compactIn = (folder: string, args: readonly string[] = []) =>
  run(compactCommand, args, { cwd: folder, env: { PROOFGATE_DATA: folder } })

/** Fills a folder as an older build did: pages are not given back one by one. Half of them are free. */
function fillFolder(folder: string, rows: number): void {
  const db = new Database(locateDatabaseFile(folder), { create: true })
  migrate(db)
  db.run('PRAGMA journal_mode = WAL')
  for (const half of ['kept', 'gone'])
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO audit_events (at, event, details) SELECT 1, ?2, json_object('text', hex(randomblob(1500))) FROM n`,
      [rows / 2, half],
    )
  db.run("DELETE FROM audit_events WHERE event = 'gone'")
  db.close()
}

const kept = (folder: string): number =>
  inspect(folder, (db) => db.query<{ n: number }, []>('SELECT count(*) AS n FROM audit_events').get()!.n)

/** Copies of rows that were deleted, in the whole file. */
const leftIn = (folder: string): number => readFileSync(locateDatabaseFile(folder), 'latin1').split('<gone-').length - 1

test('clears the remains of deleted rows in unused space, which were reported as pending before', async () => {
  const folder = newFolder()
  fillFolder(folder, 2)
  const db = openConnection({ file: locateDatabaseFile(folder), cacheBytes: 8 * oneMiB, walLimitBytes: oneMiB })
  let seed = 1
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  db.run('BEGIN')
  const insert = db.prepare('INSERT INTO audit_events (at, event, details) VALUES (?1, ?2, ?3)')
  for (let row = 0; row < 20_000; row++) {
    const text = `${random() < 0.5 ? '<gone-' : '<kept-'}${row}-${'x'.repeat(random() < 0.05 ? 9_000 * random() : 400 * random())}`
    insert.run(row % 20, 'rows', JSON.stringify(text))
  }
  db.run('COMMIT')
  insert.finalize()
  for (let changed = 1; changed > 0; )
    changed = db.run(
      `DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE details LIKE '"<gone%' LIMIT 256)`,
    ).changes
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  // An erasure deletes, overwrites, and empties the log.
  const before = leftIn(folder)
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(100)
  expect(JSON.stringify(erasureAnswer)).toMatch(/done: [^"]*unused space of the file[^"]*`proofgate compact`/)

  expect((await compactIn(folder)).code).toBe(0)
  expect(leftIn(folder)).toBe(0)
})

test('returns the free half, keeps every row and the file permissions, and lets pages go back from then on', async () => {
  const folder = newFolder()
  fillFolder(folder, 4_000)
  const before = sizeOf(folder)
  chmodSync(locateDatabaseFile(folder), 0o640)
  const { code, out } = await compactIn(folder)
  expect(code).toBe(0)
  expect(out).toMatch(
    /^The copy needs up to [\d.]+ MiB, and [\d.]+ MiB are free\.\nThe database had [\d.]+ MiB and has /,
  )
  expect(sizeOf(folder)).toBeLessThan(before * 0.6)
  expect(statSync(locateDatabaseFile(folder)).mode & 0o777).toBe(0o640)
  expect(kept(folder)).toBe(2_000)
  expect(faultsIn(folder)).toEqual([])
  expect(readdirSync(folder).filter((name) => name.includes('compact'))).toEqual([])
  inspect(folder, (db) => expect(db.query('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 }))
  const db = await openStore(folder)
  await db.close()
  expect((await compactIn(folder, ['--json'])).json).toEqual({
    bytesBefore: expect.any(Number),
    bytesAfter: expect.any(Number),
  })
})

test('refuses while a server runs, and says to stop it', async () => {
  const folder = newFolder()
  const db = await openStore(folder)
  const refused = compactIn(folder)
  await expect(refused).rejects.toBeInstanceOf(UnavailableError)
  await expect(refused).rejects.toThrow(`a server runs on the data folder ${folder}: stop it`)
  await db.close()
})

test('refuses a database of a newer version, and changes nothing', async () => {
  const folder = newFolder()
  fillFolder(folder, 100)
  const db = new Database(locateDatabaseFile(folder))
  db.run("INSERT INTO migrations (name, sha256, applied_at) VALUES ('9999_later', 'x', 1)")
  db.close()
  const before = sizeOf(folder)
  expect(String(await compactIn(folder).catch((error) => error))).toContain('last used by a newer Proofgate')
  expect(sizeOf(folder)).toBe(before)
})

test('refuses while another program reads, and changes nothing', async () => {
  const folder = newFolder()
  fillFolder(folder, 400)
  const before = sizeOf(folder)
  const shell = new Database(locateDatabaseFile(folder))
  shell.run('BEGIN')
  shell.query('SELECT count(*) FROM audit_events').get()
  await expect(compactIn(folder)).rejects.toThrow('another program has the database open')
  shell.close()
  expect(sizeOf(folder)).toBe(before)
  expect((await compactIn(folder)).code).toBe(0)
})

test('ended at any moment it leaves the old file whole, and the next run removes what it left', async () => {
  const made = newFolder()
  fillFolder(made, 16_000)
  const seen = { copy: 0, after: 0 }
  for (let time = 0; time < 4; time++) {
    const folder = newFolder()
    cpSync(locateDatabaseFile(made), locateDatabaseFile(folder))
    const child = Bun.spawn([...program, 'compact'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    const copy = `${locateDatabaseFile(folder)}.compact`
    while (child.exitCode === null && !existsSync(copy)) await Bun.sleep(1)
    await Bun.sleep(time * 15)
    child.kill('SIGKILL')
    await child.exited
    if (existsSync(copy)) seen.copy++
    else seen.after++
    expect(kept(folder)).toBe(8_000)
    expect(faultsIn(folder)).toEqual([])
    expect((await compactIn(folder)).code).toBe(0)
    expect(readdirSync(folder).filter((name) => name.includes('compact'))).toEqual([])
    expect(kept(folder)).toBe(8_000)
  }
  expect(seen.copy).toBeGreaterThan(0)
})

const disk = mountSmallDisk(28)
const smallDisk = disk?.folder
afterAll(() => disk?.end())

test.if(smallDisk !== undefined)(
  'refuses before it writes where the disk has too little room for the copy',
  async () => {
    const folder = smallDisk!
    fillFolder(folder, 2_000)
    writeFileSync(join(folder, 'other'), new Uint8Array(4 * oneMiB))
    const before = sizeOf(folder)
    await expect(compactIn(folder)).rejects.toThrow(/has \d+ MiB free, and the copy needs \d+ MiB: free some space/)
    expect(sizeOf(folder)).toBe(before)
    expect(kept(folder)).toBe(1_000)
    rmSync(join(folder, 'other'))
  },
)
