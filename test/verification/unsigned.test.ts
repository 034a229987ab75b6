/** Unsigned claims: by a signed-in browser, an access key, or a linked app (src/guides/wire.md, "Who may make a proof"). */
import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { linkClaim, linkWallets } from '../wallet-link.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'

const path = '/api/v1/verification'
const lower = (wallet: TestWallet) => wallet.address.toLowerCase()
const owned = (wallet: TestWallet, content = 'My words') => ({
  walletAddress: wallet.address,
  ...wallet.signing,
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content },
})

const keyOf = async (app: TestApp, headers: Record<string, string>, scopes?: string[]) => {
  const made = await app.post('/api/v1/auth/profile-keys', { name: 'test', ...(scopes ? { scopes } : {}) }, headers)
  return { authorization: `Bearer ${made.body.data.key}` }
}

describe('a person who is signed in', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)

  test('makes a proof without signing, which has no portable form', async () => {
    const { status, body } = await app.post(path, owned(alice), headers)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, status: 'verified' })
    expect(body.data).toMatchObject({
      walletAddress: lower(alice),
      verifierIds: ['ownership-basic'],
      receipt: { format: 'svc-receipt', portable: false },
      signedTimestamp: app.now(),
    })
    expect(body.data.portableProof).toBeUndefined()
    expect((await app.get(`/api/v1/proofs/${body.data.qHash}`, headers)).body.data.walletAddress).toBe(lower(alice))
  })

  test('gets the same proof again for the same body and time', async () => {
    const claim = { ...owned(alice, 'twice'), signedTimestamp: app.now() }
    const first = await app.post(path, claim, headers)
    const again = await app.post(path, claim, headers)
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(again.body.message).toContain('accepted before')
  })

  test('may give a time, but not an old one', async () => {
    const stale = { ...owned(alice), signedTimestamp: app.now() - 301_000 }
    expectRefused(await leavesNothing(app.parts, () => app.post(path, stale, headers)), 'EXPIRED_SIGNATURE')
  })

  test('makes no proof for a wallet of others', async () => {
    const answer = await leavesNothing(app.parts, () => app.post(path, owned(bob), headers))
    expectRefused(answer, 'FORBIDDEN', /may not act for/)
  })

  test('makes no proof through a page of another origin, or without the token of the page', async () => {
    for (const [change, hint] of [
      [{ 'x-csrf-token': 'x' }, /X-CSRF-Token/],
      [{ origin: 'https://evil.example' }, /may not act/],
    ] as const)
      expectRefused(
        await leavesNothing(app.parts, () => app.post(path, owned(alice), { ...headers, ...change })),
        'FORBIDDEN',
        hint,
      )
  })

  test('has to sign for a portable proof, also beside a cookie without its token', async () => {
    const body = await app.signed(alice, { verifierIds: ['ownership-basic'], data: owned(alice, 'signed').data })
    const answer = await app.post(path, body, { cookie: headers.cookie })
    expect(answer.body.data.receipt).toEqual({ format: 'caip-380-envelope', portable: true })
  })

  test('is not authenticated by a placeholder for a signature', async () => {
    const body = { ...owned(alice, 'zeros'), signature: `0x${'0'.repeat(130)}` }
    expect((await app.post(path, body, headers)).body.data.receipt.portable).toBe(false)
    expectRefused(await app.post(path, body), 'WALLET_AUTH_REQUIRED', /sign in/)
  })

  test('is refused with a wrong signature', async () => {
    const signed = await app.signed(alice, { verifierIds: ['ownership-basic'], data: owned(alice, 'a').data })
    const body = { ...signed, data: owned(alice, 'b').data }
    expectRefused(await leavesNothing(app.parts, () => app.post(path, body, headers)), 'SIGNATURE_INVALID')
  })

  test('counts against the allowance of the wallet', async () => {
    const limited = await startApp({ PROOFGATE_LIMITS_RATES_CREATE: '1/1m' })
    const signedIn = await limited.signIn(alice)
    expect((await limited.post(path, owned(alice, 'one'), signedIn.headers)).status).toBe(200)
    expectRefused(await limited.post(path, owned(alice, 'two'), signedIn.headers), 'RATE_LIMIT_EXCEEDED')
  })

  test('may have an Ed25519 wallet', async () => {
    const signedIn = await app.signIn(sol)
    const { body } = await app.post(path, owned(sol), signedIn.headers)
    expect(body.data).toMatchObject({ walletAddress: sol.address, receipt: { portable: false } })
  })
})

