import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { agent, alice, bob, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'agent-delegation'
const day = 86_400_000
const listed = { options: { privacyLevel: 'public', publicDisplay: true } }
const basic = { controllerWallet: alice.address, agentWallet: agent.address }
const ownerOnly = {
  model: 'm',
  provider: 'p',
  runtimePolicy: { allowedProviders: ['p'], requiresHumanApproval: true },
  allowedActions: ['read_data'],
  deniedActions: ['send_message'],
  approvalPolicy: { preApprovedContentOnly: true },
}

describe('agent-delegation (src/guides/wire.md, "agent-delegation")', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const ask = asking(app, id)

  test('holds: the bare minimum is filled in from the request', async () => {
    const answer = await ask(alice, basic)
    expect(answer).toMatchObject({ status: 200, body: { data: { expiresAt: null } } })
    expect(evidenceIn(answer)).toEqual({
      controllerWallet: alice.address.toLowerCase(),
      agentWallet: agent.address.toLowerCase(),
      controllerChainRef: 'eip155:84532',
      agentChainRef: 'eip155:84532',
      controllerAccountId: `eip155:84532:${alice.address.toLowerCase()}`,
      agentAccountId: `eip155:84532:${agent.address.toLowerCase()}`,
      scope: 'global',
      expiresAt: null,
    })
  })

  test('holds: an EVM controller and an agent on Solana', async () => {
    const answer = await ask(alice, { ...basic, agentWallet: sol.address, agentChainRef: 'solana:mainnet' })
    expect(evidenceIn(answer).agentAccountId).toBe(`solana:mainnet:${sol.address}`)
  })

  test.each([
    ['an agent on Solana', alice, sol.address, `solana:mainnet:${sol.address}`],
    ['an agent on NEAR', alice, 'helper.near', 'near:mainnet:helper.near'],
    ['an EVM agent of a controller on Solana', sol, agent.address, `eip155:84532:${agent.address.toLowerCase()}`],
  ])('holds: %s, whose chain is left out, gets the one of its address', async (_, controller, agentWallet, account) => {
    const answer = await ask(controller, { controllerWallet: controller.address, agentWallet })
    expect(evidenceIn(answer).agentAccountId).toBe(account)
  })

  test.each<[string, object, object]>([
    ['are filled in', {}, { allowedPaymentTypes: ['x402'], receiptDisclosure: 'summary' }],
    [
      'are kept when given',
      { allowedPaymentTypes: ['card'], receiptDisclosure: 'none' },
      { allowedPaymentTypes: ['card'], receiptDisclosure: 'none' },
    ],
  ])('holds: payment types and disclosure of the scope payments:x402 %s', async (_, data, evidence) => {
    const answer = await ask(alice, { ...basic, scope: 'payments:x402', maxSpend: '9'.repeat(78), ...data })
    expect(evidenceIn(answer)).toMatchObject({ maxSpend: '9'.repeat(78), ...evidence })
  })

  test.each<[string, typeof alice | typeof sol]>([
    ['EVM', alice],
    ['Solana', sol],
  ])('holds: the agent shares the wallet of its controller, on %s', async (_, wallet) => {
    const answer = await ask(wallet, {
      controllerWallet: wallet.address,
      agentWallet: wallet.address,
      agentId: 'shared',
    })
    expect(answer.status).toBe(200)
    const { controllerWallet, agentWallet, controllerAccountId, agentAccountId } = evidenceIn(answer)
    expect(agentWallet).toBe(controllerWallet)
    expect(agentAccountId).toBe(controllerAccountId)
  })

  test('holds: one wallet names its agent and the permissions in one proof', async () => {
    const shared = { agentId: 'both', agentWallet: alice.address }
    const { status, body } = await app.submit(alice, {
      verifierIds: ['agent-identity', id],
      data: { 'agent-identity': shared, [id]: { ...shared, controllerWallet: alice.address } },
    })
    expect([status, body.data?.status]).toEqual([200, 'verified'])
  })

  test('owner-only members are kept, and stripped for others', async () => {
    const answer = await ask(alice, { ...basic, scope: 'shop', permissions: ['buy'], ...ownerOnly }, listed)
    expect(evidenceIn(answer)).toMatchObject(ownerOnly)
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    const shown = body.data.verifiedVerifiers[0].data
    expect(shown).toMatchObject({ scope: 'shop', permissions: ['buy'] })
    for (const name of Object.keys(ownerOnly)) expect(shown).not.toHaveProperty(name)
  })

  test.each<[string, object, string]>([
    ['the controller did not sign', { controllerWallet: bob.address }, 'CONTROLLER_MISMATCH'],
    ['the end lies in the past', { expiresAt: app.now() - 1 }, 'DELEGATION_EXPIRED'],
    [
      'the account id of the controller is of another chain',
      { controllerAccountId: `eip155:1:${alice.address}` },
      'ACCOUNT_ID_MISMATCH',
    ],
    [
      'the account id of the agent is of another wallet',
      { agentAccountId: `eip155:84532:${bob.address}` },
      'ACCOUNT_ID_MISMATCH',
    ],
  ])('fails: %s', async (_, change, reason) => {
    expect(await ask(alice, { ...basic, ...change })).toMatchObject(failed(id, reason))
  })

  test.each<[string, object, string]>([
    ['no controller', { controllerWallet: undefined }, '/controllerWallet'],
    ['an unknown member', { budget: 1 }, '/budget'],
    ['a negative end', { expiresAt: -1 }, '/expiresAt'],
    ['an amount with a fraction', { maxSpend: '1.5' }, '/maxSpend'],
    ['an amount of 79 digits', { maxSpend: '9'.repeat(79) }, '/maxSpend'],
    ['33 permissions', { permissions: Array.from({ length: 33 }, (_, index) => `p${index}`) }, '/permissions'],
    ['an unknown disclosure', { receiptDisclosure: 'some' }, '/receiptDisclosure'],
    ['an unknown member of the policy', { runtimePolicy: { x: 1 } }, '/runtimePolicy/x'],
    ['an unknown member of the approval', { approvalPolicy: { x: true } }, '/approvalPolicy/x'],
  ])('refused: %s', async (_, change, path) => {
    expect(await ask(alice, { ...basic, ...change })).toMatchObject(refused(id, path))
  })

  test.each([-3600, 3600])('refuses an end in seconds, %i seconds from now, and names the unit', async (ahead) => {
    const expiresAt = Math.floor(app.now() / 1000) + ahead
    const { status, body } = await ask(alice, { ...basic, expiresAt })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { path: '/data/expiresAt' } })
    expect(body.error.message).toBe(
      `data.expiresAt is ${expiresAt}, which looks like Unix seconds: give Unix milliseconds, here ${expiresAt * 1000}`,
    )
  })

  test.each([
    ['0', 0],
    ['null', null],
    ['nothing', undefined],
  ])('an end of %s means never', async (_, expiresAt) => {
    const { body } = await ask(alice, { ...basic, expiresAt })
    expect(body.data).toMatchObject({ status: 'verified', expiresAt: null })
  })
})

