/** A person creates, links and mounts their own agents. */

import { describe, expect, test } from 'bun:test'
import { privateKeyToAccount } from 'viem/accounts'
import { select } from '../parts/select.ts'
import { agent, alice, bob, sol } from '../wallets.ts'
import { startMcp, type TestMcp } from './mcp.ts'

const low = (wallet: { address: string }) => wallet.address.toLowerCase()

const made = async (app: TestMcp, token: string, args: object = {}) =>
  (await app.tool(token, 'svc_agent_create', { agentId: 'helper', agentWallet: 'generate', ...args })).data
const mounted = async (app: TestMcp, token: string, args: object = { agentId: 'helper' }) =>
  (await app.tool(token, 'svc_agent_mount', args)).data

const everything = {
  agentLabel: 'Helper',
  agentType: 'ai',
  description: 'Helps.',
  instructions: 'Be kind.',
  capabilities: { wallet: true, signing: false, mcp: true },
  skills: [{ id: 'search', label: 'Search', kind: 'mcp' }],
  services: [{ name: 'api', endpoint: 'https://agent.example/api' }],
  defaultRuntime: { provider: 'anthropic', model: 'small' },
  scope: 'shop',
  maxSpend: '1000000',
  delegationAllowedActions: ['read_data', 'send_message'],
  delegationDeniedActions: ['execute_payments'],
  delegationRuntimePolicy: { requiresHumanApproval: true, allowedProviders: ['anthropic'] },
  approvalPolicy: { humanApprovalRequiredForNewClaims: true },
  model: 'large',
}

