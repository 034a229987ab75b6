import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'

const minute = 60_000
const path = '/api/v1/verification/diagnose'

describe('POST /api/v1/verification/diagnose (src/guides/wire.md, "Diagnosis")', async () => {
  const app = await startApp()
  const signed = await app.signed(alice, {
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: 'Hello' },
  })
  const prepared = await app.post('/api/v1/verification/standardize', signed)
  const text: string = prepared.body.data.signerString
  const diagnose = async (change: object = {}) => (await app.post(path, { ...signed, ...change })).body.data

  test('signature_valid: the text, the wallet and the canonical data are shown', async () => {
    expect(await diagnose()).toEqual({
      serverSignerString: text,
      reason: 'signature_valid',
      diagnosis: {
        message: 'the signature is accepted',
        normalizedWallet: alice.address.toLowerCase(),
        canonicalData: `{"content":"Hello","owner":"${alice.address}"}`,
        ageMs: 0,
        fresh: true,
      },
    })
  })

  test('timestamp_stale: the signature is right and too old', async () => {
    const other = await startApp()
    const body = await other.signed(alice, {
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: 'Hello' },
    })
    other.wait(5 * minute + 1)
    const { data } = (await other.post(path, body)).body
    expect(data).toMatchObject({ reason: 'timestamp_stale', diagnosis: { fresh: false, ageMs: 5 * minute + 1 } })
  })

  test('data_mismatch: shows where the signed text parts from the expected one', async () => {
    const signedMessage = text.replace('Hello', 'Hallo')
    const { reason, diagnosis } = await diagnose({ signedMessage, signature: await alice.sign(signedMessage) })
    expect(reason).toBe('data_mismatch')
    expect(diagnosis.firstDifferenceIndex).toBe(text.indexOf('Hello') + 1)
    expect(diagnosis.lines).toEqual([
      { line: 5, expected: text.split('\n')[4]!, signed: text.split('\n')[4]!.replace('Hello', 'Hallo') },
    ])
  })

  test('data_mismatch: a text that ends early differs where it ends', async () => {
    const signedMessage = text.slice(0, -1)
    const { reason, diagnosis } = await diagnose({ signedMessage, signature: await alice.sign(signedMessage) })
    expect(reason).toBe('data_mismatch')
    expect(diagnosis.firstDifferenceIndex).toBe(signedMessage.length)
  })

  test('wallet_mismatch: another wallet signed the right text, and is named', async () => {
    const { reason, diagnosis } = await diagnose({ signature: await bob.sign(text), signedMessage: text })
    expect(reason).toBe('wallet_mismatch')
    expect(diagnosis.recoveredAddress).toBe(bob.address.toLowerCase())
    expect(diagnosis).not.toHaveProperty('firstDifferenceIndex')
  })

  test('bad_signature: the signature fits neither text nor wallet', async () => {
    expect((await diagnose({ signature: '0x1234' })).reason).toBe('bad_signature')
  })

  test('has no effect on the database', async () => {
    await diagnose()
    expect((await app.get(`/api/v1/proofs/${prepared.body.data.bodyPreview.qHash}`)).status).toBe(404)
  })

  test.each<[string, object, string]>([
    ['no signature', { signature: undefined }, 'VALIDATION_ERROR'],
    ['no timestamp', { signedTimestamp: undefined }, 'VALIDATION_ERROR'],
    ['a wallet that is none', { walletAddress: '0x12' }, 'INVALID_WALLET_ADDRESS'],
    ['data without a canonical form', { data: { '\u00e9': 1, 'e\u0301': 2 } }, 'INVALID_VERIFIER_DATA'],
  ])('refuses %s', async (_, change, code) => {
    expect(await app.post(path, { ...signed, ...change })).toMatchObject({ status: 400, body: { error: { code } } })
  })
})
