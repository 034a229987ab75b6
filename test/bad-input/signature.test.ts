import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { ErrorCode } from '../../src/errors.ts'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing, rowCounts } from '../http/refused.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { compact, type SignedRequest, send, signed, withHighS } from './signed.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const minute = 60_000

async function refusedAs(body: unknown, code: ErrorCode, hint: RegExp) {
  const answer = await leavesNothing(app.parts, () => send(app, body))
  expectRefused(answer, code, hint)
  return answer.body.error
}

const spoiled = (request: SignedRequest, member: string, value: unknown) => ({ ...request, [member]: value })

describe('a signature of another wallet', () => {
  test('is refused, and the answer names its wallet', async () => {
    const request = await signed(app, alice)
    const forged = await mallory.sign(await signerStringOf(request))
    const error = await refusedAs(spoiled(request, 'signature', forged), 'SIGNATURE_INVALID', /is by 0x[0-9a-f]{40}/)
    expect(error.details).toEqual({
      reason: 'OTHER_WALLET',
      recoveredAddress: mallory.address.toLowerCase(),
      alias: 'SIGNATURE_VERIFICATION_FAILED',
    })
  })

  test('with the wallet changed after signing is refused', async () => {
    const request = await signed(app, alice)
    await refusedAs(spoiled(request, 'walletAddress', bob.address), 'SIGNATURE_INVALID', /not by/)
  })

  test('is refused for another Solana wallet, too', async () => {
    const request = await signed(app, sol)
    const other = base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(9)))
    await refusedAs(spoiled(request, 'walletAddress', other), 'SIGNATURE_INVALID', /does not fit this wallet/)
  })
})

describe('changed after signing', () => {
  test.each<[string, (request: SignedRequest) => object]>([
    ['a word of the content', ({ data }) => ({ data: { ...data, content: 'My wordz' } })],
    ['a member more', ({ data }) => ({ data: { ...data, contentType: 'text/plain' } })],
    [
      'a member less',
      ({ data: { content: _, ...data } }) => ({ data: { ...data, contentHash: `0x${'1'.repeat(64)}` } }),
    ],
    ['the case of an address inside', ({ data }) => ({ data: { ...data, owner: String(data.owner).toLowerCase() } })],
    ['data put under the id of the verifier', ({ data }) => ({ data: { 'ownership-basic': data } })],
    ['the timestamp, by one', ({ signedTimestamp }) => ({ signedTimestamp: signedTimestamp + 1 })],
    ['the chain', () => ({ chainId: 1 })],
    ['the verifier', () => ({ verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })],
  ])('%s: refused', async (_, change) => {
    const request = await signed(app, alice)
    await refusedAs({ ...request, ...change(request) }, 'SIGNATURE_INVALID', /exactly the signerString/)
  })

  test('a Solana claim on another chain: refused', async () => {
    await refusedAs(spoiled(await signed(app, sol), 'chain', 'solana:devnet'), 'SIGNATURE_INVALID', /UTF-8 bytes/)
  })

  test('the order of members, which is not signed: accepted', async () => {
    const { data, ...request } = await signed(app, alice, { data: { owner: alice.address, content: 'Order' } })
    expect((await send(app, { data: { content: data.content, owner: data.owner }, ...request })).status).toBe(200)
  })
})

