import { describe, expect, test } from 'bun:test'
import { nameGateOwner, parseOwner } from '../../src/gates/owner.ts'
import { findGate } from '../../src/gates/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { act, apply, contract, definitionOf, digestOf, gatesPath, readerHeaders, remove, secretText } from './gate.ts'

const gateId = 'gate_holders'

const versionsOf = async (app: TestApp, wallet = alice) =>
  (await app.get(`${gatesPath}/${gateId}/versions`, await readerHeaders(app, wallet))).body.data.versions

const snapshotOf = async (app: TestApp) => (await app.get(`${gatesPath}/${gateId}`)).body.data.gate

describe('POST /api/v1/profile/gates', () => {
  test('makes a gate, and describes it line by line without the value of its reward', async () => {
    const app = await startApp()
    const { status, body } = await apply(app, definitionOf())
    expect(status).toBe(200)
    expect(body.data).toEqual({
      gateId,
      outcome: 'created',
      version: 1,
      status: 'active',
      difference: [
        { change: 'added', path: 'status', after: '"active"' },
        { change: 'added', path: 'name', after: '"Holders"' },
        { change: 'added', path: 'requirements.r1.verifierId', after: '"ownership-basic"' },
        { change: 'added', path: 'requirements.r1.match[0]', after: '"contentHash eq abc"' },
        { change: 'added', path: 'rewards[0].kind', after: '"reveal"' },
        { change: 'added', path: 'rewards[0].label', after: '"The word"' },
        { change: 'added', path: 'rewards[0].value' },
      ],
      findings: [],
      stored: true,
    })
  })

  test('a wallet that is not EVM owns gates as well', async () => {
    const app = await startApp()
    const { body } = await apply(app, definitionOf(), { wallet: sol })
    expect(body.data.outcome).toBe('created')
    const headers = await app.ownerHeaders(sol, { action: 'list_gates', walletAddress: sol.address })
    expect((await app.get(gatesPath, headers)).body.data.gates).toHaveLength(1)
  })

  test('every change is a version, and the same definition in another spelling adds none', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const spelled = {
      ...definitionOf(),
      status: 'active',
      policy: {},
      requirements: [{ ...definitionOf().requirements[0], id: 'r1', optional: false, minCount: 1 }],
    }
    expect((await apply(app, spelled)).body.data).toMatchObject({ outcome: 'unchanged', version: 1, difference: [] })

    const changed = await apply(
      app,
      definitionOf({ name: 'Keepers', rewards: [{ kind: 'reveal', value: 'another word', label: 'The word' }] }),
    )
    expect(changed.body.data).toMatchObject({
      outcome: 'changed',
      version: 2,
      difference: [
        { change: 'changed', path: 'name', before: '"Holders"', after: '"Keepers"' },
        { change: 'changed', path: 'rewards[0].value' },
      ],
    })
    const wallet = alice.address.toLowerCase()
    expect(await versionsOf(app)).toEqual([
      { version: 2, author: wallet, createdAt: app.now(), bytes: expect.any(Number) },
      { version: 1, author: wallet, createdAt: app.now() - 2, bytes: expect.any(Number) },
    ])
  })

  test('a plan shows the changes and stores nothing, not even the signature', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const planned = await leavesNothing(app.parts, () => apply(app, definitionOf({ name: 'Keepers' }), { plan: true }))
    expect(planned.body.data).toMatchObject({ outcome: 'changed', version: 2, stored: false })
    expect((await snapshotOf(app)).name).toBe('Holders')
  })

  test('a status that is left out stays as it is; one that is given is no version', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ status: 'draft' }))
    expect((await apply(app, definitionOf({ name: 'Keepers' }))).body.data).toMatchObject({
      version: 2,
      status: 'draft',
    })
    expect((await apply(app, definitionOf({ name: 'Keepers', status: 'active' }))).body.data).toMatchObject({
      outcome: 'changed',
      version: 2,
      status: 'active',
      difference: [{ change: 'changed', path: 'status', before: '"draft"', after: '"active"' }],
    })
  })

  test('the signature is over the content: a reward that was exchanged on the way is refused', async () => {
    const app = await startApp()
    const signed = await app.ownerBody(alice, { action: 'apply_gate', gateId, digest: digestOf(definitionOf()) })
    const rewards = [{ kind: 'redirect', value: 'https://mallory.example/' }]
    const answer = await leavesNothing(app.parts, () =>
      app.post(gatesPath, { definition: definitionOf({ rewards }), ...signed }),
    )
    expectRefused(answer, 'SIGNATURE_INVALID')
  })

  test('a signature acts once: seen on its way, it does not bring an older text back', async () => {
    const app = await startApp()
    const definition = definitionOf()
    const first = {
      definition,
      ...(await app.ownerBody(alice, { action: 'apply_gate', gateId, digest: digestOf(definition) })),
    }
    expect((await app.post(gatesPath, first)).status).toBe(200)
    // Lost on the way and sent again: it is done already.
    expect((await app.post(gatesPath, first)).body.data.outcome).toBe('unchanged')
    await apply(app, definitionOf({ name: 'Keepers' }))
    expectRefused(await app.post(gatesPath, first), 'CONFLICT', /signature was used for a change before/)
    expect((await snapshotOf(app)).name).toBe('Keepers')
  })

  test('an id of another owner is taken, and the answer says nothing about that gate', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ name: 'Very secret draft', status: 'draft' }))
    const answer = await leavesNothing(app.parts, () => apply(app, definitionOf(), { wallet: mallory }))
    expectRefused(answer, 'CONFLICT', /belongs to another owner/)
    expect(JSON.stringify(answer.body)).not.toContain('draft')
    expect(JSON.stringify(answer.body)).not.toContain(alice.address.toLowerCase())
  })

  test('a wallet owns no more gates than the operator allows, deleted ones included', async () => {
    const app = await startApp({ PROOFGATE_GATES_PER_OWNER: '2' })
    await apply(app, definitionOf({ gateId: 'one' }))
    await apply(app, definitionOf({ gateId: 'two' }))
    await remove(app, 'two')
    const third = await leavesNothing(app.parts, () => apply(app, definitionOf({ gateId: 'three' })))
    expectRefused(third, 'CONFLICT', /may own 2 gates here/)
    expect((await apply(app, definitionOf({ gateId: 'three' }), { wallet: bob })).status).toBe(200)
    expect((await apply(app, definitionOf({ gateId: 'two' }))).body.data).toMatchObject({
      version: 2,
      status: 'active',
    })
  })
})

