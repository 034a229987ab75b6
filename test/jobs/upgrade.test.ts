/** The last change of the version: noted by the first start of another one, also an older one, and when it fails. */

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { examineBackups } from '../../src/doctor/routine.ts'
import { listJobRuns } from '../../src/jobs/store.ts'
import { noteFailedUpgrade, noteStartedVersion, readUpgrade } from '../../src/jobs/upgrade.ts'
import { openHealth } from '../../src/operator/health.ts'
import { version } from '../../src/version.ts'
import { startApp } from '../app.ts'
import { openStore, temporaryFolders } from '../db/store.ts'

const newFolder = temporaryFolders()

async function openNoted() {
  const folder = newFolder()
  const db = await openStore(folder)
  const start = (started: string, { migrations = 0, at = 1_000, tookMs = 5 } = {}) =>
    noteStartedVersion(db, { version: started, migrations, at, tookMs })
  const fail = (started: string, fault: string, at: number) =>
    noteFailedUpgrade(locateDatabaseFile(folder), { version: started, migrations: 1, at, tookMs: 7, fault })
  const readLast = async () => {
    const { upgrade } = await listJobRuns(db)
    return (
      upgrade && { ...readUpgrade(upgrade), isGood: upgrade.isGood, endedAt: upgrade.endedAt, goodAt: upgrade.goodAt }
    )
  }
  return { folder, db, start, fail, readLast }
}

describe('a version', () => {
  test('is noted by its first start, and not by the next ones', async () => {
    const { db, start, readLast } = await openNoted()
    await start('0.1.0')
    expect(await readLast()).toEqual({
      from: null,
      to: '0.1.0',
      migrations: 0,
      isGood: true,
      endedAt: 1_000,
      goodAt: 1_000,
    })
    await start('0.2.0', { migrations: 2, at: 2_000 })
    await start('0.2.0', { at: 3_000 })
    expect(await readLast()).toMatchObject({ from: '0.1.0', to: '0.2.0', migrations: 2, endedAt: 2_000 })
    await db.close()
  })

  test('is noted when it is an older one again, and when a build of the same number changes the database', async () => {
    const { db, start, readLast } = await openNoted()
    await start('0.2.0')
    await start('0.1.0', { at: 2_000 })
    expect(await readLast()).toMatchObject({ from: '0.2.0', to: '0.1.0', endedAt: 2_000 })
    await start('0.1.0', { migrations: 1, at: 3_000 })
    expect(await readLast()).toMatchObject({ from: '0.1.0', to: '0.1.0', migrations: 1, endedAt: 3_000 })
    await db.close()
  })

  test('that could not be started is noted with the reason until another one is, and doctor tells it', async () => {
    const { db, start, fail, readLast } = await openNoted()
    await start('0.1.0')
    await fail('0.2.0', 'migration "x" cannot be applied', 2_000)
    const failed = {
      from: '0.1.0',
      to: '0.2.0',
      fault: 'migration "x" cannot be applied',
      isGood: false,
      goodAt: 1_000,
    }
    expect(await readLast()).toMatchObject(failed)
    // The version of before goes on: that is no change.
    await start('0.1.0', { at: 3_000 })
    expect(await readLast()).toMatchObject({ ...failed, endedAt: 2_000 })
    const found = await examineBackups(db, { backup: {} } as never, () => 4_000)
    expect(found.map(({ says }) => says).join()).toContain(
      'the last upgrade failed, on 1970-01-01T00:00:02.000Z: 0.1.0 to 0.2.0, 1 migration: migration "x" cannot be applied',
    )
    await start('0.3.0', { at: 5_000 })
    expect(await readLast()).toMatchObject({ from: '0.1.0', to: '0.3.0', isGood: true, goodAt: 5_000 })
    expect(await examineBackups(db, { backup: {} } as never, () => 6_000)).toHaveLength(1)
    await db.close()
  })

  test('that cannot be noted starts all the same', async () => {
    const { db, start } = await openNoted()
    await db.close()
    await start('0.1.0')
  })

  test('that fails on a database of before this table leaves that as it was', async () => {
    const file = join(newFolder(), 'old.sqlite')
    new Database(file, { create: true }).run('CREATE TABLE proofs (id INTEGER)')
    await noteFailedUpgrade(file, { version: '0.2.0', migrations: 1, at: 1, tookMs: 1, fault: 'x' })
    const tables = new Database(file).query<{ name: string }, []>('SELECT name FROM sqlite_schema').all()
    expect(tables).toEqual([{ name: 'proofs' }])
  })
})

test('the start of a server notes its version, and the page of the operator shows it', async () => {
  const folder = newFolder()
  const app = await startApp({}, folder)
  const { jobs } = await openHealth(app.parts).tell()
  expect(jobs?.upgrade).toEqual({
    endedAt: app.now(),
    isGood: true,
    goodAt: app.now(),
    says: expect.stringMatching(/^none to \S+, \d+ migrations?$/),
    from: null,
    to: version,
    tookMs: expect.any(Number),
  })
  await app.close()
})
