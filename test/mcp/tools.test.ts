/** The tools for proofs, checks and the context, limited to the person who is signed in. */
import { describe, expect, test } from 'bun:test'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { verifyPortableProof } from '../../src/envelope/verify-portable.ts'
import { innerOf } from '../wallet-link.ts'
import { agent, alice, bob, mallory, sol } from '../wallets.ts'
import { startMcp, type TestMcp } from './mcp.ts'

const low = (wallet: { address: string }) => wallet.address.toLowerCase()
const content = { verifierIds: ['ownership-basic'], data: { content: 'Words of Alice' } }

describe('every tool', () => {
  test('tells a model its purpose, its input and output, and its risks', async () => {
    const app = await startMcp({ PROOFGATE_BRAND: 'acme' })
    const { tools } = (await app.send(await app.tokenOf(alice, 'acme:core'), 'tools/list')).body.result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'acme_context',
      'acme_verifiers_catalog',
      'acme_proofs_check',
      'acme_verify_or_guide',
      'acme_verify',
      'acme_proofs_get',
      'acme_agent_create',
      'acme_agent_link',
      'acme_agent_mount',
      'acme_secret_create',
      'acme_secret_list',
      'acme_secret_revoke',
    ])
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
      expect(title.length).toBeGreaterThan(5)
      expect(description.length).toBeGreaterThan(80)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema.type).toBe('object')
      expect(Object.keys(annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ])
    }
    expect(JSON.stringify(tools)).not.toMatch(/\{brand\}|"\$id"|svc_/)
    const writing = tools.filter(({ annotations }: never) => !(annotations as { readOnlyHint: boolean }).readOnlyHint)
    expect(writing.map(({ name }: { name: string }) => name)).toEqual([
      'acme_verify',
      'acme_agent_create',
      'acme_secret_create',
      'acme_secret_revoke',
    ])
  })

  test('refuses arguments it does not know, by name', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { tools } = (await app.send(token, 'tools/list')).body.result
    for (const { name } of tools) {
      const { isError, data } = await app.tool(token, name, { wallets: 'x' })
      expect({ name, isError, code: data.error.code }).toEqual({ name, isError: true, code: 'INVALID_ARGUMENTS' })
      expect(data.nextSteps[0]).toContain(`Call ${name} again`)
    }
    const { data } = await app.tool(token, 'svc_proofs_check', { walletAddress: alice.address })
    expect(data.message).toBe('argument walletAddress is not an argument of svc_proofs_check')
    expect(data.nextSteps[0]).toContain('wallet, verifiers, requireAll, minCount, gateId, handle, namespace')
    const near = await app.tool(token, 'svc_proofs_check', { verifers: ['ownership-basic'] })
    expect(near.data.message).toEndWith('is not an argument of svc_proofs_check: did you mean verifiers?')
  })

  test('refuses an unknown verifier, and a misspelled member that identifies proofs', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const unknown = await app.tool(token, 'svc_proofs_check', { verifiers: ['ownership-basics'] })
    expect(unknown.data.error).toMatchObject({ code: 'VERIFIER_NOT_FOUND', message: expect.stringContaining('mean') })
    for (const data of [{ contractAdress: bob.address }, { 'nft-ownership': { contractAdress: bob.address } }]) {
      const answer = await app.tool(token, 'svc_verify_or_guide', { verifierIds: ['nft-ownership'], data })
      expect(answer.data.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('did you mean contractAddress?'),
      })
    }
  })

  test('answers text and structure alike', async () => {
    const app = await startMcp()
    const { text, data } = await app.tool(await app.tokenOf(), 'svc_context')
    expect(JSON.parse(text)).toEqual(data)
  })
})