describe('two editors at once', () => {
  test('the slower one hears who was faster, and no change of the faster one is lost', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await apply(app, definitionOf({ name: 'By the faster one' }), { expectedVersion: 1 })
    const slower = await leavesNothing(app.parts, () =>
      apply(app, definitionOf({ name: 'By the slower one' }), { expectedVersion: 1 }),
    )
    expectRefused(slower, 'CONFLICT', new RegExp(`at version 2, made by ${alice.address.toLowerCase()} at 2026-`))
    expect(slower.body.error.details).toMatchObject({
      expectedVersion: 1,
      currentVersion: 2,
      changedBy: alice.address.toLowerCase(),
    })
    expect((await snapshotOf(app)).name).toBe('By the faster one')
    // Sending the same change again, because its answer was lost, is no conflict.
    expect(
      (await apply(app, definitionOf({ name: 'By the faster one' }), { expectedVersion: 1 })).body.data.outcome,
    ).toBe('unchanged')
  })

  test('one of twenty simultaneous changes of one version succeeds', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => apply(app, definitionOf({ name: `Editor ${at}` }), { expectedVersion: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await versionsOf(app)).toHaveLength(2)
  })

  test('every change that names no version is made, one after the other', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => apply(app, definitionOf({ name: `Editor ${at}` }))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data.version))).toEqual(new Set([2, 3, 4, 5]))
  })

  test('expectedVersion 0 makes a new gate and never changes one', async () => {
    const app = await startApp()
    expect((await apply(app, definitionOf(), { expectedVersion: 0 })).status).toBe(200)
    expectRefused(await apply(app, definitionOf({ name: 'Other' }), { expectedVersion: 0 }), 'CONFLICT')
    expectRefused(
      await apply(app, definitionOf({ gateId: 'brand-new' }), { expectedVersion: 3 }),
      'CONFLICT',
      /no gate with this gateId/,
    )
  })
})

describe('versions', () => {
  test('stop at a highest number for each gate', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await app.parts.db.write([
      { sql: 'UPDATE gates SET version = 1000', params: [] },
      { sql: 'UPDATE gate_versions SET version = 1000, rewards = NULL', params: [] },
    ])
    const answer = await leavesNothing(app.parts, () => apply(app, definitionOf({ name: 'One more' })))
    expectRefused(answer, 'CONFLICT', /has 1000 versions, which is the limit/)
  })

  test('belong to the address of a contract wallet on its chain only', () => {
    const wallet = contract
    expect(nameGateOwner({ wallet, contractOn: undefined })).toBe(wallet)
    expect(nameGateOwner({ wallet, contractOn: 'eip155:8453' })).toBe(`eip155:8453:${wallet}`)
    expect(nameGateOwner({ wallet, contractOn: 'eip155:8453' })).toBe(
      parseOwner(`eip155:8453:${wallet.toUpperCase().replace('0X', '0x')}`)!,
    )
  })
})

