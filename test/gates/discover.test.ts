import { describe, expect, test } from 'bun:test'
import { splitDefinition } from '../../src/gates/definition/normal-form.ts'
import { writeChanges } from '../../src/gates/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice } from '../wallets.ts'
import { act, apply, contract, definitionOf, gatesPath, remove } from './gate.ts'

const path = `${gatesPath}/discoverable`
const ids = async (app: TestApp, query = ''): Promise<string[]> =>
  (await app.get(`${path}${query}`)).body.data.gates.map(({ gateId }: { gateId: string }) => gateId)

const listed = (gateId: string, members: object = {}) =>
  definitionOf({ gateId, listing: { label: gateId, tags: ['x'] }, ...members })

describe('GET /api/v1/profile/gates/discoverable', () => {
  test('lists active public gates with a listing, the newest first, and no others', async () => {
    const app = await startApp()
    expect(await ids(app)).toEqual([])
    await apply(app, listed('first'))
    await apply(app, listed('second'))
    await apply(app, definitionOf({ gateId: 'without_listing' }))
    await apply(app, listed('draft', { status: 'draft' }))
    await apply(app, listed('paused'))
    await act(app, 'status', 'paused', { status: 'paused' })
    await apply(app, listed('deleted'))
    await remove(app, 'deleted')
    expect(await ids(app)).toEqual(['second', 'first'])
  })

  test('follows every change: a gate that is listed no more is gone', async () => {
    const app = await startApp()
    await apply(app, listed('one'))
    await apply(app, definitionOf({ gateId: 'one', policy: { visibility: 'unlisted' } }))
    expect(await ids(app)).toEqual([])
    await act(app, 'rollback', 'one', { version: 1 })
    expect(await ids(app)).toEqual(['one'])
  })

  test('shows the members of the snapshot, without the address that payments go to', async () => {
    const app = await startApp()
    await apply(app, listed('free'))
    const { definition, rewardValues } = splitDefinition({
      gateId: 'paid',
      name: 'Paid',
      requirements: [{ verifierId: 'ownership-basic' }],
      price: { amountUsd: '5', methods: ['stablecoin'], recipient: contract },
      listing: { label: 'Paid' },
    })
    const owner = alice.address.toLowerCase()
    // The gate is stored as it was while the token was configured.
    await writeChanges(
      app.parts,
      [
        {
          kind: 'create',
          gateId: 'paid',
          owner,
          author: owner,
          status: 'active',
          limit: 9,
          definition,
          rewardValues,
        },
      ],
      app.now(),
    )
    const { gates } = (await app.get(path)).body.data
    expect(gates).toContainEqual((await app.get(`${gatesPath}/free`)).body.data.gate)
    const paid = gates.find(({ gateId }: { gateId: string }) => gateId === 'paid')
    expect(paid.monetization.charge).toMatchObject({ amountUsd: 5, methods: ['usdc'] })
    expect(JSON.stringify(gates)).not.toContain(contract)
    expect((await app.get(`${gatesPath}/paid`)).body.data.gate.monetization.charge.recipient).toBe(contract)
  })

  test('gives 60 when asked for no number, and at most 120', async () => {
    const app = await startApp({ PROOFGATE_GATES_PER_OWNER: '200', PROOFGATE_LIMITS_ENABLED: 'false' })
    for (let at = 0; at < 125; at++) await apply(app, listed(`gate_${at}`))
    expect(await ids(app)).toHaveLength(60)
    expect(await ids(app, '?limit=2')).toEqual(['gate_124', 'gate_123'])
    expect(await ids(app, '?limit=120')).toHaveLength(120)
    for (const limit of ['0', '121', '-1', '1.5', 'all', ''])
      expectRefused(await app.get(`${path}?limit=${limit}`), 'VALIDATION_ERROR', /limit/)
  })

  test('answers 304 when the ETag matches', async () => {
    const app = await startApp()
    await apply(app, listed('one'))
    const etag = (await app.get(path)).headers.get('etag')!
    expect((await app.get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test.skipIf(onlyOnSqlite('a query plan of this form'))('reads through the index of listed gates alone', async () => {
    const app = await startApp()
    const { selectGate } = await import('../../src/gates/store.ts')
    const { selectListed, selectOwned } = await import('../../src/gates/manage/outline-store.ts')
    const plan = async (sql: string, ...params: number[]) =>
      (await select<{ detail: string }>(app.parts.db, `EXPLAIN QUERY PLAN ${sql}`).all(1, ...params))
        .map(({ detail }) => detail)
        .join('; ')
    expect(await plan(selectListed)).toBe(
      'SCAN g USING INDEX gates_listed; SEARCH s USING PRIMARY KEY (gate=? AND version=?)',
    )
    expect(await plan(selectGate)).toStartWith('SEARCH g USING INDEX sqlite_autoindex_gates_1')
    expect(await plan(selectOwned, 1, 0)).toStartWith('SEARCH g USING INDEX gates_by_owner')
  })
})