describe('svc_context', () => {
  test('shows the endpoint, the person, the scopes and their data', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const shown = await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    const hidden = await app.prove(alice)
    await app.prove(bob)
    const { data } = await app.tool(token, 'svc_context')
    expect(data).toMatchObject({
      setup: { mcpEndpoint: 'http://localhost:8787/mcp', hostedVerifyUrl: 'http://localhost:8787/verify' },
      mode: { current: 'signed_in', via: 'access-token', scopes: ['svc:core', 'svc:profile', 'svc:secrets'] },
      sessionWallet: low(alice),
      verifierSummary: { total: 6 },
      profileContext: {
        status: 'ready',
        principal: { did: `did:pkh:eip155:84532:${low(alice)}`, handle: null, primaryAccount: low(alice) },
        agents: [],
      },
      profileSummary: {
        proofsSummary: {
          total: 2,
          embeddedCount: 2,
          isTruncated: false,
          byVerifier: { 'ownership-basic': 2 },
          latestByVerifier: { 'ownership-basic': { qHash: hidden } },
          latestByCategory: { ownership: { qHash: hidden } },
        },
      },
    })
    expect(data.tools).toHaveLength(12)
    expect(shown).not.toBe(hidden)
  })

  test('shows the handle of the person', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } }
    expect((await app.tool(token, 'svc_verify', claim)).data.result).toBe('Passed')
    expect((await app.tool(token, 'svc_context')).data.profileContext.principal.handle).toBe('alice')
    const other = await app.tokenOf(bob)
    expect((await app.tool(other, 'svc_context')).data.profileContext.principal.handle).toBeNull()
    expect((await app.tool(other, 'svc_verify', claim)).data).toMatchObject({ error: { code: 'CONFLICT' } })
  })
})

test('svc_verifiers_catalog gives the bare list as text, and the input of each beside it', async () => {
  const app = await startMcp()
  const { text, data } = await app.tool(await app.tokenOf(), 'svc_verifiers_catalog')
  expect(JSON.parse(text)).toEqual(data.verifierIds)
  expect(data.verifierIds).toContain('ownership-basic')
  expect(data.verifiers[0]).toMatchObject({ id: 'ownership-basic', requiredFields: ['owner'], flowType: 'instant' })
  const judged = data.verifiers.find(({ id }: { readonly id: string }) => id === 'ai-content-moderation')
  expect(judged.judges[0]).toEqual({ kind: 'text', asked: ['embedded'], policy: 'all', selectable: [] })
})

test.each([
  ['permanent', {}],
  ['expiring', { PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '30' }],
])(
  'svc_verifiers_catalog says how long proofs last, and of a pseudonym that it is %s under %o',
  async (expiry, env) => {
    const app = await startMcp(env)
    const { data } = await app.tool(await app.tokenOf(), 'svc_verifiers_catalog')
    const expiries = Object.fromEntries(
      data.verifiers.map(({ id, expiryType }: { id: string; expiryType: string }) => [id, expiryType]),
    )
    expect(expiries).toEqual({
      'ownership-basic': 'permanent',
      'ownership-pseudonym': expiry,
      'wallet-link': 'permanent',
      'ai-content-moderation': 'permanent',
      'agent-identity': 'permanent',
      'agent-delegation': 'expiring',
    })
    const { body } = await app.get('/api/v1/verification/verifiers')
    for (const id of body.data) expect(body.metadata[id].expiryType).toBe(expiries[id])
  },
)

describe('svc_proofs_check', () => {
  const checked = async (app: TestMcp, token: string, args: object) =>
    (await app.tool(token, 'svc_proofs_check', { verifiers: ['ownership-basic'], ...args })).data

  test('counts private proofs for the person alone', async () => {
    const app = await startMcp()
    const [own, other] = [await app.tokenOf(alice), await app.tokenOf(bob)]
    const qHash = await app.prove(alice)
    expect(await checked(app, own, {})).toMatchObject({
      eligible: true,
      matchedCount: 1,
      matchedQHashes: [qHash],
      wallet: low(alice),
      privateProofsCounted: true,
      results: [{ verifierId: 'ownership-basic', verified: true, matchedCount: 1 }],
    })
    expect(await checked(app, own, { wallet: `did:pkh:eip155:1:${alice.address}` })).toMatchObject({ eligible: true })
    expect(await checked(app, other, { wallet: alice.address })).toMatchObject({
      eligible: false,
      matchedCount: 0,
      privateProofsCounted: false,
    })
    await app.prove(alice, { privacyLevel: 'public' })
    expect(await checked(app, other, { wallet: alice.address })).toMatchObject({ eligible: true, matchedCount: 1 })
  })

  test('with several verifiers needs any of them, or one proof with all of them', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    await app.prove(alice)
    const verifiers = ['ownership-basic', 'wallet-link']
    expect(await checked(app, token, { verifiers })).toMatchObject({ eligible: true })
    expect(await checked(app, token, { verifiers, requireAll: true })).toMatchObject({ eligible: false })
    expect(await checked(app, token, { minCount: 2 })).toMatchObject({ eligible: false, matchedCount: 1 })
  })

  test('asks for criteria, and reports wrong ones', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    expect((await app.tool(token, 'svc_proofs_check', {})).data.message).toContain('give verifiers, gateId or handle')
    expect((await app.tool(token, 'svc_proofs_check', { gateId: 'nowhere' })).data).toMatchObject({
      error: { code: 'GATE_NOT_FOUND' },
      next_action: 'ask_the_person',
    })
    const { data } = await app.tool(token, 'svc_proofs_check', { verifiers: ['ownership-basic'], wallet: '0x12' })
    expect(data).toMatchObject({ error: { code: 'INVALID_WALLET_ADDRESS' }, next_action: 'fix_arguments_then_retry' })
  })
})

