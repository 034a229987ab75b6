/** Gates: by gateId over HTTP, and evaluateGate() where HTTP does not reach. */

import { beforeEach, describe, expect, test } from 'bun:test'
import { evaluateGate } from '../../src/gates/check/evaluate.ts'
import type { RuleNode } from '../../src/gates/definition/rule.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { findGate } from '../../src/gates/store.ts'
import { makeHolder } from '../../src/proofs/account-store.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { randomHash } from '../parts/row-maker.ts'
import { listColumns } from '../parts/tables.ts'
import { agent, alice, bob, mallory } from '../wallets.ts'
import { asListed, checkHeaders, checking, lower, path, prove } from './check-world.ts'
import { putGate } from './fulfill-stage.ts'

const hour = 3_600_000

let app: TestApp
beforeEach(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
})

const handle = (value: string, more: object = {}) => ({
  verifierId: 'ownership-pseudonym',
  match: [{ path: 'handle', op: 'eq' as const, value }],
  ...more,
})
const note = (more: object = {}) => ({ verifierId: 'ownership-basic', ...more })

const gateWith = (
  requirements: GateDefinition['requirements'],
  more: Partial<GateDefinition> = {},
  owner?: string,
): Promise<void> => putGate(app.parts, { gateId: 'gate_demo', requirements, ...more }, owner)

const ask = async (query: Record<string, string | boolean> = {}, headers: Record<string, string> = {}) =>
  (await checking(app)({ gateId: 'gate_demo', ...query }, headers)).body.data

describe('a check by gateId', () => {
  test('says which requirements are met, by which proofs, in the members of the interface', async () => {
    await gateWith([handle('alice'), note({ minCount: 2 }), { verifierId: 'wallet-risk', optional: true }])
    const name = await prove(app, ['ownership-pseudonym'], { pseudonymId: 'alice' })
    const first = await app.prove(alice, asListed)
    expect(await ask({ includeQHashes: true })).toEqual({
      eligible: false,
      matchedCount: 2,
      matchedQHashes: [name, first],
      matchedTags: [],
      projections: null,
      criteria: { address: alice.address, gateId: 'gate_demo', includeQHashes: 'true' },
      complete: true,
      gate: {
        gateId: 'gate_demo',
        allRequiredSatisfied: false,
        satisfiedVerifierIds: ['ownership-pseudonym'],
        missingVerifierIds: ['ownership-basic'],
        matchedQHashes: [name, first],
        state: 'open',
        reusedVerifierProofs: { 'ownership-pseudonym': name },
        rows: [
          { ...row('r1', 'ownership-pseudonym', [name]), satisfied: true, reused: true },
          { ...row('r2', 'ownership-basic', [first]), needed: 2 },
          { ...row('r3', 'wallet-risk', []), optional: true },
        ],
      },
    })
    const second = await app.prove(alice, asListed)
    const { eligible, gate } = await ask({ includeQHashes: true })
    expect(eligible).toBe(true)
    expect(gate).toMatchObject({
      allRequiredSatisfied: true,
      missingVerifierIds: [],
      reusedVerifierProofs: { 'ownership-pseudonym': name, 'ownership-basic': [second, first] },
    })
    const { gate: plain } = await ask()
    expect(Object.keys(plain)).toEqual([
      'gateId',
      'allRequiredSatisfied',
      'satisfiedVerifierIds',
      'missingVerifierIds',
      'matchedQHashes',
      'state',
    ])
  })

  const row = (id: string, verifierId: string, qHashes: string[]) => ({
    id,
    verifierId,
    optional: false,
    satisfied: false,
    qHash: qHashes[0] ?? null,
    qHashes,
    needed: 1,
    reused: false,
  })

  test('counts private proofs for their owner alone, and names them only when asked', async () => {
    await gateWith([note()])
    const qHash = await app.prove(alice)
    expect((await ask({ includePrivate: true, includeQHashes: true })).gate).toMatchObject({
      allRequiredSatisfied: false,
      matchedQHashes: [],
    })
    const headers = await checkHeaders(app)
    const { gate } = await ask({ includePrivate: true }, headers)
    expect(gate).toMatchObject({ allRequiredSatisfied: true, matchedQHashes: [] })
    const named = await ask({ includePrivate: true, includeQHashes: true }, headers)
    expect(named.gate).toMatchObject({ matchedQHashes: [qHash], reusedVerifierProofs: { 'ownership-basic': qHash } })
  })

  test('wants the criteria beside it as well', async () => {
    await gateWith([note()])
    await app.prove(alice, { ...asListed, meta: { tags: ['a'] } })
    expect(await ask({ tag: 'a' })).toMatchObject({ eligible: true, matchedTags: ['a'] })
    const { eligible, gate } = await ask({ tag: 'b' })
    expect(eligible).toBe(false)
    expect(gate.allRequiredSatisfied).toBe(true)
  })

  test('with qHash looks at that proof alone', async () => {
    await gateWith([handle('alice')])
    const other = await app.prove(alice, asListed)
    const name = await prove(app, ['ownership-pseudonym'], { pseudonymId: 'alice' })
    expect(await ask({ qHash: name })).toMatchObject({ eligible: true, gate: { allRequiredSatisfied: true } })
    expect(await ask({ qHash: other })).toMatchObject({ eligible: false, gate: { allRequiredSatisfied: false } })
  })

  test('finds no gate that is unknown, a draft, deleted or private to another owner', async () => {
    const check = checking(app)
    const none = async (gateId: string, headers = {}) =>
      expectRefused(await check({ gateId }, headers), 'GATE_NOT_FOUND', new RegExp(gateId))
    await none('gate_unknown')
    await putGate(app.parts, { gateId: 'gate_draft', requirements: [note()], status: 'draft' })
    await none('gate_draft')
    const policy = { visibility: 'private' as const }
    await putGate(app.parts, { gateId: 'gate_private', requirements: [note()], policy }, lower(alice))
    await none('gate_private')
    const headers = await checkHeaders(app)
    expect((await check({ gateId: 'gate_private' }, headers)).status).toBe(200)
    const ofBob = await checkHeaders(app, bob)
    expectRefused(await check({ gateId: 'gate_private', address: bob.address }, ofBob), 'GATE_NOT_FOUND')
  })
})

