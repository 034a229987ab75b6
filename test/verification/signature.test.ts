import { describe, expect, test } from 'bun:test'
import { base58 } from '@scure/base'
import {
  compactSignatureToSignature,
  parseCompactSignature,
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { startApp, type TestApp } from '../app.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

const minute = 60_000
const path = '/api/v1/verification'
const claimOf = (wallet: TestWallet) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content: 'Hello' },
})
const compact = (signature: string): string =>
  serializeCompactSignature(signatureToCompactSignature(parseSignature(signature as `0x${string}`)))

/** A new claim each time, signed by alice. */
async function fresh(app: TestApp, wallet = alice, more: object = {}) {
  app.wait(1)
  return app.signed(wallet, { ...claimOf(wallet), ...more })
}

describe('spellings of one signature', async () => {
  const app = await startApp()

  test('the compact form of EIP-2098 is the same signature', async () => {
    const body = await fresh(app)
    const signature = compact(String(body.signature))
    expect(signature).toHaveLength(130)
    expect(serializeSignature(compactSignatureToSignature(parseCompactSignature(signature as `0x${string}`)))).toBe(
      body.signature as `0x${string}`,
    )
    const first = await app.post(path, { ...body, signature })
    const again = await app.post(path, body)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
  })

  test('a last byte of 0 or 1 means 27 or 28', async () => {
    const body = await fresh(app)
    const last = Number.parseInt(String(body.signature).slice(-2), 16) - 27
    const answer = await app.post(path, { ...body, signature: `${String(body.signature).slice(0, -2)}0${last}` })
    expect(answer.status).toBe(200)
  })

  test('a Solana signature may be hexadecimal', async () => {
    const body = await fresh(app, sol)
    const hex = base58.decode(String(body.signature)).toHex()
    expect((await app.post(path, { ...body, signature: `0x${hex}` })).status).toBe(200)
  })

  test('the wallet may be given in lower case after it signed in checksum case, and the other way round', async () => {
    const body = await fresh(app)
    const { status, body: answer } = await app.post(path, { ...body, walletAddress: alice.address.toLowerCase() })
    expect(status).toBe(200)
    expect(answer.data.portableProof.walletAddress).toBe(alice.address.toLowerCase())
    expect((await app.post(path, body)).body.data.qHash).toBe(answer.data.qHash)
  })
})

describe('the signed content', async () => {
  const app = await startApp()

  test.each<[string, object]>([
    ['other data', { data: { owner: alice.address, content: 'Hallo' } }],
    ['another timestamp', { signedTimestamp: app.now() + 30 }],
    [
      'other verifiers',
      {
        verifierIds: ['ownership-basic', 'agent-identity'],
        data: {
          'ownership-basic': claimOf(alice).data,
          'agent-identity': { agentId: 'a', agentWallet: alice.address },
        },
      },
    ],
    ['another chain', { chainId: 1 }],
    ['another wallet', { walletAddress: bob.address }],
  ])('is not what is sent: %s is refused', async (_, change) => {
    const answer = await app.post(path, { ...(await fresh(app)), ...change })
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'SIGNATURE_INVALID', type: 'auth' } } })
    expect(answer.body.error.details.alias).toBe('SIGNATURE_VERIFICATION_FAILED')
  })

  test('leaves out options and meta, which may change after signing', async () => {
    const answer = await app.post(path, {
      ...(await fresh(app)),
      options: { privacyLevel: 'public' },
      meta: { title: 'T' },
      later: 1,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data.privacyLevel).toBe('public')
  })

  test('members may be sent in another order than they were signed in', async () => {
    const body = await fresh(app)
    const answer = await app.post(path, { ...body, data: { content: 'Hello', owner: alice.address } })
    expect(answer.status).toBe(200)
  })

  test('a refusal names the address that did sign', async () => {
    const body = await fresh(app)
    const { body: answer } = await app.post(path, { ...body, walletAddress: bob.address, data: claimOf(alice).data })
    expect(answer.error.details.reason).toBe('OTHER_WALLET')
    expect(answer.error.details.recoveredAddress).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test.each([
    ['no signature', undefined, 'WALLET_AUTH_REQUIRED'],
    ['a placeholder', '0x', 'WALLET_AUTH_REQUIRED'],
    ['a placeholder of full length', `0x${'0'.repeat(130)}`, 'WALLET_AUTH_REQUIRED'],
    ['a signature that is too short', '0x1234', 'SIGNATURE_INVALID'],
    ['words', 'please', 'SIGNATURE_INVALID'],
  ])('refused with 401: %s', async (_, signature, code) => {
    const answer = await app.post(path, { ...(await fresh(app)), signature })
    expect(answer).toMatchObject({ status: 401, body: { error: { code } } })
  })

  test('refused: a signature without its timestamp', async () => {
    const answer = await app.post(path, { ...(await fresh(app)), signedTimestamp: undefined })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  test.each([
    ['ed25519 for an EVM wallet', alice, 'ed25519'],
    ['eip191 for a Solana wallet', sol, 'eip191'],
  ])('refused: the method %s', async (_, wallet, signatureMethod) => {
    const answer = await app.post(path, { ...(await fresh(app, wallet)), signatureMethod })
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: 'SIGNATURE_INVALID', details: { reason: 'METHOD_UNKNOWN' } } },
    })
  })
})

