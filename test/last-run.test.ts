/** A backup of the database alone that is put back beside the log of a run that was killed. */
import { expect, test } from 'bun:test'
import { wasPutBack } from '../src/last-run.ts'

const minute = 60_000
const killed = Date.UTC(2026, 0, 1)
/** The run saw the file as its last checkpoint had left it. */
const last = { seenAt: killed, databaseAt: killed - 10 * minute }
const later = killed + 500 * minute

test.each([
  ['as the run left it', last.databaseAt, killed, false],
  ['whose pages were copied from its log at the very end', killed + 1_000, killed, false],
  ['that was put back with a new time', later, killed, true],
  ['that was put back with its old time', killed - 900 * minute, killed, true],
  ['that was copied with its log, each with a new time', later, later + 2 * minute, false],
  ['that was put back with the log of its own day', killed - 900 * minute, killed - 899 * minute, false],
  ['on a disk that keeps times in steps', last.databaseAt - 1_999, killed, false],
])('a database %s', (_, databaseAt, logAt, isPutBack) => {
  expect(wasPutBack({ databaseAt, logAt }, last)).toBe(isPutBack)
})

test('the mark of an earlier build, which does not name the time, refuses nothing for it', () => {
  const times = { databaseAt: killed - 900 * minute, logAt: killed }
  expect(wasPutBack(times, { ...last, databaseAt: undefined })).toBe(false)
})