describe('a time stamp', () => {
  test.each([
    ['a millisecond too old', 5 * minute + 1, /is 301 s old and may be at most 300 s: sign again/],
    ['a year old', 365 * 24 * 60 * minute, /sign again/],
    ['a millisecond too far ahead', -minute - 1, /61 s in the future \(at most 60 s\): set the clock right/],
  ])('%s is refused', async (_, ageMs, hint) => {
    const error = await refusedAs(
      await signed(app, alice, { signedTimestamp: app.now() - ageMs }),
      'EXPIRED_SIGNATURE',
      hint,
    )
    expect(error.details).toMatchObject({ serverTime: app.now() })
  })

  test.each([
    ['as old as allowed', 5 * minute],
    ['as far ahead as allowed', -minute],
  ])('%s is accepted', async (_, ageMs) => {
    expect((await send(app, await signed(app, alice, { signedTimestamp: app.now() - ageMs }))).status).toBe(200)
  })

  test('a good signature becomes stale while it waits', async () => {
    const own = await startApp()
    const request = await signed(own, alice)
    own.wait(5 * minute + 1)
    expectRefused(await send(own, request), 'EXPIRED_SIGNATURE')
  })

  test.each([
    ['in seconds', 1_767_225_600, 'VALIDATION_ERROR', /milliseconds/],
    ['as text', '1767225600000', 'VALIDATION_ERROR', /signedTimestamp: must be a whole number, and is a text/],
    [
      'with a fraction',
      1_767_225_600_000.5,
      'VALIDATION_ERROR',
      /signedTimestamp: must be a whole number, and is not one/,
    ],
    ['zero', 0, 'VALIDATION_ERROR', /must be at least 1$/],
    ['negative', -1, 'VALIDATION_ERROR', /must be at least 1$/],
    ['past the last Date', 8_640_000_000_000_001, 'VALIDATION_ERROR', /must be at most 8640000000000000$/],
    ['null', null, 'VALIDATION_ERROR', /signedTimestamp/],
    ['missing', undefined, 'VALIDATION_ERROR', /signedTimestamp is missing/],
  ] as const)('%s is refused', async (_, signedTimestamp, code, hint) => {
    await refusedAs({ ...(await signed(app, alice)), signedTimestamp }, code, hint)
  })

  test('beyond every number is refused', async () => {
    const text = JSON.stringify(await signed(app, alice))
    for (const huge of ['1e999', '-1e999', '9'.repeat(400)])
      await refusedAs(
        text.replace(/"signedTimestamp":\d+/, `"signedTimestamp":${huge}`),
        'VALIDATION_ERROR',
        /whole number/,
      )
  })
})

describe('an EVM signature', () => {
  test.each<[string, (signature: string) => string, RegExp]>([
    ['malleable: the upper half of s', withHighS, /upper half of its range, which EIP-2 forbids/],
    ['malleable, the last byte as 0 or 1', (s) => withHighS(s).replace(/1b$/, '00').replace(/1c$/, '01'), /EIP-2/],
    ['cut by a byte', (s) => s.slice(0, -2), /is by 0x|upper half|not below|no public key/],
    ['cut by a digit', (s) => s.slice(0, -1), /0x and 130 hex digits/],
    ['cut in half', (s) => s.slice(0, 66), /0x and 130 hex digits/],
    ['longer by a byte', (s) => `${s}00`, /0x and 130 hex digits/],
    ['twice', (s) => s + s.slice(2), /0x and 130 hex digits/],
    ['without 0x', (s) => s.slice(2), /130 hex digits|hex digits only/],
    ['with a letter that is no digit', (s) => s.replace(/.$/, 'g'), /hex digits only/],
    ['with a blank after it', (s) => `${s} `, /130 hex digits/],
    ['with r = 0', (s) => `0x${'0'.repeat(64)}${s.slice(66)}`, /zero in place of r or s/],
    ['with s = 0', (s) => `${s.slice(0, 66)}${'0'.repeat(64)}1b`, /zero in place of r or s/],
    ['with r = the order of the curve', (s) => `0x${order}${s.slice(66)}`, /not below the order/],
    ['with s = the order of the curve', (s) => `${s.slice(0, 66)}${order}1b`, /not below the order/],
    ['with v = 29', (s) => `${s.slice(0, 130)}1d`, /must be 0, 1, 27 or 28/],
    ['with v = 2', (s) => `${s.slice(0, 130)}02`, /must be 0, 1, 27 or 28/],
    ['with the other parity', (s) => s.slice(0, 130) + (s.endsWith('1b') ? '1c' : '1b'), /is by 0x|no public key/],
    ['of Solana’s kind', () => base58.encode(new Uint8Array(64).fill(7)), /130 hex digits|hex digits only/],
    ['that is not one', () => 'signed by Alice', /130 hex digits/],
  ])('%s is refused', async (_, spoil, hint) => {
    const request = await signed(app, alice)
    await refusedAs(spoiled(request, 'signature', spoil(request.signature)), 'SIGNATURE_INVALID', hint)
  })

  test.each([
    ['empty', ''],
    ['0x', '0x'],
    ['zeros in place of one', `0x${'0'.repeat(130)}`],
    ['missing', undefined],
  ])('%s counts as missing: the answer says how to get one', async (_, signature) => {
    const request = { ...(await signed(app, alice)), signature }
    await refusedAs(request, 'WALLET_AUTH_REQUIRED', /standardize, sign the signerString/)
  })

  test.each([
    ['longer than any has a use', `0x${'11'.repeat(8192)}`],
    ['no text', 5],
    ['null', null],
    ['a list', ['0x12']],
  ])('%s is refused by its shape', async (_, signature) => {
    await refusedAs({ ...(await signed(app, alice)), signature }, 'VALIDATION_ERROR', /^body signature: must be/)
  })

  test('yields one proof: its compact form returns the existing proof', async () => {
    const request = await signed(app, alice, { data: { owner: alice.address, content: 'Once' } })
    const first = await send(app, request)
    const before = await rowCounts(app.parts)
    const again = await send(app, spoiled(request, 'signature', compact(request.signature)))
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(await rowCounts(app.parts)).toEqual(before)
  })

  test.each(['ed25519', 'eip712', 'secp256k1', '', 'x'.repeat(32)])(
    'with the signatureMethod %p is refused',
    async (signatureMethod) => {
      await refusedAs({ ...(await signed(app, alice)), signatureMethod }, 'SIGNATURE_INVALID', /use eip191/)
    },
  )
})

