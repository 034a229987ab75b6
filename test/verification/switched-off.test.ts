/** Over plain HTTP, a request for a disabled verifier hears that, and which setting enables it. */
import { expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'

const off = { PROOFGATE_VERIFIERS_DISABLED: 'wallet-link' }
const why = '"wallet-link" is switched off here: the operator can take it out of verifiers.disabled'

test('diagnose names it, whatever the signature is', async () => {
  const app = await startApp(off)
  const body = {
    walletAddress: alice.address,
    verifierIds: ['wallet-link'],
    data: {},
    signedTimestamp: app.parts.now(),
    signature: `0x${'11'.repeat(65)}`,
  }
  const { status, body: answer } = await app.post('/api/v1/verification/diagnose', body)
  expect(status).toBe(200)
  expect(answer.data.diagnosis.unavailable).toEqual([{ verifierId: 'wallet-link', message: why }])
  const basic = await app.post('/api/v1/verification/diagnose', { ...body, verifierIds: ['ownership-basic'] })
  expect(basic.body.data.diagnosis.unavailable).toBeUndefined()
})

test('a check names it, and its explanation asks for no impossible proof', async () => {
  const app = await startApp(off)
  const query = `address=${alice.address}&verifierIds=wallet-link&explain=true`
  const { body } = await app.get(`/api/v1/proofs/check?${query}`)
  expect(body.data.unavailable).toEqual([{ verifierId: 'wallet-link', message: why }])
  expect(body.data.explain[0].message).toEndWith(`. No new proof can be made here: ${why}`)
})

test.each(['standardize', ''])(
  'a request for a text or a proof of it is refused with the setting: %s',
  async (step) => {
    const app = await startApp(off)
    const { status, body } = await app.post(`/api/v1/verification${step === '' ? '' : `/${step}`}`, {
      walletAddress: alice.address,
      verifierIds: ['wallet-link'],
      data: {},
      signedTimestamp: app.parts.now(),
      signature: `0x${'11'.repeat(65)}`,
    })
    expect([status, body.error.code, body.error.message]).toEqual([400, 'VERIFIER_NOT_FOUND', why])
  },
)
