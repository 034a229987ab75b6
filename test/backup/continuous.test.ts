/** The continuous backup: what was committed is at the place within a second, and each moment can be restored. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseKeptBackup } from '../../src/backup/choose-backup.ts'
import { packChunk } from '../../src/backup/continuous/chunk.ts'
import { listLogFiles, openLogReader } from '../../src/backup/continuous/log-files.ts'
import { removeOldFiles } from '../../src/backup/continuous/remove-old.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { openGuestDb } from '../../src/db/db.ts'
import { isNextLog } from '../../src/db/log-frames.ts'
import { temporaryFolders } from '../db/store.ts'
import { keyMark, listStanding, makeShippingPlace, passphrase, type Shipped } from './continuous-stage.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()

const writeMany = async (open: Shipped, count: number): Promise<void> => {
  for (let written = 0; written < count; written++) await open.write()
}

const countTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

/** Twenty rows, a backup, and then `count` rows that only the continuous backup holds. */
async function makeShipped(count: number, options: Parameters<typeof makeShippingPlace>[1] = {}, beforeBackupMs = 0) {
  const at = makeShippingPlace(newFolder(), options)
  const open = await at.open()
  await writeMany(open, 20)
  await open.settle()
  await Bun.sleep(beforeBackupMs)
  const backup = await at.backUp()
  const backedUpAt = Date.now()
  await writeMany(open, count)
  await open.settle()
  return { at, open, backup, backedUpAt }
}

const listChunks = async (at: ReturnType<typeof makeShippingPlace>) => {
  const { read } = openLogReader(at.target, passphrase)
  const chunks = []
  for (const file of await listLogFiles(at.target, keyMark)) for await (const { head } of read(file)) chunks.push(head)
  return chunks
}

describe('a moment', () => {
  test('is restored exactly, over logs that were begun anew', async () => {
    const { at, open, backup, backedUpAt } = await makeShipped(1_000)
    await open.close()
    const salts = [...new Set((await listChunks(at)).map(({ salt }) => salt))]
    expect(salts.length).toBeGreaterThan(3)
    expect(salts.slice(1).every((salt, index) => isNextLog(salts[index]!, salt))).toBe(true)
    const passed = at.rows.at(-1)!.storedAt - backedUpAt
    for (let step = 0; step <= 8; step++) {
      const moment = backedUpAt + Math.floor((passed * step) / 8)
      const { state, numbers } = await at.restore(backup, moment)
      expect(state.faults).toEqual([])
      if (step < 8) expect(state.at).toBe(moment)
      expect(numbers).toEqual(countTo(numbers.length))
      expect(numbers.length).toBeGreaterThanOrEqual(at.rows.filter(({ storedAt }) => storedAt <= moment).length)
      expect(numbers.length).toBeLessThanOrEqual(at.rows.filter(({ askedAt }) => askedAt <= moment).length)
    }
    expect((await at.restore(backup)).numbers).toEqual(countTo(1_020))
  })

  test('has what another process wrote beside the server', async () => {
    const { at, open, backup } = await makeShipped(5)
    const guest = await openGuestDb({
      folder: at.data,
      cacheBytes: 1 << 20,
      walLimitBytes: 1 << 20,
      now: Date.now(),
      keepsLog: true,
    })
    await guest.write([{ sql: 'INSERT INTO numbers VALUES (1000, NULL)', params: [] }])
    await guest.close()
    await open.settle()
    await open.close()
    expect((await at.restore(backup)).numbers).toContain(1000)
  })

  test('is restored from an unsealed place as well', async () => {
    const { at, open, backup } = await makeShipped(10, { phrase: null })
    await open.close()
    expect((await at.restore(backup)).numbers).toEqual(countTo(30))
  })
})