describe('svc_verify_or_guide', () => {
  test('says that the proof exists, or what to do and where the person can go', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    await app.prove(alice)
    const ask = async (args: object) => (await app.tool(token, 'svc_verify_or_guide', args)).data
    expect(await ask({ verifierIds: ['ownership-basic'] })).toMatchObject({
      action: 'already_verified',
      eligible: true,
      matchedCount: 1,
      missing: [],
      next_action: 'none',
    })
    const both = ['ownership-basic', 'ownership-pseudonym']
    const options = { returnUrl: 'https://shop.example/back?x=1' }
    const missing = await ask({ verifierIds: both, options })
    expect(missing).toMatchObject({
      action: 'verification_required',
      eligible: false,
      missing: ['ownership-pseudonym'],
      next_action: 'call_svc_verify',
    })
    const url = new URL(missing.hostedVerifyUrl)
    expect(url.origin + url.pathname).toBe('http://localhost:8787/verify')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      verifiers: 'ownership-pseudonym',
      returnUrl: 'https://shop.example/back?x=1',
    })
    expect(await ask({ verifierIds: both, requireAll: false })).toMatchObject({ action: 'already_verified' })
  })

  test('distinguishes proofs of one verifier by their subject', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const { data } = await app.tool(token, 'svc_verify', content)
    const { data: proof } = await app.tool(token, 'svc_proofs_get', { qHash: data.qHash, include: 'content' })
    const { contentHash } = proof.data.proofs[0].verifiedVerifiers[0].data
    const ask = async (hash: string) =>
      (await app.tool(token, 'svc_verify_or_guide', { verifierIds: ['ownership-basic'], data: { contentHash: hash } }))
        .data.eligible
    expect([await ask(contentHash), await ask(`0x${'ab'.repeat(32)}`)]).toEqual([true, false])
  })

  test('sends callers only to web addresses', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    for (const returnUrl of [
      'http://shop.example/',
      'javascript:alert(1)',
      'https://a@b.example/',
      '/back',
      'data:,x',
    ]) {
      const args = { verifierIds: ['wallet-link'], options: { returnUrl } }
      expect((await app.tool(token, 'svc_verify_or_guide', args)).data.message).toContain(
        'returnUrl must be an absolute',
      )
    }
  })

  test('says that a gate is for svc_proofs_check', async () => {
    const app = await startMcp()
    const { data } = await app.tool(await app.tokenOf(), 'svc_verify_or_guide', { gateId: 'gate_a' })
    expect(data.message).toBe(
      'argument gateId is not an argument of svc_verify_or_guide: it belongs to svc_proofs_check',
    )
    expect(data.nextSteps[0]).toContain('Call svc_proofs_check with gateId')
  })

  test('says in a plain sentence how the operator can enable a disabled verifier', async () => {
    const app = await startMcp({ PROOFGATE_VERIFIERS_DISABLED: 'wallet-link' })
    const { data } = await app.tool(await app.tokenOf(), 'svc_verify_or_guide', { verifierIds: ['wallet-link'] })
    expect(data.next_action).toBe('ask_the_operator')
    expect(data.nextSteps).toEqual([
      'Nothing that you or the person can do here changes this; only the operator of this server can. Tell the person: "wallet-link" is switched off here: the operator can take it out of verifiers.disabled.',
    ])
  })

  test('says of an unknown verifier that it is unknown', async () => {
    const app = await startMcp()
    const { data } = await app.tool(await app.tokenOf(), 'svc_verify_or_guide', { verifierIds: ['proof-of-human'] })
    expect(data).toMatchObject({ next_action: 'ask_the_operator', unavailable: ['proof-of-human'] })
    expect(data.hostedVerifyUrl).toBeUndefined()
  })
})

