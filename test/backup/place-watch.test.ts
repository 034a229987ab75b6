/** What the server finds by looking at the place of its continuous backup while it runs. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listLogFiles, nameLogFile } from '../../src/backup/continuous/log-files.ts'
import { openPlaceWatch } from '../../src/backup/continuous/place-watch.ts'
import { listBackups } from '../../src/backup/kept-backups.ts'
import { nameBackup } from '../../src/backup/make-backup.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import { temporaryFolders } from '../db/store.ts'
import { keyMark, listStanding, makeShippingPlace } from './continuous-stage.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const watchMs = 500

const waitUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await Bun.sleep(50)
}

test('another server with the same master key at one place is a condition of both', async () => {
  const home = newFolder()
  const one = makeShippingPlace(home, { watchMs })
  const first = await one.open()
  await first.write()
  const elsewhere = newFolder()
  symlinkSync(one.place, join(elsewhere, 'place'))
  const second = await makeShippingPlace(elsewhere, { watchMs }).open()
  const both = [first, second]
  await waitUntil(async () => {
    for (const each of both) await each.write()
    return both.every(({ conditions }) => listStanding(conditions).includes('place-shared'))
  })
  for (const each of both) await each.close()
})

test('copies of a running machine go on in chains of their own, and each can be restored', async () => {
  const home = newFolder()
  const one = makeShippingPlace(home, { watchMs })
  const first = await one.open()
  await first.write()
  await waitUntil(async () => (await listBackups(one.target)).length > 0)
  const elsewhere = newFolder()
  const other = makeShippingPlace(elsewhere, { watchMs })
  for (const name of readdirSync(one.data).filter((file) => !file.includes('lock') && !file.endsWith('-shm')))
    cpSync(join(one.data, name), join(other.data, name))
  symlinkSync(one.place, join(elsewhere, 'place'))
  const second = await other.open()
  other.rows.push(...one.rows)
  const countChains = async () => new Set((await listLogFiles(one.target, keyMark)).map(({ chain }) => chain)).size
  await waitUntil(async () => {
    await first.write()
    await second.write()
    return (await countChains()) >= 2
  })
  const known = (await listBackups(one.target)).length
  await waitUntil(async () => (await listBackups(one.target)).length > known)
  await second.close()
  await first.write()
  await Bun.sleep(1_000)
  const backup = await one.backUp()
  await first.write()
  await first.settle()
  await first.close()
  expect((await one.restore(backup)).numbers).toEqual(one.rows.map(({ id }) => id))
})

test('a start that takes long makes the backup of its chain as soon as it is done', async () => {
  const at = makeShippingPlace(newFolder())
  const open = await at.open()
  await open.write()
  // It is looked each second whether the backup is there.
  await Bun.sleep(2_500)
  expect(listStanding(open.conditions)).toEqual([])
  open.letMakeBackups()
  await waitUntil(async () => (await listBackups(at.target)).length > 0)
  await open.close()
})

test('a whole backup is made where somebody deleted the one that the chain goes on from', async () => {
  const at = makeShippingPlace(newFolder(), { watchMs })
  const open = await at.open()
  await open.write()
  await waitUntil(async () => (await listBackups(at.target)).length > 0)
  for (const name of readdirSync(at.place)) rmSync(join(at.place, name))
  await waitUntil(async () => (await listBackups(at.target)).length > 0)
  await open.write()
  await open.settle()
  await open.close()
  const [backup] = await listBackups(at.target)
  expect((await at.restore(backup!.name)).numbers).toEqual([1, 2])
  expect(listStanding(open.conditions)).not.toContain('place-shared')
})

test('what is missing after the newest backup is found, and what is missing before it is not looked at', async () => {
  const place = newFolder()
  const start = 1_767_225_600_000
  mkdirSync(place, { recursive: true })
  const put = (name: string): void => writeFileSync(join(place, name), '')
  const putFiles = (...indexes: readonly number[]): void => {
    for (const index of indexes) {
      const at = start + index * 10_000
      put(
        nameLogFile({
          keyMark,
          chain: `${String(start).padStart(15, '0')}-aaaaaaaa`,
          from: index,
          to: index,
          firstAt: at,
          lastAt: at,
        }),
      )
    }
  }
  const look = openPlaceWatch(openFolderTarget(place), keyMark)
  const own = { present: start, all: new Set([start]) }
  putFiles(1, 2, 5)
  expect(await look(own)).toEqual({ foreign: undefined, isTorn: false, isWhole: false })
  put(nameBackup(start + 60_000, keyMark))
  expect(await look(own)).toEqual({ foreign: undefined, isTorn: false, isWhole: true })
  putFiles(6, 7)
  expect(await look(own)).toEqual({ foreign: undefined, isTorn: false, isWhole: true })
  putFiles(9)
  expect(await look(own)).toEqual({ foreign: undefined, isTorn: false, isWhole: false })
  put(nameBackup(start + 90_000, keyMark))
  putFiles(10)
  expect(await look(own)).toEqual({ foreign: undefined, isTorn: false, isWhole: true })
})