describe('the chain', () => {
  test('goes on after a stop in order and a new start', async () => {
    const { at, open, backup } = await makeShipped(10)
    await open.close()
    const again = await at.open()
    await writeMany(again, 10)
    await again.settle()
    await again.close()
    const chunks = await listChunks(at)
    expect(new Set(chunks.map(({ chain }) => chain)).size).toBe(1)
    expect((await at.restore(backup)).numbers).toEqual(countTo(40))
  })

  test('begins anew where another program emptied the log meanwhile', async () => {
    const { at, open } = await makeShipped(10)
    await open.close()
    // A guest that does not know of the continuous backup closes the database as SQLite does.
    const guest = await openGuestDb({ folder: at.data, cacheBytes: 1 << 20, walLimitBytes: 1 << 20, now: Date.now() })
    await guest.write([{ sql: 'INSERT INTO numbers VALUES (1000, NULL)', params: [] }])
    await guest.close()
    const again = await at.open()
    await writeMany(again, 3)
    await again.settle()
    const later = await at.backUp()
    await again.write()
    await again.settle()
    await again.close()
    expect(new Set((await listChunks(at)).map(({ chain }) => chain)).size).toBe(2)
    expect((await at.restore(later)).numbers).toEqual([...countTo(34), 1000])
  })

  test('keeps everything while the place is gone, and tells how far behind it is', async () => {
    const { at, open, backup } = await makeShipped(10)
    renameSync(at.place, `${at.place}-gone`)
    writeFileSync(at.place, 'not a folder')
    await writeMany(open, 600)
    expect(open.readLagMs()).toBeGreaterThan(0)
    rmSync(at.place)
    renameSync(`${at.place}-gone`, at.place)
    await open.settle()
    expect(listStanding(open.conditions)).not.toContain('continuous-behind')
    await open.close()
    expect(new Set((await listChunks(at)).map(({ chain }) => chain)).size).toBe(1)
    expect((await at.restore(backup)).numbers).toEqual(countTo(630))
  })

  test('holds what was committed before the log was emptied for an erasure', async () => {
    const { at, open, backup } = await makeShipped(10)
    await writeMany(open, 5)
    expect(await open.db.forgetDeleted()).toBe(true)
    await writeMany(open, 5)
    await open.settle()
    await open.close()
    expect(new Set((await listChunks(at)).map(({ chain }) => chain)).size).toBe(1)
    expect((await at.restore(backup)).numbers).toEqual(countTo(40))
  })
})

describe('a moment of before a chain that began anew', () => {
  /** As after a restore: another chain, and a backup for it within the same hour. */
  async function beginAnew() {
    // A server waits as long: the name of a backup tells whole seconds, rounded down.
    const { at, open } = await makeShipped(10, {}, 1_000)
    const moment = Date.now()
    await Bun.sleep(5)
    await writeMany(open, 5)
    await open.settle()
    await open.close()
    const between = Date.now()
    const guest = await openGuestDb({ folder: at.data, cacheBytes: 1 << 20, walLimitBytes: 1 << 20, now: Date.now() })
    await guest.close()
    const again = await at.open()
    await again.write()
    await again.settle()
    await Bun.sleep(1_000)
    const made = await at.backUp()
    await again.close()
    const retention = { keepHourly: 1, keepDaily: 0, keepWeekly: 0, continuousHours: 48 }
    await removeOldFiles(at.target, { keyMark, made, now: Date.now() }, retention)
    const choose = (until: number) =>
      chooseKeptBackup(at.target, { passphrase, keyMark, until, now: Date.now() }).then(({ chosen }) => chosen.name)
    return { at, moment, between, choose }
  }

  test('can be restored still, after the next backup of the same hour', async () => {
    const { at, moment, choose } = await beginAnew()
    expect((await at.restore(await choose(moment), moment)).numbers).toEqual(countTo(30))
  })

  test('when nothing was shipped is restored from what is before it', async () => {
    const { at, between, choose } = await beginAnew()
    const { state, numbers } = await at.restore(await choose(between), between)
    expect(numbers).toEqual(countTo(35))
    expect(state.rolled?.nextChainAt).toBeUndefined()
  })
})

