/**
 * Random histories of clients, kills, power cuts, clock jumps, failing disks and readers: `bun run faults` runs
 * thousands. These are a few, and two servers with planted faults, which the checker must find.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { inspect } from '../db/store.ts'
import { dataFolder } from './faulty-server.ts'
import { runRound } from './round.ts'

setDefaultTimeout(180_000)

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))

test(`8 random histories keep every acknowledged write, and repeat none (SEED=${seed})`, async () => {
  const { surprises, events, counts } = await runRound({ seed, histories: 8 })
  if (surprises.length > 0) console.log(events.join('\n'))
  expect(surprises).toEqual([])
  expect(counts.histories).toBe(8)
  expect(counts.operations).toBeGreaterThan(80)
  expect(counts['create: done']).toBeGreaterThan(0)
  expect(counts['proofs checked']).toBeGreaterThan(0)
})

test('a disk that lies about its sync is exposed by a power cut', async () => {
  const { surprises } = await runRound({
    seed: 1,
    histories: 10,
    mishaps: ['power cut'],
    sabotage: { atStart: ({ faults }) => faults.set({ syncLies: 1 }) },
  })
  expect(surprises.length).toBeGreaterThan(0)
})

test('a server that forgets which texts were used is found out', async () => {
  const { surprises } = await runRound({
    seed: 2,
    histories: 10,
    mishaps: ['restart'],
    sabotage: {
      beforeCheck: ({ stage }) => inspect(dataFolder(stage.folder), (db) => db.run('DELETE FROM spent_signatures')),
    },
  })
  expect(surprises.join('\n')).toMatch(/was good twice|came back|not sound/)
})
