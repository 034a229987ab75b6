import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { keys } from '../../src/commands/keys.ts'
import type { Server } from '../journeys/server.ts'
import { alice, bob, sol } from '../wallets.ts'
import { beside } from './beside.ts'
import { run } from './terminal.ts'

setDefaultTimeout(120_000)

const { newPlace, start } = beside()

const me = async ({ get }: Server, key: string) =>
  (await get('/api/v1/auth/me', { authorization: `Bearer ${key}` })).body.data

test('a key that is made beside a running server opens it at once, and one that is revoked no longer', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  const made = await run(keys, ['create', '--wallet', alice.address, '--name', 'Nightly', '--scopes', 'core'], place)
  expect(made.code).toBe(0)
  expect(made.out).toMatch(/^npk_[A-Za-z0-9_-]{43}\n$/)
  expect(made.err).toMatch(
    /^Key key_[0-9a-f]{16} of 0x[0-9a-f]{40}, for svc:core\. Keep it now: it is not shown again\.\n$/,
  )
  const key = made.out.trim()
  expect(await me(server, key)).toMatchObject({
    authenticated: true,
    address: alice.address.toLowerCase(),
    scopes: ['svc:core'],
    via: 'access-key',
  })

  // The use of a key is stored later, and no request waits for it.
  let { json: listed } = await run(keys, ['list', '--json'], place)
  for (let tries = 0; tries < 100 && listed.keys[0].lastUsedAt === null; tries++) {
    await Bun.sleep(20)
    listed = (await run(keys, ['list', '--json'], place)).json
  }
  expect(listed.keys).toEqual([
    {
      keyId: expect.stringMatching(/^key_/),
      prefix: key.slice(0, 10),
      name: 'Nightly',
      scopes: ['svc:core'],
      createdAt: expect.any(Number),
      lastUsedAt: expect.any(Number),
      revokedAt: null,
      endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
      wallet: alice.address.toLowerCase(),
    },
  ])
  expect(JSON.stringify(listed)).not.toContain(key)
  const { keyId } = listed.keys[0]
  expect((await run(keys, ['revoke', keyId], place)).out).toBe(`${keyId} (Nightly) is revoked: it stopped working.\n`)
  expect(await me(server, key)).toEqual({ authenticated: false, needsOnboarding: false })
  expect((await run(keys, ['revoke', keyId], place)).out).toMatch(/was revoked already, on 20/)
})

test('proofs of a key are counted in the list, and end when the key is revoked on the command line', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  const { json: made } = await run(keys, ['create', '--wallet', alice.address, '--json'], place)
  const claim = {
    walletAddress: alice.address,
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address },
  }
  const { qHash } = (await server.post('/api/v1/verification', claim, { authorization: `Bearer ${made.key}` })).body
    .data
  expect((await run(keys, ['list'], place)).out).toContain('made 1 delegation')
  expect((await run(keys, ['revoke', made.keyId], place)).out).toEndWith('What it made ended with it: 1 delegation.\n')
  expect((await server.get(`/api/v1/proofs/${qHash}`)).body.data.status).toBe('revoked')
})

test('works while no server runs, and the server knows the key once it starts', async () => {
  const place = newPlace()
  const { json } = await run(keys, ['create', '--wallet', sol.address, '--json'], place)
  expect(json).toEqual({
    key: expect.stringMatching(/^npk_/),
    keyId: expect.stringMatching(/^key_/),
    wallet: sol.address,
    name: 'command line',
    scopes: ['svc:core', 'svc:profile', 'svc:secrets'],
  })
  const server = await start(place.cwd)
  expect(await me(server, json.key)).toMatchObject({ address: sol.address })
})