describe('a place where files', () => {
  /** The files of the log in their order, after several were made. */
  async function makeFiles(options: Parameters<typeof makeShipped>[1] = {}) {
    const { at, open, backup } = await makeShipped(20, options)
    for (let round = 0; round < 3; round++) {
      await writeMany(open, 10)
      await open.settle()
    }
    await open.close()
    const files = await listLogFiles(at.target, keyMark)
    expect(files.length).toBeGreaterThan(3)
    return { at, backup, files, path: (index: number) => join(at.place, files.at(index)!.name) }
  }
  const refusal = (restoring: Promise<unknown>): Promise<string> =>
    restoring.then(
      () => 'restored',
      (error) => `${error.message}`,
    )

  test('are missing in the middle is told, with the last moment that can be reached', async () => {
    const { at, backup, files, path } = await makeFiles()
    rmSync(path(-2))
    const said = await refusal(at.restore(backup))
    expect(said).toMatch(/^chunk \d+ of the continuous backup is missing/)
    const moment = /--at ([^ ,]+),/.exec(said)![1]!
    expect(Date.parse(moment)).toBe(files.at(-3)!.lastAt)
    expect((await at.restore(backup, Date.parse(moment))).state.faults).toEqual([])
  })

  test('were changed by one bit is told by name, wherever the bit is', async () => {
    const { at, backup, files, path } = await makeFiles()
    const whole = readFileSync(path(-2))
    for (let step = 0; step < 12; step++) {
      const changed = Buffer.from(whole)
      const place = Math.floor((whole.length * step) / 12)
      changed[place]! ^= 1 << (step % 8)
      writeFileSync(path(-2), changed)
      expect(await refusal(at.restore(backup))).toContain(step === 0 ? '' : files.at(-2)!.name)
      expect(await refusal(at.restore(backup))).not.toBe('restored')
    }
  })

  test('are not sealed, and were changed in what no other check reads, is told by their own hash', async () => {
    const { at, backup, path } = await makeFiles({ phrase: null })
    const file = readFileSync(path(-2), 'latin1')
    const changed = file.replace(
      /("commits":\[\[\d+,\d+)(\d)/,
      (_, before, digit) => before + ((Number(digit) + 1) % 10),
    )
    expect(changed).not.toBe(file)
    writeFileSync(path(-2), changed, 'latin1')
    expect(await refusal(at.restore(backup))).toContain('is damaged (its hash is not right)')
  })

  test('were written anew, whole and with a right hash, is told by the hash that the next one names', async () => {
    const { at, backup, files, path } = await makeFiles({ phrase: null })
    const chunks = await Array.fromAsync(openLogReader(at.target, undefined).read(files.at(-2)!))
    const file = readFileSync(path(-2))
    const anew = chunks.map(({ head, bytes }) => {
      const commits = head.commits.map(([frames, time]): [number, number] => [frames, time - 1])
      return Buffer.concat(packChunk({ ...head, commits }, bytes, undefined).packed)
    })
    writeFileSync(path(-2), Buffer.concat([file.subarray(0, file.indexOf('\n') + 1), ...anew]))
    expect(await refusal(at.restore(backup))).toContain('is missing, or another stands in its place')
  })

  test('were exchanged, cut off or emptied is told', async () => {
    const { at, backup, path } = await makeFiles()
    const [one, other] = [readFileSync(path(-2)), readFileSync(path(-3))]
    for (const content of [other, one.subarray(0, -1), one.subarray(0, one.length >> 1), Buffer.alloc(0)]) {
      writeFileSync(path(-2), content)
      expect(await refusal(at.restore(backup))).toMatch(/continuous backup|cannot be read/)
    }
  })

  test('are small keeps them readable after they were put together', async () => {
    const { at, backup, files } = await makeFiles()
    const elsewhere = join(at.place, '..', 'merged')
    mkdirSync(elsewhere)
    copyFileSync(join(at.place, backup), join(elsewhere, backup))
    // As the shipper does: the same chunks in one file, and one of the small ones was not removed yet.
    const head = readFileSync(join(at.place, files[0]!.name)).indexOf('\n') + 1
    const parts = files.map(({ name }, index) => readFileSync(join(at.place, name)).subarray(index === 0 ? 0 : head))
    const [first, last] = [files[0]!, files.at(-1)!]
    const name = first.name
      .replace(/-\d{10}-\d{10}-\d{15}-\d{15}$/, '')
      .concat(...[first.from, last.to].map((index) => `-${String(index).padStart(10, '0')}`))
      .concat(...[first.firstAt, last.lastAt].map((time) => `-${String(time).padStart(15, '0')}`))
    writeFileSync(join(elsewhere, name), Buffer.concat(parts))
    copyFileSync(join(at.place, files[1]!.name), join(elsewhere, files[1]!.name))
    expect((await at.restore(backup, undefined, openFolderTarget(elsewhere))).numbers).toEqual(countTo(70))
  })
})
