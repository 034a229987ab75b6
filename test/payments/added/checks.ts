/** Runs within a copy of the source to which the folder voucher/ was added (added.test.ts). */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { checkConfig } from '../../../src/config/check.ts'
import { writeExampleToml } from '../../../src/config/example.ts'
import { examineAll } from '../../../src/doctor/examine.ts'
import { paymentMethods } from '../../../src/payments/index.ts'
import { startApp } from '../../app.ts'
import { apply, definitionOf } from '../../gates/gate.ts'
import { addEvmWallet } from '../../pages/browser-wallets.ts'
import { addGate } from '../../pages/gates-here.ts'
import { choose, fill, goToPayment, keyOf, openHosted, press } from '../../pages/hosted-stage.ts'
import { alice, bob } from '../../wallets.ts'

setDefaultTimeout(60_000)

const env = { PROOFGATE_PAYMENTS_VOUCHER_CODE: 'spring' }
const app = await startApp(env)
afterAll(() => app.close())

const gate = definitionOf({
  gateId: 'gate_voucher',
  requirements: [{ verifierId: 'ownership-basic' }],
  price: { amountUsd: '5', methods: ['voucher'] },
})

describe('an added payment method', () => {
  test('is in the catalog', async () => {
    expect(paymentMethods.at(-1)!.id).toBe('voucher')
    const { body } = await app.get('/api/v1/payments/methods')
    expect(body.data.methods).toContainEqual({ id: 'voucher', type: 'voucher', enabled: true })
  })

  test('is described in the OpenAPI document', async () => {
    const { body } = await app.get('/openapi.json')
    const operations = JSON.stringify(body.paths['/api/v1/profile/gates/{gateId}/fulfill'])
    expect(operations).toContain('"paymentVoucher":')
    expect(operations).toContain('voucher (a voucher)')
    expect(operations).toContain('voucher:<number>')
  })

  test('is accepted in gates by its own rule for prices', async () => {
    expect(await apply(app, gate)).toMatchObject({ status: 200 })
    const { headers } = await app.signIn(bob)
    const preview = async (price: object) =>
      (await app.post('/api/v1/profile/gates/preview', { definition: { ...gate, price } }, headers)).body
    expect(JSON.stringify(await preview({ amountUsd: '5', methods: ['voucher'] }))).not.toContain('needs the amount 5')
    expect(JSON.stringify(await preview({ amountUsd: '6', methods: ['voucher'] }))).toContain('needs the amount 5')
  })

  test('is offered to the buyer, settles once, and is shown in the sales', async () => {
    const fulfill = async (qHash: string, more: object = {}) => {
      const action = { action: 'fulfill_gate', gateId: 'gate_voucher', qHash }
      return app.post('/api/v1/profile/gates/gate_voucher/fulfill', {
        qHash,
        ...(await app.ownerBody(alice, action)),
        ...more,
      })
    }
    const qHash = await app.prove()
    const asked = await fulfill(qHash)
    expect(asked).toMatchObject({ status: 402, body: { error: { details: { reason: 'PAYMENT_MISSING' } } } })
    expect(asked.body.error.details.accepts).toMatchObject([{ method: 'voucher' }])
    expect(await fulfill(qHash, { paymentVoucher: 'autumn-1' })).toMatchObject({
      status: 402,
      body: { error: { details: { reason: 'NO_VOUCHER' } } },
    })
    const bought = await fulfill(qHash, { paymentVoucher: 'spring-1' })
    expect(bought.status).toBe(200)
    expect(JSON.stringify(bought.body)).toContain('"method":"voucher","identity":"voucher:1"')
    expect(await fulfill(await app.prove(), { paymentVoucher: 'spring-1' })).toMatchObject({
      status: 409,
      body: { error: { code: 'PAYMENT_ALREADY_USED' } },
    })
  })

  test('is named in the dashboard and in the view of the operator', async () => {
    const { cookie } = await app.signIn(bob)
    const page = String((await app.get('/', { cookie })).body).replaceAll('&quot;', '"')
    expect(page).toContain('{"id":"voucher","name":"voucher","label":"Voucher","formLabel":"Voucher"')
  })

  test('is examined by doctor', async () => {
    const { config, outside } = app.parts
    const found = await examineAll({ config, outside, now: Date.now })
    expect(found).toContainEqual({ setting: 'payments.voucher.code', level: 'ok', says: 'is spring' })
  })

  test('has its settings in the example and in check-config', async () => {
    expect(writeExampleToml()).toContain('[payments.voucher]\n\n# The code of the vouchers of this server.')
    const check = (code: string) => checkConfig({ env: { PROOFGATE_PAYMENTS_VOUCHER_CODE: code }, cwd: '/nonexistent' })
    expect((await check('spring')).settings).toContainEqual({
      key: 'payments.voucher.code',
      value: '"spring"',
      source: 'PROOFGATE_PAYMENTS_VOUCHER_CODE',
    })
    expect((await check('x'.repeat(17))).findings).toHaveLength(1)
  })

  test('is a way to pay on the checkout page', async () => {
    const hosted = await openHosted(env)
    await addGate(hosted.origin, { ...gate, requirements: [{ verifierId: 'ownership-pseudonym' }] })
    const visit = await hosted.open({ expectsStatus: [402] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('4') })
    await visit.goto('/verify?gateId=gate_voucher')
    await choose(page)
    await press(page, /^Go on: Pseudonym/)
    await fill(page, 'pseudonymId', 'voucher.one')
    await press(page, 'Sign and check')
    await goToPayment(page)
    await page.getByRole('heading', { name: 'With a voucher' }).waitFor()
    await fill(page, 'voucher', 'spring-7')
    await press(page, 'Use the voucher')
    await page.getByRole('heading', { name: 'You have access' }).waitFor()
    expect(visit.complaints).toEqual([])
  })
})