test('a paused gate lets nobody in, and the check says why', async () => {
  const schedule = { endsAt: '2020-01-01T00:00:00Z' }
  await putGate(app.parts, { gateId: 'gate_paused', requirements: [note()], status: 'paused', schedule })
  await app.prove(alice, asListed)
  const { body } = await checking(app)({ gateId: 'gate_paused', address: alice.address })
  expect(body.data).toMatchObject({
    eligible: false,
    gate: { allRequiredSatisfied: false, state: 'paused', errorCode: 'GATE_PAUSED' },
  })
})

describe('requirements', () => {
  test.each<[string, RuleNode | undefined, (boolean | 'optional')[], boolean]>([
    ['all that are not optional', undefined, [true, false, true], false],
    ['without the optional ones', undefined, [true, 'optional', true], true],
    ['one at least where all are optional', undefined, ['optional', 'optional'], false],
    ['any', { any: ['r1', 'r2'] }, [false, true], true],
    ['any, and none is met', { any: ['r1', 'r2'] }, [false, false], false],
    ['all of a group', { all: ['r1', 'r2'] }, [true, false], false],
    ['a tree', { all: ['r1', { any: ['r2', { all: ['r3', 'r4'] }] }] }, [true, false, true, true], true],
    ['a tree with a hole', { all: ['r1', { any: ['r2', { all: ['r3', 'r4'] }] }] }, [true, false, true, false], false],
    ['one alone, whatever else is required', 'r2', [false, true], true],
    ['an id that is not there', 'r9', [true], false],
  ])('by rule: %s', async (_, rule, met, expected) => {
    await prove(app, ['ownership-pseudonym'], { pseudonymId: 'met' })
    const requirements = met.map((one) =>
      handle(one === true ? 'met' : 'unmet', one === 'optional' ? { optional: true } : {}),
    )
    await gateWith(requirements, rule === undefined ? {} : { rule: rule as never })
    const { gate } = await ask()
    expect(gate.allRequiredSatisfied).toBe(expected)
    expect(gate.missingVerifierIds.length > 0).toBe(!expected && rule !== 'r9')
  })

  test('about one verifier with different ages are told apart', async () => {
    await gateWith([note({ maxAgeMs: hour }), note({ maxAgeMs: 3 * hour }), note({ maxAgeMs: 3 * hour, minCount: 2 })])
    const first = await app.prove(alice, asListed)
    app.wait(2 * hour)
    const second = await app.prove(alice, asListed)
    const rows = async () =>
      (await ask({ includeQHashes: true })).gate.rows.map(({ qHashes }: { qHashes: string[] }) => qHashes)
    expect(await rows()).toEqual([[second], [second], [second, first]])
    app.wait(2 * hour)
    expect(await rows()).toEqual([[], [second], [second]])
  })

  test('maxAgeMs and gateFreshnessHours: the stricter one counts, to the millisecond', async () => {
    await gateWith([note({ maxAgeMs: 2 * hour })], { policy: { gateFreshnessHours: 1 } })
    await putGate(app.parts, {
      gateId: 'gate_age',
      requirements: [note({ maxAgeMs: 1000 })],
      policy: { gateFreshnessHours: 1 },
    })
    await app.prove(alice, asListed)
    const state = async () => [(await ask()).eligible, (await checking(app)({ gateId: 'gate_age' })).body.data.eligible]
    app.wait(1000)
    expect(await state()).toEqual([true, true])
    app.wait(1)
    expect(await state()).toEqual([true, false])
    app.wait(hour - 1001)
    expect(await state()).toEqual([true, false])
    app.wait(1)
    expect(await state()).toEqual([false, false])
  })

  test('match rows: eq, gte and lte on dotted paths, and the words of parameters', async () => {
    await prove(app, ['agent-delegation'], {
      controllerWallet: alice.address,
      agentWallet: agent.address,
      maxSpend: '1000000000000000000000001',
      permissions: ['read'],
    })
    const met = async (path: string, op: 'eq' | 'gte' | 'lte', value: string) => {
      await gateWith([{ verifierId: 'agent-delegation', match: [{ path, op, value }] }])
      return (await ask()).eligible
    }
    expect(await met('maxSpend', 'gte', '1000000000000000000000001')).toBe(true)
    expect(await met('maxSpend', 'gte', '1000000000000000000000002')).toBe(false)
    expect(await met('maxSpend', 'lte', '1000000000000000000000000.5')).toBe(false)
    expect(await met('agentWallet', 'eq', agent.address)).toBe(true)
    expect(await met('delegationScope', 'eq', 'global')).toBe(true)
    expect(await met('permissions.0', 'eq', 'read')).toBe(true)
    expect(await met('permissions', 'eq', 'read')).toBe(false)
    expect(await met('scope', 'gte', '0')).toBe(false)
    for (const path of ['constructor', '__proto__', 'toString.name', 'missing.path'])
      expect(await met(path, 'eq', 'undefined')).toBe(false)
  })
})

