/** A credential or proof may end during a request, which then stores and shows nothing. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { bearer, messageOf, modern } from '../mcp/mcp.ts'
import { select } from '../parts/select.ts'
import { link } from '../payments/linking.ts'
import { type Sources, startSources, type TestApp } from '../proofs/sources.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'
import { holdWrite } from './hold-write.ts'
import { expectRefused } from './refused.ts'

setDefaultTimeout(60_000)

/** Ends something while `ask` is about to write. */
async function endDuring(app: TestApp, text: string, ask: () => Promise<Answer>, end: () => Promise<Answer>) {
  const { held, release } = holdWrite(app, text)
  const asked = ask()
  await held
  app.wait(1)
  expect((await end()).status).toBe(200)
  release()
  return asked
}

const countRows = async ({ parts }: TestApp, table: string): Promise<number | undefined> =>
  (await select<{ n: number }>(parts.db, `SELECT count(*) AS n FROM ${table}`).get())?.n

/** Counts proofs of the claims made by claim(), without links and the like. */
const countClaims = async ({ parts }: TestApp): Promise<number | undefined> =>
  (
    await select<{ n: number }>(
      parts.db,
      `SELECT count(*) AS n FROM proofs WHERE record LIKE '%"ownership-basic"%'`,
    ).get()
  )?.n

const claim = ({ address }: TestWallet) => ({
  walletAddress: address,
  verifierIds: ['ownership-basic'],
  data: { owner: address, content: 'made without a signature' },
})

type Headers = Readonly<Record<string, string>>
const createPath = '/api/v1/verification'
const create = ({ post }: Sources, wallet: TestWallet, headers: Headers) => post(createPath, claim(wallet), headers)

const verifyByTool = (mcp: Sources['mcp'], token: string) => {
  const { verifierIds, data } = claim(alice)
  return mcp.send(token, 'tools/call', { name: 'svc_verify', arguments: { verifierIds, data } })
}

const cases: readonly (readonly [
  string,
  (sources: Sources) => Promise<{ ask: () => Promise<Answer>; end: () => Promise<Answer> }>,
])[] = [
  [
    'an access key that is revoked',
    async (sources) => {
      const { key, keyId } = await sources.newKey()
      const { headers } = await sources.signIn(alice)
      return {
        ask: () => create(sources, alice, sources.keyOf(key)),
        end: () => sources.revoke(headers, `/api/v1/auth/profile-keys/${keyId}`),
      }
    },
  ],
  [
    'a session that signs out',
    async (sources) => {
      const { headers } = await sources.signIn(alice)
      return {
        ask: () => create(sources, alice, headers),
        end: () => sources.post('/api/v1/auth/logout', {}, headers),
      }
    },
  ],
  [
    'a profile that is deleted',
    async (sources) => {
      const { key } = await sources.newKey()
      const { headers } = await sources.signIn(alice)
      return {
        ask: () => create(sources, alice, sources.keyOf(key)),
        end: () => sources.revoke(headers, '/api/v1/auth/me'),
      }
    },
  ],
  [
    'a wallet that is unlinked from the person who acts as it',
    async (sources) => {
      const linked = await link(sources.app, alice, bob)
      const { headers } = await sources.signIn(alice)
      return {
        ask: () => create(sources, bob, headers),
        end: () => sources.post(`/api/v1/proofs/${linked}/revoke-self`, {}, headers),
      }
    },
  ],
  [
    'a linked wallet that is unlinked while it acts as the person',
    async (sources) => {
      const linked = await link(sources.app, alice, bob)
      const { headers } = await sources.signIn(bob)
      const own = await sources.signIn(alice)
      return {
        ask: () => create(sources, alice, headers),
        end: () => sources.post(`/api/v1/proofs/${linked}/revoke-self`, {}, own.headers),
      }
    },
  ],
  [
    'a wallet that erases everything',
    async (sources) => {
      await sources.prove(alice)
      const { key } = await sources.newKey()
      const { headers } = await sources.signIn(alice)
      return {
        ask: () => create(sources, alice, sources.keyOf(key)),
        end: () => sources.post('/api/v1/proofs/erase-all', { walletAddress: alice.address }, headers),
      }
    },
  ],
]

