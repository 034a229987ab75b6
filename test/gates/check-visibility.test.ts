/** Tests which proofs a gate check counts for whom, and for how long: src/guides/wire.md, "What counts for whom". */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { startTwinWallets, type TwinWallets } from '../twin-wallets.ts'
import { agent, alice, bob, mallory, sol } from '../wallets.ts'
import { asListed, asPublic, checkHeaders, checking, lower, path, prove } from './check-world.ts'
import { putGate } from './fulfill-stage.ts'

setDefaultTimeout(60_000)

const day = 86_400_000
const older = '/api/v1/proofs/gate/check'
const basic = { verifierId: 'ownership-basic' }
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }

describe('the three privacy modes', () => {
  let app: TestApp
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    app = await startApp(unlimited)
    for (const [tag, options] of Object.entries({ private: {}, unlisted: asPublic, listed: asListed }))
      ids[tag] = await app.prove(alice, { ...options, meta: { tags: [tag] } })
  })

  test.each([
    ['private', false, true, false],
    ['unlisted', true, true, false],
    ['listed', true, true, true],
  ])('%s: by anybody %p, by its owner %p, on the older path %p', async (tag, byAnybody, byOwner, onOlder) => {
    const headers = await checkHeaders(app)
    const eligible = async (query: Record<string, string | boolean>, where = path, by = {}) =>
      (await checking(app, where)({ tag, ...query }, by)).body.data.eligible
    expect(await eligible({})).toBe(byAnybody)
    // Clients ask for private proofs where no wallet is at hand as well.
    expect(await eligible({ includePrivate: true })).toBe(byAnybody)
    expect(await eligible({ includePrivate: true }, path, headers)).toBe(byOwner)
    expect(await eligible({}, path, headers)).toBe(byAnybody)
    expect(await eligible({}, older)).toBe(onOlder)
    expect(await eligible({ includePrivate: true }, older, headers)).toBe(onOlder)
  })

  test('includePrivate without its owner has no effect, and the answer says so', async () => {
    const headers = await checkHeaders(app)
    const warningsOf = async (query: Record<string, string | boolean>, where = path, by = {}) =>
      (await checking(app, where)({ tag: 'private', ...query }, by)).body.data.warnings
    const expected = [expect.stringMatching(/^private proofs were not counted: .*"action":"gate_check_private_proofs"/)]
    for (const includePrivate of ['1', 'true', 'yes']) {
      expect(await warningsOf({ includePrivate })).toEqual(expected)
      expect(await warningsOf({ includePrivate }, older)).toEqual(expected)
      expect(
        await warningsOf({ includePrivate, address: bob.address }, path, (await app.signIn(alice)).headers),
      ).toEqual(expected)
      expect(await warningsOf({ includePrivate }, path, headers)).toBeUndefined()
    }
    for (const includePrivate of ['0', 'false', 'no']) expect(await warningsOf({ includePrivate })).toBeUndefined()
    const { body } = await app.post(path, {
      checks: [{ address: alice.address, tag: 'private', includePrivate: true }],
    })
    expect(body.data.results[0].data.warnings).toEqual(expected)
  })

  test.each([
    ['private', false],
    ['unlisted', false],
    ['listed', true],
  ])('%s, named on the older path without an address: %p', async (tag, counts) => {
    const ask = (query: object) =>
      leavesNothing(app.parts, () => app.get(`${older}?${new URLSearchParams({ ...query })}`))
    const { status, body } = await ask({ qHash: ids[tag]!, explain: 'true' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      eligible: counts,
      matchedCount: counts ? 1 : 0,
      matchedQHashes: counts ? [ids[tag]] : [],
    })
    // It says no more of a proof that is not listed than of one that does not exist.
    const unknown = (await ask({ qHash: `0x${'ab'.repeat(32)}`, explain: 'true' })).body.data
    if (!counts) expect({ ...body.data, criteria: unknown.criteria }).toEqual(unknown)
    const others = await ask({ qHash: ids[tag]!, address: bob.address })
    expect(others.body.data.eligible).toBe(false)
  })

  test('a gate on the older path counts listed proofs, and says nothing of its owner’s purchases', async () => {
    await putGate(app.parts, { gateId: 'club', requirements: [{ id: 'r1', verifierId: 'ownership-basic' }] })
    const ask = async (query: object, headers = {}) =>
      (await app.get(`${older}?${new URLSearchParams({ gateId: 'club', ...query })}`, headers)).body.data.gate
    const address = alice.address
    expect(await ask({ address })).toMatchObject({
      gateId: 'club',
      allRequiredSatisfied: true,
      matchedQHashes: [ids.listed],
    })
    expect(await ask({ qHash: ids.listed! })).toMatchObject({ allRequiredSatisfied: true })
    for (const tag of ['private', 'unlisted'])
      expect(await ask({ qHash: ids[tag]! })).toMatchObject({ allRequiredSatisfied: false, matchedQHashes: [] })
    expect(await ask({ address: bob.address })).toMatchObject({ allRequiredSatisfied: false })
    expect((await ask({ address }, await checkHeaders(app))).fulfillments).toBeUndefined()
  })

  test('the older path asks for an address where no proof is named, and knows no private gate', async () => {
    await putGate(app.parts, { gateId: 'hidden', policy: { visibility: 'private' } })
    const ask = (query: Record<string, string>) => app.get(`${older}?${new URLSearchParams(query)}`)
    expectRefused(await ask({ gateId: 'club' }), 'VALIDATION_ERROR', /address is missing/)
    expectRefused(await ask({ verifierId: 'ownership-basic' }), 'VALIDATION_ERROR', /address is missing/)
    expectRefused(await ask({ address: alice.address }), 'VALIDATION_ERROR', /give gateId, qHash, verifierIds/)
    for (const gateId of ['hidden', 'nobodys'])
      expectRefused(await ask({ gateId, address: alice.address }), 'GATE_NOT_FOUND')
    expectRefused(await ask({ gateId: 'no gate', address: alice.address }), 'VALIDATION_ERROR')
    expectRefused(await ask({ qHash: '0x12' }), 'VALIDATION_ERROR')
  })

  test('private proofs are named only where their owner asks for names', async () => {
    const headers = await checkHeaders(app)
    const check = checking(app)
    const counted = { eligible: true, matchedCount: 3 }
    const silent = await check({ ...basic, includePrivate: true }, headers)
    expect(silent.body.data).toMatchObject({ ...counted, matchedQHashes: [ids.listed, ids.unlisted] })
    const named = await check({ ...basic, includePrivate: true, includeQHashes: true }, headers)
    expect(named.body.data).toMatchObject({ ...counted, matchedQHashes: [ids.listed, ids.unlisted, ids.private] })
  })

  test('a named private proof does not exist for a stranger', async () => {
    const headers = await checkHeaders(app)
    const ask = async (by: Record<string, string>) =>
      (await app.get(`${path}?qHash=${ids.private}&includePrivate=true&includeQHashes=true&explain=true`, by)).body.data
    const { explain, ...stranger } = await ask({})
    expect(stranger).toMatchObject({ eligible: false, matchedCount: 0, matchedQHashes: [] })
    expect(explain[0]).toMatchObject({ code: 'NO_PROOF', lookedAt: 0, nearest: null })
    expect(await ask(headers)).toMatchObject({ eligible: true, matchedQHashes: [ids.private] })
  })

  test('subject=me is the wallet that signs', async () => {
    const mine = `${path}?subject=me&tag=private&includePrivate=true`
    expect((await app.get(mine, await checkHeaders(app))).body.data.eligible).toBe(true)
    expect((await app.get(mine, await checkHeaders(app, bob))).body.data.eligible).toBe(false)
    expectRefused(await app.get(mine), 'WALLET_AUTH_REQUIRED', /subject=me/)
  })

  test('a signature must be right, fresh, for this, and by the wallet that is checked', async () => {
    const check = (headers: Record<string, string>) =>
      leavesNothing(app.parts, () => checking(app)({ ...basic, includePrivate: true }, headers))
    const headers = await checkHeaders(app)
    expectRefused(await check(await checkHeaders(app, mallory)), 'FORBIDDEN', /signed, but/)
    const forged = { ...(await checkHeaders(app, mallory)), 'x-wallet-address': alice.address }
    expectRefused(await check(forged), 'SIGNATURE_INVALID')
    const forList = { action: 'access_private_proofs_by_wallet', walletAddress: lower(alice) }
    expectRefused(await check(await app.ownerHeaders(alice, forList)), 'SIGNATURE_INVALID')
    const stale = await app.ownerHeaders(
      alice,
      { action: 'gate_check_private_proofs', walletAddress: lower(alice) },
      app.now() - 301_000,
    )
    expectRefused(await check(stale), 'EXPIRED_SIGNATURE')
    const { 'x-signature': _, ...incomplete } = headers
    expectRefused(await check(incomplete), 'WALLET_AUTH_REQUIRED')
    expect((await check(headers)).status).toBe(200)
  })

  test('a Solana wallet signs for its private proofs as well', async () => {
    await app.prove(sol, { meta: { tags: ['mine'] } })
    const ask = checking(app)
    const query = { address: sol.address, tag: 'mine', includePrivate: true }
    expect((await ask(query)).body.data.eligible).toBe(false)
    expect((await ask(query, await checkHeaders(app, sol))).body.data.eligible).toBe(true)
  })
})

