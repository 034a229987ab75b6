/** A short form of `bun run faults -- upgrades`. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { buildNext, findCurrent } from '../parts/build-copy.ts'
import { runUpgrades } from './upgrades.ts'

setDefaultTimeout(120_000)

test('no request fails and no proof is lost over upgrades under load, behind a proxy that sends again', async () => {
  const done = await runUpgrades({ executables: [findCurrent(), buildNext()], upgrades: 3, clients: 3, runMs: 300 })

  expect(done.failed).toEqual([])
  expect(done.lost).toBe(0)
  expect(done.gapsMs).toHaveLength(3)
  // Otherwise no request met an upgrade.
  expect(done.retries).toBeGreaterThan(0)
  expect(done.proofs).toBeGreaterThan(10)
})
