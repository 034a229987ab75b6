/** Agent cards show public facts of an agent, and nothing that only its owner may see. */

import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { linkWallets } from '../wallet-link.ts'
import { agent, alice, bob, evmWallet, sol, type TestWallet } from '../wallets.ts'

const day = 86_400_000
const listed = { privacyLevel: 'public', publicDisplay: true }
const low = ({ address }: { address: string }) => address.toLowerCase()
const cardAt = (agentId: string) => `/api/v1/agents/card/${encodeURIComponent(agentId)}`
const wellKnown = ['/.well-known/agent-card.json', '/.well-known/a2a/agent-card.json']

const identify = async (app: TestApp, wallet: TestWallet, more: object = {}, options: object = listed) =>
  (
    await app.submit(wallet, {
      verifierIds: ['agent-identity'],
      data: { agentId: 'writer', agentWallet: wallet.address, ...more },
      options,
    })
  ).body.data.qHash as string

const allow = async (app: TestApp, controller: TestWallet, more: object = {}, options: object = listed) =>
  (
    await app.submit(controller, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: controller.address, agentWallet: agent.address, agentId: 'writer', ...more },
      options,
    })
  ).body.data.qHash as string

const about = {
  agentLabel: 'Writer',
  description: 'Writes.',
  instructions: 'The inner workings.',
  capabilities: { publishing: true, spending: false },
  skills: [{ id: 'prose', label: 'Prose' }],
  services: [{ name: 'api', endpoint: 'https://agent.example/api' }],
}
const ownerOnly = {
  model: 'inner-model',
  provider: 'inner-provider',
  allowedActions: ['inner_allowed'],
  deniedActions: ['inner_denied'],
  runtimePolicy: { requiresHumanApproval: true },
  approvalPolicy: { preApprovedContentOnly: true },
}