test('hidden fields of a public proof cannot be found out by asking', async () => {
  const app = await startApp(unlimited)
  await prove(app, ['agent-delegation'], {
    controllerWallet: alice.address,
    agentWallet: agent.address,
    provider: 'acme-ai',
  })
  const query = { verifierId: 'agent-delegation', provider: 'acme-ai', select: 'provider', explain: true }
  const { data } = (await checking(app)(query)).body
  expect(data).toMatchObject({ eligible: false, projections: [] })
  expect(JSON.stringify(data.explain[0].nearest)).not.toContain('"found"')
  const owner = await checking(app)({ ...query, includePrivate: true }, await checkHeaders(app))
  expect(owner.body.data).toMatchObject({
    eligible: true,
    projections: [{ verifierId: 'agent-delegation', provider: 'acme-ai' }],
  })
})

describe('a proof stops counting', () => {
  test('the moment it is revoked', async () => {
    const app = await startApp(unlimited)
    const qHash = await app.prove(alice, asListed)
    const check = checking(app)
    expect((await check(basic)).body.data.eligible).toBe(true)
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    for (const query of [basic, { qHash }]) {
      const { data } = (await check({ ...query, explain: true })).body
      expect(data).toMatchObject({ eligible: false, matchedQHashes: [] })
      expect(data.explain[0]).toMatchObject({ code: 'REVOKED', nearest: { qHash, status: 'revoked' } })
    }
  })

  test('when it expires, with and without the sweep', async () => {
    const app = await startApp(unlimited)
    const expiresAt = app.now() + day
    const claim = { controllerWallet: alice.address, agentWallet: agent.address, expiresAt }
    await prove(app, ['agent-delegation'], claim)
    const eligible = async () => (await checking(app)({ agentWallet: agent.address })).body.data.eligible
    app.wait(expiresAt - app.now() - 1)
    expect(await eligible()).toBe(true)
    app.wait(1)
    expect(await eligible()).toBe(false)
    await app.sweep()
    expect(await eligible()).toBe(false)
    const { data } = (await checking(app)({ agentWallet: agent.address, explain: true })).body
    expect(data.explain[0]).toMatchObject({ code: 'EXPIRED', lookedAt: 1 })
  })

  test('when a newer run of the same claim takes its place, and does not come back when that one goes', async () => {
    const app = await startApp(unlimited)
    const content = { content: 'The same text' }
    const first = await app.prove(alice, asListed, content)
    const second = await app.prove(alice, asListed, content)
    const check = checking(app)
    expect((await check(basic)).body.data).toMatchObject({ matchedCount: 1, matchedQHashes: [second] })
    const { data } = (await check({ qHash: first, explain: true })).body
    expect(data).toMatchObject({ eligible: false })
    expect(data.explain[0]).toMatchObject({ code: 'REPLACED', nearest: { qHash: first } })
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash: second })
    await app.post(`/api/v1/proofs/revoke-self/${second}`, body)
    expect((await check(basic)).body.data.matchedCount).toBe(0)
  })

  test('a public run and a newer private one of one claim count once', async () => {
    const app = await startApp(unlimited)
    const content = { content: 'The same text' }
    await app.prove(alice, asListed, content)
    const newest = await app.prove(alice, {}, content)
    const query = { ...basic, includePrivate: true, includeQHashes: true, minCount: 2 }
    expect((await checking(app)(query, await checkHeaders(app))).body.data).toMatchObject({
      eligible: false,
      matchedCount: 1,
      matchedQHashes: [newest],
    })
  })

  test('for since and sinceDays by the clock', async () => {
    const app = await startApp(unlimited)
    await app.prove(alice, asListed)
    const at = app.now()
    const check = async (query: object) => (await checking(app)({ ...basic, ...query })).body.data.eligible
    expect(await check({ since: at })).toBe(true)
    expect(await check({ since: at + 1 })).toBe(false)
    app.wait(day)
    expect(await check({ sinceDays: 1 })).toBe(true)
    app.wait(1)
    expect(await check({ sinceDays: 1 })).toBe(false)
    expect(await check({ sinceDays: 2 })).toBe(true)
    expect(await check({ sinceDays: 2, since: at + 1 })).toBe(false)
    const { data } = (await checking(app)({ ...basic, sinceDays: 1, explain: true })).body
    expect(data.explain[0]).toMatchObject({ code: 'TOO_OLD', nearest: { failed: [{ code: 'TOO_OLD', found: at }] } })
  })

  test.each([path, older])('for since and sinceDays at a gate as well: %s', async (where) => {
    const app = await startApp(unlimited)
    await putGate(app.parts, { gateId: 'club', requirements: [{ id: 'r1', verifierId: 'ownership-basic' }] })
    await app.prove(alice, asListed)
    const at = app.now()
    const ask = async (query: object) => (await checking(app, where)({ gateId: 'club', ...query })).body.data
    const yes = { eligible: true, gate: { allRequiredSatisfied: true } }
    const no = { eligible: false, gate: { allRequiredSatisfied: false } }
    expect(await ask({ since: at })).toMatchObject(yes)
    expect(await ask({ since: at + 1 })).toMatchObject(no)
    app.wait(day + 1)
    expect(await ask({})).toMatchObject(yes)
    expect(await ask({ sinceDays: 1, explain: true })).toMatchObject({ ...no, explain: [{ code: 'TOO_OLD' }] })
    expect(await ask({ sinceDays: 2 })).toMatchObject(yes)
    expect(await ask({ minCount: 2 })).toMatchObject({ eligible: false, gate: { allRequiredSatisfied: true } })
  })

  test('for sinceDays, not by a clock that was a year ahead; without it the proof counts', async () => {
    const app = await startApp(unlimited)
    app.setClock(365 * day)
    await app.prove(alice, asListed)
    const check = async (query: object) => (await checking(app)({ ...basic, ...query })).body.data.eligible
    expect(await check({ sinceDays: 1 })).toBe(true)
    app.setClock(-365 * day)
    expect(await check({ sinceDays: 1 })).toBe(false)
    expect(await check({})).toBe(true)
    await app.prove(alice, { ...asListed, reference: { type: 'url', id: 'https://a.example' } })
    expect(await check({ sinceDays: 1 })).toBe(true)
  })

  test('when everything of the wallet is erased', async () => {
    const app = await startApp(unlimited)
    const qHash = await app.prove(alice, asListed)
    await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: lower(alice) }),
    )
    expect((await checking(app)(basic)).body.data.eligible).toBe(false)
    expect((await app.get(`${path}?qHash=${qHash}`)).body.data.eligible).toBe(false)
  })
})

