import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'

const basic = { owner: alice.address, content: 'Hello' }
const agentData = { agentId: 'helper', agentWallet: alice.address }

describe('the data of a verification request', async () => {
  const app = await startApp()
  const submit = (verifierIds: string[], data: object) => {
    app.wait(1)
    return app.submit(alice, { verifierIds, data })
  }

  test.each([
    ['one verifier, flat', ['ownership-basic'], basic],
    ['one verifier, under its id', ['ownership-basic'], { 'ownership-basic': basic }],
    [
      'several verifiers, under their ids',
      ['ownership-basic', 'agent-identity'],
      { 'ownership-basic': basic, 'agent-identity': agentData },
    ],
    [
      'several verifiers that take the same flat data',
      ['ownership-basic', 'ownership-pseudonym'],
      { ...basic, pseudonymId: 'flat-alice' },
    ],
  ])('may be given: %s', async (_, verifierIds, data) => {
    const { status, body } = await submit(verifierIds, data)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'verified', data: { status: 'verified', verifierIds } })
    expect(body.data.verifiedVerifiers.map((row: { verifierId: string }) => row.verifierId)).toEqual(verifierIds)
    // The portable proof holds the data as sent and signed, not a verifier's version of it.
    expect(body.data.portableProof.data).toEqual(data)
  })

  test('members that no schema names are signed and kept out of the record', async () => {
    const { body } = await submit(['ownership-basic'], { ...basic, 'x-extra': { deep: [1] }, __note: 'n' })
    expect(body.data.portableProof.data).toEqual({ ...basic, 'x-extra': { deep: [1] }, __note: 'n' })
    expect(body.data.verifiedVerifiers[0].data).not.toHaveProperty('x-extra')
  })

  test.each([
    [
      'a verifier without its part',
      ['ownership-basic', 'agent-identity'],
      { 'ownership-basic': basic },
      'INVALID_VERIFIER_DATA',
      '/agent-identity',
    ],
    ['a member of the wrong type', ['ownership-basic'], { ...basic, content: 7 }, 'INVALID_VERIFIER_DATA', '/content'],
    ['a missing member', ['ownership-basic'], { content: 'x' }, 'INVALID_VERIFIER_DATA', '/owner'],
    [
      'an unknown member of a closed object',
      ['agent-identity'],
      { ...agentData, extra: 1 },
      'INVALID_VERIFIER_DATA',
      '/extra',
    ],
    [
      'one verifier named twice',
      ['ownership-basic', 'ownership-basic'],
      basic,
      'INVALID_VERIFIER_COMBINATION',
      undefined,
    ],
    [
      'one verifier named twice, once with a version',
      ['ownership-basic', 'ownership-basic@1'],
      basic,
      'INVALID_VERIFIER_COMBINATION',
      undefined,
    ],
  ])('is refused with its place: %s', async (_, verifierIds, data, code, path) => {
    const { status, body } = await submit(verifierIds, data)
    expect(status).toBe(400)
    expect(body.error.code).toBe(code)
    expect(body.error.details.path).toBe(path)
  })
})

describe('several verifiers in one request', async () => {
  const app = await startApp()
  const both = (basicData: object, agent: object) => ({
    verifierIds: ['ownership-basic', 'agent-identity'],
    data: { 'ownership-basic': basicData, 'agent-identity': agent },
  })

  test('some hold: the proof is partially verified, and each row says so for itself', async () => {
    const { status, body } = await app.submit(alice, both(basic, { ...agentData, agentWallet: bob.address }))

    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, status: 'partially_verified' })
    expect(body.data.verifiedVerifiers).toMatchObject([
      { verifierId: 'ownership-basic', verified: true, status: 'origin-authenticated' },
      { verifierId: 'agent-identity', verified: false, status: 'failed', data: { reason: 'AGENT_WALLET_MISMATCH' } },
    ])
    expect((await app.get(`/api/v1/proofs/${body.data.qHash}`)).body.status).toBe('partially_verified')
  })

  test('with no one that holds are answered by VERIFICATION_FAILED, each reason, and no stored proof', async () => {
    app.wait(1)
    const claim = both({ ...basic, owner: bob.address }, { ...agentData, agentWallet: bob.address })
    const preview = await app.post('/api/v1/verification/standardize', {
      walletAddress: alice.address,
      signedTimestamp: app.now(),
      ...claim,
    })

    const { status, body } = await app.submit(alice, claim)

    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'VERIFICATION_FAILED',
      type: 'verification',
      details: {
        reason: 'OWNER_MISMATCH',
        verifiers: [
          { verifierId: 'ownership-basic', reason: 'OWNER_MISMATCH' },
          { verifierId: 'agent-identity', reason: 'AGENT_WALLET_MISMATCH' },
        ],
      },
    })
    expect([preview.status, preview.body.error]).toMatchObject([400, { code: 'VERIFICATION_FAILED' }])
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())?.n).toBe(1)
  })
})

