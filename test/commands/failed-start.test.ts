/** A start that fails ends the process, whatever it has begun by then. Real processes. */
import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { openStore, temporaryFolders } from '../db/store.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

/** `code` is null where the process did not end by itself. */
async function startOnFiles(folder: string): Promise<{ readonly code: number | null; readonly says: string }> {
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  const [says] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code: child.signalCode === null ? child.exitCode : null, says }
}

/** More rows than the slow check reads while a test waits. */
const manyRows = `CREATE TABLE filler (id INTEGER PRIMARY KEY) STRICT;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO filler SELECT i FROM n`

/** Makes a database in which the first page of this table is lost. */
async function makeDamaged(table: string): Promise<string> {
  const folder = newFolder()
  await (await openStore(folder, 'inline')).close()
  const file = locateDatabaseFile(folder)
  const db = new Database(file, { readwrite: true, create: false })
  db.run(manyRows)
  const { page } = db
    .query<{ page: number }, [string]>('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?1')
    .get(table)!
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
  return folder
}

test.each([
  ['while it opens the database', 'gate_versions'],
  ['when it already listens', 'operators'],
])('a start that meets a damaged page %s ends at once, and not after a check of all of it', async (_, table) => {
  const folder = await makeDamaged(table)
  const { code, says } = await startOnFiles(folder)
  expect(says).toMatch(/^[^\n]*is damaged or not a database[^\n]*a backup in its place[^\n]*\n$/)
  expect(code).toBe(69)
  expect(existsSync(join(folder, 'running.json'))).toBe(false)
})