describe('a schedule', () => {
  test('opens and closes the gate to the millisecond, with the codes of the interface', async () => {
    const at = (ms: number) => new Date(startOfTime + ms).toISOString()
    await gateWith([note()], { schedule: { startsAt: at(hour), endsAt: at(2 * hour) } })
    await app.prove(alice, asListed)
    const state = async () => {
      const { eligible, gate } = await ask()
      return [eligible, gate.allRequiredSatisfied, gate.state, gate.errorCode]
    }
    app.wait(hour - 2)
    expect(await state()).toEqual([false, false, 'not_started', 'GATE_NOT_STARTED'])
    expect((await ask({ explain: true })).explain[0]).toMatchObject({ id: 'schedule', code: 'OUTSIDE_SCHEDULE' })
    app.wait(1)
    expect(await state()).toEqual([true, true, 'open', undefined])
    app.wait(hour - 1)
    expect(await state()).toEqual([true, true, 'open', undefined])
    app.wait(1)
    expect(await state()).toEqual([false, false, 'ended', 'GATE_ENDED'])
  })

  test('is told apart from the requirements', async () => {
    await gateWith([note()], { schedule: { endsAt: '2026-01-01T00:00:00Z' } })
    await app.prove(alice, asListed)
    const gate = (await findGate(app.parts, 'gate_demo'))!
    expect(
      await evaluateGate(app.parts, gate, {
        holder: makeHolder({ wallet: lower(alice), contractOn: undefined }),
        withPrivate: false,
      }),
    ).toMatchObject({
      isSatisfied: true,
      state: 'ended',
      missing: [],
    })
  })
})

