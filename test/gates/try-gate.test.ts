/** POST /api/v1/profile/gates/test: whom a gate would let in, without telling more of a wallet than a check does. */
import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { apply, definitionOf, gatesPath } from './gate.ts'

const path = `${gatesPath}/test`
const open = definitionOf({ requirements: [{ verifierId: 'ownership-basic' }] })
const shown = { privacyLevel: 'public', publicDisplay: true }
const hidden = { privacyLevel: 'private' }

async function trier(app: TestApp, wallet: TestWallet = alice) {
  const { headers } = await app.signIn(wallet)
  return (body: object) => app.post(path, body, headers)
}

describe('POST /api/v1/profile/gates/test', () => {
  test('a wallet with the proof passes, one without gets a hint; published or not', async () => {
    const app = await startApp()
    await app.prove(bob, shown)
    await apply(app, open)
    const attempt = await trier(app)
    for (const tried of [{ gateId: 'gate_holders' }, { definition: { ...open, gateId: 'not_yet' } }]) {
      const passed = await leavesNothing(app.parts, () => attempt({ ...tried, wallet: bob.address }))
      expect(passed.body.data).toMatchObject({
        passes: true,
        state: 'open',
        missing: [],
        version: 'gateId' in tried ? 1 : null,
        granted: 'gateId' in tried ? 0 : null,
        requirements: [{ id: 'r1', isSatisfied: true, code: 'SATISFIED' }],
      })
      const failed = await attempt({ ...tried, wallet: mallory.address })
      expect(failed.body.data).toMatchObject({
        passes: false,
        missing: ['r1'],
        requirements: [{ code: 'NO_PROOF', message: expect.stringContaining('make one') }],
      })
    }
  })

  test('says nothing about the private proofs of others, with a gate or a definition', async () => {
    const app = await startApp()
    await app.prove(bob, hidden)
    await apply(app, open)
    const attempt = await trier(app)
    const nobody = (await attempt({ gateId: 'gate_holders', wallet: mallory.address })).body.data
    for (const tried of [{ gateId: 'gate_holders' }, { definition: open }])
      for (const includePrivate of [undefined, false, true]) {
        const { data } = (await attempt({ ...tried, wallet: bob.address, includePrivate })).body
        expect(data.requirements).toEqual(nobody.requirements)
        expect(data).toMatchObject({ passes: false, countsPrivate: false })
      }
  })

  test('counts private proofs of the caller’s own wallet when asked', async () => {
    const app = await startApp()
    await app.prove(alice, hidden)
    const attempt = await trier(app)
    const asked = { definition: open, wallet: alice.address }
    expect((await attempt({ ...asked, includePrivate: true })).body.data).toMatchObject({
      passes: true,
      countsPrivate: true,
    })
    expect((await attempt(asked)).body.data).toMatchObject({ passes: false, requirements: [{ code: 'PRIVATE_ONLY' }] })
  })

  test('says the same of a stranger as GET /api/v1/proofs/check says to everybody', async () => {
    const app = await startApp()
    await app.prove(bob, shown, { content: 'other' })
    await apply(app, definitionOf())
    const attempt = await trier(app)
    const { requirements } = (await attempt({ gateId: 'gate_holders', wallet: bob.address })).body.data
    const check = await app.get(`/api/v1/proofs/check?gateId=gate_holders&address=${bob.address}&explain=true`)
    expect(requirements).toEqual(check.body.data.explain)
  })

  test('counts a thousand proofs at most', async () => {
    const app = await startApp()
    const attempt = await trier(app)
    const wanting = (each: number) => ({
      definition: definitionOf({
        requirements: Array.from({ length: 4 }, () => ({ verifierId: 'ownership-basic', minCount: each })),
      }),
      wallet: bob.address,
    })
    expect((await attempt(wanting(250))).status).toBe(200)
    expectRefused(
      await attempt(wanting(251)),
      'VALIDATION_ERROR',
      /ask for 1004 proofs together, and the limit is 1000/,
    )
  })

  test('a definition needs no reward values and no price that works here', async () => {
    const app = await startApp()
    const definition = { ...open, rewards: [{ kind: 'reveal' }], price: { amountUsd: '1', methods: ['card'] } }
    expect((await (await trier(app))({ definition, wallet: bob.address })).status).toBe(200)
  })

  test.each([
    ['no wallet', { definition: open, wallet: 'not a wallet' }, 'INVALID_WALLET_ADDRESS'],
    ['both', { definition: open, gateId: 'g', wallet: alice.address }, 'VALIDATION_ERROR'],
    ['neither', { wallet: alice.address }, 'VALIDATION_ERROR'],
    ['a definition that is none', { definition: { name: 1 }, wallet: alice.address }, 'VALIDATION_ERROR'],
    [
      'an unknown verifier',
      { definition: definitionOf({ requirements: [{ verifierId: '__proto__' }] }), wallet: alice.address },
      'GATE_MISCONFIGURED',
    ],
    ['a gate that is not there', { gateId: 'nowhere', wallet: alice.address }, 'GATE_NOT_FOUND'],
  ] as const)('refused: %s', async (_, body, code) => {
    const app = await startApp()
    expectRefused(await (await trier(app))(body), code)
  })

  test('drafts of others are not found, and strangers and foreign pages are refused', async () => {
    const app = await startApp()
    await apply(app, { ...open, status: 'draft' })
    const body = { gateId: 'gate_holders', wallet: bob.address }
    expectRefused(await (await trier(app, mallory))(body), 'GATE_NOT_FOUND')
    expectRefused(await app.post(path, body), 'WALLET_AUTH_REQUIRED')
    const { cookie } = await app.signIn(alice)
    expectRefused(await app.post(path, body, { cookie }), 'FORBIDDEN', /X-CSRF-Token/)
  })
})
