/** Refusals of new data: the disk is below its floor, or an allowance of bytes is used up. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openDiskWatch } from '../../src/health/watch-disk.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { temporaryFolders } from '../db/store.ts'
import { act, definitionOf, gatesPath } from '../gates/gate.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { authorizeParameters, callback, flowOf, returnedBy } from '../oauth/flow.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'
import { listen } from './socket.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const api = '/api/v1'
/** The most that can be set, a pebibyte: every disk is below it. */
const floorAboveAnyDisk = { PROOFGATE_STORAGE_MIN_FREE_MB: '1048576000' }

/** Creates the data of a person before the server runs out of room. */
async function fill(app: TestApp) {
  const flow = flowOf(app)
  const { headers } = await app.signIn(alice)
  const other = await app.signIn(bob)
  const gate = await app.post(gatesPath, { definition: definitionOf({ gateId: 'kept' }) }, headers)
  expect(gate.status).toBe(200)
  await app.post(gatesPath, { definition: definitionOf({ gateId: 'second' }) }, headers)
  const asMallory = await app.signIn(mallory)
  const spare = (await app.post(`${api}/auth/profile-keys`, { name: 'spare' }, asMallory.headers)).body.data
  const client = await flow.newClient()
  const asked = await flow.authorize(authorizeParameters({ client_id: client, redirect_uri: callback }), headers)
  const allowed = await flow.allow(asked.body, headers)
  const code = returnedBy(allowed).searchParams.get('code')!
  const tokens = (await flow.redeem(code, { client_id: client, redirect_uri: callback })).body
  const text = (await app.post(`${api}/auth/nonce`, { walletAddress: mallory.address })).body.data.message
  return {
    flow,
    client,
    tokens,
    headers,
    other: other.headers,
    qHash: await app.prove(alice),
    shared: await app.prove(alice),
    key: (await app.post(`${api}/auth/profile-keys`, { name: 'ci' }, headers)).body.data,
    secret: (await app.post(`${api}/profile/secrets`, { alias: 'KEPT', content: 'x' }, headers)).body.data.id as string,
    accessToken: await mcpOf(app).tokenOf(bob),
    spare,
    signedIn: { message: text, signature: await mallory.sign(text) },
  }
}
type Stage = Awaited<ReturnType<typeof fill>>
type Ask = (app: TestApp, stage: Stage) => Promise<Answer>

const withdraw = async (app: TestApp, qHash: string) => {
  const terms = { qHash, viewerWallet: bob.address }
  const { walletAddress, ...signed } = await app.ownerBody(alice, { action: 'withdraw_proof_access', ...terms })
  return app.post(`${api}/verification/access/withdraw`, { ...terms, ownerWallet: walletAddress, ...signed })
}

const remove = (app: TestApp, path: string, headers: Record<string, string>) =>
  app.request(path, { method: 'DELETE', headers })

/** Every surface that stores something new. */
const storing: Readonly<Record<string, Ask>> = {
  'a proof': (app) =>
    app.submit(bob, { verifierIds: ['ownership-basic'], data: { owner: bob.address, content: `${app.now()}` } }),
  'a share of a proof': (app, { shared, headers }) =>
    app.post(
      `${api}/verification/access/grant`,
      { qHash: shared, ownerWallet: alice.address, viewerWallet: bob.address },
      headers,
    ),
  'a gate': (app, { headers }) => app.post(gatesPath, { definition: definitionOf({ gateId: 'fresh' }) }, headers),
  'a version of a gate': (app, { headers }) =>
    app.post(gatesPath, { definition: definitionOf({ gateId: 'kept', name: 'Another name' }) }, headers),
  'an access key': (app, { headers }) => app.post(`${api}/auth/profile-keys`, { name: 'new' }, headers),
  'a secret': (app, { headers }) => app.post(`${api}/profile/secrets`, { alias: 'NEW', content: 'x' }, headers),
}

