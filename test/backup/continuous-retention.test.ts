/** Files of the continuous backup are removed when no moment needs them any more. */
import { expect, test } from 'bun:test'
import { chooseOldLogFiles } from '../../src/backup/continuous/remove-old.ts'

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
