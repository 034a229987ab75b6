/** Which backup is the newest, and which are deleted, where a clock was wrong or a file is no backup. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sortByClock } from '../../src/backup/kept-backups.ts'
import { backup } from '../../src/commands/backup.ts'
import { drill } from '../../src/commands/drill.ts'
import { restore } from '../../src/commands/restore.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const startOfTime = 1_767_225_600_000
const hourMs = 3_600_000
const fewest = {
  PROOFGATE_BACKUP_KEEP_HOURLY: '2',
  PROOFGATE_BACKUP_KEEP_DAILY: '0',
  PROOFGATE_BACKUP_KEEP_WEEKLY: '0',
}

function makeServed(more: Record<string, string> = {}) {
  const home = newFolder()
  const [data, to] = [join(home, 'data'), join(home, 'backups')]
  makeDataFolder(data)
  const env = {
    PROOFGATE_DATA: data,
    PROOFGATE_BACKUP_TO: to,
    PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    ...fewest,
    ...more,
  }
  const given = (hours: number) => ({ cwd: home, env, now: () => startOfTime + hours * hourMs })
  return {
    data,
    to,
    given,
    backUp: async (hours: number) => (await run(backup, ['--json'], given(hours))).json,
    names: () => readdirSync(to).sort(),
  }
}

const future = 5 * 365 * 24

describe('a clock that was ahead once', () => {
  test('makes no backup that is the newest for years, and none that pushes good ones out', async () => {
    const at = makeServed()
    const ahead = (await at.backUp(future)).name
    const made = []
    for (const hours of [0, 1, 2, 3]) made.push(await at.backUp(hours))
    expect(made.map(({ setApart }) => setApart)).toEqual(Array(4).fill([ahead]))
    expect(at.names()).toEqual([made[2].name, made[3].name, ahead].sort())
    expect((await run(drill, ['--json'], at.given(4))).json).toMatchObject({ backup: made[3].name, setApart: [ahead] })
    const told = await run(restore, [], at.given(4))
    expect(told.out.replaceAll('\n', ' ')).toMatch(
      new RegExp(`One file is named later than now \\(2026-01-01T04:00.*${ahead}.*Reading ${made[3].name}`),
    )
  })

  test('sets nothing apart where every name is later than now, or later by minutes only', () => {
    const make = (at: number) => ({ name: `${at}`, bytes: 1, keyMark: 1, at })
    const [sooner, later] = [make(startOfTime + hourMs), make(startOfTime + 2 * hourMs)]
    expect(sortByClock([sooner, later], startOfTime)).toEqual({ backups: [sooner, later], ahead: [] })
    const close = make(startOfTime + 60_000)
    expect(sortByClock([close, later], startOfTime)).toEqual({ backups: [close], ahead: [later] })
  })
})

test('the backup that was made just now is not deleted, though a clock that was set back names it as the oldest', async () => {
  const at = makeServed()
  for (const hours of [0, 1, 1.2]) await at.backUp(hours)
  const { name, removed } = await at.backUp(1.1)
  expect(removed).not.toContain(name)
  expect(at.names()).toContain(name)
})

describe('a file that has the name of a backup and is none', () => {
  test.each([
    ['empty', (file: string) => writeFileSync(file, '')],
    ['of another kind', (file: string) => writeFileSync(file, crypto.getRandomValues(new Uint8Array(20_000)))],
    ['cut off', (file: string) => truncateSync(file, 10_000)],
  ])('%s: takes the place of no good one, is told, and a restore names it and the one before', async (_, spoil) => {
    const at = makeServed()
    const [first, second, third] = [await at.backUp(0), await at.backUp(1), await at.backUp(2)]
    expect(at.names()).toEqual([second.name, third.name])
    spoil(join(at.to, third.name))
    await expect(run(restore, [], at.given(3))).rejects.toThrow(
      new RegExp(`${third.name} at .*The next older one there is ${second.name}: name that file to use it`),
    )
    expect((await run(drill, ['--json'], at.given(3))).json).toMatchObject({ ok: false, backup: third.name })
    const fourth = await at.backUp(4)
    expect(fourth).toMatchObject({ broken: [third.name], removed: [] })
    const fifth = await at.backUp(5)
    expect(fifth).toMatchObject({ broken: [], removed: [second.name, third.name] })
    expect(at.names()).toEqual([fourth.name, fifth.name])
    expect(first.removed).toEqual([])
  })
})

test('backups under names of one’s own are told where a folder is named for a restore', async () => {
  const at = makeServed()
  mkdirSync(at.to)
  await run(backup, [join(at.to, 'before-the-move.backup')], at.given(0))
  await expect(run(restore, [], at.given(1))).rejects.toThrow(
    /holds a file that ends in \.backup, and its name does not tell which is the newest: name the file that you mean, for example before-the-move\.backup/,
  )
  await run(backup, [join(at.to, 'other.backup')], at.given(0))
  await expect(run(drill, [], at.given(1))).rejects.toThrow(
    /holds 2 files that end in \.backup, and their names do not/,
  )
})

describe('a drill on another machine', () => {
  const elsewhere = (at: ReturnType<typeof makeServed>, more: Record<string, string> = {}) => {
    const { env, now } = at.given(1)
    const home = newFolder()
    return { cwd: home, now, env: { ...env, PROOFGATE_DATA: join(home, 'data'), ...more } }
  }

  test('needs the place and the passphrase alone, and leaves nothing behind', async () => {
    const at = makeServed()
    const { name } = await at.backUp(0)
    const given = elsewhere(at)
    expect(await run(drill, ['--json'], given)).toMatchObject({ code: 0, json: { ok: true, backup: name } })
    expect(readdirSync(given.cwd)).toEqual([])
  })

  test('names the folder for temporary files where that cannot be used', async () => {
    const at = makeServed()
    await at.backUp(0)
    await expect(run(drill, [], elsewhere(at, { TMPDIR: '/nonexistent' }))).rejects.toThrow(
      /folder for temporary files \/nonexistent cannot be used \(ENOENT\): name another one with TMPDIR/,
    )
  })

  test('says that a key is missing where the backup holds none', async () => {
    const at = makeServed({ PROOFGATE_BACKUP_PASSPHRASE: '', PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true' })
    await at.backUp(0)
    const failed = await run(drill, ['--json'], elsewhere(at))
    expect(failed).toMatchObject({ code: 1, json: { ok: false } })
    expect(failed.json.faults).toEqual([expect.stringContaining('PROOFGATE_MASTER_KEY')])
    const key = readFileSync(join(at.data, 'master.key'), 'utf8').trim()
    expect((await run(drill, [], elsewhere(at, { PROOFGATE_MASTER_KEY: key }))).code).toBe(0)
  })

  test('goes on where the data folder was lost, and says whose is meant where there are several servers', async () => {
    const at = makeServed()
    const { name } = await at.backUp(0)
    rmSync(join(at.data, 'proofgate.sqlite'))
    expect((await run(drill, ['--json'], at.given(1))).json.ok).toBe(true)
    renameSync(join(at.to, name), join(at.to, name.replace(/-[0-9a-f]{8}-/, '-00000001-')))
    await run(backup, [], makeServedWith(at.to))
    await expect(run(drill, [], elsewhere(at))).rejects.toThrow(/holds backups of 2 servers.*name the file/)
  })

  const makeServedWith = (to: string) => {
    const at = makeServed()
    const given = at.given(0)
    return { ...given, env: { ...given.env, PROOFGATE_BACKUP_TO: to } }
  }
})

test.each([
  ['2026-02-30T00:00:00Z', /names a day that there is not/],
  ['2025-02-29T00:00:00Z', /names a day that there is not/],
  ['2026-01-01', /is no time: write it with its zone/],
  ['2026-01-01T00:00:00', /is no time: write it with its zone/],
  ['2026-01-01T25:00:00Z', /is no time: write it with its zone/],
  ['2026-01-01T00:00:01Z', /is later than now/],
])('the moment %s is refused', async (moment, says) => {
  const at = makeServed()
  await at.backUp(0)
  await expect(run(restore, ['--at', moment], at.given(0))).rejects.toThrow(says)
})

test('a moment of a leap day, in another zone, is understood', async () => {
  const at = makeServed()
  await at.backUp(0)
  await expect(run(restore, ['--at', '2024-02-29T23:30:00-05:30'], at.given(0))).rejects.toThrow(
    /no backup at .* is from before 2024-03-01T05:00:00\.000Z: name a later moment: the oldest backup there is proofgate-2026/,
  )
})