/** Requests whose refusal has the form of another protocol. */
const storingElsewhere: Readonly<Record<string, (app: TestApp, stage: Stage) => Promise<unknown>>> = {
  'an OAuth registration': async (_, { flow }) =>
    (await flow.register({ redirect_uris: [callback], client_name: 'New' })).body.error,
  'an authorization request': async (_, { flow, client, other }) =>
    (await flow.authorize(authorizeParameters({ client_id: client, redirect_uri: callback }), other)).body.error,
  'a secret of an MCP tool': async (app, { accessToken }) =>
    (await mcpOf(app).tool(accessToken, 'svc_secret_create', { alias: 'FRESH', content: 'x', secretType: 'single' }))
      .data.error?.code,
  'an agent of an MCP tool': async (app, { accessToken }) =>
    (await mcpOf(app).tool(accessToken, 'svc_agent_create', { agentId: 'helper', agentWallet: 'generate' })).data.error
      ?.code,
}

const reading: Readonly<Record<string, Ask>> = {
  'a proof': (app, { qHash, headers }) => app.get(`${api}/proofs/${qHash}`, headers),
  'a list': (app, { headers }) => app.get(`${api}/proofs/by-wallet/${alice.address}`, headers),
  'a check': (app) => app.get(`${api}/proofs/check?verifierId=ownership-basic&address=${alice.address}`),
  'a standard text': (app) =>
    app.post(`${api}/verification/standardize`, {
      walletAddress: bob.address,
      signedTimestamp: app.now(),
      verifierIds: ['ownership-basic'],
      data: { owner: bob.address, content: 'x' },
    }),
  'the person': (app, { key }) => app.get(`${api}/auth/me`, { authorization: `Bearer ${key.key}` }),
}

/** In the order in which one person could do all of them. */
const freeing: Readonly<Record<string, Ask>> = {
  'a rotation of a refresh token': (_, { flow, client, tokens }) =>
    flow.refresh(tokens.refresh_token, { client_id: client }),
  'a revocation of an OAuth token': (_, { flow, client, tokens }) =>
    flow.revoke(tokens.refresh_token, { client_id: client }),
  'a revocation of a proof': async (app, { qHash }) =>
    app.post(
      `${api}/proofs/revoke-self/${qHash}`,
      await app.ownerBody(alice, { action: 'revoke_proof', qHash }, app.now()),
    ),
  'withdrawing access': (app, { shared }) => withdraw(app, shared),
  'a revocation of a secret': (app, { secret, headers }) => remove(app, `${api}/profile/secrets/${secret}`, headers),
  'a revocation of an access key': (app, { key, headers }) =>
    remove(app, `${api}/auth/profile-keys/${key.keyId}`, headers),
  'an erasure': async (app) =>
    app.post(
      `${api}/proofs/erase-all`,
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
    ),
  'signing in, and revoking a key with that session': async (app, { signedIn, spare }) => {
    const answer = await app.post(`${api}/auth/verify`, signedIn)
    if (answer.status !== 200) return answer
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    const headers = { cookie, 'x-csrf-token': answer.body.data.csrfToken }
    return remove(app, `${api}/auth/profile-keys/${spare.keyId}`, headers)
  },
  'pausing a gate': (app, { headers }) =>
    app.post(`${gatesPath}/kept/status`, { status: 'paused', expectedVersion: 1 }, headers),
  'pausing a gate by a signature': (app) => act(app, 'status', 'second', { status: 'paused' }),
  'pausing it again': (app) => act(app, 'status', 'second', { status: 'paused' }),
  'deleting a gate': (app, { headers }) => remove(app, `${gatesPath}/kept`, headers),
  'deleting a gate by a signature': async (app) => {
    app.wait(1)
    return remove(
      app,
      `${gatesPath}/second`,
      await app.ownerHeaders(alice, { action: 'delete_gate', gateId: 'second' }),
    )
  },
  'signing out': (app, { other }) => app.post(`${api}/auth/logout`, {}, other),
  'signing out everywhere': (app, { headers }) => app.post(`${api}/auth/logout-everywhere`, {}, headers),
}

