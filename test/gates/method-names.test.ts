/**
 * Answers name the payment methods usdc and stripe. Requests may use the older stablecoin and card, and stored data is
 * not rewritten.
 */

import { beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { newTill, openStage, putGate, price as storedPrice } from './fulfill-stage.ts'
import { act, apply, contract, definitionOf, gatesPath } from './gate.ts'

const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }
const older = ['stablecoin', 'card', 'x402']
const names = ['usdc', 'stripe', 'x402']
const priced = (methods: readonly string[]) =>
  definitionOf({ status: 'draft', price: { amountUsd: '5', methods, recipient: contract } })
/** Words of the store must not go out. */
const olderName = /"(stablecoin|card)"|\b(stablecoin|card) needs/

let app: TestApp
const asOwner = () => app.ownerHeaders(alice, { action: 'list_gates', walletAddress: alice.address.toLowerCase() })
const read = async (path: string) => {
  const { status, body } = await app.get(`${gatesPath}${path}`, await asOwner())
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toMatch(olderName)
  return body.data
}
const storedDefinitions = () =>
  select<{ definition: string }>(app.parts.db, 'SELECT definition FROM gate_versions ORDER BY version').all()

beforeEach(async () => {
  app = await startApp(unlimited)
})

describe.each([
  ['the names', names],
  ['the older names', older],
])('a definition with %s', (_, methods) => {
  test('reads out with the names, wherever it is read', async () => {
    const { status, body } = await apply(app, priced(methods))
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(olderName)
    expect(body.data.difference).toContainEqual({
      change: 'added',
      path: 'price.methods',
      after: JSON.stringify(names),
    })
    expect((await read('')).gates[0].definition.price.methods).toEqual(names)
    expect((await read('/gate_holders/versions/1')).definition.price.methods).toEqual(names)
    expect((await read('/gate_holders')).gate.monetization.charge.methods).toEqual(names)
    const status2 = await act(app, 'status', 'gate_holders', { status: 'draft' })
    expect(status2.body.data.gate.definition.price.methods).toEqual(names)
  })

  test('is kept as definitions always were', async () => {
    await apply(app, priced(methods))
    expect(JSON.parse((await storedDefinitions())[0]!.definition).price.methods).toEqual(older)
  })

  test('is previewed with the names', async () => {
    const headers = await asOwner()
    const { body } = await app.post(`${gatesPath}/preview`, { definition: priced(methods) }, headers)
    expect(JSON.stringify(body)).not.toMatch(olderName)
    expect(body.data.gates[0].definition.price.methods).toEqual(names)
    expect(body.data.findings.map(({ message }: { message: string }) => message)).toContainEqual(
      expect.stringContaining('"usdc" cannot be used'),
    )
    expect(JSON.stringify(body.data.gates[0].lines)).toContain('USD (Stablecoin, Card, or x402)')
  })

  test('in a policy file is the same', async () => {
    const text = `[[gates]]
gate_id = "gate_holders"
name = "Holders"
status = "draft"
[[gates.requirements]]
verifier_id = "ownership-basic"
[gates.price]
amount_usd = "5"
methods = ${JSON.stringify(methods)}
recipient = "${contract}"
`
    const { body } = await app.post(`${gatesPath}/preview`, { policy: { text, format: 'toml' } }, await asOwner())
    expect(body.data.gates[0].definition.price.methods).toEqual(names)
  })
})

describe('a version that was stored with the older names', () => {
  beforeEach(async () => {
    await putGate(
      app.parts,
      { gateId: 'gate_holders', name: 'Holders', price: { ...storedPrice, methods: ['stablecoin', 'card'] } },
      alice.address.toLowerCase(),
    )
  })
  const same = (methods: readonly string[]) => ({
    gateId: 'gate_holders',
    name: 'Holders',
    requirements: [{ id: 'r1', verifierId: 'ownership-basic' }],
    status: 'draft',
    price: { ...storedPrice, methods },
  })

  test('is shown with the names, and stays as it is', async () => {
    const before = await storedDefinitions()
    expect((await read('/gate_holders')).gate.monetization.charge.methods).toEqual(['usdc', 'stripe'])
    expect((await read('/gate_holders/versions/1')).definition.price.methods).toEqual(['usdc', 'stripe'])
    expect(await storedDefinitions()).toEqual(before)
  })

  test('is the same definition under either name: no difference, and no new version', async () => {
    const definition = { ...same(['usdc', 'stripe']), status: undefined }
    const { status: _, ...draft } = definition
    for (const methods of [
      ['usdc', 'stripe'],
      ['stablecoin', 'card'],
      ['usdc', 'card'],
    ]) {
      const written = { ...draft, status: 'draft', price: { ...storedPrice, methods } }
      const plan = (await apply(app, written, { plan: true })).body.data
      expect(plan.difference.filter(({ path }: { path: string }) => path !== 'status')).toEqual([])
      expect((await apply(app, written)).body.data.version).toBe(1)
    }
    expect(await storedDefinitions()).toHaveLength(1)
  })

  test('changes with the names told, before and after', async () => {
    const { body } = await apply(app, same(['stablecoin']), { plan: true })
    expect(body.data.difference).toContainEqual({
      change: 'changed',
      path: 'price.methods',
      before: '["usdc","stripe"]',
      after: '["usdc"]',
    })
  })
})

describe('a definition is refused when it', () => {
  test('names one method twice under two names', async () => {
    for (const twice of [
      ['usdc', 'stablecoin'],
      ['card', 'stripe'],
      ['usdc', 'usdc'],
    ])
      expectRefused(await apply(app, priced(twice)), 'VALIDATION_ERROR', /price\.methods names something twice/)
  })

  test('names an unknown method, and the known ones are listed', async () => {
    for (const unknown of ['cash', 'USDC', 'toString', '__proto__'])
      expectRefused(
        await apply(app, priced([unknown])),
        'VALIDATION_ERROR',
        /price\.methods\[0\] must be one of usdc, stripe, x402/,
      )
    expectRefused(await apply(app, priced([])), 'VALIDATION_ERROR')
    expectRefused(await apply(app, { ...priced([]), price: { amountUsd: '5', methods: 'usdc' } }), 'VALIDATION_ERROR')
  })
})

test('a buyer hears the names, and the receipt has them', async () => {
  const till = newTill()
  const stage = await openStage({}, () => [till.method, { ...newTill('card').method, findPriceFault: () => undefined }])
  await stage.gate('paid', { price: { ...storedPrice, methods: ['stablecoin', 'card'] } })
  const qHash = await stage.prove()
  const asked = await stage.fulfill('paid', qHash)
  expectRefused(asked, 'PAYMENT_REQUIRED', /pay by usdc or stripe/)
  expect(asked.body.error.details.accepts.map(({ method }: { method: string }) => method)).toEqual(['usdc', 'stripe'])
  till.takes('0xa')
  const { body } = await stage.fulfill('paid', qHash, { paymentTxHash: '0xa' })
  expect(body.data.rewardProof.payment.method).toBe('usdc')
  const rows = await stage.get(
    '/api/v1/profile/payments?side=paid',
    await stage.ownerHeaders(alice, { action: 'list_gates', walletAddress: alice.address.toLowerCase() }),
  )
  expect(rows.body.data.payments[0].payment.method).toBe('usdc')
  expect(await stage.rows('SELECT method FROM payments')).toEqual([{ method: 'stablecoin' }])
})
