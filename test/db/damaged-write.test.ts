/** A write meets a damaged page before its commit. */
import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { inspect, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()

async function makeDamaged(table: string): Promise<string> {
  const folder = newFolder()
  await (await openStore(folder, 'inline')).close()
  const page = inspect(
    folder,
    (db) =>
      db.query<{ page: number }, [string]>('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?1').get(table)!
        .page,
  )
  const handle = openSync(locateDatabaseFile(folder), 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
  return folder
}

test.each([
  ['worker', 1],
  ['worker', 2],
  ['inline', 1],
] as const)(
  'a write (%s, statements: %d) that meets a damaged page is a certain refusal, and says why',
  async (writer, count) => {
    const folder = await makeDamaged('contents')
    const store = await openStore(folder, writer)
    const doomed = Array.from({ length: count }, () => ({ sql: 'DELETE FROM contents', params: [] }))
    const error = await store.write(doomed).catch((refusal) => refusal)
    expect(error).toMatchObject({ message: expect.stringContaining('SQLITE_CORRUPT'), isUncertain: false })
    expect(store.writerState()).toMatchObject({ isUncertain: false, last: { error: { isUncertain: false } } })
    // Other tables can be written on.
    await store.write([{ sql: 'UPDATE heartbeat SET beaten_at = beaten_at + 1', params: [] }])
    await store.close()
  },
)