describe('the end of a delegation', () => {
  const statusOf = async (app: TestApp, qHash: string) => (await app.get(`/api/v1/proofs/${qHash}`)).body.status
  const storedStatuses = async (app: TestApp) =>
    (await select<{ status: string }>(app.parts.db, 'SELECT status FROM proofs ORDER BY id').all()).map(
      ({ status }) => status,
    )

  test('is enforced when it is read, by id, in lists and in batches, before any sweep', async () => {
    const app = await startApp()
    const { body } = await asking(app, id)(alice, { ...basic, expiresAt: app.now() + day }, listed)
    const { qHash } = body.data
    app.wait(day - 2)
    expect(await statusOf(app, qHash)).toBe('verified')
    app.wait(1)
    expect(await statusOf(app, qHash)).toBe('expired')
    expect(
      (await app.get(`/api/v1/proofs/by-wallet/${alice.address}?includeHistory=1`)).body.data.proofs[0].status,
    ).toBe('expired')
    const batch = await app.post('/api/v1/verification/status-batch', { qHashes: [qHash] })
    expect(batch.body.results[qHash].status).toBe('expired')
    expect(await storedStatuses(app)).toEqual(['verified'])
  })

  test('is written down by the sweep, once, and never for a delegation without an end', async () => {
    const app = await startApp()
    const ask = asking(app, id)
    await ask(alice, { ...basic, expiresAt: app.now() + day })
    await ask(alice, { ...basic, scope: 'endless' })
    expect(await app.sweep()).toMatchObject({ expired: 0 })
    app.wait(day)
    expect(await app.sweep()).toMatchObject({ expired: 1 })
    expect(await app.sweep()).toMatchObject({ expired: 0 })
    expect(await storedStatuses(app)).toEqual(['expired', 'verified'])
  })

  test('is written down by one sweep, however many batches it is', async () => {
    const app = await startApp({ PROOFGATE_SWEEP_BATCH: '2' })
    const ask = asking(app, id)
    for (let index = 0; index < 5; index++)
      await ask(alice, { ...basic, scope: `s${index}`, expiresAt: app.now() + day })
    app.wait(day)
    expect(await app.sweep()).toMatchObject({ expired: 5 })
    expect(await app.sweep()).toMatchObject({ expired: 0 })
    expect(await storedStatuses(app)).toEqual(Array(5).fill('expired'))
  })

  test('does not hide a revocation, and the sweep leaves revoked ones alone', async () => {
    const app = await startApp()
    const { body } = await asking(app, id)(alice, { ...basic, expiresAt: app.now() + day })
    const { qHash } = body.data
    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    app.wait(2 * day)
    expect(await app.sweep()).toMatchObject({ expired: 0 })
    expect(await statusOf(app, qHash)).toBe('revoked')
  })

  test('an expired delegation can still be revoked', async () => {
    const app = await startApp()
    const { body } = await asking(app, id)(alice, { ...basic, expiresAt: app.now() + day })
    const { qHash } = body.data
    app.wait(2 * day)
    await app.sweep()
    const revocation = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, revocation)).body.alreadyRevoked).toBe(false)
    expect(await statusOf(app, qHash)).toBe('revoked')
  })
})