describe('no proof is stored for', () => {
  test.each(cases)('%s while the request is under way', async (_, prepare) => {
    const sources = await startSources()
    const { ask, end } = await prepare(sources)
    const answer = await endDuring(sources.app, 'INTO proofs', ask, end)
    expectRefused(answer, 'WALLET_AUTH_REQUIRED', /while the request was under way: nothing was stored/)
    expect(await countClaims(sources.app)).toBe(0)
  })

  test('an app that is disconnected while its tool is under way', async () => {
    const sources = await startSources()
    const { access_token, client } = await sources.connect()
    const { headers } = await sources.signIn(alice)
    const answer = await endDuring(
      sources.app,
      'INTO proofs',
      () => verifyByTool(sources.mcp, access_token),
      () => sources.revoke(headers, `/api/v1/auth/apps/${client}`),
    )
    expect(answer.body.result.isError).toBe(true)
    expect(answer.body.result.content[0].text).toContain('WALLET_AUTH_REQUIRED')
    expect(await countRows(sources.app, 'proofs')).toBe(0)
  })
})

test('no proof is stored for an app link that is revoked while the page of the app acts by it', async () => {
  const app = await startApp({ PROOFGATE_VERIFIERS_APP_LINKS: 'true' })
  const { body } = await app.submit(alice, {
    verifierIds: ['agent-delegation'],
    data: {
      controllerWallet: alice.address,
      agentWallet: bob.address,
      scope: 'app-link',
      permissions: ['app:shop', 'origin:https://shop.example'],
    },
  })
  const { headers } = await app.signIn(alice)
  const answer = await endDuring(
    app,
    'INTO proofs',
    () => app.post(createPath, claim(alice), { 'x-svc-app': 'shop', origin: 'https://shop.example' }),
    () => app.post(`/api/v1/proofs/${body.data.qHash}/revoke-self`, {}, headers),
  )
  expectRefused(answer, 'WALLET_AUTH_REQUIRED', /nothing was stored/)
  expect(await countClaims(app)).toBe(0)
})

test('a secret of a key that is revoked meanwhile is not stored', async () => {
  const sources = await startSources()
  const { key, keyId } = await sources.newKey()
  const { headers } = await sources.signIn(alice)
  const answer = await endDuring(
    sources.app,
    'INTO secrets',
    () => sources.post('/api/v1/profile/secrets', { alias: 'TOKEN', content: 'abc' }, sources.keyOf(key)),
    () => sources.revoke(headers, `/api/v1/auth/profile-keys/${keyId}`),
  )
  expectRefused(answer, 'WALLET_AUTH_REQUIRED', /nothing was stored/)
  expect(await countRows(sources.app, 'secrets')).toBe(0)
})

test('a signed proof is stored, although its session ends meanwhile', async () => {
  const sources = await startSources()
  const { headers } = await sources.signIn(alice)
  const { verifierIds, data } = claim(alice)
  const answer = await endDuring(
    sources.app,
    'INTO proofs',
    () => sources.submit(alice, { verifierIds, data }),
    () => sources.post('/api/v1/auth/logout', {}, headers),
  )
  expect(answer.status).toBe(200)
})

describe('a body at /mcp that arrives after its credential has ended', () => {
  /** The headers and one byte, then `end`, then the rest. */
  async function callLate({ request }: Sources, token: string, name: string, args: object, end: () => Promise<Answer>) {
    const { headers, body } = messageOf(modern, 'tools/call', { name, arguments: args })
    const [first, rest] = [JSON.stringify(body).slice(0, 1), JSON.stringify(body).slice(1)]
    const arrived = Promise.withResolvers<void>()
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
      async pull(controller) {
        await arrived.promise
        controller.enqueue(new TextEncoder().encode(rest))
        controller.close()
      },
    })
    const asked = request('/mcp', { method: 'POST', headers: { ...headers, ...bearer(token) }, body: stream })
    await Bun.sleep(10)
    expect((await end()).status).toBe(200)
    arrived.resolve()
    return asked
  }

  test.each<[string, object]>([
    ['svc_context', {}],
    ['svc_secret_create', { alias: 'LATE', content: 'abc' }],
    ['svc_verify', { verifierIds: ['ownership-basic'], data: claim(alice).data }],
  ])('is refused before the tool %s runs, of a key and of an app', async (name, args) => {
    const sources = await startSources()
    const { key, keyId } = await sources.newKey()
    const { access_token, client } = await sources.connect()
    const { headers } = await sources.signIn(alice)
    for (const [token, path] of [
      [key, `/api/v1/auth/profile-keys/${keyId}`],
      [access_token, `/api/v1/auth/apps/${client}`],
    ] as const) {
      const answer = await callLate(sources, token, name, args, () => sources.revoke(headers, path))
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    expect([await countRows(sources.app, 'secrets'), await countRows(sources.app, 'proofs')]).toEqual([0, 0])
  })
})
