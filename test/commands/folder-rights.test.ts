/** A data folder whose files belong to another user, or that its own user may not write. Real processes, run by root. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand } from '../../src/commands/index.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { startFaulty } from '../health/fault-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { makeDataFolder } from './data-folder.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()

/** The user `nobody`, in a group with another number. */
const [uid, gid] = [65_534, 65_533]
const canChangeUser = process.getuid?.() === 0 && Bun.which('setpriv') !== null
const asService = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']

async function runIn(folder: string, call: readonly string[], user: readonly string[] = []) {
  const child = Bun.spawn([...user, ...program, ...call], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 30_000,
  })
  const [says, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, says }
}

function give(folder: string, to: readonly [uid: number, gid: number]): void {
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) chownSync(path, ...to)
}

const rightsOf = (file: string) => {
  const { uid, gid, mode } = statSync(file)
  return { uid, gid, mode: mode & 0o777 }
}

function makeServiceFolder(): string {
  const folder = newFolder()
  makeDataFolder(folder)
  give(folder, [uid, gid])
  return folder
}

test.if(canChangeUser)(
  'compact run by root leaves every file to the user of the server, who starts on it',
  async () => {
    const folder = makeServiceFolder()
    chmodSync(locateDatabaseFile(folder), 0o640)
    // The command must make these files anew when they are missing.
    for (const end of ['.lock', '.locks']) rmSync(locateDatabaseFile(folder) + end, { force: true })
    expect(await runIn(folder, ['compact'])).toEqual({ code: 0, says: '' })
    expect(rightsOf(locateDatabaseFile(folder))).toEqual({ uid, gid, mode: 0o640 })
    expect(rightsOf(`${locateDatabaseFile(folder)}.lock`)).toMatchObject({ uid, gid })
    expect((await runIn(folder, ['clients', 'list'], asService)).code).toBe(0)
  },
)

test.if(canChangeUser)('a command run by root leaves the files that it makes to the user of the server', async () => {
  const folder = makeServiceFolder()
  for (const end of ['.lock', '.locks']) rmSync(locateDatabaseFile(folder) + end, { force: true })
  expect(await runIn(folder, ['clients', 'list'])).toMatchObject({ code: 0 })
  for (const name of readdirSync(folder))
    expect([name, rightsOf(join(folder, name))]).toMatchObject([name, { uid, gid }])
})

test.if(canChangeUser)('a server run by root leaves the files that it makes to the user of the folder', async () => {
  const folder = makeServiceFolder()
  rmSync(join(folder, 'master.key'))
  const server = await startFaulty(folder, { PROOFGATE_STORAGE_RESERVE_MB: '4' })
  try {
    const sizeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
    while (sizeOf('reserve') < 4_194_304 || sizeOf('running.json') === 0) await Bun.sleep(10)
  } finally {
    await server.kill()
  }
  const names = readdirSync(folder)
  expect(names).toContain('master.key')
  for (const name of names) expect([name, rightsOf(join(folder, name))]).toMatchObject([name, { uid, gid }])
})

test.if(canChangeUser)(
  'compact refuses a user who may not give the copy to the owner, and changes nothing',
  async () => {
    const folder = makeServiceFolder()
    const file = locateDatabaseFile(folder)
    chownSync(file, 0, 0)
    chmodSync(file, 0o666)
    writeFileSync(`${file}.lock`, '')
    chmodSync(`${file}.lock`, 0o666)
    const before = {
      content: Bun.hash(readFileSync(file)),
      inode: statSync(file).ino,
      names: readdirSync(folder).sort(),
    }
    const { code, says } = await runIn(folder, ['compact'], asService)
    expect(says).toContain(`may not give a new file to the owner of ${file} (user 0, group 0)`)
    expect(code).toBe(69)
    expect({
      content: Bun.hash(readFileSync(file)),
      inode: statSync(file).ino,
      names: readdirSync(folder).sort(),
    }).toEqual(before)
  },
)

test('the help of compact says which user runs it', () => {
  expect(findCommand('compact')!.help.join(' ')).toContain('Run it as the user of the server')
})

test.if(canChangeUser)('a start that may not write the database names the file and makes nothing', async () => {
  const folder = makeServiceFolder()
  const file = locateDatabaseFile(folder)
  chmodSync(file, 0o400)
  const before = readdirSync(folder).sort()
  for (const call of [['serve'], ['compact'], ['clients', 'list']]) {
    const { code, says } = await runIn(folder, call, asService)
    expect(says).toContain(`${file}: user ${uid} has no permission to read and write it`)
    expect(says).toContain(`chown -R ${uid} ${folder}`)
    expect(says).toContain(`chmod -R u+rwX ${folder}`)
    expect(says).not.toContain('backup')
    expect(code).toBe(69)
    expect(readdirSync(folder).sort()).toEqual(before)
  }
  chmodSync(file, 0o600)
  expect((await runIn(folder, ['clients', 'list'], asService)).code).toBe(0)
})

test.if(canChangeUser)('a start that may not write the log of the database names that file', async () => {
  const folder = makeServiceFolder()
  const log = `${locateDatabaseFile(folder)}-wal`
  writeFileSync(log, '')
  chownSync(log, uid, gid)
  chmodSync(log, 0o400)
  const { code, says } = await runIn(folder, ['serve'], asService)
  expect(says).toContain(`${log}: user ${uid} has no permission`)
  expect(code).toBe(69)
})