describe('a disk below the floor of free space', async () => {
  const folder = newFolder()
  const before = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_STORAGE_MIN_FREE_MB: '0' }, folder)
  const earlier = await fill(before)
  await before.close()
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', ...floorAboveAnyDisk }, folder)
  app.wait(1_000)
  const stage: Stage = { ...earlier, flow: flowOf(app) }
  afterAll(() => app.close())

  test.each(Object.entries(storing))('%s is refused with STORAGE_FULL, and leaves nothing', async (_, ask) => {
    const answer = await leavesNothing(app.parts, () => ask(app, stage))
    expectRefused(answer, 'STORAGE_FULL', /disk .* nearly full.* storage\.min_free_mb/)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each(Object.entries(storingElsewhere))('%s is refused as well', async (_, ask) => {
    const error = await leavesNothing(app.parts, () => ask(app, stage))
    expect(['STORAGE_FULL', 'temporarily_unavailable']).toContain(error as string)
  })

  test.each(Object.entries(reading))('reading goes on: %s', async (_, ask) => {
    expect((await ask(app, stage)).status).toBe(200)
  })

  test('health says that new data is refused', async () => {
    const { status, body } = await app.get(`${api}/health`)
    expect(status).toBe(200)
    expect(body.data.services).toEqual({ database: 'ok', storage: 'full' })
    expect(body.data.issues).toEqual([expect.stringContaining('STORAGE_FULL')])
    expect((await app.get(`${api}/health/ready`)).body.details.storage).toBe('full')
  })

  test('health says it once, also when the watch of the disk has seen it', async () => {
    await openDiskWatch(app.parts).look()
    const { data } = (await app.get(`${api}/health`)).body
    expect(data.conditions.map(({ name }: { name: string }) => name)).toContain('disk-low')
    expect(data.issues.filter((says: string) => says.includes('STORAGE_FULL'))).toHaveLength(1)
  })

  test.each(Object.entries(freeing))('removing goes on: %s', async (_, ask) => {
    const answer = await ask(app, stage)
    expect({ status: answer.status, error: answer.body?.error }).toEqual({ status: 200, error: undefined })
  })
})

test('a floor of 0 is off', async () => {
  const app = await startApp({ PROOFGATE_STORAGE_MIN_FREE_MB: '0' }, newFolder())
  expect(await app.prove()).toStartWith('0x')
  expect((await app.get(`${api}/health`)).body.data).toMatchObject({ services: { storage: 'ok' }, issues: [] })
  await app.close()
})

test('an allowance over a partial hour is reported in seconds', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_BYTES_NETWORK: '1MiB/1000s' })
  app.parts.limiter.take('written_by_network', 'local', { cost: 1_048_576, mayRefuse: false })
  expect(() => app.parts.limiter.take('written_by_network', 'local', { cost: 1, mayRefuse: true })).toThrow(
    /1048576 bytes per 1000 s are allowed/,
  )
  app.close()
})

