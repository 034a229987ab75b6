import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { alice, sol } from '../wallets.ts'

const path = '/api/v1/verification/standardize'
const evm = alice.address.toLowerCase()

describe('POST /api/v1/verification/standardize', async () => {
  const app = await startApp()
  const basic = {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: 'Hello' },
    signedTimestamp: 1_784_582_400_000,
  }

  test('answers with the six lines to sign, and with its reading of the request', async () => {
    const { status, body } = await app.post(path, basic)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        signerString: `Portable Proof Verification Request\nWallet: ${evm}\nChain: 84532\nVerifiers: ownership-basic\nData: {"content":"Hello","owner":"${alice.address}"}\nTimestamp: 1784582400000`,
        bodyPreview: {
          walletAddress: evm,
          verifierIds: ['ownership-basic'],
          data: basic.data,
          signedTimestamp: 1_784_582_400_000,
          chainId: 84532,
          did: `did:pkh:eip155:84532:${evm}`,
          qHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
      },
    })
  })

  test.each([
    ['numbers that are written out', { list: Array(29_000).fill(1e20) }],
    ['characters that NFC takes apart', { text: '\u{1d160}'.repeat(60_000) }],
  ])('refuses data that is larger than a body in its signed form: %s', async (_, data) => {
    for (const where of [path, '/api/v1/verification/diagnose']) {
      const whole = { ...basic.data, ...data }
      const body = JSON.stringify({ ...basic, data: whole, signature: `0x${'1'.repeat(130)}` }).replaceAll(
        /10{20}/g,
        '1e20',
      )
      expect(body.length).toBeLessThan(300_000)
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      expectRefused(await app.request(where, init), 'INVALID_VERIFIER_DATA', /bytes in its signed form/)
    }
  })

  test('the qHash it previews is the one the proof gets', async () => {
    const claim = { verifierIds: ['ownership-basic'], data: basic.data }
    const preview = await app.post(path, { walletAddress: alice.address, signedTimestamp: app.now(), ...claim })
    const { body } = await app.submit(alice, claim)
    expect(body.data.qHash).toBe(preview.body.data.bodyPreview.qHash)
  })

  test('takes the whole body of phase 2 and keeps the rest out of the text', async () => {
    const plain = await app.post(path, basic)
    const whole = await app.post(path, {
      ...basic,
      options: { privacyLevel: 'public' },
      meta: { title: 'x' },
      subjectWallet: alice.address,
      somethingNew: true,
    })
    expect(whole.body.data.signerString).toBe(plain.body.data.signerString)
    expect(whole.body.data.bodyPreview.qHash).toBe(plain.body.data.bodyPreview.qHash)
  })

  test.each([
    ['chainId', { chainId: 10 }, 'Chain: 10', { chainId: 10 }],
    ['an EVM chain', { chain: 'eip155:10' }, 'Chain: 10', { chain: 'eip155:10' }],
    ['both, when they agree', { chain: 'eip155:10', chainId: 10 }, 'Chain: 10', { chain: 'eip155:10' }],
    ['another chain', { chain: 'solana:mainnet', walletAddress: sol.address }, 'Chain: solana:mainnet', {}],
    [
      'another chain with the chainId that clients always send',
      { chain: 'solana:mainnet', chainId: 84532, walletAddress: sol.address },
      'Chain: solana:mainnet',
      { chain: 'solana:mainnet' },
    ],
  ])('the chain line comes from %s', async (_, change, line, preview) => {
    const owner = 'walletAddress' in change ? change.walletAddress : basic.data.owner
    const { body } = await app.post(path, { ...basic, data: { ...basic.data, owner }, ...change })
    expect(body.data.signerString.split('\n')[2]).toBe(line)
    expect(body.data.bodyPreview).toMatchObject(preview)
  })

  test('the hub chain is the operator’s to choose', async () => {
    const other = await startApp({ PROOFGATE_SIGNING_HUB_CHAIN_ID: '8453' })
    const { body } = await other.post(path, basic)
    expect(body.data.signerString).toContain('\nChain: 8453\n')
    expect(body.data.bodyPreview.did).toBe(`did:pkh:eip155:8453:${evm}`)
  })

  test('makes the text of owner actions too, and says in it which server they are for', async () => {
    const data = { qHash: `0x${'12'.repeat(32)}`, action: 'revoke_proof' }
    const { body } = await app.post(path, { ...basic, data })
    expect(body.data.signerString).toContain(
      `\nData: {"action":"revoke_proof","audience":"localhost:8787","qHash":"${data.qHash}"}\n`,
    )
    expect(body.data.bodyPreview.data).toEqual({ ...data, audience: 'localhost:8787' })
    expect((await app.post(path, { ...basic, data: { ...data, audience: 'localhost:8787' } })).body).toEqual(body)
  })

  test('makes no text of an owner action that is for another server', async () => {
    const data = { qHash: `0x${'12'.repeat(32)}`, action: 'revoke_proof', audience: 'other.example' }
    expect(await app.post(path, { ...basic, data })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { path: '/data/audience', audience: 'localhost:8787' } } },
    })
  })

  test('leaves a claim as it is, also one that has an action among its members', async () => {
    const data = { owner: alice.address, content: 'Hello', action: 'revoke_proof' }
    const { body } = await app.post(path, { ...basic, data })
    expect(body.data.bodyPreview.data).toEqual(data)
  })

  test('accepts any age of the timestamp, and stores no data', async () => {
    const { body } = await app.post(path, { ...basic, signedTimestamp: 1 })
    expect(body.data.signerString).toEndWith('\nTimestamp: 1')
    expect((await app.get(`/api/v1/proofs/${body.data.bodyPreview.qHash}`)).status).toBe(404)
  })

  test('keys and strings are composed and sorted before they are signed, and kept as they came in the preview', async () => {
    const data = { owner: evm, contentHash: `0x${'ab'.repeat(32)}`, b: 'e\u0301', a: [{ d: 1, c: -0 }] }
    const { body } = await app.post(path, { ...basic, data })
    expect(body.data.signerString).toContain(
      `\nData: {"a":[{"c":0,"d":1}],"b":"\u00e9","contentHash":"${data.contentHash}","owner":"${evm}"}\n`,
    )
    expect(body.data.bodyPreview.data).toEqual({ ...data, a: [{ d: 1, c: 0 }] })
  })

  test.each<[string, object, string]>([
    ['no wallet', { walletAddress: undefined }, 'VALIDATION_ERROR'],
    ['an empty wallet', { walletAddress: '' }, 'VALIDATION_ERROR'],
    ['blanks around the wallet', { walletAddress: ` ${evm}` }, 'INVALID_WALLET_ADDRESS'],
    ['a wallet that is too short', { walletAddress: '0x123' }, 'INVALID_WALLET_ADDRESS'],
    ['a Solana wallet without its chain', { walletAddress: sol.address }, 'INVALID_WALLET_ADDRESS'],
    ['an EVM wallet on Solana', { chain: 'solana:mainnet' }, 'INVALID_WALLET_ADDRESS'],
    ['no verifier', { verifierIds: [] }, 'VALIDATION_ERROR'],
    ['an unknown verifier', { verifierIds: ['ownership-everything'] }, 'VERIFIER_NOT_FOUND'],
    ['data that is a list', { data: [] }, 'VALIDATION_ERROR'],
    ['no timestamp', { signedTimestamp: undefined }, 'VALIDATION_ERROR'],
    ['a timestamp of zero', { signedTimestamp: 0 }, 'VALIDATION_ERROR'],
    ['a timestamp with a fraction', { signedTimestamp: 1.5 }, 'VALIDATION_ERROR'],
    ['two different chains', { chain: 'eip155:1', chainId: 2 }, 'VALIDATION_ERROR'],
    ['a chain without a namespace', { chain: 'solana' }, 'VALIDATION_ERROR'],
    ['two keys that are one after NFC', { data: { '\u00e9': 1, 'e\u0301': 2 } }, 'INVALID_VERIFIER_DATA'],
  ])('refuses %s', async (_, change, code) => {
    const answer = await app.post(path, { ...basic, ...change })
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: { code } } })
  })
})