describe('linked wallets', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)

  test('act as one person until the link is revoked', async () => {
    const link = await linkWallets(app, alice, bob)
    const ofBob = await app.post(path, owned(bob), headers)
    expect(ofBob).toMatchObject({ status: 200, body: { data: { walletAddress: lower(bob) } } })
    const list = async () => (await app.get(`/api/v1/proofs/by-wallet/${bob.address}`, headers)).body.data.proofs.length
    expect(await list()).toBe(1)

    const revoked = await app.post(`/api/v1/proofs/revoke-self/${link}`, {}, headers)
    expect(revoked.body.success).toBe(true)
    expectRefused(await app.post(path, owned(bob, 'more'), headers), 'FORBIDDEN')
    expect(await list()).toBe(0)
  })

  test('do not act for the wallet that linked them', async () => {
    await linkWallets(app, alice, mallory, { relationshipType: 'agent' })
    const agent = await app.signIn(mallory)
    expectRefused(await app.post(path, owned(alice), agent.headers), 'FORBIDDEN')
    expect((await app.post(path, owned(mallory), agent.headers)).status).toBe(200)
  })

  test('link no further wallet while they are signed in themselves: it would outlive their own link', async () => {
    app.wait(1)
    await linkWallets(app, alice, bob)
    const linked = await app.signIn(bob)
    const claim = { walletAddress: alice.address, ...(await linkClaim(app, alice, mallory)) }
    expectRefused(
      await leavesNothing(app.parts, () => app.post(path, claim, linked.headers)),
      'FORBIDDEN',
      /linked session/,
    )
    expect((await app.post(path, owned(alice, 'by bob'), linked.headers)).status).toBe(200)
  })

  test('are linked by a signed-in browser, with the signature of the second wallet alone', async () => {
    const claim = await linkClaim(app, alice, sol)
    const { status, body } = await app.post(path, { walletAddress: alice.address, ...claim }, headers)
    expect(status).toBe(200)
    expect(body.data.receipt.portable).toBe(false)
    expect(JSON.stringify((await app.get('/api/v1/auth/me', headers)).body.data.accounts)).toContain(sol.address)
  })
})

describe('an access key', async () => {
  const app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key',
  })
  const { headers } = await app.signIn(alice)
  const key = await keyOf(app, headers)

  test('makes proofs of its own wallet', async () => {
    expect((await app.post(path, owned(alice), key)).body.data.receipt).toEqual({
      format: 'svc-receipt',
      portable: false,
    })
    expectRefused(await app.post(path, owned(bob), key), 'FORBIDDEN')
  })

  test('is refused when it is unknown, and not treated as absent', async () => {
    const unknown = { authorization: `Bearer npk_${'a'.repeat(43)}` }
    expectRefused(await app.post(path, owned(alice), unknown), 'WALLET_AUTH_REQUIRED', /unknown or revoked/)
    expectRefused(await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, unknown), 'WALLET_AUTH_REQUIRED')
    const signed = await app.signed(alice, { verifierIds: ['ownership-basic'], data: owned(alice).data })
    expectRefused(await app.post(path, signed, unknown), 'WALLET_AUTH_REQUIRED')
  })

  test('from another service is ignored where none is needed', async () => {
    const other = { authorization: 'Bearer sk_live_1234' }
    expect((await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, other)).status).toBe(200)
    expectRefused(await app.post(path, owned(alice), other), 'WALLET_AUTH_REQUIRED')
  })

  test('opens verifiers that the operator keeps for keys, also for requests that are signed', async () => {
    const data = { agentId: 'helper', agentWallet: alice.address }
    const signed = await app.signed(alice, { verifierIds: ['agent-identity'], data })
    expectRefused(await app.post(path, signed), 'FORBIDDEN', /verifiers.access/)
    const answer = await app.post(path, signed, key)
    expect(answer.body.data.receipt.portable).toBe(true)
  })

  test('cannot link wallets or apps, which would outlive it', async () => {
    const link = { walletAddress: alice.address, ...(await linkClaim(app, alice, mallory)) }
    expectRefused(
      await leavesNothing(app.parts, () => app.post(path, link, key)),
      'FORBIDDEN',
      /primary wallet is signed in/,
    )
    const appLink = delegation({ scope: 'app-link', permissions: ['app:x', 'origin:*'] })
    expectRefused(await leavesNothing(app.parts, () => app.post(path, appLink, key)), 'FORBIDDEN', /app-link/)
    expect((await app.post(path, delegation({ scope: 'trade' }), key)).status).toBe(200)
  })

  test('with the scope core alone reads no private data, and hears why', async () => {
    const core = await keyOf(app, headers, ['core'])
    const { qHash } = (await app.post(path, owned(alice, 'private'), core)).body.data
    expectRefused(await app.get(`/api/v1/proofs/${qHash}`, core), 'FORBIDDEN', /scope "profile"/)
    expectRefused(await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, core), 'FORBIDDEN', /scope "profile"/)
    expect((await app.get(`/api/v1/proofs/by-wallet/${bob.address}`, core)).status).toBe(200)
    expect((await app.get(`/api/v1/proofs/${qHash}`, key)).body.data.walletAddress).toBe(lower(alice))
  })

  const delegation = (more: object) => ({
    walletAddress: alice.address,
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address, ...more },
  })
})