describe('GET /api/v1/agents/card/{agentId}', () => {
  test('shows the public data of the agent and of its controllers', async () => {
    const app = await startApp()
    const identityQHash = await identify(app, agent, about)
    await linkWallets(app, alice, agent, {}, listed)
    const qHash = await allow(app, alice, { scope: 'shop', expiresAt: app.now() + day, ...ownerOnly })
    const { status, body, headers } = await app.get(cardAt('writer'), { origin: 'https://site.example' })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(body.data).toEqual({
      agentId: 'writer',
      wallet: low(agent),
      label: 'Writer',
      description: 'Writes.',
      capabilities: ['publishing'],
      skills: [{ id: 'prose', label: 'Prose' }],
      services: about.services,
      identityQHash,
      controllerWallet: low(alice),
      scope: 'shop',
      delegations: [
        { controllerWallet: low(alice), agentAgreed: true, scope: 'shop', expiresAt: app.now() + day, qHash },
      ],
      moreDelegations: false,
      pageUrl: `http://localhost:8787/agent/writer?agentWallet=${low(agent)}`,
    })
    const everywhere = [cardAt('writer'), '/agent/writer', ...wellKnown.map((path) => `${path}?agentId=writer`)]
    for (const path of everywhere) {
      const text = JSON.stringify((await app.get(path)).body)
      expect(text).toContain(low(alice))
      expect(text).not.toMatch(/inner|requiresHumanApproval|preApprovedContentOnly/i)
    }
  })

  test('an unknown id, and one of private or unlisted proofs, get the same answer', async () => {
    const app = await startApp()
    await identify(app, agent, { agentId: 'hidden' }, { privacyLevel: 'private' })
    await identify(app, agent, { agentId: 'unlisted' }, { privacyLevel: 'public' })
    const answerOf = async (path: string) => {
      const { status, body } = await app.get(path)
      return { status, ...body?.error }
    }
    const absent = await answerOf(cardAt('nobody'))
    expect(absent).toMatchObject({ status: 404, code: 'NOT_FOUND', type: 'not_found' })
    for (const id of ['hidden', 'unlisted']) {
      expect(await answerOf(cardAt(id))).toEqual(absent)
      expect(await answerOf(`${wellKnown[0]}?agentId=${id}`)).toEqual(absent)
      const named = `?agentWallet=${agent.address}`
      expect(await answerOf(cardAt(id) + named)).toEqual(await answerOf(cardAt('nobody') + named))
    }
  })

  test('private and unlisted, expired and revoked delegations, and those for others, are not on it', async () => {
    const app = await startApp()
    await identify(app, agent)
    await allow(app, alice, { scope: 'a' }, { privacyLevel: 'private' })
    await allow(app, alice, { scope: 'b' }, { privacyLevel: 'public' })
    await allow(app, alice, { scope: 'c', expiresAt: app.now() + 1000 })
    await allow(app, alice, { scope: 'd', agentId: 'another' })
    const revoked = await allow(app, bob, { scope: 'e' })
    await app.post(`/api/v1/proofs/revoke-self/${revoked}`, {}, (await app.signIn(bob)).headers)
    app.wait(2000)
    for (const isSwept of [false, true]) {
      if (isSwept) await app.sweep()
      const { body } = await app.get(cardAt('writer'))
      expect(body.data).toMatchObject({ controllerWallet: null, scope: null, delegations: [] })
    }
  })

  test('another agent cannot take over a card: for several wallets the caller names one', async () => {
    const app = await startApp()
    const first = await identify(app, agent, { agentLabel: 'The first' })
    await identify(app, bob, { agentLabel: 'The second' })
    const { status, body } = await app.get(cardAt('writer'))
    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('agentWallet'),
      details: { parameter: 'agentWallet', agentWallets: [low(agent), low(bob)] },
    })
    const named = await app.get(`${cardAt('writer')}?agentWallet=${agent.address}`)
    expect(named.body.data).toMatchObject({ label: 'The first', identityQHash: first })
    const caip10 = encodeURIComponent(`eip155:84532:${bob.address}`)
    expect((await app.get(`${cardAt('writer')}?agentWallet=${caip10}`)).body.data.label).toBe('The second')
    expect((await app.get(`${cardAt('writer')}?agentWallet=${alice.address}`)).status).toBe(404)
    const wrong = await app.get(`${cardAt('writer')}?agentWallet=nobody!`)
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'INVALID_WALLET_ADDRESS' } } })
    expect((await app.get(`${wellKnown[0]}?agentId=writer`)).status).toBe(409)

    // Once bob has erased his agent, only one wallet is left, so the caller need not name it.
    const { headers } = await app.signIn(bob)
    await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: low(bob) }),
      headers,
    )
    expect((await app.get(cardAt('writer'))).body.data.label).toBe('The first')
  })

  test('a wallet does not become its controller by letting it act, neither alone nor beside others', async () => {
    const app = await startApp()
    await identify(app, agent)
    const qHash = await allow(app, alice)
    const card = (await app.get(cardAt('writer'))).body.data
    expect(card).toMatchObject({ controllerWallet: null, scope: null })
    expect(card.delegations).toMatchObject([{ controllerWallet: low(alice), agentAgreed: false, qHash }])
    const inA2a = (await app.get(`${wellKnown[0]}?agentId=writer`)).body
    expect(inA2a.provider.organization).toBe(low(agent))
    expect(inA2a.capabilities.extensions[0].params).toMatchObject({ controllerWallet: null, scope: null })
    const page = (await app.get('/agent/writer')).body
    expect(page).toContain('What others say')
    expect(page).not.toContain('Who lets it act')

    await allow(app, bob)
    const both = (await app.get(cardAt('writer'))).body.data
    expect([both.controllerWallet, both.delegations.length]).toEqual([null, 2])
    await allow(app, agent, { scope: 'own' })
    const own = (await app.get(cardAt('writer'))).body.data
    expect(own).toMatchObject({ controllerWallet: low(agent), scope: 'own', moreDelegations: false })
    expect(own.delegations.map((one: { agentAgreed: boolean }) => one.agentAgreed)).toEqual([true, false, false])
    expect((await app.get('/agent/writer')).body).toContain('Who lets it act')
  })

  test.each([
    ['the controller', alice, agent],
    ['the agent', agent, alice],
  ])(
    'a wallet that is linked to that of the agent is its controller, where %s signed the link first',
    async (_, from, to) => {
      const app = await startApp()
      await identify(app, agent)
      await allow(app, bob)
      await allow(app, alice, { scope: 'shop' })
      const hidden = await linkWallets(app, from, to, {}, { privacyLevel: 'private' })
      expect((await app.get(cardAt('writer'))).body.data.controllerWallet).toBeNull()
      await app.post(`/api/v1/proofs/revoke-self/${hidden}`, {}, (await app.signIn(from)).headers)
      app.wait(1000)
      const link = await linkWallets(app, from, to, {}, listed)
      const card = (await app.get(cardAt('writer'))).body.data
      expect(card).toMatchObject({ controllerWallet: low(alice), scope: 'shop' })
      expect(card.delegations).toMatchObject([
        { controllerWallet: low(alice), agentAgreed: true },
        { controllerWallet: low(bob), agentAgreed: false },
      ])
      const inA2a = (await app.get(`${wellKnown[0]}?agentId=writer`)).body
      expect(inA2a.provider.organization).toBe(low(alice))
      await app.post(`/api/v1/proofs/revoke-self/${link}`, {}, (await app.signIn(from)).headers)
      expect((await app.get(cardAt('writer'))).body.data.controllerWallet).toBeNull()
    },
  )

  test('a link of the agent to another wallet makes no controller, and several linked ones are not ranked', async () => {
    const app = await startApp()
    await identify(app, agent)
    await allow(app, alice)
    await linkWallets(app, agent, bob, {}, listed)
    await linkWallets(app, agent, sol, {}, listed)
    expect((await app.get(cardAt('writer'))).body.data.controllerWallet).toBeNull()
    await linkWallets(app, agent, alice, {}, listed)
    expect((await app.get(cardAt('writer'))).body.data.controllerWallet).toBe(low(alice))
    await allow(app, bob)
    const card = (await app.get(cardAt('writer'))).body.data
    expect(card.controllerWallet).toBeNull()
    expect(card.delegations.map((one: { agentAgreed: boolean }) => one.agentAgreed)).toEqual([true, true])
  })

  test('strangers displace no controller that the agent agreed to, and the card says that more exist', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await identify(app, agent)
    const strangers = Array.from({ length: 11 }, (_, at) => evmWallet(`0x${String(at + 10).repeat(32)}`))
    for (const stranger of strangers.slice(0, 10)) await allow(app, stranger)
    expect((await app.get(cardAt('writer'))).body.data).toMatchObject({
      controllerWallet: null,
      moreDelegations: false,
    })
    await allow(app, strangers[10]!)
    await allow(app, alice)
    await linkWallets(app, alice, agent, {}, listed)
    const card = (await app.get(cardAt('writer'))).body.data
    expect(card).toMatchObject({ controllerWallet: low(alice), moreDelegations: true })
    expect(card.delegations).toHaveLength(11)
    expect((await app.get('/agent/writer')).body).toContain('There may be more')
  })

  test('a newer identity of the same wallet replaces the older one', async () => {
    const app = await startApp()
    await identify(app, agent, { agentLabel: 'Old' })
    app.wait(1000)
    await identify(app, agent, { agentLabel: 'New' })
    expect((await app.get(cardAt('writer'))).body.data.label).toBe('New')
  })

  test.skipIf(onlyOnSqlite('a query plan of this form'))('looks agents up by an index', async () => {
    const app = await startApp()
    for (const column of ['agent_id', 'granted_to']) {
      const plan = await select<{ detail: string }>(
        app.parts.db,
        `EXPLAIN QUERY PLAN SELECT p.account_id FROM proofs p WHERE p.${column} = 'x' AND p.superseded = 0
           AND p.revoked_at IS NULL AND p.status <> 'expired' AND p.account_id > 5 ORDER BY p.account_id LIMIT 1`,
      ).all()
      expect(plan[0]?.detail).toMatch(/USING (COVERING )?INDEX proofs_(agents|granted)/)
    }
  })
})

