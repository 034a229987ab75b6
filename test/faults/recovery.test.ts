/** A short form of `bun run faults -- recovery`. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { runRecovery } from './recovery.ts'

setDefaultTimeout(240_000)

test('kills lose nothing on the machine and a second at most with it, and moments are restored exactly', async () => {
  const done = await runRecovery({ kills: 5, moments: 6, corruptions: 6, rate: 200, lostEvery: 5 })
  expect(done.surprises).toEqual([])
  expect(done).toMatchObject({ missing: 0, exactMoments: 6, detected: 6 })
  expect(done.acknowledged).toBeGreaterThan(200)
})