describe('POST …/rollback', () => {
  test('makes a new version with the text and the reward of the old one', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await apply(app, definitionOf({ name: 'Keepers', rewards: [] }))
    const { body } = await act(app, 'rollback', gateId, { version: 1 })
    expect(body.data).toMatchObject({ outcome: 'changed', version: 3, stored: true })
    expect(body.data.difference).toContainEqual({ change: 'added', path: 'rewards[0].value' })
    expect(await snapshotOf(app)).toMatchObject({
      version: 3,
      name: 'Holders',
      artifact: { type: 'reveal', label: 'The word' },
    })
    expect((await versionsOf(app)).map(({ version }: { version: number }) => version)).toEqual([3, 2, 1])
    // It applies already.
    expect((await act(app, 'rollback', gateId, { version: 1 })).body.data).toMatchObject({
      outcome: 'unchanged',
      version: 3,
    })
  })

  test('an unknown version is refused with the known ones', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expectRefused(await act(app, 'rollback', gateId, { version: 7 }), 'NOT_FOUND', /has versions 1 to 1/)
  })

  test('a paused gate stays paused', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await apply(app, definitionOf({ name: 'Keepers' }))
    await act(app, 'status', gateId, { status: 'paused' })
    expect((await act(app, 'rollback', gateId, { version: 1 })).body.data.status).toBe('paused')
  })
})

describe('the status of a gate', () => {
  test('a paused gate says so to everybody, and comes back as it was', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expect((await act(app, 'status', gateId, { status: 'paused' })).body.data.gate).toMatchObject({
      status: 'paused',
      version: 1,
    })
    for (const headers of [{}, await readerHeaders(app)])
      expect((await app.get(`${gatesPath}/${gateId}`, headers)).body.data.gate.status).toBe('paused')
    await act(app, 'status', gateId, { status: 'active' })
    expect((await snapshotOf(app)).status).toBe('active')
  })

  test('a deleted gate is visible to nobody, and its id stays with its owner', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expect((await remove(app, gateId)).body.data).toEqual({ gateId, status: 'deleted' })
    expectRefused(await app.get(`${gatesPath}/${gateId}`, await readerHeaders(app)), 'GATE_NOT_FOUND')
    expectRefused(await remove(app, gateId), 'GATE_NOT_FOUND')
    expect((await app.get(gatesPath, await readerHeaders(app))).body.data.gates).toEqual([])
    expectRefused(await apply(app, definitionOf(), { wallet: mallory }), 'CONFLICT')
    expect((await apply(app, definitionOf(), { expectedVersion: 0 })).body.data).toMatchObject({
      outcome: 'changed',
      version: 2,
    })
  })

  test('a gate that cannot be paid here is kept as a draft and not published', async () => {
    const app = await startApp()
    const price = { amountUsd: '5', methods: ['stablecoin'], recipient: contract }
    const draft = await apply(app, definitionOf({ price, status: 'draft' }))
    expect(draft.body.data.findings).toEqual([
      {
        path: 'price.methods[0]',
        code: 'METHOD_NOT_SET_UP',
        values: { method: 'usdc', why: expect.any(String) },
        message: expect.stringContaining('"usdc" cannot be used'),
        level: 'warning',
      },
    ])
    expectRefused(
      await act(app, 'status', gateId, { status: 'active' }),
      'GATE_MISCONFIGURED',
      /price\.methods\[0\] "usdc" cannot be used/,
    )
    expectRefused(await apply(app, definitionOf({ price, status: 'active' })), 'GATE_MISCONFIGURED')
    expectRefused(await app.get(`${gatesPath}/${gateId}`), 'GATE_NOT_FOUND')
  })
})

describe('another wallet', () => {
  test.each([
    ['rolls back', (app: TestApp) => act(app, 'rollback', gateId, { version: 1 }, mallory)],
    ['pauses', (app: TestApp) => act(app, 'status', gateId, { status: 'paused' }, mallory)],
    ['archives', (app: TestApp) => act(app, 'archive', gateId, { archived: true }, mallory)],
    ['deletes', (app: TestApp) => remove(app, gateId, mallory)],
    [
      'reads the versions of',
      async (app: TestApp) => app.get(`${gatesPath}/${gateId}/versions`, await readerHeaders(app, mallory)),
    ],
    [
      'reads a version of',
      async (app: TestApp) => app.get(`${gatesPath}/${gateId}/versions/1`, await readerHeaders(app, mallory)),
    ],
  ])('never %s a gate: refused when it is public, unknown when it is a draft', async (_, attempt) => {
    const app = await startApp()
    await apply(app, definitionOf())
    expectRefused(await leavesNothing(app.parts, () => attempt(app)), 'FORBIDDEN')
    await act(app, 'status', gateId, { status: 'draft' })
    expectRefused(await leavesNothing(app.parts, () => attempt(app)), 'GATE_NOT_FOUND')
  })

  test('sees its own gates alone', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    expect((await app.get(gatesPath, await readerHeaders(app, mallory))).body.data.gates).toEqual([])
  })
})

