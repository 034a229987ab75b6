/** A backup that is put back beside the log of a run that was killed. */
import { expect, test } from 'bun:test'
import { type FileTimes, wasPutBack } from '../src/last-run.ts'

const killed = Date.UTC(2026, 0, 1)
const minute = 60_000
const at = (mtimeMs: number, ctimeMs = mtimeMs): FileTimes => ({ mtimeMs, ctimeMs })

test.each([
  ['as the run left it', at(killed - minute), at(killed), false],
  ['whose pages were copied from its log at the very end', at(killed + 1_000), at(killed), false],
  ['that was put back with a new time', at(killed + 5 * minute), at(killed), true],
  ['that was put back with its old time', at(killed - 900 * minute, killed + 5 * minute), at(killed), true],
  [
    'that was copied with its log, and kept the times',
    at(killed - minute, killed + 5 * minute),
    at(killed, killed + 5 * minute),
    false,
  ],
  ['that was put back within a minute', at(killed + minute / 2), at(killed), false],
])('a database %s', (_, database, log, isPutBack) => {
  expect(wasPutBack(database, log, killed)).toBe(isPutBack)
})
