import { describe, expect, test } from 'bun:test'
import type { ErrorCode } from '../../src/errors.ts'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'
import { withHighS } from './signed.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const qHash = await app.prove(alice)
const unknown = `0x${'ab'.repeat(32)}`
const minute = 60_000

/** Every owner action: its path, and the data that is signed. */
const actions: readonly [string, string, (wallet: TestWallet) => object, object][] = [
  ['revoke', `/api/v1/proofs/revoke-self/${qHash}`, () => ({ action: 'revoke_proof', qHash }), {}],
  ['revoke, older path', `/api/v1/proofs/${qHash}/revoke-self`, () => ({ action: 'revoke_proof', qHash }), {}],
  [
    'erase',
    '/api/v1/proofs/erase-all',
    ({ address }) => ({ action: 'erase_all_proofs', walletAddress: address.toLowerCase() }),
    {},
  ],
  [
    'grant',
    '/api/v1/verification/access/grant',
    () => ({ action: 'grant_proof_access', qHash, viewerWallet: bob.address }),
    { qHash, viewerWallet: bob.address },
  ],
]

describe.each(actions)('%s', (name, path, action, more) => {
  const bodyOf = async (wallet: TestWallet, at = app.now()) => {
    const { walletAddress, ...signed } = await app.ownerBody(wallet, action(wallet), at)
    return { walletAddress, ownerWallet: walletAddress, ...more, ...signed }
  }
  const refused = async (body: unknown, code: ErrorCode, hint: RegExp) =>
    expectRefused(await leavesNothing(app.parts, () => app.post(path, body)), code, hint)

  test('a stale or future signature is refused', async () => {
    await refused(await bodyOf(alice, app.now() - 5 * minute - 1), 'EXPIRED_SIGNATURE', /sign again/)
    await refused(await bodyOf(alice, app.now() + minute + 1), 'EXPIRED_SIGNATURE', /in the future/)
  })

  test('a signature by another wallet is refused', async () => {
    const { signature } = await bodyOf(mallory)
    await refused({ ...(await bodyOf(alice)), signature }, 'SIGNATURE_INVALID', /is by 0x/)
  })

  test('a signature over another action is refused', async () => {
    const { signature } = await app.ownerBody(alice, { action: 'access_private_proof', qHash })
    await refused({ ...(await bodyOf(alice)), signature }, 'SIGNATURE_INVALID', /not accepted/)
  })

  test('malleable and truncated signatures are refused', async () => {
    const body = await bodyOf(alice)
    await refused({ ...body, signature: withHighS(body.signature) }, 'SIGNATURE_INVALID', /EIP-2/)
    await refused({ ...body, signature: body.signature.slice(0, 100) }, 'SIGNATURE_INVALID', /130 hex digits/)
  })

  test('no signature and a placeholder are refused', async () => {
    const body = await bodyOf(alice)
    await refused({ ...body, signature: `0x${'0'.repeat(130)}` }, 'WALLET_AUTH_REQUIRED', /only the owner may do this/)
    await refused({ ...body, signature: undefined }, 'WALLET_AUTH_REQUIRED', /only the owner may do this/)
  })

  test('a malformed wallet is refused', async () => {
    for (const wallet of ['0x12', 'did:pkh:x', `${alice.address}0`])
      await refused(
        { ...(await bodyOf(alice)), walletAddress: wallet, ownerWallet: wallet },
        'INVALID_WALLET_ADDRESS',
        name === 'grant' ? /^ownerWallet is not/ : /^walletAddress is not/,
      )
  })

  if (name !== 'erase')
    test('the right signature of the wrong wallet is refused', async () => {
      await refused(await bodyOf(mallory), 'FORBIDDEN', /only the wallet that signed this proof/)
      await refused(await bodyOf(sol), 'FORBIDDEN', /only the wallet that signed this proof/)
    })
})

test('an action on an unknown proof is refused', async () => {
  const revocation = await app.ownerBody(alice, { action: 'revoke_proof', qHash: unknown })
  const answer = await leavesNothing(app.parts, () => app.post(`/api/v1/proofs/revoke-self/${unknown}`, revocation))
  expectRefused(answer, 'NOT_FOUND', /there is no proof 0xabab.*made on this server/)
})