test('a person is named by address, DID or CAIP-10 id, and is the same one', async () => {
  const place = newPlace()
  const lower = bob.address.toLowerCase()
  await run(keys, ['create', '--wallet', bob.address], place)
  await run(keys, ['create', '--wallet', `did:pkh:eip155:84532:${lower}`], place)
  await run(keys, ['create', '--wallet', `eip155:8453:${bob.address}`], place)
  const walletsOf = async (...args: string[]) =>
    (await run(keys, ['list', '--json', ...args], place)).json.keys.map(({ wallet }: { wallet: string }) => wallet)
  expect(await walletsOf()).toEqual([`eip155:8453:${lower}`, lower, lower])
  expect(await walletsOf('--wallet', bob.address)).toEqual([lower, lower])
  expect(await walletsOf('--wallet', `did:pkh:eip155:8453:${lower}`)).toEqual([`eip155:8453:${lower}`])
  expect((await run(keys, ['list'], place)).out.split('\n')).toHaveLength(4)
})

test('the list comes in pages, the newest first', async () => {
  const place = newPlace()
  const { json: first } = await run(keys, ['create', '--wallet', alice.address, '--json'], place)
  const store = new Database(join(place.cwd, 'proofgate.sqlite'))
  store.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
    INSERT INTO access_keys (key_id, hash, prefix, profile, name, scopes, created_at)
    SELECT printf('key_%016d', i), randomblob(32), 'npk_abcdef', profile, 'One of many', 'core', created_at + i
    FROM access_keys, n WHERE name = 'command line'`)
  store.close()
  const { json: page } = await run(keys, ['list', '--json'], place)
  expect(page.keys).toHaveLength(500)
  expect(page.nextBefore).toBe(page.keys[499].keyId)
  const next = ['list', '--wallet', alice.address, '--before', page.nextBefore]
  const { json: rest } = await run(keys, [...next, '--json'], place)
  expect(rest.keys).toHaveLength(101)
  expect(rest.keys[100].keyId).toBe(first.keyId)
  expect(rest.nextBefore).toBeNull()
  expect((await run(keys, ['list'], place)).err).toContain(`--before ${page.nextBefore}`)
  expect((await run(keys, next, place)).err).not.toContain('--before')
})

test.each([
  ['nothing', [], /the step is missing: give one of create, list, revoke/],
  ['a word that is none', ['creat'], /did you mean "create"/],
  ['no wallet', ['create'], /the wallet is missing/],
  ['a wallet that is none', ['create', '--wallet', 'alice'], /"alice" is not a wallet/],
  ['an address cut short', ['create', '--wallet', alice.address.slice(0, -1)], /is not a wallet/],
  ['a DID nobody signed in with', ['create', '--wallet', `did:pkh:eip155:1:${alice.address}`], /nobody signed in here/],
  ['a scope that is none', ['create', '--wallet', alice.address, '--scopes', 'core,all'], /"all" is not a scope/],
  ['no scope', ['create', '--wallet', alice.address, '--scopes', ''], /"" is not a scope/],
  [
    'a name of two lines',
    ['create', '--wallet', alice.address, '--name', 'a\nb'],
    /--name holds a line break \(U\+000A at position 2\)/,
  ],
  ['no key', ['revoke'], /name the key/],
  ['a page after no key', ['list', '--before', 'key_0'], /must be a key of the page before/],
  ['an unknown key', ['revoke', 'key_0000000000000000'], /the key "key_0000000000000000" does not exist/],
])('%s is a usage error, and makes no key', async (_, args, reason) => {
  const place = newPlace()
  const failing = run(keys, args, place)
  await expect(failing).rejects.toBeInstanceOf(UsageError)
  await expect(failing).rejects.toThrow(reason)
  expect((await run(keys, ['list'], place)).out).toBe('There are no access keys.\n')
})

test('no key is made beyond auth.keys_per_profile', async () => {
  const { cwd, env } = newPlace()
  const place = { cwd, env: { ...env, PROOFGATE_AUTH_KEYS_PER_PROFILE: '1' } }
  await run(keys, ['create', '--wallet', alice.address], place)
  await expect(run(keys, ['create', '--wallet', alice.address], place)).rejects.toThrow(
    /this profile has 1 access keys/,
  )
  expect((await run(keys, ['create', '--wallet', bob.address], place)).code).toBe(0)
})