describe('svc_agent_create', () => {
  test("says that the agent's identity is public, before the call and after", async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { tools } = (await app.send(token, 'tools/list')).body.result
    const { description } = tools.find(({ name }: { name: string }) => name === 'svc_agent_create')
    expect(description).toContain('public and listed')
    expect((await made(app, token)).message).toContain('The agent-identity is public and listed')
    const other = await made(app, token, { agentId: 'other', agentWallet: bob.address })
    expect(other.message).toContain('The agent-identity will be public and listed')
    // An identity that was there already gets no such remark.
    expect((await made(app, token)).message).toBe('The agent is linked.')
  })

  test('reports an end in seconds as such', async () => {
    const app = await startMcp()
    const { error } = await made(app, await app.tokenOf(), { expiresAt: 1_893_456_000 })
    expect(error.details.argument).toBe('expiresAt')
    expect(error.message).toBe(
      'argument expiresAt is 1893456000, which looks like Unix seconds: give Unix milliseconds, here 1893456000000',
    )
  })

  test('with a generated wallet makes a signed identity and a delegation, and gives the key once', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const answer = await made(app, token)
    expect(answer).toMatchObject({
      path: 'session_auto_complete',
      next_action: 'ready',
      agentId: 'helper',
      controllerWallet: low(alice),
      sessionProgress: { identityComplete: true, delegationComplete: true },
      preparedSignatures: [],
    })
    const { address, privateKey } = answer.generatedWallet
    expect(address).toBe(privateKeyToAccount(privateKey).address.toLowerCase())
    expect(answer.agentWallet).toBe(address)
    // The identity is signed by the key and public; the delegation is private.
    const identity = (await app.get(`/api/v1/proofs/${answer.identityQHash}`)).body.data
    expect(identity).toMatchObject({ walletAddress: address, privacyLevel: 'public', publicDisplay: true })
    const row = await select<{ method: string | null }>(
      app.parts.db,
      'SELECT signature_method AS method FROM proofs ORDER BY id',
    ).all()
    expect(row).toEqual([{ method: 'eip191' }, { method: null }])
    expect((await app.get(`/api/v1/proofs/${answer.delegationQHash}`)).body.data.verifiedVerifiers).toBeUndefined()

    const again = await made(app, token)
    expect(again).toMatchObject({ path: 'already_linked', next_action: 'ready', agentWallet: address })
    expect(again.generatedWallet).toBeUndefined()
    const whole = JSON.stringify(await select(app.parts.db, 'SELECT record FROM proofs').all())
    expect(whole).not.toContain(privateKey.slice(2))
  })

  test('prepares the text that the wallet of an agent signs, and the signature makes the link', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const answer = await made(app, token, { agentWallet: agent.address, ...everything })
    expect(answer).toMatchObject({
      path: 'signatures_required',
      next_action: 'submit_remaining_signatures',
      sessionProgress: { identityComplete: false, delegationComplete: true },
      identityQHash: null,
    })
    expect(answer.preparedSignatures).toHaveLength(1)
    const [prepared] = answer.preparedSignatures
    expect(prepared.walletAddress).toBe(low(agent))
    const url = new URL(answer.hostedVerifyUrl)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      verifiers: 'agent-identity,agent-delegation',
      agentId: 'helper',
      agentWallet: low(agent),
      controllerWallet: low(alice),
      agentLabel: 'Helper',
      scope: 'shop',
      maxSpend: '1000000',
      prefillAllowedActions: '["read_data","send_message"]',
      prefillApprovalPolicy: '{"humanApprovalRequiredForNewClaims":true}',
    })
    const link = { agentWallet: agent.address, agentId: 'helper' }
    expect((await app.tool(token, 'svc_agent_link', link)).data).toMatchObject({
      linked: false,
      status: 'link_required',
      missingVerifiers: ['agent-identity'],
    })
    const signature = await agent.sign(prepared.signerString)
    const args = { ...prepared.submitWith.arguments, signature }
    expect((await app.tool(token, prepared.submitWith.tool, args)).data.result).toBe('Passed')
    expect((await app.tool(token, 'svc_agent_link', link)).data).toMatchObject({
      linked: true,
      status: 'ok',
      agentLabel: 'Helper',
      missingVerifiers: [],
      next_action: 'ready',
    })
    expect(await made(app, token, { agentWallet: agent.address, ...everything })).toMatchObject({
      path: 'already_linked',
    })
    const { agents } = (await app.tool(token, 'svc_context')).data.profileContext
    expect(agents).toEqual([
      {
        agentId: 'helper',
        agentWallet: low(agent),
        agentAccountId: `eip155:84532:${low(agent)}`,
        identityQHash: expect.any(String),
        qHash: agents[0].identityQHash,
        delegationQHash: answer.delegationQHash,
        agentLabel: 'Helper',
        agentType: 'ai',
        description: 'Helps.',
        instructions: 'Be kind.',
        capabilities: ['wallet', 'mcp'],
        skills: [{ id: 'search', label: 'Search', kind: 'mcp' }],
        services: [{ name: 'api', endpoint: 'https://agent.example/api' }],
      },
    ])
  })

  test('shares the signed-in wallet with the agent and links it at once, unless agentWallet is given', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const create = () => app.tool(token, 'svc_agent_create', { agentId: 'shared', agentLabel: 'Mine' })
    const answer = (await create()).data
    expect(answer).toMatchObject({
      path: 'session_auto_complete',
      next_action: 'ready',
      agentWallet: low(alice),
      controllerWallet: low(alice),
      sessionProgress: { identityComplete: true, delegationComplete: true },
      preparedSignatures: [],
    })
    expect(answer.generatedWallet).toBeUndefined()
    const link = { linked: true, status: 'ok', agentWallet: low(alice), agentLabel: 'Mine', missingVerifiers: [] }
    for (const args of [{}, { agentWallet: alice.address, principal: alice.address }])
      expect((await app.tool(token, 'svc_agent_link', { agentId: 'shared', ...args })).data).toMatchObject(link)
    for (const args of [{ agentId: 'shared' }, { agentWallet: alice.address }, { identityQHash: answer.identityQHash }])
      expect(await mounted(app, token, args)).toMatchObject({
        identity: { agentId: 'shared', agentWallet: low(alice), agentLabel: 'Mine' },
        delegation: { controllerWallet: low(alice), isExpired: false },
      })
    expect((await create()).data).toMatchObject({ path: 'already_linked', delegationQHash: answer.delegationQHash })
    const { agents } = (await app.tool(token, 'svc_context')).data.profileContext
    expect(agents).toMatchObject([{ agentId: 'shared', agentWallet: low(alice), identityQHash: answer.identityQHash }])
  })

  test('needs the signature of the controller when that is another wallet and agentWallet is absent', async () => {
    const app = await startMcp()
    const answer = (
      await app.tool(await app.tokenOf(), 'svc_agent_create', { agentId: 'lent', controllerWallet: bob.address })
    ).data
    expect(answer).toMatchObject({
      agentWallet: low(alice),
      controllerWallet: low(bob),
      sessionProgress: { identityComplete: true, delegationComplete: false },
    })
  })

  test('for a foreign controller prepares both proofs, and makes none', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const answer = await made(app, token, { agentWallet: agent.address, controllerWallet: bob.address })
    expect(answer.sessionProgress).toEqual({ identityComplete: false, delegationComplete: false })
    expect(answer.preparedSignatures.map((one: { walletAddress: string }) => one.walletAddress)).toEqual([
      low(agent),
      low(bob),
    ])
    expect(await select(app.parts.db, 'SELECT 1 FROM proofs').all()).toEqual([])
  })

  test('needs a wallet signature to let an app act for the wallet', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const args = { scope: 'app-link', delegationPermissions: ['app:x', 'origin:*'] }
    const answer = await made(app, token, args)
    expect(answer).toMatchObject({
      path: 'signatures_required',
      sessionProgress: { identityComplete: true, delegationComplete: false },
    })
    expect(answer.generatedWallet.privateKey).toMatch(/^0x[0-9a-f]{64}$/)
    expect(answer.preparedSignatures[0].walletAddress).toBe(low(alice))
  })

  test.each([
    ['an end in the past', { expiresAt: 1 }],
    ['an end in seconds', { expiresAt: 1_893_456_000 }],
    ['an amount that is none', { maxSpend: '1.5' }],
    ['a returnUrl that is none', { returnUrl: 'javascript:1' }],
    ['an agent wallet that is none', { agentWallet: '0x12' }],
    ['an unknown capability', { capabilities: { flying: true } }],
    ['a policy of another shape', { approvalPolicy: { always: true } }],
  ])('refuses %s, and makes no proof', async (_, args) => {
    const app = await startMcp()
    const { isError } = await app.tool(await app.tokenOf(), 'svc_agent_create', {
      agentId: 'helper',
      agentWallet: 'generate',
      ...args,
    })
    expect(isError).toBe(true)
    expect(await select(app.parts.db, 'SELECT 1 FROM proofs').all()).toEqual([])
  })

  test('works for an agent with a Solana wallet, but for mounting it', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const answer = await made(app, token, { agentWallet: sol.address })
    const [prepared] = answer.preparedSignatures
    const signature = await sol.sign(prepared.signerString)
    const args = { ...prepared.submitWith.arguments, signature, signatureMethod: 'ed25519' }
    expect((await app.tool(token, 'svc_verify', args)).data).toMatchObject({ result: 'Passed' })
    expect((await app.tool(token, 'svc_agent_link', { agentWallet: sol.address })).data.linked).toBe(true)
    expect(await mounted(app, token)).toMatchObject({ error: { code: 'mount_incomplete' } })
  })

  test('counts the wallets it makes for the person', async () => {
    const app = await startMcp({ PROOFGATE_LIMITS_RATES_CREATE: '3/1h' })
    const token = await app.tokenOf()
    await made(app, token)
    const { isError, data } = await app.tool(token, 'svc_agent_create', { agentId: 'b', agentWallet: 'generate' })
    expect({ isError, problem: data.delegationProblem }).toEqual({
      isError: false,
      problem: expect.stringContaining('too many'),
    })
    expect(data.generatedWallet.privateKey).toBeString()
    const third = await app.tool(token, 'svc_agent_create', { agentId: 'c', agentWallet: 'generate' })
    expect(third.data).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, next_action: 'retry_later' })
  })
})

