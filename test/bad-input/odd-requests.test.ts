/** Well-formed requests that cannot mean anything are told so, instead of being answered as if nothing were found. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { alice, sol } from '../wallets.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const check = `/api/v1/proofs/check?address=${alice.address}&verifierId=ownership-basic`

describe('a check', () => {
  test.each(['ownerAddress', 'contractAddress', 'subjectWallet', 'agentWallet', 'controllerWallet'])(
    'refuses %s where it is a cut EVM address',
    async (name) => {
      for (const value of ['0x', '0x123', alice.address.slice(0, -1), `${alice.address}0`, `0X${'g'.repeat(40)}`])
        expectRefused(await app.get(`${check}&${name}=${value}`), 'INVALID_WALLET_ADDRESS', /0x and 40 hexadecimal/)
      for (const value of [alice.address, `0x${'ab'.repeat(32)}`, sol.address])
        expect((await app.get(`${check}&${name}=${value}`)).status).toBe(200)
    },
  )
})

describe('a wallet without a chain', () => {
  test.each(['bob', 'alice.near', 'hello world'])(
    'is not judged as a Solana address when it is %s',
    async (walletAddress) => {
      expectRefused(
        await app.post('/api/v1/auth/nonce', { walletAddress }),
        'INVALID_WALLET_ADDRESS',
        /without a chain it must be an EVM address .* give chain$/,
      )
    },
  )

  test('is judged by the chain that is given', async () => {
    expectRefused(
      await app.post('/api/v1/auth/nonce', { walletAddress: 'bob', chain: 'solana:mainnet' }),
      'INVALID_WALLET_ADDRESS',
      /a Solana address is a base58 text/,
    )
  })
})

describe('a card', () => {
  test('is not the one of the server where agentWallet is given alone', async () => {
    for (const path of ['/.well-known/agent-card.json', '/.well-known/a2a/agent-card.json']) {
      const answer = await app.get(`${path}?agentWallet=${alice.address}`)
      expectRefused(answer, 'VALIDATION_ERROR', /give agentId as well/)
    }
  })
})

describe('standardize', () => {
  const warningsOf = async (members: object): Promise<string[] | undefined> => {
    const data = { owner: alice.address, content: 'x' }
    const body = { walletAddress: alice.address, verifierIds: ['ownership-basic'], data, signedTimestamp: app.now() }
    return (await app.post('/api/v1/verification/standardize', { ...body, ...members })).body.warnings
  }

  test.each([
    [{ signatureMethod: 'rsa' }, /"rsa" does not fit an EVM wallet: use eip191.*Verification will refuse it$/],
    [{ signatureMethod: 'ed25519' }, /does not fit an EVM wallet/],
    [
      {
        walletAddress: sol.address,
        chain: 'solana:mainnet',
        data: { owner: sol.address, content: 'x' },
        signatureMethod: 'eip191',
      },
      /not known for this chain: use ed25519/,
    ],
  ])('warns of a method that fits no signature of the wallet: %j', async (members, told) => {
    expect(await warningsOf(members)).toEqual([expect.stringMatching(told)])
  })

  test.each([{}, { signatureMethod: 'eip191' }, { signatureMethod: 'EIP-1271' }])(
    'says nothing of %j',
    async (members) => {
      expect(await warningsOf(members)).toBeUndefined()
    },
  )
})

test('a read of an owner that is not signed names the headers, which carry the signature', async () => {
  const answer = await app.get(`/api/v1/verification/access/0x${'ab'.repeat(32)}`)
  expectRefused(answer, 'WALLET_AUTH_REQUIRED', /send the headers x-wallet-address, x-signature and x-signed-timestamp/)
})

test('the detailed health tells a stranger and a program who may read it', async () => {
  for (const headers of [{}, { authorization: `Bearer npk_${'a'.repeat(43)}` }] as Record<string, string>[])
    expectRefused(
      await app.get('/api/v1/health/detailed', headers),
      'WALLET_AUTH_REQUIRED',
      /only operators may read this: sign in at .*Access keys do not work here/,
    )
})
