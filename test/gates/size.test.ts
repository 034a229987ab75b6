/** The size of a definition as a whole is bounded where it is published, planned, previewed or tried. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { apply, definitionOf, gatesPath } from './gate.ts'

const requirement = { verifierId: 'ownership-basic' }
const matchOf = (count: number, value: string) => Array.from({ length: count }, () => ({ path: 'p', op: 'eq', value }))
const spread = (count: number, members: object) => Array.from({ length: count }, () => ({ ...requirement, ...members }))

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
})
afterAll(() => app.close())

describe.each([
  [
    'conditions',
    spread(16, { match: matchOf(16, 'v') }),
    spread(17, { match: matchOf(16, 'v') }),
    /hold 272 conditions/,
  ],
  [
    'bytes of conditions, as UTF-8',
    spread(10, { match: matchOf(1, 'ä'.repeat(1_600)) }),
    spread(11, { match: matchOf(1, 'ä'.repeat(1_600)) }),
    /hold 35211 bytes of conditions/,
  ],
  [
    'proofs to count',
    spread(2, { minCount: 500 }),
    spread(2, { minCount: 501 }),
    /ask for 1002 proofs together, and the limit is 1000/,
  ],
])('%s', (_, most, tooMany, hint) => {
  test('are as many as possible', async () => {
    expect((await apply(app, definitionOf({ requirements: most }))).status).toBe(200)
  })

  test('more requirements are refused on every way to publish', async () => {
    const definition = definitionOf({ gateId: 'gate_large', requirements: tooMany })
    const { headers } = await app.signIn(alice)
    const tried = { ...definition, rewards: [] }
    for (const send of [
      () => apply(app, definition),
      () => apply(app, definition, { plan: true }),
      () => app.post(`${gatesPath}/test`, { definition: tried, wallet: alice.address }, headers),
    ])
      expectRefused(await leavesNothing(app.parts, send), 'VALIDATION_ERROR', hint)
    const preview = await app.post(`${gatesPath}/preview`, { definition }, headers)
    expect(preview.body.data.publishable).toBe(false)
    expect(JSON.stringify(preview.body.data.findings)).toMatch(hint)
  })
})

test('texts of a definition are bounded together, without the values of its rewards', async () => {
  const rewards = (message: string) =>
    Array.from({ length: 16 }, () => ({ kind: 'reveal', value: 'v'.repeat(10_000), message }))
  expect((await apply(app, definitionOf({ rewards: rewards('m'.repeat(2_000)) }))).status).toBe(200)
  const answer = await apply(app, definitionOf({ rewards: rewards('€'.repeat(2_000)) }))
  expectRefused(answer, 'VALIDATION_ERROR', /bytes as JSON, and the limit is 65536/)
})
