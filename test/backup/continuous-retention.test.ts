/** Files of the continuous backup are removed when no moment needs them any more. */
import { expect, test } from 'bun:test'
import { chooseNeededBackups, chooseOldLogFiles } from '../../src/backup/continuous/remove-old.ts'

const hourMs = 3_600_000
const now = 100 * hourMs
/** One of each hour. */
const files = Array.from({ length: 100 }, (_, hour) => ({
  name: `file ${hour}`,
  keyMark: 1,
  chain: 'one',
  from: hour,
  to: hour,
  firstAt: hour * hourMs,
  lastAt: hour * hourMs + hourMs - 1,
}))
const backupsAt = (...hours: readonly number[]) => hours.map((hour) => ({ at: (hour + 0.5) * hourMs }))
const keptFrom = (backups: ReturnType<typeof backupsAt>, hours = 48): number =>
  chooseOldLogFiles(files, backups, { now, hours }).length

test('those since the newest backup before the time that counts are kept, with the one that reaches over it', () => {
  expect(keptFrom(backupsAt(10, 30, 50, 60, 90))).toBe(50)
  expect(keptFrom(backupsAt(10, 30, 60, 90))).toBe(30)
})

test('all since the oldest backup are kept where none is so old', () => {
  expect(keptFrom(backupsAt(70, 90))).toBe(70)
})

test('none is removed without a backup, nor one that is alone', () => {
  expect(keptFrom([])).toBe(0)
  expect(chooseOldLogFiles(files.slice(0, 1), backupsAt(90), { now, hours: 1 })).toEqual([])
})

const needed = (hours: readonly number[], chains: Readonly<Record<number, number>>): readonly number[] => {
  const shipped = Object.entries(chains).map(([from, to]) => ({
    chain: `${String(Number(from) * hourMs).padStart(15, '0')}-aaaaaaaa`,
    lastAt: to * hourMs,
  }))
  const backups = hours.map((hour) => ({ at: hour * hourMs }))
  return chooseNeededBackups(shipped, backups, { now, hours: 48 }).map(({ at }) => at / hourMs)
}

test('the backup that a chain begins with stays until a later one of it is older than the time that counts', () => {
  expect(needed([90, 91, 99], { 90: 100 })).toEqual([90])
  expect(needed([40, 51, 53], { 40: 100 })).toEqual([51])
})

test('each chain of the time that counts keeps one, and older chains none', () => {
  expect(needed([10, 60, 70, 80, 90], { 10: 50, 60: 79, 80: 100 })).toEqual([60, 80])
})