describe('svc_verify', () => {
  test('makes a proof for a wallet of the person without a signature, which holds here only', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const { data } = await app.tool(token, 'svc_verify', content)
    expect(data).toMatchObject({
      success: true,
      result: 'Passed',
      status: 'verified',
      walletAddress: low(alice),
      verifierIds: ['ownership-basic'],
      receipt: { format: 'svc-receipt', portable: false },
    })
    expect(data.portableProof).toBeUndefined()
    const stranger = await app.get(`/api/v1/proofs/${data.qHash}`)
    expect(stranger.body.data.verifiedVerifiers).toBeUndefined()
  })

  test('for another wallet prepares the text to sign; signed, it makes a portable proof', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const { data: asked } = await app.tool(token, 'svc_verify', { ...content, walletAddress: bob.address })
    expect(asked).toMatchObject({
      success: false,
      result: 'Action needed',
      next_action: 'sign_then_retry',
      prepared: { walletAddress: low(bob), submitWith: { tool: 'svc_verify' } },
    })
    expect(asked.qHash).toBeUndefined()
    const { signerString, submitWith } = asked.prepared
    const again = async (signature: string) =>
      (await app.tool(token, 'svc_verify', { ...submitWith.arguments, signature })).data
    expect(await again(await mallory.sign(signerString))).toMatchObject({ error: { code: 'SIGNATURE_INVALID' } })
    const made = await again(await bob.sign(signerString))
    expect(made).toMatchObject({ result: 'Passed', walletAddress: low(bob), receipt: { portable: true } })
    const verdict = await verifyPortableProof(made.portableProof, {
      deriveQHash: computeQHash,
      now: app.now(),
      titles: app.parts.titles,
      window: app.parts.freshness,
      verifySignature: app.parts.verifySignature,
    })
    expect(verdict.valid).toBe(true)
  })

  test('M12 acts for no other person, however the arguments are put', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(bob)
    for (const args of [
      { ...content, walletAddress: alice.address },
      { ...content, data: { owner: alice.address, content: 'x' } },
      { ...content, walletAddress: alice.address, signature: '0x' },
      { verifierIds: ['agent-identity'], data: { agentId: 'a', agentWallet: alice.address } },
      { verifierIds: ['agent-delegation'], data: { controllerWallet: alice.address, agentWallet: bob.address } },
    ]) {
      const { isError, data } = await app.tool(token, 'svc_verify', args)
      expect(isError || data.result === 'Action needed').toBe(true)
    }
    expect((await app.tool(await app.tokenOf(alice), 'svc_proofs_get')).data.data.proofs).toEqual([])
  })

  test('links a second wallet only with both signatures, and says which text each signs', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const args = { verifierIds: ['wallet-link'], data: { secondaryWalletAddress: bob.address, label: 'second' } }
    const first = (await app.tool(token, 'svc_verify', args)).data
    expect(first).toMatchObject({ result: 'Action needed', prepared: { walletAddress: low(bob) } })
    // The text is the one that the second wallet signs elsewhere.
    const elsewhere = await innerOf({ primary: alice, secondary: bob, at: first.prepared.signedTimestamp })
    const agreed = await bob.sign(first.prepared.signerString)
    expect(JSON.stringify(elsewhere)).toContain(agreed)
    const next = first.prepared.submitWith.arguments
    const second = (await app.tool(token, 'svc_verify', { ...next, data: { ...next.data, signature: agreed } })).data
    expect(second).toMatchObject({ result: 'Action needed', prepared: { walletAddress: low(alice) } })
    const last = second.prepared.submitWith.arguments
    const signature = await alice.sign(second.prepared.signerString)
    expect((await app.tool(token, 'svc_verify', { ...last, signature })).data).toMatchObject({ result: 'Passed' })
    // From now on Bob's wallet counts as one of Alice's.
    const { principal } = (await app.tool(token, 'svc_context')).data.profileContext
    expect(principal.accounts).toEqual([low(alice), low(bob)])
    expect((await app.tool(token, 'svc_verify', { ...content, walletAddress: bob.address })).data.result).toBe('Passed')
  })

  test('for a false claim is blocked, and says why', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const data = { content: 'x', contentHash: `0x${'ab'.repeat(32)}` }
    expect((await app.tool(token, 'svc_verify', { ...content, data })).data).toMatchObject({
      success: false,
      result: 'Blocked',
      message: expect.stringContaining('contentHash'),
      next_action: 'ask_the_person',
    })
    expect((await app.tool(token, 'svc_verify', { verifierIds: ['nft-ownership'], data: {} })).data).toMatchObject({
      error: { code: 'VERIFIER_NOT_FOUND' },
    })
    expect((await app.tool(token, 'svc_verify', { verifierIds: ['ownership-basic'] })).data).toMatchObject({
      error: { code: 'INVALID_VERIFIER_DATA' },
      message: expect.stringContaining('data.content'),
      next_action: 'fix_arguments_then_retry',
    })
  })

  test('works for a Solana wallet', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(sol)
    expect((await app.tool(token, 'svc_verify', content)).data).toMatchObject({
      result: 'Passed',
      walletAddress: sol.address,
    })
  })
})

