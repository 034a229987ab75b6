/** The work of a check is bounded on every surface. A check cut short says so, and never passes wrongly. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { evaluateGate } from '../../src/gates/check/evaluate.ts'
import { explainGate } from '../../src/gates/check/explain.ts'
import { makeHolder } from '../../src/proofs/account-store.ts'
import { CheckWork, mostWork, workPrices } from '../../src/proofs/check-work.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { startMcp } from '../mcp/mcp.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'
import { checking, lower, path } from './check-world.ts'
import { putGate, type StageGate } from './fulfill-stage.ts'
import { gatesPath } from './gate.ts'
import { storeProofs } from './stored-proofs.ts'

setDefaultTimeout(60_000)

const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }
const id = 'agent-identity'
const long = 'A'.repeat(2_040)

/** Sixteen long texts in each proof. */
const longProofs = (count: number, wallet: TestWallet) =>
  Array.from({ length: count }, (_, at) => ({
    verifierId: id,
    data: {
      agentId: `a${at}`,
      agentWallet: lower(wallet),
      ...Object.fromEntries(Array.from({ length: 16 }, (_, text) => [`t${text}`, `${long}${at}`])),
    },
  }))

/** Sixteen long conditions; no proof meets the last one. */
const longMatch = Array.from({ length: 16 }, (_, text) => ({
  path: `t${text}`,
  op: 'eq' as const,
  value: text < 15 ? `${long}7` : `${long}none`,
}))
const requirements = (members: object, count = 32) =>
  Array.from({ length: count }, () => ({ verifierId: id, ...members })) as NonNullable<StageGate['requirements']>

/** A request reads about three quarters of 400 proofs with 33 kB each. */
const tooMany = 400

describe('a wallet with more than one request may read', () => {
  let app: TestApp
  let newest: string
  let check: ReturnType<typeof checking>
  beforeAll(async () => {
    app = await startApp(unlimited)
    check = checking(app)
    newest = (await storeProofs(app, longProofs(tooMany, alice))).at(-1)!
    await putGate(app.parts, { gateId: 'never', requirements: requirements({ match: longMatch }) })
    await putGate(app.parts, { gateId: 'one', requirements: requirements({}, 1) })
    await putGate(app.parts, { gateId: 'all', requirements: requirements({ minCount: tooMany }, 1) })
  })
  afterAll(() => app.close())

  test('gets an answer that says it is not complete', async () => {
    const { data } = (await check({ gateId: 'never' })).body
    expect(data).toMatchObject({ eligible: false, complete: false, gate: { allRequiredSatisfied: false } })
    const counted = (await check({ verifierId: id, minCount: tooMany })).body.data
    expect(counted).toMatchObject({ eligible: false, complete: false })
    expect((await check({ gateId: 'all' })).body.data).toMatchObject({ eligible: false, complete: false })
  })

  test('keeps a yes that the proofs which were read have shown', async () => {
    expect((await check({ verifierId: id })).body.data).toMatchObject({ eligible: true, complete: false })
    expect((await check({ gateId: 'one' })).body.data).toMatchObject({ eligible: true, complete: true })
    const named = await check({ verifierId: id, qHash: newest })
    expect(named.body.data).toMatchObject({ eligible: true, complete: true, matchedQHashes: [newest] })
  })

  test('is told in the explanation why the answer is missing', async () => {
    const { explain } = (await check({ gateId: 'never', explain: true })).body.data
    expect(explain).toHaveLength(32)
    expect(explain[31]).toMatchObject({
      code: 'INCOMPLETE',
      isSatisfied: false,
      message: expect.stringContaining('ask for less in one request'),
    })
  })

  test('shares the limit between the entries of a batch, which can be sent again', async () => {
    const checks = Array.from({ length: 20 }, (_, at) => ({
      address: alice.address,
      gateId: 'never',
      limit: 1_000 - at,
    }))
    const { results } = (await app.post(path, { checks })).body.data
    expect(results[0]).toMatchObject({ success: true, data: { eligible: false, complete: false } })
    for (const one of results.slice(1))
      expect(one).toMatchObject({ success: false, error: { details: { retryable: true } } })
  })

  test('shares it with a trial of a gate', async () => {
    const { headers } = await app.signIn(bob)
    const definition = { gateId: 'tried', name: 'Tried', requirements: requirements({ match: longMatch.slice(8) }, 1) }
    const answer = await app.post(`${gatesPath}/test`, { definition, wallet: alice.address }, headers)
    expect(answer.body.data).toMatchObject({ passes: false, complete: false })
  })

  test('is refused a fulfillment with an explanation, and nothing is claimed', async () => {
    const qHash = newest
    const signed = await app.ownerBody(alice, { action: 'fulfill_gate', gateId: 'never', qHash })
    const answer = await leavesNothing(app.parts, () => app.post(`${gatesPath}/never/fulfill`, { qHash, ...signed }))
    expectRefused(answer, 'GATE_CHECK_INCOMPLETE', /limit of work.*Nothing was charged/)
    const open = await app.ownerBody(alice, { action: 'fulfill_gate', gateId: 'one', qHash })
    expect((await app.post(`${gatesPath}/one/fulfill`, { qHash, ...open })).status).toBe(200)
  })
})

