/** What killed runs leave, links, and two at once: told, removed when nobody uses it, and never in the way. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { backup } from '../../src/commands/backup.ts'
import { drill } from '../../src/commands/drill.ts'
import { restore } from '../../src/commands/restore.ts'
import { loadConfig } from '../../src/config/load.ts'
import { makeWorkFolder } from '../../src/db/work-folder.ts'
import { examineLeftovers } from '../../src/doctor/leftovers.ts'
import { startApp } from '../app.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const hourMs = 3_600_000

function makeServed(data = 'data') {
  const home = newFolder()
  makeDataFolder(join(home, data))
  const env = {
    PROOFGATE_DATA: join(home, 'data'),
    PROOFGATE_BACKUP_TO: join(home, 'backups'),
    PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    PROOFGATE_LOG_LEVEL: 'error',
  }
  const given = (at = Date.now()) => ({ cwd: home, env, now: () => at })
  return {
    home,
    data: join(home, 'data'),
    to: join(home, 'backups'),
    env,
    given,
    findings: async (at = Date.now()) =>
      examineLeftovers(await loadConfig({ env, cwd: home }), () => at).map(({ says }) => says),
  }
}

/** As a killed run leaves it: its lock is free. */
function leaveFolder(path: string): string {
  mkdirSync(path)
  for (const name of ['in-use.lock', 'master.key']) writeFileSync(join(path, name), '')
  return path
}

describe('folders of a restore or a drill that was killed', () => {
  test.each([
    ['a backup', backup],
    ['a restore', restore],
    ['a drill', drill],
  ])('are told by doctor, and removed by %s; one that is in use stays', async (_, command) => {
    const at = makeServed()
    await run(backup, [], at.given())
    const left = [
      leaveFolder(`${at.data}.restoring-20260101T000000Z`),
      leaveFolder(join(at.data, 'restoring-20260101T000000Z')),
      leaveFolder(join(at.data, 'drill-20260101T000000Z')),
    ]
    const used = makeWorkFolder(join(at.data, 'drill-20260101T000001Z'))
    expect(await at.findings()).toEqual([
      `${left[0]} and ${left[2]} and ${left[1]} were left by a restore, drill, export or import that was cut off, with much of what the database holds`,
    ])
    const { out } = await run(command, [], at.given())
    expect(left.filter((path) => existsSync(path))).toEqual([])
    if (command === backup) expect(out.replaceAll('\n', ' ')).toContain('which a run that was cut off had left')
    if (command !== restore) expect(existsSync(used.path)).toBe(true)
    used.remove()
  })

  test('of a moment ago, whose lock is not there yet, stay', async () => {
    const at = makeServed()
    const young = join(at.data, 'drill-20260101T000000Z')
    mkdirSync(young)
    await run(backup, [], at.given())
    expect(existsSync(young)).toBe(true)
    await run(backup, [], at.given(Date.now() + 2 * hourMs))
    expect(existsSync(young)).toBe(false)
  })

  test('stay where one may be all that tells of a restore that was cut off', async () => {
    const at = makeServed()
    const left = leaveFolder(`${at.data}.restoring-20260101T000000Z`)
    renameSync(at.data, join(at.home, 'elsewhere'))
    expect(await at.findings()).toEqual([])
    await expect(startApp(at.env, at.data)).rejects.toThrow(`a restore left ${left} beside it`)
  })
})

test('files of a backup that was killed are told, and removed by the next one after an hour', async () => {
  const at = makeServed()
  mkdirSync(at.to)
  const [old, young] = ['a', 'b'].map((digit) => join(at.to, `proofgate-x.backup.unfinished-${digit.repeat(16)}`)) as [
    string,
    string,
  ]
  for (const file of [old, young]) writeFileSync(file, 'half')
  utimesSync(old, new Date(), new Date(Date.now() - 2 * hourMs))
  expect(await at.findings()).toEqual([`${old} was left by a backup that was cut off`])
  await run(backup, [], at.given())
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('the old data folder is told by doctor until it is deleted', async () => {
  const at = makeServed()
  await run(backup, [], at.given())
  const { json } = await run(restore, ['--json'], at.given())
  expect(await at.findings()).toEqual([
    `${json.keptFolder} holds the data of before a restore, with the master key and what was erased since`,
  ])
  rmSync(json.keptFolder, { recursive: true })
  expect(await at.findings()).toEqual([])
})

describe('a data folder that is a link', () => {
  test('stays one: a restore works where it leads, and says where the old files are', async () => {
    const at = makeServed('disk/real')
    symlinkSync('disk/real', at.data)
    await run(backup, [], at.given())
    const { json } = await run(restore, ['--json'], at.given())
    expect(lstatSync(at.data).isSymbolicLink()).toBe(true)
    expect(json.keptFolder).toStartWith(join(at.home, 'disk', 'real.before-restore-'))
    expect(existsSync(join(at.data, 'proofgate.sqlite'))).toBe(true)
    expect(readdirSync(at.home).filter((name) => name.startsWith('data'))).toEqual(['data'])
    expect(await at.findings()).toEqual([expect.stringContaining(json.keptFolder)])
  })

  test('that leads nowhere is refused by a start after a restore that was cut off, and restored into', async () => {
    const at = makeServed('disk/real')
    symlinkSync('disk/real', at.data)
    await run(backup, [], at.given())
    rmSync(join(at.home, 'disk', 'real'), { recursive: true })
    const left = leaveFolder(join(at.home, 'disk', 'real.restoring-20260101T000000Z'))
    await expect(startApp(at.env, at.data)).rejects.toThrow(`a restore left ${left} beside it`)
    expect((await run(restore, ['--json'], at.given())).json).toMatchObject({ sound: true, removed: [left] })
    expect(lstatSync(at.data).isSymbolicLink()).toBe(true)
  })

  test('holds a place that is named by another path, which is refused', async () => {
    const at = makeServed('disk/real')
    symlinkSync('disk/real', at.data)
    await expect(run(backup, [join(at.home, 'disk/real/backups/')], at.given())).rejects.toThrow(
      /is inside the data folder/,
    )
  })
})

test('a second restore beside the first says that one is under way, also where there is no data folder yet', async () => {
  const at = makeServed()
  await run(backup, [], at.given())
  for (const prepare of [() => {}, () => rmSync(at.data, { recursive: true })]) {
    prepare()
    const first = makeWorkFolder(`${at.data}.restoring-20260101T000000Z`)
    await expect(run(restore, [], at.given())).rejects.toThrow(
      `another restore into ${at.data} is under way, in ${first.path}`,
    )
    first.remove()
  }
})

test('a restore that was cut off between its two renames knows which folder it moved, not which has the latest name', async () => {
  const at = makeServed()
  await run(backup, [], at.given())
  const { json } = await run(restore, ['--json'], at.given(Date.now() + 5 * 365 * 24 * hourMs))
  expect(json.keptFolder).toContain('.before-restore-203')
  const left = leaveFolder(`${at.data}.restoring-20260101T000000Z`)
  const moved = `${at.data}.before-restore-20260101T000000Z`
  writeFileSync(join(left, 'replaces'), `${moved}\n`)
  const key = readFileSync(join(at.data, 'master.key'), 'utf8')
  renameSync(at.data, moved)
  await expect(startApp(at.env, at.data)).rejects.toThrow(`delete that folder and rename ${moved} to ${at.data}`)
  const again = await run(restore, ['--json'], at.given())
  expect(again.json).toMatchObject({ keptFolder: moved, removed: [left] })
  expect(readFileSync(join(at.data, 'master.key'), 'utf8')).toBe(key)
})
