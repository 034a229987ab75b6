import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { definitionOf, digestOf, gatesPath } from '../gates/gate.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'

const gateId = 'gate_holders'
const first = definitionOf()
const second = definitionOf({ name: 'Holders, stricter' })

async function applying(app: TestApp, definition: object): Promise<object> {
  app.wait(1)
  const action = { action: 'apply_gate', gateId, digest: digestOf(definition) }
  return { definition, ...(await app.ownerBody(alice, action)) }
}

async function settingStatus(app: TestApp, status: string): Promise<object> {
  app.wait(1)
  return { status, ...(await app.ownerBody(alice, { action: 'set_gate_status', gateId, status })) }
}

async function withGate() {
  const app = await startApp()
  const apply = (body: object) => app.post(gatesPath, body)
  const setStatus = (body: object) => app.post(`${gatesPath}/${gateId}/status`, body)
  const read = async () => {
    const headers = await app.ownerHeaders(alice, { action: 'list_gates', walletAddress: alice.address.toLowerCase() })
    return (await app.get(gatesPath, headers)).body.data.gates[0]
  }
  return { app, apply, setStatus, read }
}

const spent = { status: 409, body: { error: { code: 'CONFLICT', message: expect.stringContaining('sign again') } } }

describe('a signed change of a gate that is sent again', () => {
  test('does not roll a later definition back', async () => {
    const { app, apply, read } = await withGate()
    const asked = await applying(app, first)
    expect((await apply(asked)).status).toBe(200)
    expect((await apply(await applying(app, second))).status).toBe(200)
    expect(await apply(asked)).toMatchObject(spent)
    expect(await read()).toMatchObject({ version: 2, name: 'Holders, stricter' })
  })

  test('does not roll a later definition back either when it changed nothing at first', async () => {
    const { app, apply, read } = await withGate()
    await apply(await applying(app, first))
    const again = await applying(app, first)
    expect((await apply(again)).body.data.outcome).toBe('unchanged')
    await apply(await applying(app, second))
    expect(await apply(again)).toMatchObject(spent)
    expect(await read()).toMatchObject({ version: 2 })
  })

  test('is answered as before as long as its effect stands', async () => {
    const { app, apply, setStatus } = await withGate()
    const asked = await applying(app, first)
    await apply(asked)
    expect((await apply(asked)).body.data.outcome).toBe('unchanged')
    const paused = await settingStatus(app, 'paused')
    expect([(await setStatus(paused)).status, (await setStatus(paused)).status]).toEqual([200, 200])
  })

  test('publishes no gate that was paused later, whether it changed something at first or not', async () => {
    const { app, apply, setStatus, read } = await withGate()
    await apply(await applying(app, first))
    const idle = await settingStatus(app, 'active')
    expect((await setStatus(idle)).status).toBe(200)
    await setStatus(await settingStatus(app, 'paused'))
    expect(await setStatus(idle)).toMatchObject(spent)

    const effective = await settingStatus(app, 'active')
    expect((await setStatus(effective)).status).toBe(200)
    await setStatus(await settingStatus(app, 'paused'))
    expect(await setStatus(effective)).toMatchObject(spent)
    expect((await read()).status).toBe('paused')
  })

  test('does not delete a gate that was made again, and does not bring back a deleted one', async () => {
    const { app, apply, read } = await withGate()
    const asked = await applying(app, first)
    await apply(asked)
    const headers = await app.ownerHeaders(alice, { action: 'delete_gate', gateId })
    const remove = () => app.request(`${gatesPath}/${gateId}`, { method: 'DELETE', headers })
    expect((await remove()).status).toBe(200)
    expect(await apply(asked)).toMatchObject(spent)
    await apply(await applying(app, first))
    expect(await remove()).toMatchObject(spent)
    expect((await read()).status).toBe('active')
  })

  test('a plan spends nothing: the same signature then applies it', async () => {
    const { app, apply } = await withGate()
    const asked = await applying(app, first)
    expect((await app.post(`${gatesPath}?plan=true`, asked)).status).toBe(200)
    expect((await app.post(`${gatesPath}?plan=true`, asked)).status).toBe(200)
    expect((await apply(asked)).body.data.outcome).toBe('created')
  })
})

describe('a signed change of read access that is sent again', () => {
  const terms = (qHash: string) => ({ qHash, viewerWallet: bob.address })
  const asked = async (app: TestApp, action: string, qHash: string) => {
    app.wait(1)
    const { walletAddress, ...signed } = await app.ownerBody(alice, { action, ...terms(qHash) })
    return { ...terms(qHash), ownerWallet: walletAddress, ...signed }
  }
  const grantPath = '/api/v1/verification/access/grant'
  const withdrawPath = '/api/v1/verification/access/withdraw'
  const readsAll = async (app: TestApp, qHash: string) => {
    const headers = await app.ownerHeaders(bob, { action: 'access_private_proof', qHash })
    return 'verifiedVerifiers' in (await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data
  }

  test('does not bring back a grant that was withdrawn', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const grant = await asked(app, 'grant_proof_access', qHash)
    expect((await app.post(grantPath, grant)).status).toBe(200)
    await app.post(withdrawPath, await asked(app, 'withdraw_proof_access', qHash))
    expect(await app.post(grantPath, grant)).toMatchObject(spent)
    expect(await readsAll(app, qHash)).toBe(false)
  })

  test('does not withdraw a grant that was made later, and is accepted while no grant exists', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const early = await asked(app, 'withdraw_proof_access', qHash)
    expect((await app.post(withdrawPath, early)).body.data.wasShared).toBe(false)
    expect((await app.post(withdrawPath, early)).body.data.wasShared).toBe(false)
    await app.post(grantPath, await asked(app, 'grant_proof_access', qHash))
    expect(await app.post(withdrawPath, early)).toMatchObject(spent)
    expect(await readsAll(app, qHash)).toBe(true)

    const late = await asked(app, 'withdraw_proof_access', qHash)
    expect((await app.post(withdrawPath, late)).body.data.wasShared).toBe(true)
    await app.post(grantPath, await asked(app, 'grant_proof_access', qHash))
    expect(await app.post(withdrawPath, late)).toMatchObject(spent)
    expect(await readsAll(app, qHash)).toBe(true)
  })
})

test('texts for reading are never used up, one after the other and at the same time', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const qHash = await app.prove(alice)
  const own = alice.address.toLowerCase()
  const marks = async () =>
    (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM spent_signatures').get())!.n
  const before = await marks()
  for (const [path, action] of [
    [`/api/v1/proofs/${qHash}`, { action: 'access_private_proof', qHash }],
    [`/api/v1/proofs/by-wallet/${own}`, { action: 'access_private_proofs_by_wallet', walletAddress: own }],
    [
      `/api/v1/proofs/check?address=${own}&verifierIds=ownership-basic&includePrivate=true`,
      { action: 'gate_check_private_proofs', walletAddress: own },
    ],
    [gatesPath, { action: 'list_gates', walletAddress: own }],
    [`/api/v1/verification/access/${qHash}`, { action: 'list_proof_access', qHash }],
  ] as const) {
    const headers = await app.ownerHeaders(alice, action)
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.get(path, headers)))
    app.wait(4 * 60_000)
    expect([...answers, await app.get(path, headers)].map(({ status }) => status)).toEqual(Array(6).fill(200))
    app.wait(1)
  }
  expect(await marks()).toBe(before)
})