describe('A2A agent cards', () => {
  test.each(wellKnown)('%s says that this server speaks MCP, where, and with which tools', async (path) => {
    const app = await startApp({
      PROOFGATE_MCP_URL: 'https://mcp.example.com',
      PROOFGATE_AUTH_URL: 'https://auth.example.com',
    })
    const { status, body, headers } = await app.get(path)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      url: 'https://mcp.example.com/mcp',
      preferredTransport: 'MCP',
      description: expect.stringContaining('not the calls of A2A'),
      securitySchemes: {
        oauth2: { flows: { authorizationCode: { tokenUrl: 'https://auth.example.com/api/v1/auth/mcp/token' } } },
      },
    })
    expect(body.skills.map(({ id }: { id: string }) => id)).toContain('svc_agent_create')
    for (const member of [
      'name',
      'version',
      'provider',
      'documentationUrl',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
    ])
      expect(body).toHaveProperty(member)
    expect((await app.get(new URL(body.capabilities.extensions[0].params.serverCard).pathname)).status).toBe(200)
  })

  test.each(wellKnown)('%s?agentId= is the card of that agent, which this server does not run', async (path) => {
    const app = await startApp()
    await identify(app, agent, about)
    const { body, headers } = await app.get(`${path}?agentId=writer`)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      name: 'Writer',
      url: 'https://agent.example/api',
      description: expect.stringContaining('does not run the agent'),
      skills: [{ id: 'prose', name: 'Prose' }],
    })
  })

  test('a server without MCP has no card, but its agents have', async () => {
    const app = await startApp({ PROOFGATE_MCP_ENABLED: 'false' })
    await identify(app, agent)
    expect((await app.get(wellKnown[0]!)).status).toBe(404)
    expect((await app.get(`${wellKnown[0]}?agentId=writer`)).status).toBe(200)
  })
})

