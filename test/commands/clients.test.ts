import { expect, setDefaultTimeout, test } from 'bun:test'
import { clients } from '../../src/commands/clients.ts'
import { UsageError } from '../../src/commands/command.ts'
import { keys } from '../../src/commands/keys.ts'
import { grantTo } from '../oauth/grant.ts'
import { alice } from '../wallets.ts'
import { beside } from './beside.ts'
import { run } from './terminal.ts'

setDefaultTimeout(120_000)

const { newPlace, start } = beside()

test('a client is listed and removed beside a running server, and its grants end at once', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  expect((await run(clients, ['list'], place)).out).toBe('No client has registered.\n')
  const registered = await server.post('/oauth/register', {
    client_name: 'An \u001b[31massistant',
    redirect_uris: ['http://localhost:1234/cb'],
  })
  expect(registered.status).toBe(400)
  const { body } = await server.post('/oauth/register', {
    client_name: 'An assistant',
    redirect_uris: ['http://localhost:1234/cb'],
  })
  const id = body.client_id
  const { token, tokens } = await grantTo(server.parts, alice, 'svc:core', id)
  expect(await tokens.verify(token)).toBeDefined()

  expect((await run(clients, ['list'], place)).out).toBe(`${id}  never used  An assistant  http://localhost:1234/cb\n`)
  const { json } = await run(clients, ['list', '--json'], place)
  expect(json.clients).toEqual([
    {
      id,
      kind: 'dcr',
      name: 'An assistant',
      redirectUris: ['http://localhost:1234/cb'],
      createdAt: expect.any(Number),
      usedAt: null,
      endsWith: { delegations: 0, agents: 0, accessGrants: 0 },
    },
  ])

  expect((await run(clients, ['remove', id], place)).out).toBe(
    `${id} is removed, and 1 grant of people with it. It may register again.\n`,
  )
  expect(await tokens.verify(token)).toBeUndefined()
  expect((await server.get(`/oauth/authorize?client_id=${id}&redirect_uri=http://localhost:1234/cb`)).body.error).toBe(
    'invalid_client',
  )
  expect(run(clients, ['remove', id], place)).rejects.toThrow(UsageError)
})

test('X5 after a restore every grant can be ended, and clients stay registered', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  const metadata = { redirect_uris: ['http://localhost:1234/cb'] }
  const { body } = await server.post('/oauth/register', metadata)
  const grants = [await grantTo(server.parts, alice), await grantTo(server.parts, alice, 'svc:core', body.client_id)]
  expect(run(clients, ['disconnect'], place)).rejects.toThrow(UsageError)
  expect(await grants[0]!.tokens.verify(grants[0]!.token)).toBeDefined()
  expect((await run(clients, ['disconnect', '--yes'], place)).out).toBe(
    '2 grants have ended. Clients stay registered, and ask again.\n',
  )
  for (const { tokens, token } of grants) expect(await tokens.verify(token)).toBeUndefined()
  expect((await run(clients, ['list', '--json'], place)).json.clients).toHaveLength(1)
})

test.each([[[]], [['--json']], [['remov', 'x']], [['remove']], [['list', 'x']]])(
  '%j is a usage error',
  async (args: string[]) => {
    expect(run(clients, args, newPlace())).rejects.toThrow(UsageError)
  },
)

test('M13 keys rotate beside a running server: the new key is published at once, and signs nothing yet', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  const kids = async (): Promise<string[]> =>
    (await server!.get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
  const before = await kids()
  const { json, code } = await run(keys, ['rotate', '--json'], place)
  expect(code).toBe(0)
  expect(json).toEqual({ kid: expect.any(String), alg: 'ES256', notBefore: expect.any(Number) })
  expect(json.notBefore).toBeGreaterThan(Date.now() + 290_000)
  await Bun.sleep(1100)
  expect(await kids()).toEqual([json.kid, ...before])
  const { token, tokens } = await grantTo(server.parts, alice)
  expect(JSON.parse(atob(token.split('.')[0]!)).kid).toBe(before[0]!)
  expect(await tokens.verify(token)).toBeDefined()
  expect((await run(keys, ['rotate'], place)).out).toMatch(
    / \(ES256\) signs access tokens from 2.* on\. Tokens of the key/,
  )
})