test.each([
  ['a viewer that is none', { viewerWallet: '0x12' }, 'INVALID_WALLET_ADDRESS', /viewerWallet is not/],
  ['a time too short', { expiresInSeconds: 59 }, 'VALIDATION_ERROR', /expiresInSeconds/],
  ['a time too long', { expiresInSeconds: 31_536_001 }, 'VALIDATION_ERROR', /expiresInSeconds/],
  ['a time in words', { expiresInSeconds: 'P1D' }, 'VALIDATION_ERROR', /expiresInSeconds/],
] as const)('a grant for %s is refused', async (_, change, code, hint) => {
  const grant = { qHash, viewerWallet: bob.address, ...change }
  const { walletAddress: ownerWallet, ...signed } = await app.ownerBody(alice, {
    action: 'grant_proof_access',
    ...grant,
  })
  const answer = await leavesNothing(app.parts, () =>
    app.post('/api/v1/verification/access/grant', { ownerWallet, ...grant, ...signed }),
  )
  expectRefused(answer, code, hint)
})

describe('the headers of an owner', () => {
  const path = `/api/v1/proofs/${qHash}`
  const action = { action: 'access_private_proof', qHash }
  const headers = () => app.ownerHeaders(alice, action)

  test('all right, they open the proof', async () => {
    expect((await app.get(path, await headers())).body.data.walletAddress).toBe(alice.address.toLowerCase())
  })

  test.each(['x-wallet-address', 'x-signature', 'x-signed-timestamp'])('are refused without %s', async (name) => {
    const { [name]: _, ...rest } = await headers()
    expectRefused(await app.get(path, rest), 'WALLET_AUTH_REQUIRED', /x-wallet-address, x-signature and x-signed/)
  })

  test.each(['', 'now', '-1', '1.5', '1e12', '12345678901234567', '0x10'])(
    'the x-signed-timestamp %p is refused',
    async (timestamp) => {
      const answer = await app.get(path, { ...(await headers()), 'x-signed-timestamp': timestamp })
      expectRefused(answer, 'VALIDATION_ERROR', /must be Unix milliseconds/)
    },
  )

  test('the x-signed-timestamp in seconds is called so, by the name of the header', async () => {
    const answer = await app.get(path, { ...(await headers()), 'x-signed-timestamp': '1767225600' })
    expectRefused(answer, 'VALIDATION_ERROR', /^the header x-signed-timestamp is 1767225600, which looks like Unix sec/)
  })

  test.each([
    ['of another wallet', 'x-wallet-address', mallory.address, 'SIGNATURE_INVALID', /is by 0x/],
    [
      'with a wallet that is none',
      'x-wallet-address',
      'nobody at all',
      'INVALID_WALLET_ADDRESS',
      /^the header x-wallet-address/,
    ],
    [
      'with an endless wallet',
      'x-wallet-address',
      'x'.repeat(10_000),
      'INVALID_WALLET_ADDRESS',
      /^the header x-wallet-address/,
    ],
    ['with an endless signature', 'x-signature', '1'.repeat(16_385), 'SIGNATURE_INVALID', /longer than 16384/],
    ['with an endless chain', 'x-chain', `eip155:${'1'.repeat(10_000)}`, 'VALIDATION_ERROR', /CAIP-2/],
    ['with a chain that is none', 'x-chain', 'somewhere', 'VALIDATION_ERROR', /CAIP-2/],
    ['with a method that is none', 'x-signature-method', 'y'.repeat(10_000), 'SIGNATURE_INVALID', /use eip191/],
  ] as const)('%s are refused', async (_, name, value, code, hint) => {
    const answer = await leavesNothing(app.parts, async () => app.get(path, { ...(await headers()), [name]: value }))
    expectRefused(answer, code, hint)
    expect(answer.body.error.message.length).toBeLessThan(1000)
  })

  test('a signature for one proof does not open another one', async () => {
    const other = await app.prove(alice)
    expectRefused(await app.get(`/api/v1/proofs/${other}`, await headers()), 'SIGNATURE_INVALID')
  })

  test('with a wallet alone prove nothing and are accepted', async () => {
    const { body, status } = await app.get(path, { 'x-wallet-address': alice.address })
    expect(status).toBe(200)
    expect(body.data.walletAddress).toBeUndefined()
  })
})
