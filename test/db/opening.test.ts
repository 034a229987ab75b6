import { expect, test } from 'bun:test'
import { openConnection } from '../../src/db/connection.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { oneMiB, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()

test('a connection waits for a lock that another one holds while it opens, and does not give up', async () => {
  const folder = newFolder()
  await (await openStore(folder)).close()
  const file = locateDatabaseFile(folder)
  // Holds the lock that a checkpoint at the last close, or the recovery after a crash, takes for a moment.
  const holder = Bun.spawn(
    [
      process.execPath,
      '-e',
      `const { Database } = require('bun:sqlite'); const db = new Database(${JSON.stringify(file)});
       db.run('PRAGMA locking_mode = EXCLUSIVE'); db.run('BEGIN EXCLUSIVE'); console.log('held'); setTimeout(() => process.exit(), 400)`,
    ],
    { stdout: 'pipe' },
  )
  await holder.stdout.getReader().read()

  const db = openConnection({ file, cacheBytes: oneMiB, walLimitBytes: oneMiB })

  expect(db.query('SELECT count(*) AS count FROM proofs').get()).toEqual({ count: 0 })
  db.close()
  await holder.exited
})
