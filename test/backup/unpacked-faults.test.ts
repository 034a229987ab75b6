/** An unpacked database is compared with what its manifest says, table by table, and with its log frame by frame. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFaults } from '../../src/backup/check-unpacked.ts'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { unpackBackup } from '../../src/backup/unpack.ts'
import { openConnection } from '../../src/db/connection.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { nameLogFile } from '../../src/db/file-names.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { temporaryFolders } from '../db/store.ts'

const newFolder = temporaryFolders()

/** Of a server that writes: a part of it is in the log alone. */
async function unpackOne() {
  const home = newFolder()
  const [data, unpacked] = [join(home, 'data'), join(home, 'unpacked')]
  makeDataFolder(data)
  mkdirSync(unpacked)
  const db = openConnection({ file: locateDatabaseFile(data), cacheBytes: 1_048_576, walLimitBytes: 1_048_576 })
  db.run("INSERT INTO audit_events (at, event, details) VALUES (1, 'first', '{}')")
  db.run("INSERT INTO audit_events (at, event, details) VALUES (2, 'second', '{}')")
  const target = openFolderTarget(join(home, 'out'))
  const now = () => 1_767_225_600_000
  await makeBackup(target, 'one.backup', { folder: data, now, version: '1', passphrase: undefined, secrets: {} })
  db.close()
  const { manifest } = await unpackBackup(target.read('one.backup'), undefined, unpacked)
  return { folder: unpacked, manifest }
}

test('one that is as its manifest says has no fault', async () => {
  const { folder, manifest } = await unpackOne()
  expect(manifest.header.logBytes).toBeGreaterThan(0)
  expect(manifest.counts.audit_events).toBe(2)
  expect(findFaults(folder, manifest)).toEqual([])
})

test.each([
  ['rows', { counts: { audit_events: 3 } }, {}, 'table audit_events has 2 rows, and the manifest says 3'],
  ['a table', { counts: { lost: 1 } }, {}, 'table lost has no rows, and the manifest says 1'],
  [
    'the newest migration',
    {},
    { schema: '0001_init' },
    /^its newest migration is ".*", and the manifest says "0001_init"/,
  ],
  ['the length of the log', {}, { logBytes: 32 }, /^its log has \d+ bytes, and the manifest says 32/],
] as const)('one whose manifest is wrong about %s is told', async (_, more, ofHeader, says) => {
  const { folder, manifest } = await unpackOne()
  const counts = { ...manifest.counts, ...('counts' in more ? more.counts : {}) }
  const faults = findFaults(folder, { counts, header: { ...manifest.header, ...ofHeader } })
  expect(faults).toEqual([typeof says === 'string' ? says : expect.stringMatching(says)])
})

test('one whose log is damaged in its last frame is told, though SQLite would leave that frame out in silence', async () => {
  const { folder, manifest } = await unpackOne()
  const log = nameLogFile(locateDatabaseFile(folder))
  const bytes = readFileSync(log)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(log, bytes)
  expect(findFaults(folder, manifest)).toEqual([
    expect.stringMatching(/^SQLite recovers \d+ of the \d+ frames of its log$/),
  ])
})