const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

/** Points whose order divides 8: with such a key one signature would fit every text. */
const smallOrderKeys = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]

describe('an Ed25519 signature', () => {
  test.each(smallOrderKeys)('by the small-order key %s is refused, though the plain equation holds', async (key) => {
    const address = base58.encode(Uint8Array.fromHex(key))
    const nothing = Buffer.concat([Buffer.from(`01${'00'.repeat(31)}`, 'hex'), Buffer.alloc(32)])
    const request = await signed(app, sol, {
      walletAddress: address,
      data: { owner: address, content: 'Anything' },
    })
    for (const signature of [base58.encode(nothing), nothing.toString('hex')])
      await refusedAs(spoiled(request, 'signature', signature), 'SIGNATURE_INVALID', /does not fit|64 bytes/)
  })

  test.each<[string, (bytes: Uint8Array) => string, RegExp]>([
    ['cut by a byte', (bytes) => base58.encode(bytes.slice(0, 63)), /64 bytes/],
    ['longer by a byte', (bytes) => base58.encode(Uint8Array.of(...bytes, 0)), /64 bytes/],
    ['malleable: S + L', (bytes) => base58.encode(withLargeS(bytes)), /does not fit/],
    ['with a flipped bit', (bytes) => base58.encode(bytes.with(10, bytes[10]! ^ 1)), /does not fit/],
    ['in hex cut by a digit', (bytes) => bytes.toHex().slice(1), /64 bytes/],
    ['with letters base58 does not have', () => '0OIl'.repeat(22), /64 bytes/],
    ['of EVM’s kind', () => `0x${'12'.repeat(65)}`, /64 bytes/],
  ])('%s is refused', async (_, spoil, hint) => {
    const request = await signed(app, sol)
    const bytes = base58.decode(request.signature)
    await refusedAs(spoiled(request, 'signature', spoil(bytes)), 'SIGNATURE_INVALID', hint)
  })

  test('with the signatureMethod eip191 is refused', async () => {
    await refusedAs(spoiled(await signed(app, sol), 'signatureMethod', 'eip191'), 'SIGNATURE_INVALID', /use ed25519/)
  })

  test('cannot be made by a name, which is not a key', async () => {
    const request = {
      walletAddress: 'alice.near',
      chain: 'near:mainnet',
      verifierIds: ['ownership-basic'],
      data: { owner: 'alice.near', content: 'x' },
      signedTimestamp: app.now(),
      signature: base58.encode(new Uint8Array(64).fill(7)),
    }
    await refusedAs(request, 'SIGNATURE_INVALID', /sign with the account "ed25519:<base58 public key>"/)
  })
})

/** S + L, little-endian: the same equation, and so a second signature for the same text. */
function withLargeS(bytes: Uint8Array): Uint8Array {
  const s = BigInt(`0x${bytes.slice(32).toReversed().toHex()}`) + ed25519.Point.CURVE().n
  return Uint8Array.of(...bytes.slice(0, 32), ...Uint8Array.fromHex(s.toString(16).padStart(64, '0')).toReversed())
}

async function signerStringOf({ signature: _, ...body }: SignedRequest): Promise<string> {
  return (await app.post('/api/v1/verification/standardize', body)).body.data.signerString
}
