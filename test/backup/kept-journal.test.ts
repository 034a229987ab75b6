/** The journal at the place of the backups: it is there within a look, and a restore without the old folder uses it. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJournalKeeper } from '../../src/backup/journal-keeper.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { backup } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const minute = 60_000

const opened = new Set<TestApp>()
afterEach(async () => {
  for (const app of opened) await app.close()
  opened.clear()
})

function makeHome(more: Record<string, string> = {}) {
  const home = newFolder()
  const [data, to] = [join(home, 'data'), join(home, 'backups')]
  const env = {
    PROOFGATE_DATA: data,
    PROOFGATE_BACKUP_TO: to,
    PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    PROOFGATE_LOG_LEVEL: 'error',
    ...more,
  }
  const given = (at: number) => ({ cwd: home, env, now: () => at })
  let app: TestApp | undefined
  const stop = async () => {
    if (app && opened.delete(app)) await app.close()
  }
  const lose = () => rmSync(data, { recursive: true })
  const restoreHere = async (at: number, args: readonly string[] = []) =>
    (await run(restore, [...args, '--json'], given(at))).json
  return {
    data,
    to,
    async start(at = startOfTime) {
      app = await startApp(env, data, at)
      opened.add(app)
      return { app, keep: openJournalKeeper(app.parts, openFolderTarget(to)) }
    },
    stop,
    lose,
    backUp: (at: number) => run(backup, [], given(at)),
    restore: restoreHere,
    async loseAndRestore(at: number) {
      await stop()
      lose()
      return restoreHere(at)
    },
    files: () =>
      readdirSync(to)
        .filter((name) => /^journal-[0-9a-f]{8}-/.test(name))
        .sort(),
  }
}

async function revoke(app: TestApp, qHash: string): Promise<void> {
  app.wait(1)
  const signed = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
  expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed)).status).toBe(200)
}

const statusOf = async (app: TestApp, qHash: string) =>
  (await app.get(`/api/v1/verification/status/${qHash}`)).body.data?.status

test('what was taken away is taken away again where the whole machine is lost, and credentials go on', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const [first, second, kept] = [await app.prove(alice), await app.prove(alice), await app.prove(alice)]
  await at.backUp(app.now())
  await revoke(app, first)
  await keep()
  await revoke(app, second)
  app.wait(minute)
  await keep()
  expect(at.files()).toHaveLength(2)
  await at.stop()
  at.lose()
  const restored = await at.restore(app.now() + minute)
  expect(restored).toMatchObject({ journal: 'replayed', replayed: { 'revoked proof': 2 }, sound: true })
  expect(Date.parse(restored.knownUntil)).toBe(app.now())
  const { app: again } = await at.start(app.now() + 2 * minute)
  expect(await Promise.all([first, second, kept].map((one) => statusOf(again, one)))).toEqual([
    'revoked',
    'revoked',
    'verified',
  ])
})

test('the files are sealed, and a look without news writes nothing but the time', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const qHash = await app.prove(alice)
  await keep()
  expect(at.files()).toEqual([])
  await revoke(app, qHash)
  await keep()
  app.wait(2 * minute)
  await keep()
  expect(at.files()).toHaveLength(1)
  expect(readdirSync(at.to).filter((name) => name.startsWith('journal-head-'))).toHaveLength(1)
  const text = readFileSync(join(at.to, at.files()[0]!), 'utf8')
  expect(text).not.toContain(qHash.slice(2))
  expect(JSON.parse(text).sealed).toMatchObject({ kdf: 'scrypt' })
})

test('a journal with a hole counts as gone, and one that was changed refuses the restore', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const proofs = [await app.prove(alice), await app.prove(alice), await app.prove(alice)]
  await at.backUp(app.now())
  for (const qHash of proofs) {
    await revoke(app, qHash)
    await keep()
  }
  await at.stop()
  at.lose()
  const [, middle, last] = at.files() as [string, string, string]
  const aside = join(at.to, 'aside')
  renameSync(join(at.to, middle), aside)
  expect(await at.restore(app.now() + minute)).toMatchObject({ journal: 'gone' })
  at.lose()
  renameSync(aside, join(at.to, middle))
  renameSync(join(at.to, last), join(at.to, `${last}.aside`))
  writeFileSync(join(at.to, last), readFileSync(join(at.to, middle)))
  await expect(at.restore(app.now() + minute)).rejects.toThrow(/of the journal was changed or cut off, or is another/)
})

test('a file of the journal that was cut off is not taken for a damaged backup', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const qHash = await app.prove(alice)
  await at.backUp(app.now())
  await revoke(app, qHash)
  await keep()
  await at.stop()
  at.lose()
  truncateSync(join(at.to, at.files()[0]!), 50)
  await expect(at.restore(app.now() + minute)).rejects.toThrow(
    /^journal-[0-9a-f-]+ of the journal was changed or cut off, .* restore without it: move the files that begin with journal- away/,
  )
})

test('a data folder that was put back to an older state loses nothing that it takes away later', async () => {
  const at = makeHome()
  const first = await at.start()
  const proofs = [await first.app.prove(alice), await first.app.prove(alice), await first.app.prove(alice)]
  const [one, two, three] = proofs as [string, string, string]
  await at.backUp(first.app.now())
  await revoke(first.app, one)
  await first.keep()
  await at.stop()
  const older = `${at.data}-older`
  cpSync(at.data, older, { recursive: true })
  const second = await at.start(first.app.now() + minute)
  await revoke(second.app, two)
  await second.keep()
  await at.stop()
  at.lose()
  cpSync(older, at.data, { recursive: true })
  const third = await at.start(second.app.now() + minute)
  await third.keep()
  expect(third.app.parts.conditions.list().map(({ name }) => name)).toContain('journal-shared')
  await revoke(third.app, three)
  await third.keep()
  expect(await at.loseAndRestore(third.app.now() + minute)).toMatchObject({
    journal: 'replayed',
    replayed: { 'revoked proof': 3 },
  })
})

test('of two servers with one master key has the entries of both, and each tells of the other', async () => {
  const at = makeHome()
  const own = await at.start()
  const neighbor = makeHome({ PROOFGATE_MASTER_KEY: readFileSync(join(at.data, 'master.key'), 'utf8').trim() })
  const [one, two] = [await own.app.prove(alice), await own.app.prove(alice)]
  await at.backUp(own.app.now())
  await revoke(own.app, one)
  await own.keep()
  const other = await neighbor.start(startOfTime + 5 * minute)
  const otherKeep = openJournalKeeper(other.app.parts, openFolderTarget(at.to))
  await otherKeep()
  expect(other.app.parts.conditions.list().map(({ name }) => name)).toContain('journal-shared')
  await revoke(other.app, await other.app.prove(alice))
  await otherKeep()
  await revoke(own.app, two)
  own.app.wait(minute)
  await own.keep()
  expect(own.app.parts.conditions.list().map(({ name }) => name)).toContain('journal-shared')
  own.app.wait(11 * minute)
  await own.keep()
  expect(own.app.parts.conditions.list().map(({ name }) => name)).not.toContain('journal-shared')
  const end = own.app.now() + minute
  await neighbor.stop()
  expect(await at.loseAndRestore(end)).toMatchObject({ journal: 'replayed', replayed: { 'revoked proof': 3 } })
})

test('a server that was restored goes on behind the rows of the time that was lost', async () => {
  const at = makeHome()
  const first = await at.start()
  const [one, other] = [await first.app.prove(alice), await first.app.prove(alice)]
  await at.backUp(first.app.now())
  await revoke(first.app, one)
  await first.keep()
  await at.stop()
  at.lose()
  await at.restore(first.app.now() + minute)
  const second = await at.start(first.app.now() + 2 * minute)
  await second.keep()
  await revoke(second.app, other)
  await second.keep()
  expect(await at.loseAndRestore(second.app.now() + 3 * minute)).toMatchObject({
    journal: 'replayed',
    replayed: { 'revoked proof': 2 },
  })
})

test('a place that cannot be written is a condition until it can', async () => {
  const at = makeHome()
  writeFileSync(at.to, 'a file in the way')
  const { app, keep } = await at.start()
  const qHash = await app.prove(alice)
  await revoke(app, qHash)
  await keep()
  expect(app.parts.conditions.list().map(({ name }) => name)).toContain('journal-unkept')
  rmSync(at.to)
  app.wait(minute)
  await keep()
  expect(app.parts.conditions.list().map(({ name }) => name)).not.toContain('journal-unkept')
  expect(at.files()).toHaveLength(1)
})

test('goes on after a start where it ended, and writes nothing twice', async () => {
  const at = makeHome()
  const first = await at.start()
  const [one, other] = [await first.app.prove(alice), await first.app.prove(alice)]
  await revoke(first.app, one)
  await first.keep()
  const later = first.app.now() + minute
  await at.stop()
  const second = await at.start(later)
  await second.keep()
  expect(at.files()).toHaveLength(1)
  await revoke(second.app, other)
  await second.keep()
  expect(at.files().map((name) => name.split('-').slice(2, 4).map(Number))).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('of another server at the same place is not read', async () => {
  const at = makeHome()
  const neighbor = makeHome()
  const { app } = await neighbor.start()
  const proofs = [await app.prove(alice), await app.prove(alice)]
  for (const qHash of proofs) await revoke(app, qHash)
  await openJournalKeeper(app.parts, openFolderTarget(at.to))()
  await neighbor.stop()
  const own = await at.start()
  const qHash = await own.app.prove(alice)
  await at.backUp(own.app.now())
  await revoke(own.app, qHash)
  await own.keep()
  expect(await at.loseAndRestore(own.app.now() + minute)).toMatchObject({
    journal: 'replayed',
    replayed: { 'revoked proof': 1 },
  })
})

test('that was last written before the backup knows nothing of the time after it', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const qHash = await app.prove(alice)
  await keep()
  app.wait(minute)
  await at.backUp(app.now())
  await revoke(app, qHash)
  expect(await at.loseAndRestore(app.now() + minute)).toMatchObject({ journal: 'gone' })
})

test('is found where backup.to says, when the backup itself was copied elsewhere', async () => {
  const at = makeHome()
  const { app, keep } = await at.start()
  const qHash = await app.prove(alice)
  await at.backUp(app.now())
  await revoke(app, qHash)
  await keep()
  await at.stop()
  at.lose()
  const [name] = readdirSync(at.to).filter((one) => one.endsWith('.backup'))
  const copy = join(newFolder(), 'copy.backup')
  renameSync(join(at.to, name!), copy)
  expect(await at.restore(app.now() + minute, [copy])).toMatchObject({
    journal: 'replayed',
    replayed: { 'revoked proof': 1 },
  })
})

test('under another passphrase than the backup says so', async () => {
  const at = makeHome()
  const { app } = await at.start()
  const qHash = await app.prove(alice)
  await at.backUp(app.now())
  const changed = { ...app.parts.config, backup: { ...app.parts.config.backup, passphrase: 'a new passphrase' } }
  await revoke(app, qHash)
  await openJournalKeeper({ ...app.parts, config: changed }, openFolderTarget(at.to))()
  await at.stop()
  at.lose()
  await expect(at.restore(app.now() + minute)).rejects.toThrow(
    /journal beside the backup is sealed under another passphrase than the backup: restore a backup that was made since/,
  )
})

describe('a clock that was wrong for a while', () => {
  const hour = 60 * minute

  test('does not make known what happened until the time that it was ahead to', async () => {
    const at = makeHome()
    const ahead = await at.start(startOfTime + 5 * 365 * 24 * hour)
    await revoke(ahead.app, await ahead.app.prove(alice))
    await ahead.keep()
    await at.stop()
    const { app, keep } = await at.start(startOfTime)
    await at.backUp(app.now())
    app.wait(minute)
    await keep()
    await at.stop()
    const inFolder = await at.restore(app.now() + minute)
    expect(inFolder.journal).toBe('replayed')
    expect(Date.parse(inFolder.knownUntil)).toBeLessThanOrEqual(app.now() + minute)
    at.lose()
    const restored = await at.restore(app.now() + hour)
    expect(restored.journal).toBe('replayed')
    expect(Date.parse(restored.knownUntil)).toBeLessThanOrEqual(app.now() + minute)
  })

  test('loses no file of the journal that a backup needs', async () => {
    const at = makeHome({
      PROOFGATE_BACKUP_KEEP_HOURLY: '2',
      PROOFGATE_BACKUP_KEEP_DAILY: '0',
      PROOFGATE_BACKUP_KEEP_WEEKLY: '0',
    })
    const right = await at.start(startOfTime + 2 * hour)
    const [one, other] = [await right.app.prove(alice), await right.app.prove(alice)]
    await at.backUp(startOfTime)
    await at.backUp(startOfTime + 2 * hour)
    await revoke(right.app, one)
    await right.keep()
    await at.stop()
    const behind = await at.start(startOfTime - 22 * hour)
    await revoke(behind.app, other)
    await behind.keep()
    await at.backUp(startOfTime - 21 * hour)
    await at.stop()
    await at.backUp(startOfTime + 3 * hour)
    expect(readdirSync(at.to).filter((name) => name.endsWith('.backup'))).toHaveLength(2)
    expect(at.files()).toHaveLength(2)
  })
})
