/** The disk fails when a gate's change or place is committed: repeating the request reaches the right end. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, type DoubtStage, endings, openDoubtStage } from '../faults/doubt-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'
import { definitionOf, digestOf, gatesPath } from './gate.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
let stage: DoubtStage
beforeAll(async () => {
  stage = await openDoubtStage(newFolder())
})
afterAll(() => stage.close())

let gatesMade = 0
const newGateId = (): string => `gate_${++gatesMade}`
const open = (gateId: string, members: object = {}) =>
  definitionOf({ gateId, requirements: [{ verifierId: 'ownership-basic' }], ...members })

/** The signed request that makes the gate like this. */
async function application(definition: { readonly gateId: string }, more: object = {}): Promise<() => Promise<Answer>> {
  const action = { action: 'apply_gate', gateId: definition.gateId, digest: digestOf(definition) }
  const body = { definition, ...more, ...(await stage.signAction(bob, action)) }
  return () => stage.post(gatesPath, body)
}
async function putGate(members: object = {}): Promise<string> {
  const gateId = newGateId()
  const answer = await (await application(open(gateId, members)))()
  expect(answer.status).toBe(200)
  return gateId
}
/** The signed request that changes the gate. */
async function action(path: 'rollback' | 'status', gateId: string, members: object, name: string) {
  const { expectedVersion: _, ...signed } = members as { expectedVersion?: number }
  const body = { ...members, ...(await stage.signAction(bob, { action: name, gateId, ...signed })) }
  return () => stage.post(`${gatesPath}/${gateId}/${path}`, body)
}
async function claimOf(gateId: string, qHash: string, wallet: TestWallet = alice): Promise<() => Promise<Answer>> {
  const signed = await stage.signUnaddressed(wallet, { action: 'fulfill_gate', gateId, qHash })
  return () => stage.post(`${gatesPath}/${gateId}/fulfill`, { qHash, ...signed })
}
const versionsOf = (gateId: string): number =>
  stage.count(`gate_versions v JOIN gates g ON g.id = v.gate WHERE g.gate_id = '${gateId}'`)
const statusIs = (gateId: string, status: string): boolean =>
  stage.count(`gates WHERE gate_id = '${gateId}' AND status = '${status}'`) === 1
const placesIn = (gateId: string): number =>
  stage.count(`fulfillments f JOIN gates g ON g.id = f.gate WHERE g.gate_id = '${gateId}'`)

describe.each(endings)('$name', (ending) => {
  const { isStored } = ending

  test('a new gate is made once', async () => {
    const gateId = newGateId()
    const ask = await application(open(gateId), { expectedVersion: 0 })
    await stage.doubt(ending, ask)
    expect(versionsOf(gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect([again.status, again.body.data.version]).toEqual([200, 1])
    expect(versionsOf(gateId)).toBe(1)
  })

  test('a change makes one version, also where it named the version that it started from', async () => {
    const gateId = await putGate()
    const ask = await application(open(gateId, { name: 'Changed' }), { expectedVersion: 1 })
    await stage.doubt(ending, ask)
    expect(versionsOf(gateId)).toBe(isStored ? 2 : 1)
    const again = await ask()
    expect([again.status, again.body.data.version]).toEqual([200, 2])
    expect(versionsOf(gateId)).toBe(2)
  })

  test('the text of a change that was undone meanwhile does not bring it back', async () => {
    const gateId = await putGate()
    const ask = await application(open(gateId, { name: 'Changed' }))
    await stage.doubt(ending, ask)
    expect((await ask()).status).toBe(200)
    expect((await (await application(open(gateId)))()).status).toBe(200)
    expect((await ask()).body.error.code).toBe('CONFLICT')
    expect(versionsOf(gateId)).toBe(3)
  })

  test('a rollback makes one version', async () => {
    const gateId = await putGate()
    await (await application(open(gateId, { name: 'Changed' })))()
    const ask = await action('rollback', gateId, { version: 1, expectedVersion: 2 }, 'rollback_gate')
    await stage.doubt(ending, ask)
    expect(versionsOf(gateId)).toBe(isStored ? 3 : 2)
    const again = await ask()
    expect([again.status, again.body.data?.version]).toEqual([200, 3])
    expect(versionsOf(gateId)).toBe(3)
  })

  test('a gate is paused', async () => {
    const gateId = await putGate()
    const ask = await action('status', gateId, { status: 'paused' }, 'set_gate_status')
    await stage.doubt(ending, ask)
    expect(statusIs(gateId, 'paused')).toBe(isStored)
    expect((await ask()).status).toBe(200)
    expect(statusIs(gateId, 'paused')).toBe(true)
  })

  test('a gate is deleted', async () => {
    const gateId = await putGate()
    const signed = await stage.signAction(bob, { action: 'delete_gate', gateId })
    const headers = {
      'x-wallet-address': signed.walletAddress,
      'x-signature': signed.signature,
      'x-signed-timestamp': String(signed.signedTimestamp),
    }
    const ask = () => stage.request(`${gatesPath}/${gateId}`, { method: 'DELETE', headers })
    await stage.doubt(ending, ask)
    expect(statusIs(gateId, 'deleted')).toBe(isStored)
    // A deleted gate is visible to nobody, its owner included.
    expect((await ask()).status).toBe(isStored ? 404 : 200)
    expect(statusIs(gateId, 'deleted')).toBe(true)
  })

  test('a reward is given, for one place', async () => {
    const gateId = await putGate({ supply: 2, perWallet: 1 })
    const ask = await claimOf(gateId, await stage.prove(alice))
    await stage.doubt(ending, ask)
    expect(placesIn(gateId)).toBe(isStored ? 1 : 0)
    const again = await ask()
    expect(again.status).toBe(200)
    expect((await ask()).body.data).toEqual(again.body.data)
    expect(placesIn(gateId)).toBe(1)
    expect(stage.count(`gates WHERE gate_id = '${gateId}' AND fulfilled_count = 1`)).toBe(1)
    const second = await (await claimOf(gateId, await stage.prove(alice)))()
    expect(second.body.error.code).toBe('GATE_LIMIT_REACHED')
  })

  test('the last place goes to one of two buyers, and an unsure caller gets the stored answer', async () => {
    const gateId = await putGate({ supply: 1 })
    const ask = await claimOf(gateId, await stage.prove(alice))
    const other = await claimOf(gateId, await stage.prove(bob), bob)
    await stage.doubt(ending, ask)
    const [otherAnswer, again] = [await other(), await ask()]
    expect([otherAnswer.status, again.status]).toEqual(isStored ? [409, 200] : [200, 409])
    const refused = isStored ? otherAnswer : again
    expect(refused.body.error.code).toBe('GATE_SOLD_OUT')
    expect(placesIn(gateId)).toBe(1)
  })
})
