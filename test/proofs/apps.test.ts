/** The app that a proof was made through: recorded as the client names it, shown, and what lists filter by. */

import { describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { storeProofs } from '../gates/stored-proofs.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { startMcp } from '../mcp/mcp.ts'
import { writeManyRows } from '../parts/many-rows.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

const path = '/api/v1/verification'
const listed = { privacyLevel: 'public', publicDisplay: true }
const lower = (wallet: TestWallet) => wallet.address.toLowerCase()
const claim = (content: string, options: object = {}) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: alice.address, content },
  options,
})
const through = (appId: string, origin?: string) => ({ 'x-svc-app': appId, ...(origin ? { origin } : {}) })

const prove = async (app: TestApp, content: string, options: object, headers: Record<string, string> = {}) => {
  app.wait(1)
  const answer = await app.post(path, await app.signed(alice, claim(content, options)), headers)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const ownerOf = (app: TestApp) =>
  app.ownerHeaders(alice, { action: 'access_private_proofs_by_wallet', walletAddress: lower(alice) })
const idsOf = ({ body }: Answer): string[] => body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)

describe('the app that a proof was made through', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_VERIFIERS_APP_LINKS: 'true' })

  test('is shown to every viewer of the record, and to no stranger', async () => {
    const [shown, secret] = [
      await prove(app, 'shown', listed, through('shop')),
      await prove(app, 'secret', {}, through('shop')),
    ]
    expect([shown.appId, secret.appId]).toEqual(['shop', 'shop'])
    expect((await app.get(`/api/v1/proofs/${shown.qHash}`)).body.data.appId).toBe('shop')
    expect((await app.get(`/api/v1/proofs/${secret.qHash}`)).body.data).not.toHaveProperty('appId')
    const owner = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash: secret.qHash })
    expect((await app.get(`/api/v1/proofs/${secret.qHash}`, owner)).body.data.appId).toBe('shop')
  })

  test('is absent where the header is missing or empty', async () => {
    expect(await prove(app, 'none named', listed)).not.toHaveProperty('appId')
    expect(await prove(app, 'empty', listed, through(''))).not.toHaveProperty('appId')
    expect(await prove(app, 'none', listed, through('none'))).not.toHaveProperty('appId')
  })

  test('stays that of the first request, when the same request comes again through another app', async () => {
    const body = await app.signed(alice, claim('twice', listed))
    expect((await app.post(path, body, through('first'))).body.data.appId).toBe('first')
    expect((await app.post(path, body, through('second'))).body.data.appId).toBe('first')
  })

  test('is recorded for a session, an access key and an app link as well', async () => {
    const { headers } = await app.signIn(alice)
    const own = (content: string) => ({ walletAddress: alice.address, ...claim(content) })
    expect((await app.post(path, own('by session'), { ...headers, ...through('shop') })).body.data.appId).toBe('shop')

    const { key } = (await app.post('/api/v1/auth/profile-keys', { name: 'test' }, headers)).body.data
    const keyed = { authorization: `Bearer ${key}`, ...through('nightly') }
    expect((await app.post(path, own('by key'), keyed)).body.data.appId).toBe('nightly')

    const link = {
      controllerWallet: alice.address,
      agentWallet: mallory.address,
      scope: 'app-link',
      permissions: ['app:linked', 'origin:https://shop.example'],
    }
    await app.submit(alice, { verifierIds: ['agent-delegation'], data: link })
    const unsigned = await app.post(path, own('by app link'), through('linked', 'https://shop.example'))
    expect(unsigned).toMatchObject({ status: 200, body: { data: { appId: 'linked' } } })
  })

  test.each([
    ['with spaces', 'my shop'],
    ['too long', 'x'.repeat(129)],
    ['of other letters', 'caf\u00e9'],
  ])('is refused %s, with the accepted form', async (_, appId) => {
    const body = await app.signed(alice, claim(`refused ${appId}`))
    const answer = await leavesNothing(app.parts, () => app.post(path, body, through(appId)))
    expectRefused(answer, 'VALIDATION_ERROR', /X-Svc-App .*1 to 128 visible ASCII characters/)
  })

  test('has a header of the brand', async () => {
    const acme = await startApp({ PROOFGATE_BRAND: 'acme' })
    expect(await prove(acme, 'own brand', {}, { 'x-acme-app': 'shop' })).toMatchObject({ appId: 'shop' })
    expect(await prove(acme, 'other brand', {}, through('shop'))).not.toHaveProperty('appId')
  })

  test('goes with the proof when the wallet is erased', async () => {
    const body = await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: lower(alice) })
    expect((await app.post('/api/v1/proofs/erase-all', body)).status).toBe(200)
    const left = select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs WHERE app_id IS NOT NULL')
    expect((await left.get())?.n).toBe(0)
  })
})

