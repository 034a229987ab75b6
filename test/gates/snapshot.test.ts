import { describe, expect, test } from 'bun:test'
import { findGate, readRewards } from '../../src/gates/store.ts'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { alice, mallory } from '../wallets.ts'
import { act, apply, contract, definitionOf, gatesPath, readerHeaders, secretText } from './gate.ts'

const path = `${gatesPath}/gate_holders`

/** These addresses are never called: only their configuration counts. */
const withToken = {
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1',
}

describe('GET /api/v1/profile/gates/{gateId}', () => {
  test('shows a free gate with every member of the interface, and that there is a reward', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const { status, body, headers } = await app.get(path)
    expect(status).toBe(200)
    expect(body.data.gate).toEqual({
      schemaVersion: 1,
      version: 1,
      gateId: 'gate_holders',
      name: 'Holders',
      status: 'active',
      requirements: [
        {
          id: 'r1',
          verifierId: 'ownership-basic',
          match: [{ path: 'contentHash', op: 'eq', value: 'abc' }],
          optional: false,
          minCount: 1,
        },
      ],
      rule: null,
      policy: { visibility: 'public' },
      monetization: { charge: null },
      checkout: {
        mode: 'free',
        flowPlan: { batches: 1, hasInteractive: false, hasBackground: false },
        description: null,
        successReturnUrl: null,
      },
      marketplaceTemplate: null,
      schedule: { startsAt: null, endsAt: null },
      supply: { total: null, left: null, held: null },
      perWallet: null,
      artifact: { type: 'reveal', label: 'The word' },
    })
    expect(headers.get('cache-control')).toBe('public, no-cache')
  })

  test('shows everything else an owner can say, times in UTC and prices as a number', async () => {
    const app = await startApp(withToken)
    const { body: applied } = await apply(
      app,
      definitionOf({
        status: 'draft',
        description: 'For those who hold.',
        requirements: [
          { id: 'nft', verifierId: 'nft-ownership', minCount: 2, maxAgeMs: 60_000, final: true, recheck: true },
          { id: 'basic', verifierId: 'ownership-basic', optional: true },
        ],
        rule: { any: ['nft', { all: ['basic'] }] },
        policy: { visibility: 'public', gateFreshnessHours: 24 },
        schedule: { startsAt: '2026-03-01T00:00:00+02:00', endsAt: '2026-04-01T00:00:00Z' },
        supply: 100,
        perWallet: 2,
        price: { amountUsd: '4.99', methods: ['stablecoin', 'card', 'x402'], recipient: contract, label: 'Entry' },
        listing: { label: 'Club', tags: ['art', 'club'] },
        successReturnUrl: 'https://shop.example/thanks',
      }),
    )
    expect(applied.success).toBe(true)
    const { gate } = (await app.get(path, await readerHeaders(app))).body.data
    expect(gate).toMatchObject({
      requirements: [
        { id: 'nft', match: [], minCount: 2, maxAgeMs: 60_000, optional: false, final: true, recheck: true },
        { id: 'basic', optional: true },
      ],
      rule: { any: ['nft', { all: ['basic'] }] },
      policy: { visibility: 'public', gateFreshnessHours: 24 },
      monetization: {
        charge: {
          enabled: true,
          scheme: 'one_time',
          label: 'Entry',
          amountUsd: 4.99,
          methods: ['usdc', 'stripe', 'x402'],
          cardPayoutReady: false,
          appliesTo: 'fulfillment',
          executionOrder: 'verifyThenCharge',
          reservationMinutes: 15,
          refundThresholdPercent: 100,
          recipient: contract,
        },
      },
      checkout: {
        mode: 'paid',
        flowPlan: { batches: 1, hasInteractive: false, hasBackground: true },
        description: 'For those who hold.',
        successReturnUrl: 'https://shop.example/thanks',
      },
      marketplaceTemplate: { templateId: 'gate_holders', label: 'Club', tags: ['art', 'club'] },
      schedule: { startsAt: '2026-02-28T22:00:00.000Z', endsAt: '2026-04-01T00:00:00.000Z' },
      supply: { total: 100, left: 100, held: 0 },
      perWallet: 2,
    })
  })

  test('is the same under the older path', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expect((await app.get('/api/v1/gates/gate_holders')).body.data).toEqual((await app.get(path)).body.data)
  })

  test('answers 304 to a matching ETag, until the gate changes', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const etag = (await app.get(path)).headers.get('etag')!
    app.wait(1000)
    expect((await app.get(path, { 'if-none-match': etag })).status).toBe(304)
    await apply(app, definitionOf({ supply: 5 }))
    expect((await app.get(path, { 'if-none-match': etag })).status).toBe(200)
  })

  test.each([
    ['a draft', { status: 'draft' }],
    ['a paused private one', { status: 'paused', policy: { visibility: 'private' } }],
    ['a private one', { policy: { visibility: 'private' } }],
  ])('%s is unknown to everybody but its owner', async (_, members) => {
    const app = await startApp()
    await apply(app, definitionOf(members))
    expectRefused(await app.get(path), 'GATE_NOT_FOUND')
    expectRefused(await app.get(path, await readerHeaders(app, mallory)), 'GATE_NOT_FOUND')
    const own = await app.get(path, await readerHeaders(app))
    expect(own.status).toBe(200)
    expect(own.headers.get('cache-control')).toBe('private, no-cache')
  })

  test.each(['public', 'unlisted'] as const)('a paused one that is %s says that it is paused', async (visibility) => {
    const app = await startApp()
    await apply(app, definitionOf({ status: 'paused', policy: { visibility } }))
    expect((await app.get(path)).body.data.gate).toMatchObject({ name: 'Holders', status: 'paused' })
  })

  test('an unlisted one is readable by everybody who knows its id', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ policy: { visibility: 'unlisted' } }))
    expect((await app.get(path)).status).toBe(200)
  })

  test('answers the same for a hidden gate as for one that never existed', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ status: 'draft' }))
    const [hidden, unknown] = [await app.get(path), await app.get(`${gatesPath}/gate_nobody`)]
    expect(hidden.body.error).toEqual(unknown.body.error)
    expect(hidden.body.error.details.alias).toBe('NOT_FOUND')
  })

  test('a wrong signature is refused even where none is needed', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const headers = await app.ownerHeaders(alice, {
      action: 'list_gates',
      walletAddress: mallory.address.toLowerCase(),
    })
    expectRefused(await app.get(path, headers), 'SIGNATURE_INVALID')
  })
})