test('a gate of long conditions reads and normalizes each of 150 proofs once, and answers in full', async () => {
  const app = await startApp(unlimited)
  await storeProofs(app, longProofs(150, alice))
  const work = new CheckWork()
  const definition = { gateId: 'g', name: 'G', requirements: requirements({ match: longMatch }) }
  const { isSatisfied, requirements: results } = await evaluateGate(
    app.parts,
    { definition },
    { holder: makeHolder({ wallet: lower(alice), contractOn: undefined }), withPrivate: false, work },
  )
  expect({ isSatisfied, isComplete: results.every(({ isComplete }) => isComplete) }).toEqual({
    isSatisfied: false,
    isComplete: true,
  })
  expect(work.proofs.size).toBe(150)
  expect(work.searches.size).toBe(1)
  expect(work.spent).toBeLessThan(mostWork)
  await app.close()
})

describe('the work of a gate grows', () => {
  const measureWork = async (app: TestApp, match: NonNullable<StageGate['requirements']>[number]['match']) => {
    const work = new CheckWork()
    const definition = { gateId: 'g', name: 'G', requirements: requirements({ match }, 1) }
    await evaluateGate(
      app.parts,
      { definition },
      { holder: makeHolder({ wallet: lower(alice), contractOn: undefined }), withPrivate: false, work },
    )
    return work.spent
  }

  test('with each row that is walked past, also where no record is read', async () => {
    const app = await startApp(unlimited)
    const wanted = [{ path: 't0', op: 'eq' as const, value: 'none' }]
    await storeProofs(app, longProofs(5, alice))
    const few = await measureWork(app, wanted)
    await storeProofs(
      app,
      // The first five have the ids of those before, so that 200 are new.
      Array.from({ length: 205 }, (_, at) => ({
        verifierId: id,
        data: { agentId: `b${at}`, agentWallet: lower(bob) },
      })),
    )
    await app.parts.db.write([
      { sql: `UPDATE proofs SET expires_at = 1 WHERE record LIKE '%"b%'`, params: [] },
      { sql: 'UPDATE proofs SET revoked_at = 1 WHERE expires_at = 1 AND id % 2 = 0', params: [] },
    ])
    expect((await measureWork(app, wanted)) - few).toBeGreaterThanOrEqual(200 * workPrices.row)
    await app.close()
  })

  test('with its conditions, also where there is no proof', async () => {
    const app = await startApp(unlimited)
    expect((await measureWork(app, longMatch)) - (await measureWork(app, []))).toBeGreaterThanOrEqual(
      16 * workPrices.condition,
    )
    await app.close()
  })

  test('with the length of the compared values', async () => {
    const app = await startApp(unlimited)
    const texts = (length: number) => ({
      agentId: 'a',
      agentWallet: lower(alice),
      short: 'é',
      long: 'é'.repeat(length),
    })
    await storeProofs(app, [{ verifierId: id, data: texts(4_000) }])
    const comparing = (path: string) => measureWork(app, [{ path, op: 'eq', value: 'none' }])
    expect((await comparing('long')) - (await comparing('short'))).toBeGreaterThanOrEqual(4_000)
    await app.close()
  })

  test('with its explanation, which ends where the budget does', async () => {
    const app = await startApp(unlimited)
    await storeProofs(app, longProofs(100, alice))
    const definition = { gateId: 'g', name: 'G', requirements: requirements({ match: longMatch }, 2) }
    const viewer = {
      holder: makeHolder({ wallet: lower(alice), contractOn: undefined }),
      withPrivate: false,
      work: new CheckWork(),
    }
    const evaluation = await evaluateGate(app.parts, { definition }, viewer)
    const [whole] = await explainGate(app.parts, viewer, evaluation)
    expect(whole!.lookedAt).toBe(100)
    viewer.work.spent = mostWork - 500
    const [cut, last] = await explainGate(app.parts, viewer, evaluation)
    expect(cut!.lookedAt).toBeLessThan(50)
    expect(last!.lookedAt).toBe(0)
    await app.close()
  })
})