describe('freshness (src/guides/wire.md, "Freshness")', async () => {
  const app = await startApp()
  const dated = async (ms: number) => {
    app.wait(1)
    return app.post(path, await app.signed(alice, { ...claimOf(alice), signedTimestamp: app.now() + ms }))
  }

  test('5 minutes back and 1 minute ahead are accepted', async () => {
    expect((await dated(-5 * minute)).status).toBe(200)
    expect((await dated(minute)).status).toBe(200)
  })

  test.each([
    ['older', -5 * minute - 1],
    ['further ahead', minute + 1],
  ])('%s is refused, with both clocks in the details', async (_, ms) => {
    const { status, body } = await dated(ms)
    expect(status).toBe(401)
    expect(body.error).toMatchObject({
      code: 'EXPIRED_SIGNATURE',
      details: { serverTime: app.now(), signedTimestamp: app.now() + ms },
    })
  })

  test('the operator may choose another window', async () => {
    const narrow = await startApp({ PROOFGATE_SIGNING_MAX_AGE_SECONDS: '10', PROOFGATE_SIGNING_MAX_AHEAD_SECONDS: '0' })
    const body = await narrow.signed(alice, claimOf(alice))
    narrow.wait(10_001)
    expect((await narrow.post(path, body)).body.error.code).toBe('EXPIRED_SIGNATURE')
    const ahead = await narrow.signed(alice, { ...claimOf(alice), signedTimestamp: narrow.now() + 1 })
    expect((await narrow.post(path, ahead)).body.error.code).toBe('EXPIRED_SIGNATURE')
  })
})

describe('version suffixes of verifier ids (src/guides/wire.md, "Verifier ids")', async () => {
  const app = await startApp()
  const versioned = { ...claimOf(alice), verifierIds: ['ownership-basic@1'] }

  test('a client that signs ownership-basic@1 and sends it gets a proof of ownership-basic', async () => {
    app.wait(1)
    const { status, body } = await app.submit(alice, versioned)
    expect(status).toBe(200)
    expect(body.data.verifiedVerifiers[0].verifierId).toBe('ownership-basic')
    expect(body.data.portableProof.verifierIds).toEqual(['ownership-basic@1'])
  })

  test('a client that signs the bare id and sends the version gets the proof of the bare id', async () => {
    const body = await fresh(app)
    const answer = await app.post(path, { ...body, verifierIds: ['ownership-basic@1'] })
    expect(answer.status).toBe(200)
    expect(answer.body.data.portableProof.verifierIds).toEqual(['ownership-basic'])
    expect((await app.post(path, body)).body.data.qHash).toBe(answer.body.data.qHash)
  })

  test('data may stand under the bare id', async () => {
    app.wait(1)
    const { status } = await app.submit(alice, { ...versioned, data: { 'ownership-basic': claimOf(alice).data } })
    expect(status).toBe(200)
  })
})

describe('older title lines (src/guides/wire.md, "Title line")', () => {
  const older = 'SVC Verification Request'
  const withOlderTitle = async (app: TestApp) => {
    const body = await app.signed(alice, claimOf(alice))
    const prepared = await app.post(`${path}/standardize`, body)
    const text = String(prepared.body.data.signerString).split('\n').with(0, older).join('\n')
    return { ...body, signature: await alice.sign(text) }
  }

  test('one that the operator lists is accepted, and makes the same proof as the newest', async () => {
    const app = await startApp({ PROOFGATE_SIGNING_ACCEPTED_TITLES: older })
    const first = await app.post(path, await withOlderTitle(app))
    expect(first.status).toBe(200)
    const newest = await app.submit(alice, claimOf(alice))
    expect(newest.body.data.qHash).toBe(first.body.data.qHash)
  })

  test('one that is not listed is refused', async () => {
    const app = await startApp()
    const answer = await app.post(path, await withOlderTitle(app))
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'SIGNATURE_INVALID' } } })
  })
})