describe('svc_proofs_get', () => {
  test('gives the verified claims, and with include content everything', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const options = { storeOriginalContent: true, meta: { title: 'Words', tags: ['a', 'b'] } }
    const { qHash } = (await app.tool(token, 'svc_verify', { ...content, options })).data
    await app.prove(alice)
    const { data: listed, text } = await app.tool(token, 'svc_proofs_get', { tags: 'a, b' })
    expect(listed.data.proofs).toEqual([
      {
        qHash,
        status: 'verified',
        privacyLevel: 'private',
        checks: [{ verifierId: 'ownership-basic', verified: true, status: 'origin-authenticated' }],
        title: 'Words',
        tags: ['a', 'b'],
        createdAt: expect.any(Number),
        lastUpdated: expect.any(Number),
        expiresAt: null,
        contentLength: null,
      },
    ])
    expect(text).not.toContain('Words of Alice')
    const whole = (await app.tool(token, 'svc_proofs_get', { tags: 'a', include: 'content' })).data.data.proofs
    expect(whole[0]).toMatchObject({ qHash, publicContent: { content: 'Words of Alice' } })
    expect(whole[0].verifiedVerifiers[0].data.owner).toBe(low(alice))
  })

  test('pages, and filters by verifier', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    for (let turn = 0; turn < 3; turn++) await app.prove(alice)
    const first = (await app.tool(token, 'svc_proofs_get', { limit: 2 })).data.data
    expect(first.pagination).toEqual({ limit: 2, offset: 0, totalCount: 3, hasMore: true, nextOffset: 2 })
    const rest = (await app.tool(token, 'svc_proofs_get', { limit: 2, offset: 2 })).data.data
    expect([first.proofs.length, rest.proofs.length]).toEqual([2, 1])
    const none = (await app.tool(token, 'svc_proofs_get', { verifierId: 'wallet-link' })).data.data
    expect(none.proofs).toEqual([])
  })

  test('M12 shows others only public data', async () => {
    const app = await startMcp()
    const token = await app.tokenOf(bob)
    const hidden = await app.prove(alice, {}, { content: 'for my eyes' })
    const listed = await app.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    const ofAlice = (await app.tool(token, 'svc_proofs_get', { identifier: alice.address })).data.data
    expect(ofAlice.proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([listed])
    expect(ofAlice.profileSummary).toBeNull()
    const one = await app.tool(token, 'svc_proofs_get', { qHash: hidden, include: 'content' })
    expect(one.data.data.proofs[0].verifiedVerifiers).toBeUndefined()
    expect(one.data.data.proofs[0].walletAddress).toBeUndefined()
    expect((await app.tool(token, 'svc_proofs_get', { qHash: `0x${'ab'.repeat(32)}` })).data).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  })

  test('shows a private proof of the person only as a stranger sees it where the profile scope is missing', async () => {
    const app = await startMcp()
    const hidden = await app.prove(alice)
    const narrow = await app.tokenOf(alice, 'svc:core')
    const { isError, data } = await app.tool(narrow, 'svc_proofs_get', { qHash: hidden, include: 'content' })
    expect({ isError, seen: Object.keys(data.data.proofs[0]).sort() }).toEqual({
      isError: false,
      seen: ['createdAt', 'lastUpdated', 'privacyLevel', 'qHash', 'status'],
    })
  })

  test("shows the permissions of the person's agents", async () => {
    const app = await startMcp()
    const token = await app.tokenOf(alice)
    const { data } = await app.tool(token, 'svc_proofs_get', { agentWallet: agent.address })
    expect(data.data.agentContext).toMatchObject({
      agentWallet: low(agent),
      identityQHash: null,
      delegationQHash: null,
    })
    expect(data.data.contextPack).toMatchObject({ identityCount: 0, activeDelegations: 0 })
  })
})