test('an older gate that wants 32 times 1,000 proofs is answered within the limit', async () => {
  const app = await startApp(unlimited)
  const about = (at: number) => ({ contentHash: `0x${at.toString(16).padStart(64, '0')}`, contentType: 'text/plain' })
  await storeProofs(
    app,
    Array.from({ length: 1_000 }, (_, at) => ({ verifierId: 'ownership-basic', data: about(at) })),
  )
  const requirements = Array.from({ length: 32 }, (_, at) => ({
    verifierId: 'ownership-basic',
    minCount: 1_000,
    match: Array.from({ length: 16 }, () => ({ path: 'contentType', op: 'eq' as const, value: `text/plain` })).slice(
      at % 2,
    ),
  }))
  await putGate(app.parts, { gateId: 'want', requirements })
  const answers: Answer[] = []
  for (const query of [{}, { explain: true, includeQHashes: true }])
    answers.push(await checking(app)({ gateId: 'want', ...query }))
  for (const { body } of answers) {
    expect(body.data).toMatchObject({ eligible: false, complete: false })
    expect(JSON.stringify(body).length).toBeLessThan(2_000_000)
  }
  await app.close()
})

test('a batch over one wallet reads its proofs once', async () => {
  const app = await startApp(unlimited)
  const about = (at: number) => ({ agentWallet: `0x${at.toString(16).padStart(40, '0')}`, scope: 'global' })
  await storeProofs(
    app,
    Array.from({ length: 200 }, (_, at) => ({ verifierId: 'agent-delegation', data: about(at) })),
  )
  const one = { address: alice.address, verifierId: 'agent-delegation', delegationScope: 'none' }
  const { results } = (await app.post(path, { checks: Array.from({ length: 100 }, () => one) })).body.data
  expect(results.every(({ data }: { data?: { complete: boolean } }) => data?.complete)).toBe(true)
  await app.close()
})

test('the answer of a batch stays below 2 MB', async () => {
  const app = await startApp(unlimited)
  const about = (at: number) => ({ agentWallet: `0x${at.toString(16).padStart(40, '0')}`, scope: 'global' })
  await storeProofs(
    app,
    Array.from({ length: 600 }, (_, at) => ({ verifierId: 'agent-delegation', data: about(at) })),
  )
  const one = { address: alice.address, verifierId: 'agent-delegation', select: 'provider,handle' }
  const { body } = await app.post(path, { checks: Array.from({ length: 100 }, () => one) })
  expect(JSON.stringify(body).length).toBeLessThan(2_000_000)
  expect(body.data.results.at(-1)).toMatchObject({ success: false, error: { details: { retryable: true } } })
  for (const { data } of body.data.results)
    if (data) expect(data.complete).toBe(data.matchedQHashes.length === data.matchedCount)
  await app.close()
})

test('a limit does not count private proofs, which no caller can see', async () => {
  const app = await startApp(unlimited)
  const hashes = Array.from({ length: 20 }, (_, at) => `0x${at.toString(16).padStart(64, '0')}`)
  const rows = hashes.map((contentHash) => ({
    verifierId: 'ownership-basic',
    data: { contentHash, contentType: 'a/b' },
  }))
  await storeProofs(app, rows, { isPrivate: true })
  for (const query of [
    { contentType: 'a/b' },
    { verifierId: 'ownership-basic' },
    { verifierIds: 'ownership-basic,nft-ownership' },
    { contentHash: hashes[0]! },
    { verifierId: 'ownership-basic', contentHash: hashes.at(-1)! },
  ]) {
    const { data } = (await checking(app)({ ...query, limit: 1 })).body
    expect(data).toMatchObject({ eligible: false, complete: true })
  }
  await app.close()
})

test('tools of assistants share the limit, and say where they stopped', async () => {
  const app = await startMcp()
  await storeProofs(app, longProofs(tooMany, alice))
  const token = await app.tokenOf()
  const asked = { verifiers: [id, 'ownership-basic'], requireAll: true, minCount: 1_000 }
  const answer = (await app.tool(token, 'svc_proofs_check', asked)).data
  expect(answer).toMatchObject({ eligible: false, complete: false })
  // The first look has used up everything, so the verifiers one by one find nothing.
  expect(answer.results.map(({ matchedCount }: { matchedCount: number }) => matchedCount)).toEqual([0, 0])
  const guided = { verifierIds: [id], data: { agentId: 'nobody' } }
  expect((await app.tool(token, 'svc_verify_or_guide', guided)).data).toMatchObject({ eligible: false, complete: true })
  await app.close()
})