describe('an archived gate', () => {
  test('goes on letting people in, and nobody but its owner sees that it is archived', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const before = await snapshotOf(app)
    const { gate } = (await act(app, 'archive', gateId, { archived: true })).body.data
    expect(gate).toMatchObject({ gateId, archived: true, status: 'active', version: 1 })
    const [listed] = (await app.get(gatesPath, await readerHeaders(app))).body.data.gates
    expect([listed.archived, listed.updatedAt]).toEqual([true, listed.createdAt])
    expect(await snapshotOf(app)).toEqual(before)
    expect((await app.get(`/api/v1/proofs/check?gateId=${gateId}&address=${bob.address}`)).status).toBe(200)
  })

  test('comes back when its owner asks for it, and stays archived with a new version', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await act(app, 'archive', gateId, { archived: true })
    await apply(app, definitionOf({ name: 'Another name' }))
    const archived = async () => (await app.get(gatesPath, await readerHeaders(app))).body.data.gates[0].archived
    expect(await archived()).toBe(true)
    expect((await act(app, 'archive', gateId, { archived: false })).body.data.gate.archived).toBe(false)
    expect(await archived()).toBe(false)
  })

  test('is not archived any more when it was deleted and comes back', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    await act(app, 'archive', gateId, { archived: true })
    await remove(app, gateId)
    expectRefused(await act(app, 'archive', gateId, { archived: true }), 'GATE_NOT_FOUND')
    await apply(app, definitionOf())
    expect((await app.get(gatesPath, await readerHeaders(app))).body.data.gates[0].archived).toBe(false)
  })
})

describe('reading as an owner', () => {
  test('shows the gates with their missing configuration, and a version without its reward value', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ requirements: [{ verifierId: 'nft-ownership' }] }))
    const headers = await readerHeaders(app)
    const { gates } = (await app.get(gatesPath, headers)).body.data
    expect(gates).toMatchObject([
      {
        gateId,
        status: 'active',
        version: 1,
        fulfilledCount: 0,
        guestCount: 0,
        findings: [
          {
            path: 'requirements[0].verifierId',
            message: expect.stringContaining('cannot be proved here now'),
            level: 'warning',
          },
        ],
      },
    ])
    const version = (await app.get(`${gatesPath}/${gateId}/versions/1`, headers)).body.data
    expect(version).toMatchObject({
      gateId,
      version: 1,
      definition: { rewards: [{ kind: 'reveal', label: 'The word' }] },
    })
    expect(JSON.stringify([gates, version])).not.toContain(secretText)
    expectRefused(await app.get(`${gatesPath}/${gateId}/versions/2`, headers), 'NOT_FOUND')
  })

  test.each([
    ['', 'list_gates'],
    [`/${gateId}/versions`, 'list_gates'],
  ])('needs a signature: %s', async (path, action) => {
    const app = await startApp()
    expectRefused(await app.get(`${gatesPath}${path}`), 'WALLET_AUTH_REQUIRED', new RegExp(action))
  })

  test('deleting without a signature says what to sign', async () => {
    const app = await startApp()
    expectRefused(
      await app.request(`${gatesPath}/${gateId}`, { method: 'DELETE' }),
      'WALLET_AUTH_REQUIRED',
      /delete_gate/,
    )
  })
})

describe('a change that comes between the reading and the writing of another', () => {
  test.each([
    ['deleted', (app: TestApp) => remove(app, gateId)],
    ['paused', (app: TestApp) => act(app, 'status', gateId, { status: 'paused' })],
  ] as const)('does not keep a gate from being %s', async (status, change) => {
    const app = await startApp()
    await apply(app, definitionOf())
    overtake(app.parts.db, 'UPDATE gates SET status', () => apply(app, definitionOf({ name: 'Keepers' })))
    expect((await change(app)).status).toBe(200)
    expect(await findGate(app.parts, gateId)).toMatchObject({ version: 2, status })
  })

  test('is told as such where it comes each time', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    let turn = 0
    const overtakeAgain = (): void =>
      overtake(app.parts.db, 'UPDATE gates SET status', async () => {
        await apply(app, definitionOf({ name: `Keepers ${++turn}` }))
        overtakeAgain()
      })
    overtakeAgain()
    const answer = await remove(app, gateId)
    expectRefused(answer, 'CONFLICT', /^other requests changed this gate while this one was under way: send it again$/)
  })
})