describe('the value of a reward', () => {
  test('opens for its own gate and version only, wherever the sealed text is moved to', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await apply(app, definitionOf({ name: 'Other' }))
    await apply(app, definitionOf({ gateId: 'theirs' }), { wallet: mallory })
    const [gate, theirs] = [(await findGate(app.parts, 'gate_holders'))!, (await findGate(app.parts, 'theirs'))!]
    expect(await readRewards(app.parts, gate)).toEqual([{ kind: 'reveal', value: secretText, label: 'The word' }])
    expect((await readRewards(app.parts, gate, 1))[0]?.value).toBe(secretText)

    const sealedText = 'SELECT rewards FROM gate_versions WHERE gate = ?1 AND version = 1'
    const move = (to: number, version: number) => ({
      sql: `UPDATE gate_versions SET rewards = (${sealedText}) WHERE gate = ?2 AND version = ?3`,
      params: [gate.id, to, version],
      must: true,
    })
    await app.parts.db.write([move(gate.id, 2), move(theirs.id, 1)])
    await expect(readRewards(app.parts, gate)).rejects.toThrow()
    await expect(readRewards(app.parts, theirs)).rejects.toThrow()
    // The owner mends it with the next version.
    expect((await apply(app, definitionOf({ name: 'Other' }))).body.data).toMatchObject({
      outcome: 'changed',
      version: 3,
    })
    expect((await readRewards(app.parts, (await findGate(app.parts, 'gate_holders'))!))[0]?.value).toBe(secretText)
  })

  test('is in no answer but a fulfillment, and not readable in the database', async () => {
    const app = await startApp()
    const answers = [
      await apply(app, definitionOf({ listing: { label: 'Club' } })),
      await apply(app, definitionOf({ name: 'Other', rewards: [{ kind: 'reveal', value: `${secretText}!` }] })),
      await apply(app, definitionOf({ name: 'Third' }), { plan: true }),
      await act(app, 'rollback', 'gate_holders', { version: 1 }),
      await app.get(path),
      await app.get(`${gatesPath}/discoverable`),
      await app.get(gatesPath, await readerHeaders(app)),
      await app.get(`${path}/versions`, await readerHeaders(app)),
      await app.get(`${path}/versions/1`, await readerHeaders(app)),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(secretText)
    }
    const rows = await select<{ definition: string; rewards: string }>(
      app.parts.db,
      'SELECT definition, rewards FROM gate_versions',
    ).all()
    expect(rows).toHaveLength(3)
    for (const { definition, rewards } of rows) {
      expect(definition).not.toContain(secretText)
      expect(rewards).toStartWith('v1.')
    }
  })
})
