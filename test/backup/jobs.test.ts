/** Backups at their times, what is kept of them, and drills that find what a restore would find. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startKeeper } from '../../src/backup/keeper.ts'
import { chooseOld, type KeptBackup } from '../../src/backup/kept-backups.ts'
import { backup } from '../../src/commands/backup.ts'
import { UnavailableError } from '../../src/commands/command.ts'
import { drill } from '../../src/commands/drill.ts'
import { makeJobRunner } from '../../src/commands/job-runs.ts'
import { restore } from '../../src/commands/restore.ts'
import { lookIntoFolder } from '../../src/db/look.ts'
import { listJobRuns } from '../../src/jobs/store.ts'
import { startApp, startOfTime } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { undoClaimsByAccount } from '../db/undo-claims.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

async function makeServed(more: Record<string, string> = {}) {
  const home = newFolder()
  const data = join(home, 'data')
  const to = join(home, 'backups')
  const env = {
    PROOFGATE_DATA: data,
    PROOFGATE_BACKUP_TO: to,
    PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    PROOFGATE_LOG_LEVEL: 'error',
    ...more,
  }
  const app = await startApp(env, data)
  await app.prove(alice, { privacyLevel: 'private', storeOriginalContent: true })
  await app.close()
  const given = (at = startOfTime + 60_000) => ({ cwd: home, env, now: () => at })
  const runs = () => lookIntoFolder(data, (db) => listJobRuns(db))
  return { home, data, to, env, given, runs }
}

describe('what is kept', () => {
  const hourMs = 3_600_000
  const made = (...hoursAgo: number[]): KeptBackup[] =>
    hoursAgo
      .sort((one, other) => other - one)
      .map((hours) => ({
        name: `${hours}`,
        bytes: 1,
        keyMark: 1,
        at: startOfTime + 1_000 * 24 * hourMs - hours * hourMs,
      }))
  const keptOf = (backups: KeptBackup[], keepHourly: number, keepDaily: number, keepWeekly: number): string[] => {
    const old = chooseOld(backups, { keepHourly, keepDaily, keepWeekly })
    return backups.filter((one) => !old.includes(one)).map(({ name }) => name)
  }

  test('is the newest of each of the newest hours, days and weeks, and the newest of all', () => {
    const hourly = made(...Array.from({ length: 24 * 40 }, (_, hour) => hour))
    const kept = keptOf(hourly, 3, 2, 3)
    expect(kept.slice(-3)).toEqual(['2', '1', '0'])
    // At midnight today and yesterday are among the hours. The ends of the two weeks before stand alone.
    expect(kept).toHaveLength(3 + 2)
  })

  test('is counted by periods that have a backup, so that a pause loses none', () => {
    expect(keptOf(made(0, 500, 1_000, 2_000), 4, 0, 0)).toEqual(['2000', '1000', '500', '0'])
    expect(keptOf(made(0, 500, 1_000, 2_000), 1, 2, 0)).toEqual(['500', '0'])
  })

  test('is one of each hour, however many were made', () => {
    expect(keptOf(made(0.9, 0.8, 0.7), 1, 0, 0)).toEqual(['0.7'])
    expect(keptOf(made(0, 500), 0, 0, 0)).toEqual(['0'])
  })

  test('and files of other names at the place are left alone', async () => {
    const at = await makeServed({
      PROOFGATE_BACKUP_KEEP_HOURLY: '1',
      PROOFGATE_BACKUP_KEEP_DAILY: '0',
      PROOFGATE_BACKUP_KEEP_WEEKLY: '0',
    })
    mkdirSync(at.to)
    writeFileSync(join(at.to, 'proofgate-notes.txt'), 'mine')
    for (const hours of [0, 1, 2]) await run(backup, [], at.given(startOfTime + hours * 3_600_000))
    const kept = readdirSync(at.to).sort()
    expect(kept.map((name) => name.replace(/-[0-9a-f]{8}-[0-9a-f]{4}\.backup$/, ''))).toEqual([
      'proofgate-20260101T020000Z',
      'proofgate-notes.txt',
    ])
  })
})

test('two servers keep theirs at one place: neither deletes, tries or restores those of the other', async () => {
  const few = { PROOFGATE_BACKUP_KEEP_HOURLY: '1', PROOFGATE_BACKUP_KEEP_DAILY: '0', PROOFGATE_BACKUP_KEEP_WEEKLY: '0' }
  const [one, other] = [await makeServed(few), await makeServed(few)]
  const ofOther = { ...other.given(startOfTime + 120_000), env: { ...other.env, PROOFGATE_BACKUP_TO: one.to } }
  await run(backup, [], one.given())
  const made = (await run(backup, ['--json'], ofOther)).json
  expect(made.removed).toEqual([])
  expect((await run(drill, ['--json'], one.given())).json.backup).not.toBe(made.name)
  const nowhere = { ...one.given(), env: { ...one.env, PROOFGATE_DATA: join(one.home, 'new') } }
  await expect(run(restore, [], nowhere)).rejects.toThrow(/holds backups of 2 servers.*name the file: the newest are/)
})

describe('a drill', () => {
  test('passes a good backup, and leaves nothing behind', async () => {
    const at = await makeServed()
    await run(backup, [], at.given())
    const before = readdirSync(at.data)
    expect(await run(drill, ['--json'], at.given())).toMatchObject({ code: 0, json: { ok: true, faults: [] } })
    expect(readdirSync(at.data)).toEqual(before)
    expect(await at.runs()).toMatchObject({ backup: { isGood: true }, drill: { isGood: true } })
  })

  test('passes a backup without secrets with the key of the server, and fails without it', async () => {
    const at = await makeServed({ PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true', PROOFGATE_BACKUP_PASSPHRASE: '' })
    await run(backup, [], at.given())
    expect((await run(drill, [], at.given())).code).toBe(0)
    writeFileSync(join(at.data, 'master.key'), `${'ab'.repeat(32)}\n`)
    const failed = await run(drill, ['--json'], at.given())
    expect(failed).toMatchObject({ code: 1, json: { ok: false } })
    expect(failed.json.faults.join()).toMatch(/is not the key of the database/)
  })

  test.each([
    ['a counter that is wrong', 'UPDATE accounts SET all_count = 7', /counts 7 proofs/],
    ['a row without its parent', 'INSERT INTO contents (proof_id, content) VALUES (99, 1)', /without their parent/],
    [
      'a row that breaks a constraint of its table',
      'PRAGMA ignore_check_constraints = ON; INSERT INTO clock (id, steady_at, wall_at) VALUES (2, 1, 1)',
      /CHECK constraint failed in clock/,
    ],
    ['a total that is wrong', 'UPDATE totals SET proofs = 9', /totals say 9 proofs/],
  ])('finds %s', async (_, sql, says) => {
    const at = await makeServed()
    inspect(at.data, (db) => db.run(sql))
    await run(backup, [], at.given())
    const failed = await run(drill, ['--json'], at.given())
    expect(failed).toMatchObject({ code: 1, json: { ok: false } })
    expect(failed.json.faults.join()).toMatch(says)
    expect((await at.runs())?.drill).toMatchObject({ isGood: false, goodAt: null, says: expect.stringMatching(says) })
  })

  test('says that no backup is there, and notes it', async () => {
    const at = await makeServed()
    await expect(run(drill, [], at.given())).rejects.toThrow(/there is no backup at/)
    expect((await at.runs())?.drill).toMatchObject({ isGood: false })
  })
})

describe('a backup that cannot be made', () => {
  const disk = mountSmallDisk(1)
  afterAll(() => disk?.end())

  test.if(disk !== undefined)('on a full disk leaves nothing at the place, and is noted', async () => {
    const at = await makeServed()
    const { folder } = disk!
    const env = { ...at.env, PROOFGATE_BACKUP_TO: folder }
    writeFileSync(join(folder, 'filler'), new Uint8Array(1_048_576 - 16_384))
    await expect(run(backup, [], { ...at.given(), env })).rejects.toThrow(/its disk is full/)
    expect(readdirSync(folder).filter((name) => name.startsWith('proofgate-'))).toEqual([])
    expect((await at.runs())?.backup).toMatchObject({
      isGood: false,
      says: expect.stringContaining('its disk is full'),
    })
  })

  test('where no passphrase is given says what to set', async () => {
    const at = await makeServed({ PROOFGATE_BACKUP_PASSPHRASE: '', PROOFGATE_BACKUP_TO: '' })
    await expect(run(backup, ['out'], at.given())).rejects.toThrow(/set PROOFGATE_BACKUP_PASSPHRASE to seal the backup/)
    await expect(run(backup, [], at.given())).rejects.toThrow(/name the file, the folder or the bucket/)
  })
})

describe('a server with a schedule', () => {
  test('makes a backup and a drill as processes of its own, and tells a failure until one is made', async () => {
    const at = await makeServed()
    const app = await startApp(at.env, at.data)
    const told: string[] = []
    const log = {
      ...app.parts.log,
      info: (says: string) => void told.push(says),
      error: (says: string) => void told.push(says),
    }
    const everySecond = { ...app.parts.config.backup, schedule: '* * * * * *', drillSchedule: '* * * * * *' }
    const runJob = makeJobRunner(undefined, { env: { ...process.env, ...at.env }, cwd: at.home })
    writeFileSync(at.to, 'a file in the way')
    const keeper = startKeeper(
      { ...app.parts, now: Date.now, log, config: { ...app.parts.config, backup: everySecond } },
      runJob,
    )
    const eventually = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await Bun.sleep(50)
    }
    try {
      await eventually(() => told.includes('a backup could not be made'))
      expect(app.parts.conditions.list().map(({ name }) => name)).toContain('backup-failed')
      await Bun.file(at.to).delete()
      await eventually(
        () => told.includes('a backup was made') && told.some((says) => says.includes('restored on trial, and')),
      )
      expect(app.parts.conditions.list().map(({ name }) => name)).not.toContain('backup-failed')
    } finally {
      await keeper.stop()
      await app.close()
    }
    expect(readdirSync(at.to).some((name) => name.endsWith('.backup'))).toBe(true)
    expect(existsSync(join(at.data, 'drill'))).toBe(false)
    // They wait for everything else on the machine.
  }, 240_000)
})

test('a server tells what a person ran: a failure, and its end', async () => {
  const at = await makeServed()
  const app = await startApp(at.env, at.data)
  const inTime = { ...app.parts.config.backup, schedule: '0 0 1 1 *', drillSchedule: '0 0 1 1 *' }
  const keeper = startKeeper(
    { ...app.parts, config: { ...app.parts.config, backup: inTime } },
    () => Promise.reject(new Error('not run in this test')),
    { lookEveryMs: 50 },
  )
  const listNames = () => app.parts.conditions.list().map(({ name }) => name)
  try {
    writeFileSync(at.to, 'a file in the way')
    await expect(run(backup, [], at.given())).rejects.toThrow()
    while (!listNames().includes('backup-failed')) await Bun.sleep(20)
    await Bun.file(at.to).delete()
    const { out } = await run(backup, ['--once'], at.given(startOfTime + 600_000))
    expect(out).toContain('It does not hold proofgate.toml: keep what the environment gives in its place elsewhere.')
    while (listNames().includes('backup-failed')) await Bun.sleep(20)
  } finally {
    await keeper.stop()
    await app.close()
  }
})

describe('before a new version changes the database', () => {
  test('a start copies it into the data folder, keeps two such copies, and each can be restored', async () => {
    const at = await makeServed()
    const age = (): void =>
      inspect(at.data, (db) => {
        undoClaimsByAccount(db)
        db.run('DROP TABLE job_runs')
        db.run("DELETE FROM migrations WHERE name = '0040_job_runs'")
      })
    // The second start of a day is one that was repeated within a second.
    for (const day of [1, 2, 2, 3]) {
      age()
      const app = await startApp(at.env, at.data, startOfTime + day * 86_400_000)
      await app.close()
    }
    const copies = readdirSync(at.data)
      .filter((name) => name.endsWith('.backup'))
      .sort()
    expect(copies.map((name) => name.replace(/-[0-9a-f]{6}\.backup$/, ''))).toEqual([
      'before-upgrade-20260103T000000Z',
      'before-upgrade-20260104T000000Z',
    ])
    await (await startApp(at.env, at.data, startOfTime + 4 * 86_400_000)).close()
    expect(readdirSync(at.data).filter((name) => name.endsWith('.backup'))).toHaveLength(2)
    const restored = await run(restore, [join(at.data, copies[1]!), '--json'], at.given(startOfTime + 5 * 86_400_000))
    expect(restored.json).toMatchObject({ sound: true, counts: { proofs: 1 } })
    expect(readFileSync(join(at.data, 'master.key'), 'utf8')).toHaveLength(65)
  })

  test('is skipped where the operator says so', async () => {
    const at = await makeServed({ PROOFGATE_BACKUP_BEFORE_UPGRADE: 'false' })
    inspect(at.data, (db) => {
      undoClaimsByAccount(db)
      db.run('DROP TABLE job_runs')
      db.run("DELETE FROM migrations WHERE name = '0040_job_runs'")
    })
    await (await startApp(at.env, at.data)).close()
    expect(readdirSync(at.data).filter((name) => name.endsWith('.backup'))).toEqual([])
  })
})

test('a backup is refused where no server has a data folder', async () => {
  const home = newFolder()
  const env = { PROOFGATE_DATA: join(home, 'data'), PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery' }
  await expect(run(backup, ['out'], { cwd: home, env })).rejects.toThrow(UnavailableError)
  expect(readdirSync(home)).toEqual([])
})