describe('/agent/{agentId}', () => {
  const markup = `<img src=x onerror="alert(1)">/'&`

  test('shows the card to people, markup as text', async () => {
    const app = await startApp()
    await identify(app, agent, { agentId: markup, agentLabel: `Label ${markup}` })
    await allow(app, alice, { agentId: markup, scope: 'shop' })
    const { status, body, headers } = await app.get(`/agent/${encodeURIComponent(markup)}`)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(body).toContain(low(agent))
    expect(body).toContain(low(alice))
    expect(body).toContain('Label &lt;img')
    expect(body).not.toContain('<img src=x')
  })

  test('keeps a label that turns its direction apart from the words beside it', async () => {
    const app = await startApp()
    const label = 'Wri\u202eter\u2069'
    await identify(app, agent, { agentId: 'turner', agentLabel: label })
    const { body } = await app.get('/agent/turner')
    expect(body).toContain('<title>\u2068Wri\u202eter\u2069 · Proofgate</title>')
    expect(body).toContain(`<h1><bdi>${label}</bdi></h1>`)
  })

  test('reports an unknown one, and lets people choose among several', async () => {
    const app = await startApp()
    const unknown = await app.get('/agent/nobody')
    expect([unknown.status, unknown.body.includes('Page not found')]).toEqual([404, true])
    await identify(app, agent)
    await identify(app, bob)
    const several = await app.get('/agent/writer')
    expect(several.status).toBe(409)
    expect(several.body).toContain(`?agentWallet=${low(bob)}`)
    expect((await app.get(`/agent/writer?agentWallet=${low(bob)}`)).status).toBe(200)
    expect((await app.get('/agent/writer?agentWallet=%3Cscript%3E')).status).toBe(400)
  })
})
