/** Access keys that were given little: no gate opens itself, its values or its conditions to them. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { asPublic, path as checkPath } from './check-world.ts'
import { apply, definitionOf, gatesPath } from './gate.ts'

setDefaultTimeout(60_000)

async function keyFor(app: TestApp, scopes: readonly string[]) {
  const { headers } = await app.signIn(alice)
  const made = await app.post('/api/v1/auth/profile-keys', { name: 'Narrow', scopes }, headers)
  return { authorization: `Bearer ${made.body.data.key}` }
}
const kept = definitionOf({ rewards: [{ kind: 'reveal', label: 'The word', valueFrom: { version: 1, reward: 0 } }] })

describe('a key for proofs alone', () => {
  test.each([
    ['a new version', gatesPath, { definition: definitionOf({ name: 'Another' }) }],
    ['a plan', `${gatesPath}?plan=1`, { definition: definitionOf({ name: 'Another' }) }],
    ['a status', `${gatesPath}/gate_holders/status`, { status: 'draft' }],
    ['a version of before', `${gatesPath}/gate_holders/rollback?plan=1`, { version: 1 }],
  ])('changes no gate, and is told nothing of one: %s', async (_, path, body) => {
    const app = await startApp()
    await apply(app, definitionOf({ name: 'A secret plan' }))
    const key = await keyFor(app, ['core'])
    const answer = await leavesNothing(app.parts, () => app.post(path, body, key))
    expectRefused(answer, 'FORBIDDEN', /scope "profile"/)
    expect(JSON.stringify(answer.body)).not.toContain('A secret plan')
  })

  test('is shown the private proofs and purchases that everybody sees', async () => {
    const app = await startApp()
    await app.prove(alice, {}, { content: 'hidden' })
    await app.prove(alice, asPublic, { content: 'shown' })
    const narrow = await keyFor(app, ['core'])
    const wide = await keyFor(app, ['core', 'profile'])
    const ask = async (query: string, headers?: Record<string, string>) =>
      (await app.get(`${checkPath}?address=${alice.address}&explain=true&${query}`, headers)).body.data
    const criteria = 'verifierId=ownership-basic&minCount=2'
    const everybody = await ask(criteria)
    expect(everybody.explain[0].code).not.toBe('PRIVATE_ONLY')
    expect(await ask(criteria, narrow)).toEqual(everybody)
    expect((await ask(criteria, wide)).explain[0].code).toBe('PRIVATE_ONLY')

    const definition = definitionOf({ requirements: [{ verifierId: 'ownership-basic' }] })
    expect((await apply(app, definition)).status).toBe(200)
    expect((await ask('gateId=gate_holders', wide)).gate.fulfillments).toEqual([])
    expect((await ask('gateId=gate_holders', narrow)).gate.fulfillments).toBeUndefined()
  })
})

test('a key without secrets changes gates, and takes over no value that it could not see', async () => {
  const app = await startApp()
  await apply(app, definitionOf())
  const key = await keyFor(app, ['core', 'profile'])
  const answer = await leavesNothing(app.parts, () => app.post(gatesPath, { definition: kept }, key))
  expectRefused(answer, 'FORBIDDEN', /scope "secrets"/)
  expect((await app.post(gatesPath, { definition: definitionOf({ name: 'Another' }) }, key)).body.data).toMatchObject({
    outcome: 'changed',
    version: 2,
  })
  const whole = await keyFor(app, ['core', 'profile', 'secrets'])
  expect((await app.post(gatesPath, { definition: kept }, whole)).body.data).toMatchObject({ version: 3 })
})