describe('svc_agent_mount', () => {
  test('gives the whole bundle', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const secret = { alias: 'KEY', secretType: 'single', content: 'xyzzy' }
    const { qHash } = (await app.tool(token, 'svc_secret_create', secret)).data
    const expiresAt = app.now() + 1000
    const answer = await made(app, token, { ...everything, expiresAt })
    const bundle = await mounted(app, token)
    const { origin } = new URL('http://localhost:8787')
    expect(bundle).toEqual({
      schema: 'svc.runtime-mount.v1',
      mountedAt: '2026-01-01T00:00:00.000Z',
      trust: {
        identityQHash: answer.identityQHash,
        delegationQHash: answer.delegationQHash,
        identityProofUrl: `${origin}/proof/${answer.identityQHash}`,
        delegationProofUrl: `${origin}/proof/${answer.delegationQHash}`,
      },
      identity: {
        agentId: 'helper',
        agentWallet: answer.agentWallet,
        agentLabel: 'Helper',
        agentType: 'ai',
        description: 'Helps.',
        instructions: 'Be kind.',
        capabilities: ['wallet', 'mcp'],
        skills: everything.skills,
        services: everything.services,
        defaultRuntime: everything.defaultRuntime,
      },
      delegation: {
        controllerWallet: low(alice),
        scope: 'shop',
        allowedActions: ['read_data', 'send_message'],
        deniedActions: ['execute_payments'],
        runtimePolicy: everything.delegationRuntimePolicy,
        approvalPolicy: everything.approvalPolicy,
        expiresAt,
        isExpired: false,
        maxSpend: '1000000',
        instructions: null,
        skills: [],
        provider: null,
        model: 'large',
      },
      effectiveRuntime: { provider: 'anthropic', model: 'large' },
      tools: expect.arrayContaining(['svc_context', 'svc_verify']),
      secretBindings: [{ alias: 'KEY', qHash, type: 'single' }],
      enforce: {
        deniedActions: ['execute_payments'],
        allowedActions: ['read_data', 'send_message'],
        requiresHumanApproval: true,
        approvalPolicy: everything.approvalPolicy,
      },
      contextPack: {
        identityCount: 1,
        delegationCount: 1,
        activeDelegations: 1,
        capabilitiesSummary: ['wallet', 'mcp'],
        skillsSummary: ['search'],
      },
    })
    expect(JSON.stringify(bundle)).not.toContain('xyzzy')

    app.wait(1000)
    const expired = await mounted(app, await app.tokenOf())
    expect(expired).toMatchObject({ delegation: { isExpired: true }, contextPack: { activeDelegations: 0 } })
    expect(
      (await app.tool(await app.tokenOf(), 'svc_agent_link', { agentWallet: answer.agentWallet })).data,
    ).toMatchObject({ linked: false, missingVerifiers: ['agent-delegation'] })
  })

  test('addresses of proofs are pages for people, at the address where people sign in', async () => {
    const authUrl = 'https://auth.example.com'
    const app = await startMcp({ PROOFGATE_AUTH_URL: authUrl })
    const token = await app.tokenOf()
    const { identityQHash, delegationQHash } = await made(app, token, { agentWallet: alice.address })
    expect((await mounted(app, token)).trust).toEqual({
      identityQHash,
      delegationQHash,
      identityProofUrl: `${authUrl}/proof/${identityQHash}`,
      delegationProofUrl: `${authUrl}/proof/${delegationQHash}`,
    })
    const claim = { verifierIds: ['ownership-basic'], data: { content: 'mine', reference: { type: 'other' } } }
    const { qHash, proofUrl } = (await app.tool(token, 'svc_verify', claim)).data
    expect(proofUrl).toBe(`${authUrl}/proof/${qHash}`)
    const page = await app.get(`/proof/${identityQHash}`)
    expect([page.status, page.body.includes('Agent: verified')]).toEqual([200, true])
  })

  test('finds the agent by id, wallet or identity, and by all that are given', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { agentWallet, identityQHash } = await made(app, token)
    for (const args of [{ agentWallet }, { identityQHash }, { agentId: 'helper', agentWallet, identityQHash }])
      expect((await mounted(app, token, args)).trust.identityQHash).toBe(identityQHash)
    for (const args of [
      { agentId: 'nobody' },
      { agentId: 'nobody', agentWallet },
      { agentWallet: bob.address, identityQHash },
      { identityQHash: `0x${'ab'.repeat(32)}` },
    ])
      expect(await mounted(app, token, args)).toMatchObject({
        error: { code: 'identity_not_found' },
        next_action: 'call_svc_agent_create',
      })
    expect(await mounted(app, token, {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
  })

  test('names secrets only to agents with a grant', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    await app.tool(token, 'svc_secret_create', { alias: 'KEY', secretType: 'single', content: 'xyzzy' })
    await made(app, token)
    const narrow = await app.tokenOf(alice, 'svc:core svc:profile')
    expect((await mounted(app, narrow)).secretBindings).toEqual([])
  })

  test('M12 mounts no agent of another person, whatever of it is public', async () => {
    const app = await startMcp()
    const [own, other] = [await app.tokenOf(alice), await app.tokenOf(bob)]
    const { agentWallet, identityQHash } = await made(app, own)
    expect(await mounted(app, other, { agentId: 'helper' })).toMatchObject({ error: { code: 'identity_not_found' } })
    for (const args of [{ agentWallet }, { identityQHash }])
      expect(await mounted(app, other, args)).toMatchObject({ error: { code: 'mount_incomplete' } })
    expect((await app.tool(other, 'svc_agent_link', { agentWallet })).data).toMatchObject({
      linked: false,
      identity: { agentId: 'helper' },
      delegationQHash: null,
    })
    const asOwner = await app.tool(other, 'svc_agent_link', { agentWallet, principal: alice.address })
    expect(asOwner.data).toMatchObject({ error: { code: 'FORBIDDEN' } })
    // An id is a name, not a claim to another's agent.
    const theirs = await made(app, other)
    expect(theirs.agentWallet).not.toBe(agentWallet)
    expect((await mounted(app, other)).identity.agentWallet).toBe(theirs.agentWallet)
    expect((await mounted(app, own)).identity.agentWallet).toBe(agentWallet)
  })

  test('M12 keeps private statements of another agent private', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const claim = { verifierIds: ['agent-identity'], data: { agentId: 'helper', agentWallet: agent.address } }
    const { qHash } = (await app.submit(agent, claim)).body.data
    const link = { agentWallet: agent.address }
    expect((await app.tool(token, 'svc_agent_link', link)).data).toMatchObject({ identity: null, identityQHash: null })
    for (const args of [{ identityQHash: qHash }, link, { agentId: 'helper' }])
      expect(await mounted(app, token, args)).toMatchObject({ error: { code: 'identity_not_found' } })
    const own = await app.tokenOf(agent)
    expect(await mounted(app, own, { identityQHash: qHash })).toMatchObject({ delegation: null })
  })

  test('a revoked identity mounts no more, by whatever name', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(agent)
    const claim = { verifierIds: ['agent-identity'], data: { agentId: 'helper', agentWallet: agent.address } }
    const { qHash } = (await app.submit(agent, claim)).body.data
    expect((await mounted(app, token)).trust.identityQHash).toBe(qHash)
    const body = await app.ownerBody(agent, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).status).toBe(200)
    for (const args of [{ identityQHash: qHash }, { agentWallet: agent.address }, { agentId: 'helper' }])
      expect(await mounted(app, token, args)).toMatchObject({ error: { code: 'identity_not_found' } })
  })

  test('a revoked delegation mounts no more', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { agentWallet, delegationQHash } = await made(app, token)
    const action = { action: 'revoke_proof', qHash: delegationQHash }
    const revoked = await app.post(`/api/v1/proofs/revoke-self/${delegationQHash}`, await app.ownerBody(alice, action))
    expect(revoked.status).toBe(200)
    expect(await mounted(app, token, { agentWallet })).toMatchObject({ error: { code: 'mount_incomplete' } })
    expect((await app.tool(token, 'svc_context')).data.profileContext.agents).toEqual([])
  })
})
