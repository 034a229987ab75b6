import { expect, test } from 'bun:test'
import { openConditions } from '../src/conditions.ts'
import { StorageError } from '../src/db/db.ts'
import { AppError } from '../src/errors.ts'
import { makeLog } from '../src/log.ts'
import { omitReportedFaults } from '../src/reported-faults.ts'

function open(loss?: string) {
  const lines: string[] = []
  const log = makeLog({ level: 'info', format: 'text', now: () => 0, write: (line) => lines.push(line) })
  const conditions = openConditions({ log, now: () => 0 })
  const quiet = omitReportedFaults(log, { conditions, storage: { judge: () => {}, lossToPrevent: () => loss } })
  const fail = (error: Error) =>
    quiet.count({ level: 'error', event: 'change-unstored', message: 'it was not stored', error })
  return { lines, conditions, fail }
}

const uncertain = {
  name: 'storage-uncertain',
  level: 'failing',
  says: 'the disk failed a commit',
  mend: 'look at it',
} as const

test('a fault that is settled a moment later adds no line, and one without a condition is logged', () => {
  const { lines, conditions, fail } = open()
  conditions.begin(uncertain)
  conditions.end(uncertain.name)
  fail(new StorageError('disk I/O error', true))
  expect(lines).toHaveLength(1)
  fail(new Error('a fault of the program'))
  expect(lines[1]).toContain('it was not stored')

  const other = open()
  other.conditions.begin({ ...uncertain, name: 'clock-behind' })
  other.fail(new StorageError('disk I/O error', true))
  expect(other.lines[1]).toContain('it was not stored')
})

test('a refused write to a lost database adds no line, and other refusals do', () => {
  const { lines, fail } = open('the database file was removed')
  fail(new AppError('SERVICE_UNAVAILABLE', 'the database file was removed'))
  expect(lines).toEqual([])
  fail(new AppError('CONFLICT', 'it is there already'))
  expect(lines).toHaveLength(1)
  const whole = open()
  whole.fail(new AppError('SERVICE_UNAVAILABLE', 'the clock was set back'))
  expect(whole.lines).toHaveLength(1)
})