describe('through MCP', () => {
  const made = { name: 'svc_verify', arguments: { verifierIds: ['ownership-basic'], data: { content: 'by a tool' } } }

  test('the header of the request names the app, of the proof and of the page that the person is sent to', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { body } = await app.send(token, 'tools/call', made, { headers: through('assistant') })
    const { qHash } = body.result.structuredContent
    const owner = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, owner)).body.data.appId).toBe('assistant')

    const guide = { name: 'svc_verify_or_guide', arguments: { verifierIds: ['ownership-pseudonym'] } }
    const guided = await app.send(token, 'tools/call', guide, { headers: through('assistant') })
    expect(guided.body.result.structuredContent.hostedVerifyUrl).toContain('appId=assistant')
  })

  test('an agent, its identity and its permissions are made through it as well', async () => {
    const app = await startMcp()
    const create = { name: 'svc_agent_create', arguments: { agentId: 'helper', agentWallet: 'generate' } }
    const { body } = await app.send(await app.tokenOf(), 'tools/call', create, { headers: through('assistant') })
    const { identityQHash, delegationQHash } = body.result.structuredContent
    const delegated = await app.get(`/api/v1/proofs/by-wallet/${alice.address}?appId=assistant`, await ownerOf(app))
    expect(idsOf(delegated)).toEqual([delegationQHash])
    expect((await app.get(`/api/v1/proofs/${identityQHash}`)).body.data.appId).toBe('assistant')
  })

  test('an invalid name is refused', async () => {
    const app = await startMcp()
    const answer = await app.send(await app.tokenOf(), 'tools/call', made, { headers: through('my app') })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('X-Svc-App')
  })
})

describe('lists by app', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const pathOf = (query: string) => `/api/v1/proofs/by-wallet/${alice.address}?${query}`
  const names = new Map<string, string>()
  const make = async (name: string, options: object, appId?: string) =>
    names.set((await prove(app, name, options, appId === undefined ? {} : through(appId))).qHash, name)
  await make('shop, listed', listed, 'shop')
  await make('shop, private', {}, 'shop')
  await make('shop, unlisted', { privacyLevel: 'public' }, 'shop')
  await make('club, listed', listed, 'club')
  await make('none, listed', listed)
  await make('none, private', {})
  await make('shop, listed, newest', listed, 'shop')
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    idsOf(await app.get(pathOf(query), headers)).map((qHash) => names.get(qHash))

  test('show the proofs of one app, the newest first: the listed ones, and all of them to their owner', async () => {
    expect(await ask('appId=shop')).toEqual(['shop, listed, newest', 'shop, listed'])
    expect(await ask('appId=shop', await ownerOf(app))).toEqual([
      'shop, listed, newest',
      'shop, unlisted',
      'shop, private',
      'shop, listed',
    ])
    expect(await ask('appId=club')).toEqual(['club, listed'])
    expect(await ask('appId=Shop')).toEqual([])
    expect(await ask('appId=my%20shop')).toEqual([])
  })

  test('with the app "none" show proofs that were made without one, and without a filter all of them', async () => {
    expect(await ask('appId=none')).toEqual(['none, listed'])
    expect(await ask('appId=none', await ownerOf(app))).toEqual(['none, private', 'none, listed'])
    expect(await ask('appId=')).toHaveLength(4)
  })

  test('narrow together with other filters, and tell the total where one page holds all', async () => {
    const qHash = [...names].find(([, name]) => name === 'shop, listed')?.[0]
    expect(await ask(`appId=shop&qHash=${qHash}`)).toEqual(['shop, listed'])
    expect(await ask(`appId=club&qHash=${qHash}`)).toEqual([])
    expect(await ask('appId=shop&verifierId=ownership-basic&privacyLevel=private', await ownerOf(app))).toEqual([
      'shop, private',
    ])
    expect((await app.get(pathOf('appId=shop'))).body.data.totalCount).toBe(2)
  })

  test('go on from page to page by cursor, over revoked proofs', async () => {
    const owner = await ownerOf(app)
    const seen: (string | undefined)[] = []
    let cursor: string | null = null
    do {
      const answer: Answer = await app.get(pathOf(`appId=shop&limit=1${cursor ? `&cursor=${cursor}` : ''}`), owner)
      seen.push(...idsOf(answer).map((qHash) => names.get(qHash)))
      cursor = answer.body.data.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(['shop, listed, newest', 'shop, unlisted', 'shop, private', 'shop, listed'])

    const [first] = idsOf(await app.get(pathOf('appId=shop')))
    await app.post(
      `/api/v1/proofs/revoke-self/${first}`,
      await app.ownerBody(alice, { action: 'revoke_proof', qHash: first }),
    )
    expect(await ask('appId=shop')).toEqual(['shop, listed'])
    expect(await ask('appId=shop&includeHistory=1')).toEqual(['shop, listed, newest', 'shop, listed'])
    expect(await ask('appId=none&includeHistory=1')).toEqual(['none, listed'])
  })

  test('find few proofs of an app among many others on the first page', async () => {
    await storeProofs(app, [{ verifierId: 'ownership-basic', data: { owner: 'copied' } }])
    await writeManyRows(app.parts.db, [
      {
        sql: `${countTo(4_100)}
              INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, signed_timestamp, created_at, updated_at, record)
              SELECT i, ${randomHash}, account_id, i, status, visibility, signed_timestamp, created_at, updated_at, record
              FROM n, (SELECT * FROM proofs ORDER BY id DESC LIMIT 1) copied`,
        params: [],
      },
    ])
    const answer = await app.get(pathOf('appId=club'))
    expect(answer.body.data).toMatchObject({ proofs: [{ appId: 'club' }], hasMore: false, totalCount: 1 })
    expect((await app.get(`/api/v1/proofs/by-wallet/${bob.address}?appId=club`)).body.data.proofs).toEqual([])
  })
})
