/** Proofs and grants of keys, apps and linked wallets end with their source only. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { endAllGrants, removeClient } from '../../src/oauth/remove-client.ts'
import { expectRefused } from '../http/refused.ts'
import { authorizeParameters, returnedBy } from '../oauth/flow.ts'
import { overtake } from '../parts/overtake.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { link, unlink } from '../payments/linking.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { low, startSources } from './sources.ts'

setDefaultTimeout(60_000)

const hour = 3_600_000
const oneDay = 24 * hour

describe('an access key that is revoked', () => {
  test('takes its delegations with it at once, wherever they count', async () => {
    const { newKey, keyOf, delegate, revoke, status, counts, signIn, sourceOf, mcp, app } = await startSources()
    const { key, keyId } = await newKey()
    const { qHash } = (await delegate(keyOf(key), alice, bob)).body.data
    expect(await sourceOf(alice, qHash)).toEqual({ kind: 'access-key', id: keyId, ended: null })
    expect(await counts(alice, bob)).toBe(true)
    const asAssistant = await mcp.tokenOf(alice)
    const found = async () => (await mcp.tool(asAssistant, 'svc_agent_link', { agentWallet: bob.address })).data
    expect((await found()).delegationQHash).toBe(qHash)

    const { headers } = await signIn(alice)
    expect((await revoke(headers, `/api/v1/auth/profile-keys/${keyId}`)).status).toBe(200)
    expect(await status(qHash)).toBe('revoked')
    expect(await counts(alice, bob)).toBe(false)
    expect((await found()).delegationQHash).toBeNull()
    expect(await sourceOf(alice, qHash)).toEqual({ kind: 'access-key', id: keyId, ended: 'access_key_revoked' })
    const { revokedAt } = (await app.get(`/api/v1/proofs/${qHash}`)).body.data
    expect(revokedAt).toBe(app.now())
  })

  test('does so also when it revokes itself', async () => {
    const { newKey, keyOf, delegate, revoke, status } = await startSources()
    const { key } = await newKey()
    const { qHash } = (await delegate(keyOf(key), alice, bob)).body.data
    await revoke(keyOf(key), '/api/v1/auth/profile-key')
    expect(await status(qHash)).toBe('revoked')
  })

  test('takes back the read access that it granted, and not that of the wallet itself', async () => {
    const { newKey, keyOf, share, reads, revoke, signIn, prove } = await startSources()
    const qHash = await prove(alice, { privacyLevel: 'private' })
    const own = await signIn(alice)
    const { key, keyId } = await newKey()
    await share(own.headers, qHash, bob)
    await share(keyOf(key), qHash, bob, 7200)
    await share(keyOf(key), qHash, mallory)
    expect([await reads(bob, qHash), await reads(mallory, qHash)]).toEqual([true, true])
    await revoke(own.headers, `/api/v1/auth/profile-keys/${keyId}`)
    expect([await reads(bob, qHash), await reads(mallory, qHash)]).toEqual([true, false])
  })

  test('leaves the proofs of a browser of the wallet, its signed proofs, and those of other keys', async () => {
    const { newKey, keyOf, delegate, delegateSigned, revoke, status, signIn, sourceOf } = await startSources()
    const { headers } = await signIn(alice)
    const [first, second] = [await newKey(), await newKey()]
    const bySession = (await delegate(headers, alice, bob)).body.data.qHash
    const bySignature = (await delegateSigned(alice, bob)).body.data.qHash
    const byOther = (await delegate(keyOf(second.key), alice, bob)).body.data.qHash
    await delegate(keyOf(first.key), alice, bob)
    await revoke(headers, `/api/v1/auth/profile-keys/${first.keyId}`)
    for (const qHash of [bySession, bySignature, byOther]) expect(await status(qHash)).toBe('verified')
    expect((await sourceOf(alice, bySession)).kind).toBe('session')
    expect((await sourceOf(alice, bySignature)).kind).toBe('signature')
  })

  test('shows beforehand how much its revocation ends', async () => {
    const { newKey, keyOf, delegate, share, signIn, prove, get, app } = await startSources()
    const qHash = await prove(alice, { privacyLevel: 'private' })
    const { key } = await newKey()
    await delegate(keyOf(key), alice, bob)
    await delegate(keyOf(key), alice, mallory, { expiresAt: app.now() + hour })
    await share(keyOf(key), qHash, mallory)
    const { headers } = await signIn(alice)
    const listed = async () => (await get('/api/v1/auth/profile-keys', headers)).body.data.keys[0].endsWith
    expect(await listed()).toEqual({ delegations: 2, agents: 0, accessGrants: 1 })
    app.wait(hour)
    expect(await listed()).toEqual({ delegations: 1, agents: 0, accessGrants: 0 })
  })

  test.each(['/api/v1/auth/profile-keys/', '/api/v1/auth/profile-key'])(
    'does not count replaced proofs, and DELETE %s says what ended',
    async (path) => {
      const { newKey, keyOf, delegate, revoke, signIn, get, app } = await startSources()
      const { key, keyId } = await newKey()
      for (const days of [1, 2, 3]) {
        app.wait(1)
        await delegate(keyOf(key), alice, bob, { agentId: 'a', expiresAt: app.now() + days * 24 * hour })
      }
      const { headers } = await signIn(alice)
      const only = { delegations: 1, agents: 0, accessGrants: 0 }
      expect((await get('/api/v1/auth/profile-keys', headers)).body.data.keys[0].endsWith).toEqual(only)
      const isOwn = path.endsWith('profile-key')
      const answer = await revoke(isOwn ? keyOf(key) : headers, isOwn ? path : path + keyId)
      expect(answer.body.data).toMatchObject({ keyId, ended: only })
      expect(answer.body.data).not.toHaveProperty('endsWith')
    },
  )

  test.each(['/api/v1/auth/profile-keys/', '/api/v1/auth/profile-key'])(
    'counts what was made with it just before, and DELETE %s says so',
    async (path) => {
      const { newKey, keyOf, delegate, revoke, signIn, share, prove, app } = await startSources()
      const qHash = await prove(alice, { privacyLevel: 'private' })
      const { key, keyId } = await newKey()
      const { headers } = await signIn(alice)
      overtake(app.parts.db, 'UPDATE access_keys SET revoked_at', async () => {
        await delegate(keyOf(key), alice, bob)
        await share(keyOf(key), qHash, mallory)
      })
      const isOwn = path.endsWith('profile-key')
      const answer = await revoke(isOwn ? keyOf(key) : headers, isOwn ? path : path + keyId)
      expect(answer.body.data.ended).toEqual({ delegations: 1, agents: 0, accessGrants: 1 })
    },
  )

  test('notifies the chains that hold its proofs, and sends no more', async () => {
    const { newKey, keyOf, delegate, revoke, app } = await startSources()
    const { key } = await newKey()
    await delegate(keyOf(key), alice, bob)
    const insert = (chain: number, state: string) => ({
      sql: `INSERT INTO publications (proof_id, chain_id, action, state, asked_at)
            SELECT max(id), ?1, 'timestamp', ?2, ?3 FROM proofs`,
      params: [chain, state, app.now()],
    })
    await app.parts.db.write([insert(1, 'mined'), insert(2, 'waiting')])
    await revoke(keyOf(key), '/api/v1/auth/profile-key')
    expect(
      await select(
        app.parts.db,
        'SELECT chain_id AS chain, action, state FROM publications ORDER BY chain_id, action',
      ).all(),
    ).toEqual([
      { chain: 1, action: 'revoke', state: 'waiting' },
      { chain: 1, action: 'timestamp', state: 'mined' },
      { chain: 2, action: 'timestamp', state: 'failed' },
    ])
  })

  test('takes back the read access to its own proofs, and frees their names', async () => {
    const { newKey, keyOf, post, reads, revoke, signIn, share, submit, app } = await startSources()
    const { key, keyId } = await newKey()
    const named = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } }
    const made = await post(
      '/api/v1/verification',
      {
        walletAddress: alice.address,
        verifierIds: ['agent-delegation', ...named.verifierIds],
        data: {
          'agent-delegation': { controllerWallet: alice.address, agentWallet: bob.address },
          'ownership-pseudonym': named.data,
        },
        options: { privacyLevel: 'private' },
      },
      keyOf(key),
    )
    expect(made.status).toBe(200)
    const { qHash } = made.body.data
    const own = await signIn(alice)
    await share(own.headers, qHash, mallory)
    expect(await reads(mallory, qHash)).toBe(true)
    expectRefused(await submit(bob, named), 'CONFLICT', /held by another wallet/)

    await revoke(own.headers, `/api/v1/auth/profile-keys/${keyId}`)
    expect(await reads(mallory, qHash)).toBe(false)
    app.wait(1)
    expect((await submit(bob, named)).status).toBe(200)
  })
})

test('a key makes at most 1,000 active delegations, so that revoking it stays one short write', async () => {
  const { newKey, keyOf, delegate, delegateSigned, ownerBody, post, app } = await startSources()
  const { key, keyId } = await newKey()
  const { qHash } = (await delegate(keyOf(key), alice, bob)).body.data
  await app.parts.db.write([
    {
      sql: `${countTo(998)}
            INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, signed_timestamp, created_at,
              updated_at, record)
            SELECT i, ${randomHash}, account_id, i, status, visibility, 1, 1, 1, record
            FROM n, (SELECT * FROM proofs ORDER BY id DESC LIMIT 1) latest`,
      params: [],
    },
    {
      sql: `INSERT INTO proof_sources (proof_id, verifier, kind, source_id)
            SELECT id, 'agent-delegation', 'access-key', ?1 FROM proofs WHERE created_at = 1`,
      params: [keyId],
    },
  ])
  expect((await delegate(keyOf(key), alice, bob)).status).toBe(200)
  expectRefused(await delegate(keyOf(key), alice, bob), 'CONFLICT', /1000 delegations.*revoke some/)
  expect((await delegateSigned(alice, bob)).status).toBe(200)
  expect((await delegate(keyOf((await newKey()).key), alice, bob)).status).toBe(200)
  await post(`/api/v1/proofs/revoke-self/${qHash}`, await ownerBody(alice, { action: 'revoke_proof', qHash }))
  expect((await delegate(keyOf(key), alice, bob)).status).toBe(200)
})

describe('an app that is disconnected', () => {
  test('takes the agent that it set up with it', async () => {
    const { connect, mcp, status, signIn, revoke, get } = await startSources()
    const { client, access_token } = await connect()
    const { data } = await mcp.tool(access_token, 'svc_agent_create', { agentId: 'helper', agentWallet: 'generate' })
    expect([await status(data.identityQHash), await status(data.delegationQHash)]).toEqual(['verified', 'verified'])
    const { headers } = await signIn(alice)
    const { apps } = (await get('/api/v1/auth/apps', headers)).body.data
    expect(apps[0].endsWith).toEqual({ delegations: 1, agents: 1, accessGrants: 0 })
    await revoke(headers, `/api/v1/auth/apps/${client}`)
    expect([await status(data.identityQHash), await status(data.delegationQHash)]).toEqual(['revoked', 'revoked'])
  })

  test('is affected too when the client, the operator or a replayed code revokes the grant', async () => {
    const { app, connect, mcp, status, flow } = await startSources()
    const made = async (token: string) => {
      app.wait(1)
      const { data } = await mcp.tool(token, 'svc_verify', {
        verifierIds: ['agent-delegation'],
        data: { controllerWallet: alice.address, agentWallet: bob.address, agentId: String(app.now()) },
        options: { privacyLevel: 'public' },
      })
      return data.qHash as string
    }
    const first = await connect()
    const byClient = await made(first.access_token)
    await flow.revoke(first.refresh_token, { client_id: first.client })
    expect(await status(byClient)).toBe('revoked')

    const second = await connect()
    const byOperator = await made(second.access_token)
    await removeClient(app.parts, second.client)
    expect(await status(byOperator)).toBe('revoked')

    const code = await flow.newCode()
    const tokens = (await flow.redeem(code)).body
    const byReplay = await made(tokens.access_token)
    await flow.redeem(code)
    expect(await status(byReplay)).toBe('revoked')
  })

  test('is counted when the operator revokes the grant just after it was made', async () => {
    const { app, connect, mcp } = await startSources()
    const makeOne = async (token: string) => {
      app.wait(1)
      const data = { controllerWallet: alice.address, agentWallet: bob.address, agentId: String(app.now()) }
      await mcp.tool(token, 'svc_verify', { verifierIds: ['agent-delegation'], data, options: {} })
    }
    const one = { grants: 1, ended: { delegations: 1, agents: 0, accessGrants: 0 } }
    const first = await connect()
    overtake(app.parts.db, 'DELETE FROM oauth_clients', () => makeOne(first.access_token))
    expect(await removeClient(app.parts, first.client)).toEqual(one)
    const second = await connect()
    overtake(app.parts.db, 'UPDATE oauth_families SET revoked_at', () => makeOne(second.access_token))
    expect(await endAllGrants(app.parts)).toEqual(one)
  })

  test('takes back the read access that it granted', async () => {
    const { app, connect, share, prove, reads, revoke, signIn } = await startSources()
    const qHash = await prove(alice, { privacyLevel: 'private' })
    const { client } = await connect()
    const { headers } = await signIn(alice)
    await share(headers, qHash, mallory)
    // No tool shares proofs yet, so the grant becomes one of the app here.
    await app.parts.db.write([
      {
        sql: `UPDATE access_grants SET source_kind = 'oauth-grant',
                source_id = (SELECT handle FROM oauth_families WHERE client = ?1)`,
        params: [client],
      },
    ])
    expect(await reads(mallory, qHash)).toBe(true)
    await revoke(headers, `/api/v1/auth/apps/${client}`)
    expect(await reads(mallory, qHash)).toBe(false)
  })

  test('keeps its proofs before: on rotation, sign-out or expiry it stays in the list', async () => {
    const { app, connect, mcp, status, flow, signIn, revoke, get } = await startSources()
    const { client, access_token, refresh_token } = await connect()
    const { data } = await mcp.tool(access_token, 'svc_agent_create', { agentId: 'helper', agentWallet: bob.address })
    const qHash = data.delegationQHash
    const rotated = await flow.refresh(refresh_token, { client_id: client })
    expect(rotated.status).toBe(200)
    expect(await status(qHash)).toBe('verified')

    await app.post('/api/v1/auth/logout-everywhere', {}, (await signIn(alice)).headers)
    expect(await flow.opens(rotated.body.access_token)).toBe(false)
    expect(await status(qHash)).toBe('verified')

    app.wait(400 * oneDay)
    await app.sweep()
    expect(await status(qHash)).toBe('verified')
    const { headers } = await signIn(alice)
    const listed = async () => (await get('/api/v1/auth/apps', headers)).body.data.apps
    expect(await listed()).toMatchObject([{ clientId: client, endsWith: { delegations: 1 } }])
    expect((await revoke(headers, `/api/v1/auth/apps/${client}`)).status).toBe(200)
    expect(await status(qHash)).toBe('revoked')
    expect(await listed()).toEqual([])
    app.wait(oneDay)
    await app.sweep()
    const families = await select<{ count: number }>(app.parts.db, 'SELECT count(*) AS count FROM oauth_families').get()
    expect(families?.count).toBe(0)
  })
})

describe('a profile that is deleted', () => {
  test('takes the proofs of its keys and apps with it', async () => {
    const { app, newKey, keyOf, delegate, connect, mcp, status, signIn, revoke } = await startSources()
    const byKey = (await delegate(keyOf((await newKey()).key), alice, bob)).body.data.qHash
    const { access_token } = await connect()
    const { data } = await mcp.tool(access_token, 'svc_agent_create', {
      agentId: 'helper',
      agentWallet: mallory.address,
    })
    const { headers } = await signIn(alice)
    const bySession = (await delegate(headers, alice, bob)).body.data.qHash
    app.wait(1)
    expect((await revoke(headers, '/api/v1/auth/me')).status).toBe(200)
    expect(await status(byKey)).toBe('revoked')
    expect(await status(data.delegationQHash)).toBe('revoked')
    expect(await status(bySession)).toBe('verified')
  })
})

test('a delegation that its wallet signs as well stays when the first key is revoked', async () => {
  const { app, newKey, keyOf, post, revoke, signIn, status, sourceOf } = await startSources()
  const { key, keyId } = await newKey()
  const claim = {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address, agentId: 'both' },
  }
  const signedTimestamp = app.now()
  const byKey = await post(
    '/api/v1/verification',
    { ...claim, walletAddress: alice.address, signedTimestamp, chainId: 84532 },
    keyOf(key),
  )
  expect(byKey.status).toBe(200)
  const { qHash } = byKey.body.data
  expect((await app.submit(alice, { ...claim, signedTimestamp })).body.data.qHash).toBe(qHash)
  expect(await sourceOf(alice, qHash)).toMatchObject({ kind: 'signature', id: null })
  const { headers } = await signIn(alice)
  expect((await revoke(headers, `/api/v1/auth/profile-keys/${keyId}`)).status).toBe(200)
  expect(await status(qHash)).toBe('verified')
})

describe('a wallet that is unlinked', () => {
  test('takes the proofs of its session for the primary wallet with it, and keeps its own', async () => {
    const { app, delegate, delegateSigned, share, reads, status, signIn, prove, get, sourceOf } = await startSources()
    const linked = await link(app, alice, bob)
    const secret = await prove(alice, { privacyLevel: 'private' })
    const asBob = await signIn(bob)
    const forAlice = (await delegate(asBob.headers, alice, mallory)).body.data.qHash
    const forItself = (await delegate(asBob.headers, bob, mallory)).body.data.qHash
    const signedItself = (await delegateSigned(bob, mallory)).body.data.qHash
    await share(asBob.headers, secret, mallory)
    expect(await sourceOf(alice, forAlice)).toMatchObject({ kind: 'linked-session', id: linked })
    const { headers } = await signIn(alice)
    expect((await get('/api/v1/profile/wallets', headers)).body.data.linked[0].endsWith).toEqual({
      delegations: 1,
      agents: 0,
      accessGrants: 1,
    })
    const bySession = (await delegate(headers, alice, mallory, { scope: 'other' })).body.data.qHash

    expect((await unlink(app, linked, alice)).status).toBe(200)
    expect(await status(forAlice)).toBe('revoked')
    expect(await reads(mallory, secret)).toBe(false)
    expect(await sourceOf(alice, forAlice)).toMatchObject({ ended: 'wallet_unlinked' })
    for (const qHash of [forItself, signedItself, bySession]) expect(await status(qHash)).toBe('verified')
  })

  test('takes the proofs of the apps that it had allowed', async () => {
    const { app, connect, mcp, status, revoke, signIn } = await startSources()
    await link(app, alice, bob)
    const { access_token } = await connect(bob)
    const { data } = await mcp.tool(access_token, 'svc_agent_create', { agentId: 'x', agentWallet: mallory.address })
    expect(await status(data.delegationQHash)).toBe('verified')
    const { headers } = await signIn(alice)
    expect((await revoke(headers, `/api/v1/profile/wallets/${low(bob)}`)).status).toBe(200)
    expect(await status(data.delegationQHash)).toBe('revoked')
  })

  test('is unlinked as well when the primary wallet erases everything', async () => {
    const { app, delegate, status, signIn, ownerBody, wait } = await startSources()
    await link(app, alice, bob)
    await link(app, alice, mallory)
    const asBob = await signIn(bob)
    const forMallory = (await delegate(asBob.headers, mallory, sol)).body.data.qHash
    expect(await status(forMallory)).toBe('verified')
    wait(1)
    await app.post(
      '/api/v1/proofs/erase-all',
      await ownerBody(alice, { action: 'erase_all_proofs', walletAddress: low(alice) }),
    )
    expect(await status(forMallory)).toBe('revoked')
  })

  test('keeps it while the link is only made again, and loses it with the newest run', async () => {
    const { app, delegate, status, signIn } = await startSources()
    await link(app, alice, bob)
    const qHash = (await delegate((await signIn(bob)).headers, alice, mallory)).body.data.qHash
    const newest = await link(app, alice, bob)
    expect(await status(qHash)).toBe('verified')
    await unlink(app, newest, alice)
    expect(await status(qHash)).toBe('revoked')
  })

  test('is unlinked by neither a key nor another linked wallet', async () => {
    const { app, newKey, keyOf, signIn, post } = await startSources()
    const linked = await link(app, alice, bob)
    await link(app, alice, mallory)
    const path = `/api/v1/proofs/revoke-self/${linked}`
    expectRefused(await post(path, {}, keyOf((await newKey()).key)), 'FORBIDDEN')
    expectRefused(await post(path, {}, (await signIn(mallory)).headers), 'FORBIDDEN')
    expect((await post(path, {}, (await signIn(bob)).headers)).status).toBe(200)
  })

  test('loses the apps that it had allowed, which must ask the primary wallet again', async () => {
    const { app, flow, signIn } = await startSources()
    const linked = await link(app, alice, bob)
    const redirect_uri = 'https://app.example/cb'
    const client = await flow.newClient([redirect_uri], 'An app')
    const ask = async (wallet: typeof alice) => {
      app.wait(1)
      const { cookie } = await signIn(wallet)
      const parameters = authorizeParameters({ client_id: client, redirect_uri, scope: 'svc:core' })
      return { cookie, answer: await flow.authorize(parameters, { cookie }) }
    }
    const asked = await ask(bob)
    await flow.allow(asked.answer.body, { cookie: asked.cookie })
    expect(returnedBy((await ask(bob)).answer).searchParams.get('code')).toBeString()
    expect((await ask(alice)).answer.status).toBe(200)
    await unlink(app, linked, alice)
    expect(await select(app.parts.db, 'SELECT count(*) AS kept FROM oauth_consents').get()).toEqual({ kept: 0 })
    expect((await ask(alice)).answer.status).toBe(200)
  })
})

test('proofs from before sources were recorded stay, and report an unknown source', async () => {
  const { app, newKey, keyOf, delegate, share, prove, revoke, reads, status, sourceOf, signIn, get, ownerHeaders } =
    await startSources()
  const secret = await prove(alice, { privacyLevel: 'private' })
  const { key, keyId } = await newKey()
  const { qHash } = (await delegate(keyOf(key), alice, bob)).body.data
  await share(keyOf(key), secret, bob)
  await app.parts.db.write([
    { sql: 'DELETE FROM proof_sources', params: [] },
    { sql: "UPDATE access_grants SET source_kind = 'unknown', source_id = ''", params: [] },
  ])
  await revoke((await signIn(alice)).headers, `/api/v1/auth/profile-keys/${keyId}`)
  expect(await status(qHash)).toBe('verified')
  expect(await sourceOf(alice, qHash)).toEqual({ kind: 'unknown', id: null, ended: null })
  expect(await reads(bob, secret)).toBe(true)
  const asked = await ownerHeaders(alice, { action: 'list_proof_access', qHash: secret })
  expect((await get(`/api/v1/verification/access/${secret}`, asked)).body.data.grants).toMatchObject([
    { viewerWallet: low(bob), source: 'unknown' },
  ])
})
