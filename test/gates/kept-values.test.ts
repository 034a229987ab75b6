/** Reward values that are kept on a change, because no client can read and resend them. */
import { describe, expect, test } from 'bun:test'
import { findGate, readRewards } from '../../src/gates/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, mallory } from '../wallets.ts'
import { apply, definitionOf, gatesPath, secretText } from './gate.ts'

const gateId = 'gate_holders'
const kept = (version: number, reward = 0, members: object = {}) =>
  definitionOf({
    rewards: [{ kind: 'reveal', label: 'The word', valueFrom: { version, reward }, ...members }],
  })
const valuesOf = async (app: TestApp) =>
  (await readRewards(app.parts, (await findGate(app.parts, gateId))!)).map(({ value }) => value)

describe('a reward whose value stays as it is', () => {
  test('is the same definition: nothing changes', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expect((await apply(app, kept(1))).body.data).toMatchObject({ outcome: 'unchanged', version: 1 })
  })

  test('keeps its value when the rest changes, moves, and comes from an old version', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const second = { kind: 'redirect', value: 'https://example.com/in' }
    const moved = { ...kept(1), rewards: [second, ...kept(1).rewards] }
    const answer = await apply(app, moved, { expectedVersion: 1 })
    expect(answer.body.data).toMatchObject({ outcome: 'changed', version: 2 })
    expect(JSON.stringify(answer.body)).not.toContain(secretText)
    expect(await valuesOf(app)).toEqual(['https://example.com/in', secretText])

    await apply(app, definitionOf({ rewards: [] }))
    expect(await valuesOf(app)).toEqual([])
    expect((await apply(app, kept(1))).body.data.version).toBe(4)
    expect(await valuesOf(app)).toEqual([secretText])
  })

  test.each([
    ['a version that is not there', kept(7)],
    ['a place that is not there', kept(1, 3)],
    ['another kind', kept(1, 0, { kind: 'redirect' })],
    ['a value beside it', kept(1, 0, { value: 'mine' })],
    ['no place at all', definitionOf({ rewards: [{ kind: 'reveal', valueFrom: 'before' }] })],
    [
      'a place that is a prototype',
      definitionOf({ rewards: [{ kind: 'reveal', valueFrom: { version: 1, reward: '__proto__' } }] }),
    ],
  ])('refused, with nothing stored: %s', async (_, definition) => {
    const app = await startApp()
    await apply(app, definitionOf())
    const answer = await leavesNothing(app.parts, () => apply(app, definition))
    expectRefused(answer, 'VALIDATION_ERROR', /rewards\[0\]\.valueFrom/)
    expect(answer.body.error.message).not.toContain(secretText)
    expect(await valuesOf(app)).toEqual([secretText])
  })

  test('values of other owners’ gates are not found', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const [one, other] = [
      await apply(app, kept(1), { wallet: mallory }),
      await apply(app, kept(9), { wallet: mallory }),
    ]
    expectRefused(one, 'VALIDATION_ERROR')
    expect(one.body.error).toEqual(other.body.error)
    const { headers } = await app.signIn(mallory)
    const seen = await app.post(`${gatesPath}/preview`, { definition: kept(1) }, headers)
    expect(JSON.stringify(seen.body)).not.toContain(secretText)
    expect(seen.body.data.publishable).toBe(false)
  })
})

describe('two editors of one gate', () => {
  test('lets one of 20 editors of the same version publish, and tells the others who did', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const { headers } = await app.signIn(alice)
    const publish = (name: string, expectedVersion: number) =>
      app.post(gatesPath, { definition: { ...kept(1), name }, expectedVersion }, headers)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => publish(`Name ${at}`, 1)))
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    expect(won?.body.data.version).toBe(2)
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(19)
    for (const answer of lost) {
      expectRefused(answer, 'CONFLICT', /version 2/)
      expect(answer.body.error.details).toEqual({
        expectedVersion: 1,
        currentVersion: 2,
        changedBy: alice.address.toLowerCase(),
        changedAt: new Date(app.now()).toISOString(),
      })
    }
    expect((await publish('On top', 2)).body.data).toMatchObject({ outcome: 'changed', version: 3 })
    expect(await valuesOf(app)).toEqual([secretText])
  })

  test('lets one of 20 requests that create the same gate succeed', async () => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        app.post(gatesPath, { definition: definitionOf({ name: `Name ${at}` }), expectedVersion: 0 }, headers),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect((await findGate(app.parts, gateId))?.version).toBe(1)
  })
})
