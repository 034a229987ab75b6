/** A key or a token of few scopes creates nothing more powerful than itself, and nothing without an end. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { apply, definitionOf, gatesPath } from '../gates/gate.ts'
import { expectRefused } from '../http/refused.ts'
import { startSources } from '../proofs/sources.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const hour = 3_600_000

describe('an access key', () => {
  test('with scope core makes no delegation and sets up no agent, with scope profile it does', async () => {
    const { newKey, keyOf, delegate, post, app } = await startSources()
    const core = keyOf((await newKey(['core'])).key)
    const end = app.now() + hour
    const refused = await delegate(core, alice, bob, { expiresAt: end })
    expectRefused(refused, 'FORBIDDEN', /profile/)
    expect(refused.body.error.details.missingScope).toBe('profile')
    const identity = {
      walletAddress: alice.address,
      verifierIds: ['agent-identity'],
      data: { agentId: 'me', agentWallet: alice.address },
    }
    expectRefused(await post('/api/v1/verification', identity, core), 'FORBIDDEN', /profile/)
    const profile = keyOf((await newKey(['core', 'profile'])).key)
    expect((await delegate(profile, alice, bob, { expiresAt: end })).status).toBe(200)
    expect((await post('/api/v1/verification', identity, profile)).status).toBe(200)
  })

  test('with scope core revokes a private proof of its owner', async () => {
    const { newKey, keyOf, post, prove } = await startSources()
    const secret = await prove(alice, { privacyLevel: 'private' })
    const core = keyOf((await newKey(['core'])).key)
    const answer = await post(`/api/v1/proofs/revoke-self/${secret}`, {}, core)
    expect(answer).toMatchObject({ status: 200, body: { alreadyRevoked: false } })
  })

  test('with scope profile makes neither a delegation nor an access grant without an end', async () => {
    const { newKey, keyOf, delegate, share, prove } = await startSources()
    const secret = await prove(alice, { privacyLevel: 'private' })
    const key = keyOf((await newKey(['core', 'profile'])).key)
    for (const without of [{}, { expiresAt: 0 }, { expiresAt: null }])
      expectRefused(await delegate(key, alice, bob, without), 'FORBIDDEN', /data\.expiresAt/)
    expectRefused(await share(key, secret, bob, null), 'FORBIDDEN', /expiresInSeconds/)
    expect((await share(key, secret, bob, 3600)).status).toBe(200)
  })

  test('with all scopes makes a delegation and an access grant without an end', async () => {
    const { newKey, keyOf, delegate, share, prove } = await startSources()
    const secret = await prove(alice, { privacyLevel: 'private' })
    const key = keyOf((await newKey()).key)
    expect((await delegate(key, alice, bob)).status).toBe(200)
    expect((await share(key, secret, bob, null)).status).toBe(200)
  })

  test('with scope profile makes no delegation that ends later than in a year', async () => {
    const { app, newKey, keyOf, delegate } = await startSources()
    const key = keyOf((await newKey(['core', 'profile'])).key)
    const delegateUntil = (expiresAt: number) => delegate(key, alice, bob, { expiresAt })
    expectRefused(await delegateUntil(8_640_000_000_000_000), 'FORBIDDEN', /within a year/)
    expectRefused(await delegateUntil(app.now() + 366 * 24 * hour), 'FORBIDDEN', /within a year/)
    expect((await delegateUntil(app.now() + 364 * 24 * hour)).status).toBe(200)
  })

  test('with scope profile does not restore a secret reward by a rollback', async () => {
    const { app, newKey, keyOf, post } = await startSources()
    const requirements = [{ verifierId: 'ownership-basic' }]
    await apply(app, definitionOf({ requirements, rewards: [{ kind: 'reveal', value: 'the word' }] }))
    await apply(app, definitionOf({ requirements, rewards: [{ kind: 'access_granted' }] }))
    await apply(app, definitionOf({ requirements: [{ verifierId: 'nft-ownership' }], rewards: [] }))
    const rollback = (version: number, key: Record<string, string>) =>
      post(`${gatesPath}/gate_holders/rollback`, { version }, key)
    const narrow = keyOf((await newKey(['core', 'profile'])).key)
    expectRefused(await rollback(1, narrow), 'FORBIDDEN', /secrets/)
    expect((await rollback(2, narrow)).status).toBe(200)
    expect((await rollback(1, keyOf((await newKey()).key))).status).toBe(200)
  })

  test('cannot share a proof that it cannot read', async () => {
    const { newKey, keyOf, share, prove } = await startSources()
    const secret = await prove(alice, { privacyLevel: 'private' })
    const key = keyOf((await newKey(['core'])).key)
    expectRefused(await share(key, secret, bob), 'FORBIDDEN', /profile/)
  })

  test.each([
    ['reveal', 'the word', 403],
    ['download', 'https://files.example/guide.pdf', 403],
    ['redirect', 'https://club.example/inside', 403],
    ['access_granted', undefined, 200],
  ])('with scope core gets a reward only if that is no secret: %s', async (kind, value, expected) => {
    const { newKey, keyOf, prove, post, app } = await startSources()
    const qHash = await prove(alice)
    const reward = { kind, ...(value === undefined ? {} : { value }) }
    await apply(app, definitionOf({ requirements: [{ verifierId: 'ownership-basic' }], rewards: [reward] }))
    const path = `${gatesPath}/gate_holders/fulfill`
    const answer = await post(path, { qHash }, keyOf((await newKey(['core'])).key))
    expect(answer.status).toBe(expected)
    if (expected === 403) {
      expectRefused(answer, 'FORBIDDEN', /profile/)
      expect(JSON.stringify(answer.body)).not.toContain(value)
    }
    const profile = keyOf((await newKey(['core', 'profile'])).key)
    expect((await post(path, { qHash }, profile)).body.data.fulfillment.value).toBe(value ?? null)
    // A repeated request for a granted reward needs the same scope.
    expect((await post(path, { qHash }, keyOf((await newKey(['core'])).key))).status).toBe(expected)
  })
})

describe('an assistant', () => {
  test('with the scope core is asked for more scope before it makes a delegation', async () => {
    const { mcp, app } = await startSources()
    const token = await mcp.tokenOf(alice, 'svc:core')
    const data = { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + hour }
    const params = { name: 'svc_verify', arguments: { verifierIds: ['agent-delegation'], data } }
    const answer = await mcp.send(token, 'tools/call', params)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('svc:profile')
  })

  test('with the scope profile sets up an agent until a time, and lets the wallet sign for one without an end', async () => {
    const { mcp, app, status } = await startSources()
    const token = await mcp.tokenOf(alice, 'svc:core svc:profile')
    const make = (more: object) =>
      mcp.tool(token, 'svc_agent_create', { agentId: 'helper', agentWallet: bob.address, ...more })
    const endless = (await make({})).data
    expect(endless).toMatchObject({ path: 'signatures_required', delegationQHash: null })
    expect(JSON.stringify(endless.preparedSignatures)).toContain('agent-delegation')
    const ending = (await make({ expiresAt: app.now() + hour })).data
    expect(await status(ending.delegationQHash)).toBe('verified')
  })
})
