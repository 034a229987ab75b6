/** The model of load behind the table of "More than one machine". */
import { expect, test } from 'bun:test'
import { guideLoads, inputs, planFolder, planPostgres, writeTable } from '../bench/load-model.ts'
import { readPage } from './page.ts'

const fullest = ({ limits }: ReturnType<typeof planFolder>) => limits[0]!

test('the guide shows what the model says', () => {
  const table = writeTable(guideLoads.flatMap((load) => [planFolder(load), planPostgres(load)]))
  expect(readPage('src/guides/several-machines.md').prose).toContain(table)
})

test('the guide names the machine and the costs that the model begins with', () => {
  const { prose } = readPage('src/guides/several-machines.md')
  const { folder, postgres } = inputs
  const costs = [folder.checkUs, postgres.check.serverUs, postgres.check.databaseUs, postgres.proof.databaseUs]
  for (const text of [inputs.machine, ...costs.map((cost) => cost.toLocaleString('en-US'))])
    expect(prose).toContain(text)
})

test('a folder is limited by its one thread, at the same rate that the cost of a check says', () => {
  const most = (1e6 / inputs.folder.checkUs) * 0.6
  expect(fullest(planFolder({ checks: most * 0.99, proofs: 0 })).used).toBeLessThan(1)
  const over = fullest(planFolder({ checks: most * 1.01, proofs: 0 }))
  expect(over.name).toContain('thread')
  expect(over.used).toBeGreaterThan(1)
})

test('servers can be added until the primary is full', () => {
  const most = ((64 * 1e6) / inputs.postgres.check.databaseUs) * 0.6
  const below = planPostgres({ checks: most / 2, proofs: 0 })
  expect(below.servers).toBeGreaterThan(planPostgres({ checks: most / 4, proofs: 0 }).servers)
  expect(fullest(below).used).toBeLessThan(1)
  expect(fullest(planPostgres({ checks: most * 2, proofs: 0 })).used).toBeGreaterThan(1)
})

test('one server may be lost, and the others still answer', () => {
  for (const load of guideLoads) {
    const { servers, serverCores } = planPostgres(load)
    expect(serverCores / (servers - 1)).toBeLessThan(0.61)
  }
})