describe('a contract wallet', () => {
  let twins: TwinWallets
  beforeAll(async () => {
    twins = await startTwinWallets('eip155:8453', 'eip155:10')
  })
  afterAll(() => twins?.stop())

  test('signing on one chain counts the proofs of that chain only', async () => {
    const app = await startApp({ ...unlimited, ...twins.env })
    const { ofAlice, ofMallory } = twins
    const qHash = await app.prove(ofAlice, { meta: { tags: ['treasure'] } })
    await app.prove(ofMallory, { meta: { tags: ['loot'] } })

    const check = async (by: typeof ofAlice, tag: string) => {
      const signed = await by.signAction({ action: 'gate_check_private_proofs', walletAddress: by.address }, app.now())
      const headers = {
        'x-wallet-address': by.address,
        'x-signature': signed.signature,
        'x-signed-timestamp': String(app.now()),
        'x-chain': signed.chain!,
      }
      const query = { address: by.address, includePrivate: true, tag, includeQHashes: true, explain: true }
      return (await checking(app)(query, headers)).body.data
    }
    expect(await check(ofAlice, 'treasure')).toMatchObject({ eligible: true, matchedQHashes: [qHash] })
    expect(await check(ofMallory, 'treasure')).toMatchObject({ eligible: false, matchedQHashes: [] })
    expect((await check(ofMallory, 'treasure')).explain[0].nearest.qHash).not.toBe(qHash)
    expect(await check(ofMallory, 'loot')).toMatchObject({ eligible: true })
    await app.close()
  })
})