describe('explain', () => {
  const codes = async (query: Record<string, string | boolean> = {}, headers = {}) =>
    (await ask({ explain: true, ...query }, headers)).explain.map(({ code }: { code: string }) => code)

  test('names for every requirement the checked proofs, the nearest one and the remedy', async () => {
    await gateWith([handle('bob', { id: 'name' }), note({ minCount: 2 }), { verifierId: 'wallet-link' }])
    const name = await prove(app, ['ownership-pseudonym'], { pseudonymId: 'alice' })
    const text = await app.prove(alice, asListed)
    expect((await ask({ explain: true })).explain).toEqual([
      {
        id: 'name',
        verifierIds: ['ownership-pseudonym'],
        isOptional: false,
        isSatisfied: false,
        needed: 1,
        matched: 0,
        lookedAt: 1,
        code: 'WRONG_VALUE',
        message: 'handle must be bob; in the nearest proof it is alice',
        nearest: {
          qHash: name,
          status: 'verified',
          createdAt: app.now() - 1,
          failed: [{ code: 'WRONG_VALUE', path: 'handle', op: 'eq', wanted: 'bob', found: 'alice' }],
        },
      },
      {
        id: 'r2',
        verifierIds: ['ownership-basic'],
        isOptional: false,
        isSatisfied: false,
        needed: 2,
        matched: 1,
        lookedAt: 1,
        code: 'TOO_FEW',
        message: '1 of 2 different claims match: make proofs of 1 more',
        nearest: { qHash: text, status: 'verified', createdAt: app.now(), failed: [] },
      },
      {
        id: 'r3',
        verifierIds: ['wallet-link'],
        isOptional: false,
        isSatisfied: false,
        needed: 1,
        matched: 0,
        lookedAt: 0,
        code: 'NO_PROOF',
        message: 'there is no proof of wallet-link that counts here: make one',
        nearest: null,
      },
    ])
  })

  test('tells of private proofs to their owner alone', async () => {
    await gateWith([handle('alice')])
    const name = await prove(app, ['ownership-pseudonym'], { pseudonymId: 'alice' }, { options: {} })
    expect(await codes()).toEqual(['NO_PROOF'])
    expect((await ask({ explain: true })).explain[0]).toMatchObject({ lookedAt: 0, nearest: null })
    const headers = await checkHeaders(app)
    expect(await codes({}, headers)).toEqual(['PRIVATE_ONLY'])
    expect(await codes({ includePrivate: true }, headers)).toEqual(['SATISFIED'])
    await gateWith([handle('bob')])
    expect((await ask({ explain: true, includePrivate: true }, headers)).explain[0]).toMatchObject({
      code: 'WRONG_VALUE',
      nearest: { qHash: name, failed: [{ found: 'alice' }] },
    })
  })

  test('names age, and takes the nearest of several', async () => {
    await gateWith([note({ maxAgeMs: hour, match: [{ path: 'reference.type', op: 'eq', value: 'url' }] })])
    const right = await app.prove(alice, asListed, { reference: { type: 'url', id: 'https://a.example' } })
    app.wait(2 * hour)
    // Newer, and lacks one thing as well.
    const wrong = await app.prove(alice, asListed)
    expect((await ask({ explain: true })).explain[0].nearest.qHash).toBe(wrong)
    app.wait(2 * hour)
    const { explain } = await ask({ explain: true })
    expect(explain[0]).toMatchObject({ code: 'TOO_OLD', nearest: { qHash: right, failed: [{ code: 'TOO_OLD' }] } })
  })

  test('a proof signed a year ahead meets no age limit, and a new one does', async () => {
    await gateWith([note({ maxAgeMs: hour })])
    app.setClock(365 * 24 * hour)
    await app.prove(alice, asListed)
    expect((await ask({})).eligible).toBe(true)
    app.setClock(-365 * 24 * hour)
    const { eligible, explain } = await ask({ explain: true })
    expect([eligible, explain[0].code]).toEqual([false, 'TIME_TO_COME'])
    expect(explain[0].message).toContain('make a new one')
    await app.prove(alice, asListed)
    expect((await ask({})).eligible).toBe(true)
  })
})