describe('subjectWallet', async () => {
  const app = await startApp()
  const claim = { verifierIds: ['ownership-basic'], data: basic }

  test('may name the signer, in either case', async () => {
    const { status, body } = await app.submit(alice, { ...claim, subjectWallet: alice.address.toLowerCase() })
    expect(status).toBe(200)
    expect(body.data).not.toHaveProperty('subjectWallet')
  })

  test('is refused when it is another wallet, and the answer names the verifier that forbids it', async () => {
    app.wait(1)
    const { status, body } = await app.submit(alice, { ...claim, subjectWallet: bob.address })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { path: '/subjectWallet', verifierIds: ['ownership-basic'] },
    })
  })

  test.each([
    ['a DID', `did:pkh:eip155:8453:${alice.address}`],
    ['a DID that names no address', 'did:web:example.com'],
    ['a CAIP-10 account', `eip155:8453:${bob.address}`],
  ])('as %s is refused for its spelling, before its identity is checked', async (_, subjectWallet) => {
    app.wait(1)
    const { status, body } = await app.submit(alice, { ...claim, subjectWallet })
    expect([status, body.error.code, body.error.details.path]).toEqual([
      400,
      'INVALID_WALLET_ADDRESS',
      '/subjectWallet',
    ])
    expect(body.error.message).toMatch(/subjectWallet .*without a chain/)
  })
})

describe('the answer to a verified request', async () => {
  const app = await startApp()
  const { body } = await app.submit(alice, { verifierIds: ['ownership-basic'], data: basic })

  test('is the owner’s record with receipt, portable proof and cost', () => {
    const evm = alice.address.toLowerCase()
    expect(body).toEqual({
      success: true,
      status: 'verified',
      message: 'Verification completed',
      creditInfo: { creditsUsed: 0, billing: 'off' },
      data: {
        qHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        status: 'verified',
        did: `did:pkh:eip155:84532:${evm}`,
        walletAddress: evm,
        verifierIds: ['ownership-basic'],
        verifiedVerifiers: [
          {
            verifierId: 'ownership-basic',
            verified: true,
            status: 'origin-authenticated',
            data: {
              owner: evm,
              contentHash: '0x06b3dfaec148fb1bb2b066f10ec285e7c9bf402ab32aa78a5d38e34566810cd2',
              timestamp: app.now(),
              chainId: 84532,
            },
            zkInfo: { zkStatus: 'zk_not_required' },
          },
        ],
        options: {
          privacyLevel: 'private',
          publicDisplay: false,
          storeOriginalContent: false,
          enableIpfs: false,
          publishToHub: false,
          targetChains: [],
        },
        meta: { privacyLevel: 'private', publiclyAccessible: false, tags: [] },
        privacyLevel: 'private',
        publicDisplay: false,
        tags: [],
        chainId: 84532,
        signed: true,
        signedTimestamp: app.now(),
        createdAt: app.now(),
        completedAt: app.now(),
        lastUpdated: app.now(),
        revokedAt: null,
        expiresAt: null,
        contentResolutionStatus: 'hash_only_not_recoverable',
        proofUrl: `http://localhost:8787/api/v1/proofs/${body.data.qHash}`,
        receipt: { format: 'caip-380-envelope', portable: true },
        portableProof: {
          qHash: body.data.qHash,
          did: `did:pkh:eip155:84532:${evm}`,
          walletAddress: alice.address,
          verifierIds: ['ownership-basic'],
          data: basic,
          signedTimestamp: app.now(),
          signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
          signatureMethod: 'eip191',
          chainId: 84532,
        },
      },
    })
  })

  test('leaves neither the signature nor the content in the database', async () => {
    const dump = await select<{ record: string }>(app.parts.db, 'SELECT record FROM proofs').all()
    expect(JSON.stringify(dump)).not.toContain('Hello')
    expect(JSON.stringify(dump)).not.toContain(body.data.portableProof.signature.slice(2))
    expect(await select<object>(app.parts.db, 'SELECT * FROM contents').all()).toEqual([])
  })
})