describe.each(['network', 'owner'] as const)('when the allowance of bytes of the %s is used up', async (per) => {
  const app = await startApp({ [`PROOFGATE_LIMITS_BYTES_${per.toUpperCase()}`]: '1MiB/24h' })
  const stage = await fill(app)
  const spent = { cost: 1_048_576, mayRefuse: false }
  if (per === 'network') app.parts.limiter.take('written_by_network', 'local', spent)
  else
    for (const { address } of [alice, bob, mallory])
      app.parts.limiter.take('written_by_owner', address.toLowerCase(), spent)
  afterAll(() => app.close())

  test.each(Object.entries(storing))('%s is refused with 429 and names the setting', async (_, ask) => {
    const answer = await leavesNothing(app.parts, () => ask(app, stage))
    expectRefused(
      answer,
      'RATE_LIMIT_EXCEEDED',
      new RegExp(`1048576 bytes per 24 h are allowed per ${per}.* limits\\.bytes\\.${per}`),
    )
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each(Object.entries(storingElsewhere))('%s is refused as well', async (name, ask) => {
    // A client registration has no owner, so the limit for each owner does not apply.
    if (per === 'owner' && name.startsWith('an OAuth')) return
    const error = await leavesNothing(app.parts, () => ask(app, stage))
    expect(['RATE_LIMIT_EXCEEDED', 'temporarily_unavailable']).toContain(error as string)
  })

  test.each(Object.entries({ ...reading, ...freeing }))('goes on: %s', async (_, ask) => {
    const answer = await ask(app, stage)
    expect({ status: answer.status, error: answer.body?.error }).toEqual({ status: 200, error: undefined })
  })
})

test('the bytes that a wallet stores are counted, and given back with time', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_BYTES_OWNER: '1MiB/1h', PROOFGATE_LIMITS_RATES_CREATE: '1000/1m' })
  const claim = () => ({
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: `${app.now()} ${'x'.repeat(45_000)}` },
    options: { storeOriginalContent: true },
  })
  let stored = 0
  let last = await app.submit(alice, claim())
  for (; last.status === 200 && stored < 100; stored++) {
    app.wait(1)
    last = await app.submit(alice, claim())
  }
  expect(stored).toBeGreaterThan(4)
  expect(stored).toBeLessThan(25)
  expectRefused(last, 'RATE_LIMIT_EXCEEDED', /limits\.bytes\.owner/)
  expect((await app.submit(bob, { ...claim(), data: { owner: bob.address, content: 'x' } })).status).toBe(200)
  app.wait(1000 * Number(last.headers.get('retry-after')))
  expect((await app.submit(alice, claim())).status).toBe(200)
})

test('the addresses of one /24 share an allowance, as a trusted proxy names them', async () => {
  const server = await listen({ PROOFGATE_LIMITS_BYTES_NETWORK: '1MiB/24h', PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32' })
  const register = async (address: string, name: string): Promise<number> =>
    (
      await fetch(`${server.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ redirect_uris: [callback], client_name: name }),
      })
    ).status
  expect(await register('203.0.113.7', 'first')).toBe(201)
  server.parts.limiter.take('written_by_network', '203.0.113.0/24', { cost: 1_048_576, mayRefuse: false })
  expect(await register('203.0.113.200', 'second')).toBe(429)
  expect(await register('203.0.114.7', 'third')).toBe(201)
  expect(await register('2001:db8::1', 'fourth')).toBe(201)
  await server.stop()
})

describe('removals that leave a mark count for the network, and not for the owner', async () => {
  const app = await startApp()
  const qHash = await app.prove(alice)
  const remaining = () =>
    [
      ['written_by_network', 'local'] as const,
      ['written_by_owner', alice.address.toLowerCase()] as const,
      ['written_by_owner', mallory.address.toLowerCase()] as const,
    ].map(([policy, key]) => app.parts.limiter.take(policy, key, { cost: 0 }).remaining)

  const marking: Readonly<Record<string, () => Promise<Answer>>> = {
    'withdrawing access': () => withdraw(app, qHash),
    'an erasure by a wallet without anything': async () =>
      app.post(
        `${api}/proofs/erase-all`,
        await app.ownerBody(mallory, { action: 'erase_all_proofs', walletAddress: mallory.address.toLowerCase() }),
      ),
    'an erasure': async () =>
      app.post(
        `${api}/proofs/erase-all`,
        await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
      ),
  }
  test.each(Object.entries(marking))('%s', async (_, ask) => {
    const [network = 0, ...owners] = remaining()
    expect((await ask()).status).toBe(200)
    const [after = 0, ...ownersAfter] = remaining()
    expect(after).toBeLessThan(network)
    expect(ownersAfter).toEqual(owners)
  })
})
