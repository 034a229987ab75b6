/** Two processes with one place of backups: one of them makes backups, and writes the journal. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openJournalKeeper } from '../../src/backup/journal-keeper.ts'
import { startKeeper } from '../../src/backup/keeper.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import type { RunJob } from '../../src/jobs/run-job.ts'
import { startApp } from '../app.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { openTwo, passSeconds } from '../processes/share.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

describe.skipIf(onlyOnSqlite('a backup of the data folder'))('jobs of backups', () => {
  test('are run by one of two processes at their time', async () => {
    const app = await startApp({
      PROOFGATE_BACKUP_TO: newFolder(),
      PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
      PROOFGATE_LOG_LEVEL: 'error',
    })
    const two = await openTwo(app)
    const backup = { ...app.parts.config.backup, schedule: '* * * * * *', drillSchedule: '0 0 1 1 *' }
    const runs: string[] = []
    const twice = Promise.withResolvers<void>()
    const keepers = two.map(({ parts }) => {
      const runJob: RunJob = async () => {
        runs.push(parts.run)
        if (runs.length === 2) twice.resolve()
        return { exitCode: 1, says: 'not made in this test' }
      }
      return startKeeper({ ...parts, now: Date.now, config: { ...parts.config, backup } }, runJob)
    })
    await twice.promise
    await Promise.all(keepers.map((keeper) => keeper.stop()))
    expect(new Set(runs).size).toBe(1)
  })
})

describe.skipIf(onlyOnSqlite('a backup of the data folder'))('the journal at the place of the backups', () => {
  test('is written by one process, goes on with another one, and neither takes the other for a stranger', async () => {
    const app = await startApp({
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    })
    const two = await openTwo(app)
    const target = openFolderTarget(newFolder())
    const keepers = two.map(({ parts }) => openJournalKeeper(parts, target))
    const revokeOne = async () => {
      const qHash = await app.prove(alice)
      const signed = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
      expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status).toBe(200)
    }
    const keepAll = async (): Promise<void> => {
      for (const keep of keepers) await keep()
    }
    const listFiles = async () =>
      (await target.listNames('journal-'))
        .filter((name) => !name.startsWith('journal-head-'))
        .map((name) => name.split('-').slice(2, 4).map(Number))

    await revokeOne()
    await keepAll()
    await revokeOne()
    await keepAll()
    // Each in turn stands still, and goes on where the other one came to.
    for (const at of [1, 0, 1] as const) {
      await passSeconds(app, 12, [two[at]])
      await revokeOne()
      await keepers[at]!()
      await passSeconds(app, 60, [two[at]])
      await keepers[at]!()
    }
    const ids = await select<{ id: number }>(app.parts.db, 'SELECT id FROM taken_away ORDER BY id').all()
    expect(await listFiles()).toEqual(ids.map(({ id }) => [id, id]))
    expect(app.parts.conditions.list().map(({ name }) => name)).toEqual([])
  })
})