describe('an app that the wallet has linked', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_VERIFIERS_APP_LINKS: 'true' })
  const page = { 'x-svc-app': 'shop', origin: 'https://shop.example' }
  const link = async (wallet: TestWallet, more: object = {}) => {
    app.wait(1)
    const data = {
      controllerWallet: wallet.address,
      agentWallet: mallory.address,
      scope: 'app-link',
      permissions: ['app:shop', 'origin:https://shop.example'],
      ...more,
    }
    const { body } = await app.submit(wallet, { verifierIds: ['agent-delegation'], data })
    return body.data.qHash as string
  }
  const qHash = await link(alice)

  test('makes proofs for it without a signature', async () => {
    const { status, body } = await app.post(path, owned(alice), page)
    expect(status).toBe(200)
    expect(body.data.receipt).toEqual({ format: 'svc-receipt', portable: false })
  })

  test('may name the delegation', async () => {
    expect((await app.post(path, { ...owned(alice, 'named'), delegationQHash: qHash }, page)).status).toBe(200)
    const other = await app.prove(alice)
    expectRefused(
      await app.post(path, { ...owned(alice, 'x'), delegationQHash: other }, page),
      'FORBIDDEN',
      /not linked/,
    )
  })

  test.each<[string, Record<string, string>]>([
    ['another app', { 'x-svc-app': 'other' }],
    ['another page', { origin: 'https://evil.example' }],
    ['a page with another port', { origin: 'https://shop.example:8443' }],
    ['no page', { origin: '' }],
  ])('%s is not it', async (_, change) => {
    const answer = await leavesNothing(app.parts, () => app.post(path, owned(alice), { ...page, ...change }))
    expectRefused(answer, 'FORBIDDEN', /has not linked the app/)
  })

  test('is not linked to other wallets, and is refused with two pages', async () => {
    expectRefused(await app.post(path, owned(bob), page), 'FORBIDDEN', /has not linked/)
    const two = { ...page, 'x-client-origin': 'https://other.example' }
    expectRefused(await app.post(path, owned(alice), two), 'VALIDATION_ERROR', /two different pages/)
  })

  test('cannot make links, identities and delegations', async () => {
    for (const claim of [
      await linkClaim(app, alice, mallory),
      { verifierIds: ['agent-identity'], data: { agentId: 'a', agentWallet: alice.address } },
      { verifierIds: ['agent-delegation'], data: { controllerWallet: alice.address, agentWallet: bob.address } },
    ])
      expectRefused(
        await leavesNothing(app.parts, () => app.post(path, { walletAddress: alice.address, ...claim }, page)),
        'FORBIDDEN',
        /wallet's own signature/,
      )
  })

  test('reads no private data', async () => {
    const made = await app.prove(alice)
    expect((await app.get(`/api/v1/proofs/${made}`, page)).body.data.walletAddress).toBeUndefined()
  })

  test('ends with the delegation: when it expires, is revoked, or is given anew without the page', async () => {
    const expiring = await startApp({ PROOFGATE_VERIFIERS_APP_LINKS: 'true' })
    const data = {
      controllerWallet: alice.address,
      agentWallet: mallory.address,
      scope: 'app-link',
      permissions: ['app:shop', 'origin:*'],
    }
    const claim = { verifierIds: ['agent-delegation'], data: { ...data, expiresAt: expiring.now() + 60_000 } }
    expect((await expiring.submit(alice, claim)).status).toBe(200)
    expect((await expiring.post(path, owned(alice), page)).status).toBe(200)
    expiring.wait(60_001)
    expectRefused(await expiring.post(path, owned(alice, 'late'), page), 'FORBIDDEN', /expired/)

    const second = await link(bob)
    expect((await app.post(path, owned(bob), page)).status).toBe(200)
    await link(bob, { permissions: ['app:shop', 'origin:https://elsewhere.example'] })
    expectRefused(await app.post(path, { ...owned(bob, 'x'), delegationQHash: second }, page), 'FORBIDDEN')

    await app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(alice, { action: 'revoke_proof', qHash }))
    expectRefused(await app.post(path, owned(alice, 'late'), page), 'FORBIDDEN', /nor revoked/)
  })

  test('is not believed while the operator has it switched off', async () => {
    const usual = await startApp()
    const data = { controllerWallet: alice.address, agentWallet: bob.address, scope: 'app-link' }
    const permissions = ['app:shop', 'origin:*']
    await usual.submit(alice, { verifierIds: ['agent-delegation'], data: { ...data, permissions } })
    expectRefused(await usual.post(path, owned(alice), page), 'WALLET_AUTH_REQUIRED')
  })
})