describe('many checks in one request', () => {
  const many = (checks: object[], more: object = {}) => app.post(path, { checks, ...more })

  test('are answered one by one, in order, with errors of their own', async () => {
    await gateWith([note()])
    await app.prove(alice, { ...asListed, meta: { tags: ['a', 'b'] } })
    const { status, body } = await many([
      { address: alice.address, gateId: 'gate_demo' },
      { address: bob.address, gateId: 'gate_demo', explain: true },
      { address: alice.address, tags: ['a', 'b'], minCount: 1, requireAll: false },
      { address: alice.address, gateId: 'gate_nowhere' },
      { address: alice.address, verifierIds: ['ownership-basic'], minCount: 1001 },
      { address: '0x12', tag: 'a' },
      { address: alice.address, tag: [{ toString: 0 }] },
      { address: alice.address, contractAddress: null },
      { address: alice.address },
      { subject: 'me', tag: 'a' },
    ])
    expect(status).toBe(200)
    const brief = body.data.results.map(
      ({ data, error }: { data?: { eligible: boolean }; error?: { code: string; details: { path?: string } } }) =>
        data ? data.eligible : [error?.code, error?.details.path],
    )
    expect(brief).toEqual([
      true,
      false,
      true,
      ['GATE_NOT_FOUND', undefined],
      ['VALIDATION_ERROR', '/checks/4/minCount'],
      ['INVALID_WALLET_ADDRESS', '/checks/5/address'],
      ['VALIDATION_ERROR', '/checks/6/tag'],
      ['VALIDATION_ERROR', '/checks/7/contractAddress'],
      ['VALIDATION_ERROR', '/checks/8/gateId'],
      ['WALLET_AUTH_REQUIRED', undefined],
    ])
    expect(body.data.results.map(({ success }: { success: boolean }) => success)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('count private proofs of the wallet that signs, and of no other', async () => {
    await app.prove(alice)
    await app.prove(bob)
    const checks = [alice, bob].map(({ address }) => ({ address, verifierId: 'ownership-basic', includePrivate: true }))
    const signed = await app.ownerBody(alice, { action: 'gate_check_private_proofs', walletAddress: lower(alice) })
    const eligible = async (more: object) =>
      (await many(checks, more)).body.data.results.map(({ data }: { data: { eligible: boolean } }) => data.eligible)
    expect(await eligible({})).toEqual([false, false])
    expect(await eligible(signed)).toEqual([true, false])
    expectRefused(await many(checks, { ...signed, walletAddress: mallory.address }), 'SIGNATURE_INVALID')
    expectRefused(await many(checks, { signature: signed.signature }), 'WALLET_AUTH_REQUIRED', /beside it/)
  })

  test('stop where they would look at too many proofs, and say which are left', async () => {
    // A thousand proofs, and a hundred checks that none of them meets.
    const { db } = app.parts
    await app.prove(alice, asListed)
    const columns = listColumns('proofs').filter((name) => !['id', 'scope52', 'q_hash'].includes(name))
    const copy = `INSERT INTO proofs (scope52, q_hash, ${columns}) SELECT CAST(value AS BIGINT), ${randomHash}, ${columns}
      FROM proofs, json_each(?1) WHERE proofs.id = 1`
    const facts = `INSERT INTO proof_facts SELECT account_id, fact52, proofs.id FROM proof_facts JOIN proofs USING (account_id)
      WHERE proof_id = 1 AND proofs.id > 1`
    await db.write([
      { sql: copy, params: [JSON.stringify(Array.from({ length: 999 }, (_, at) => at))] },
      { sql: facts, params: [] },
    ])
    const one = { address: alice.address, verifierId: 'ownership-basic', contentType: 'none' }
    const { body } = await many(Array.from({ length: 100 }, () => one))
    const { results } = body.data
    const firstLeft = results.findIndex(({ success }: { success: boolean }) => !success)
    expect(firstLeft).toBeGreaterThan(10)
    expect(results.slice(0, firstLeft).every(({ data }: { data?: object }) => data !== undefined)).toBe(true)
    for (const { error } of results.slice(firstLeft))
      expect(error).toMatchObject({
        message: expect.stringContaining('another request'),
        details: { retryable: true },
      })
  })

  test('are one to a hundred', async () => {
    const one = { address: alice.address, tag: 'a' }
    expectRefused(await many([]), 'VALIDATION_ERROR', /checks/)
    expectRefused(await many(Array.from({ length: 101 }, () => one)), 'VALIDATION_ERROR', /checks/)
    const { body } = await many(Array.from({ length: 100 }, () => one))
    expect(body.data.results).toHaveLength(100)
  })
})
