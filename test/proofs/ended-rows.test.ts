/** An ended proof is nowhere shown as verified: clients decide by `verifiedVerifiers[].verified` alone. */
import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { startMcp } from '../mcp/mcp.ts'
import { agent, alice } from '../wallets.ts'

const day = 86_400_000
const listed = { privacyLevel: 'public', publicDisplay: true }
const over = (status: string) => [expect.objectContaining({ verified: false, status })]

async function grant(app: TestApp, scope = 'shop', more: object = { options: listed }): Promise<string> {
  const { body } = await app.submit(alice, {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: agent.address, scope, expiresAt: app.now() + day },
    ...more,
  })
  return body.data.qHash
}

const listPath = `/api/v1/proofs/by-wallet/${alice.address}`
const idsIn = ({ body }: { body: { data: { proofs: { qHash: string }[] } } }) =>
  body.data.proofs.map((one) => one.qHash)

describe.each([false, true])('an expired proof (swept: %p)', (isSwept) => {
  async function start(make: (app: TestApp) => Promise<string> = grant, env: Record<string, string> = {}) {
    const app = await startApp(env)
    const qHash = await make(app)
    const before = await app.get(listPath)
    expect(idsIn(before)).toEqual([qHash])
    expect(before.body.data.totalCount).toBe(1)
    for (const row of before.body.data.proofs[0].verifiedVerifiers) expect(row.verified).toBe(true)
    app.wait(day)
    if (isSwept) await app.sweep()
    return { app, qHash }
  }

  test('is in no public list, unless history is asked for, and then it is not verified', async () => {
    const { app, qHash } = await start()
    const plain = await app.get(`${listPath}?includeFacets=1`)
    expect(plain.body.data).toMatchObject({ proofs: [], totalCount: 0, facets: { tags: [] } })
    for (const query of ['verifierId=agent-delegation', 'status=verified', `qHash=${qHash}`, 'visibility=public'])
      expect(idsIn(await app.get(`${listPath}?${query}`))).toEqual([])
    for (const query of ['includeHistory=1', 'status=expired', `includeHistory=1&qHash=${qHash}`]) {
      const { body } = await app.get(`${listPath}?${query}`)
      expect(body.data.proofs).toMatchObject([{ qHash, status: 'expired', verifiedVerifiers: over('expired') }])
    }
  })

  test('is not verified by its id, for every caller', async () => {
    const { app, qHash } = await start()
    const owner = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    for (const headers of [{}, owner])
      for (const query of ['', '?latestScope=1']) {
        const { body } = await app.get(`/api/v1/proofs/${qHash}${query}`, headers)
        expect(body.data).toMatchObject({ status: 'expired', verifiedVerifiers: over('expired') })
      }
    const page = (await app.get(`/proof/${qHash}`)).body
    expect(page).toContain('This proof expired')
    expect(page).not.toMatch(/: (confirmed|not confirmed)</)
  })

  test('stays in the list of its owner, and is not verified there', async () => {
    const { app, qHash } = await start()
    const { headers } = await app.signIn(alice)
    const { body } = await app.get(listPath, headers)
    expect(body.data).toMatchObject({ totalCount: 1, proofs: [{ qHash, verifiedVerifiers: over('expired') }] })
  })

  test('is the same for a handle that its settings let expire', async () => {
    const env = { PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '1' }
    const { app, qHash } = await start(async (app) => {
      const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' }, options: listed }
      return (await app.submit(alice, claim)).body.data.qHash
    }, env)
    expect(idsIn(await app.get(listPath))).toEqual([])
    const { body } = await app.get(`/api/v1/proofs/${qHash}`)
    expect(body.data.verifiedVerifiers).toEqual(over('expired'))
  })

  test('ends every claim of its proof', async () => {
    const { app, qHash } = await start(async (app) => {
      const data = {
        'agent-delegation': { controllerWallet: alice.address, agentWallet: alice.address, expiresAt: app.now() + day },
        'agent-identity': { agentId: 'mine', agentWallet: alice.address },
      }
      return (await app.submit(alice, { verifierIds: Object.keys(data), data, options: listed })).body.data.qHash
    })
    const { body } = await app.get(`/api/v1/proofs/${qHash}`)
    expect(body.data.verifiedVerifiers).toMatchObject([...over('expired'), ...over('expired')])
  })

  test('leaves the list as others page through it whole and counted', async () => {
    const { app } = await start()
    await grant(app, 'a')
    await grant(app, 'b')
    if (!isSwept) await app.sweep()
    const first = await app.get(`${listPath}?limit=1`)
    expect(first.body.data).toMatchObject({ totalCount: 2, hasMore: true })
    const second = await app.get(`${listPath}?limit=1&cursor=${first.body.data.nextCursor}`)
    expect(second.body.data).toMatchObject({ totalCount: 2, hasMore: false })
    expect((await app.get(`${listPath}?includeHistory=1`)).body.data).toMatchObject({ totalCount: 3 })
  })

  test('is reported in the same way by the tools of MCP', async () => {
    const app = await startMcp()
    const qHash = await grant(app)
    app.wait(day)
    if (isSwept) await app.sweep()
    const token = await app.tokenOf()
    for (const args of [{ qHash }, {}]) {
      const { data } = await app.tool(token, 'svc_proofs_get', args)
      expect(data.data.proofs).toMatchObject([{ qHash, status: 'expired', checks: over('expired') }])
    }
  })
})

test('a revoked proof is not verified where it is shown', async () => {
  const app = await startApp()
  const qHash = await grant(app)
  const { headers } = await app.signIn(alice)
  await app.post(`/api/v1/proofs/revoke-self/${qHash}`, {}, headers)
  for (const path of [`${listPath}?includeHistory=1`, `${listPath}?status=revoked`]) {
    const { body } = await app.get(path)
    expect(body.data.proofs).toMatchObject([{ qHash, status: 'revoked', verifiedVerifiers: over('revoked') }])
  }
  const { body } = await app.get(`/api/v1/proofs/${qHash}`)
  expect(body.data).toMatchObject({ status: 'revoked', verifiedVerifiers: over('revoked') })
})

test('a repeated request whose proof has expired is answered as expired', async () => {
  const app = await startApp()
  const claim = {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: agent.address, expiresAt: app.now() + 1000 },
  }
  const request = await app.signed(alice, claim)
  const first = await app.post('/api/v1/verification', request)
  app.wait(2000)
  const again = await app.post('/api/v1/verification', request)
  expect(again.body.data).toMatchObject({
    qHash: first.body.data.qHash,
    status: 'expired',
    verifiedVerifiers: over('expired'),
  })
})
