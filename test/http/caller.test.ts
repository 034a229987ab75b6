import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, bob, sol } from '../wallets.ts'

const minute = 60_000
const list = { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() }
const path = `/api/v1/proofs/by-wallet/${alice.address}`
const isOwnerView = ({ body }: { body: { data: { pageInfo: { limit: number } } } }) => body.data.pageInfo.limit === 1000

describe('the owner headers (src/guides/wire.md, "Owner authentication")', async () => {
  const app = await startApp()
  const headers = await app.ownerHeaders(alice, list)

  test('a wallet is known by its signature over the action', async () => {
    expect(isOwnerView(await app.get(path, headers))).toBe(true)
  })

  test.each([
    ['in lower case', alice.address.toLowerCase()],
    ['as a DID', `did:pkh:eip155:84532:${alice.address}`],
  ])('the wallet may be spelled %s', async (_, walletAddress) => {
    expect(isOwnerView(await app.get(path, { ...headers, 'x-wallet-address': walletAddress }))).toBe(true)
  })

  test('one signature serves several reads at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.get(path, headers)))
    expect(answers.every(isOwnerView)).toBe(true)
  })

  test('a wallet alone names the viewer, who sees the public data', async () => {
    const answer = await app.get(path, { 'x-wallet-address': alice.address })
    expect(answer.status).toBe(200)
    expect(isOwnerView(answer)).toBe(false)
  })

  test.each<[string, Record<string, string | undefined>, string]>([
    ['a signature without its timestamp', { 'x-signed-timestamp': undefined }, 'WALLET_AUTH_REQUIRED'],
    ['a signature without its wallet', { 'x-wallet-address': undefined }, 'WALLET_AUTH_REQUIRED'],
    ['a timestamp without a signature', { 'x-signature': undefined }, 'WALLET_AUTH_REQUIRED'],
    ['a placeholder for a signature', { 'x-signature': `0x${'0'.repeat(130)}` }, 'WALLET_AUTH_REQUIRED'],
    ['a signature that is none', { 'x-signature': '0x1234' }, 'SIGNATURE_INVALID'],
    ['a signature of endless length', { 'x-signature': `0x${'1'.repeat(16_500)}` }, 'SIGNATURE_INVALID'],
    ['another wallet', { 'x-wallet-address': bob.address }, 'SIGNATURE_INVALID'],
    ['another timestamp', { 'x-signed-timestamp': String(app.now() - 1) }, 'SIGNATURE_INVALID'],
    ['another chain', { 'x-chain': 'eip155:1' }, 'SIGNATURE_INVALID'],
    ['a method of another family', { 'x-signature-method': 'ed25519' }, 'SIGNATURE_INVALID'],
  ])('refused with 401: %s', async (_, change, code) => {
    const changed = Object.fromEntries(
      Object.entries({ ...headers, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    expect(await app.get(path, changed)).toMatchObject({ status: 401, body: { success: false, error: { code } } })
  })

  test.each([
    ['a timestamp in words', { 'x-signed-timestamp': 'today' }, 'VALIDATION_ERROR'],
    ['a wallet that is none', { 'x-wallet-address': '0x12' }, 'INVALID_WALLET_ADDRESS'],
    ['a chain that is none', { 'x-chain': 'nowhere' }, 'VALIDATION_ERROR'],
  ])('refused with 400: %s', async (_, change, code) => {
    expect(await app.get(path, { ...headers, ...change })).toMatchObject({ status: 400, body: { error: { code } } })
  })

  test('a refusal says which action was to be signed', async () => {
    const { body } = await app.get(
      path,
      await app.ownerHeaders(alice, { ...list, action: 'gate_check_private_proofs' }),
    )
    expect(body.error).toMatchObject({ code: 'SIGNATURE_INVALID', details: { signedData: list } })
  })

  test('a signature is accepted for 5 minutes, and for 1 minute ahead of the clock', async () => {
    const at = async (ms: number) => app.get(path, await app.ownerHeaders(alice, list, app.now() + ms))
    expect((await at(-5 * minute)).status).toBe(200)
    expect((await at(minute)).status).toBe(200)
    for (const ms of [-5 * minute - 1, minute + 1])
      expect(await at(ms)).toMatchObject({ status: 401, body: { error: { code: 'EXPIRED_SIGNATURE' } } })
  })
})

describe('owners of other families', async () => {
  const app = await startApp()
  const solList = { action: 'access_private_proofs_by_wallet', walletAddress: sol.address }
  const solPath = `/api/v1/proofs/by-wallet/${sol.address}`

  test('a Solana wallet names its chain, and is taken for one on mainnet when it does not', async () => {
    const headers = await app.ownerHeaders(sol, solList)
    expect(headers).toMatchObject({ 'x-chain': 'solana:mainnet', 'x-signature-method': 'ed25519' })
    const { 'x-chain': _, 'x-signature-method': __, ...bare } = headers

    expect(isOwnerView(await app.get(solPath, headers))).toBe(true)
    expect(isOwnerView(await app.get(solPath, bare))).toBe(true)
  })

  test('the signature may be base58 or hexadecimal', async () => {
    const headers = await app.ownerHeaders(sol, solList)
    const { base58 } = await import('@scure/base')
    const hex = base58.decode(headers['x-signature']!).toHex()
    for (const signature of [hex, `0x${hex}`, `ed25519:${headers['x-signature']}`])
      expect(isOwnerView(await app.get(solPath, { ...headers, 'x-signature': signature }))).toBe(true)
  })
})

describe('older title lines', () => {
  const older = 'SVC Verification Request'
  const signOlder = async (now: number) => ({
    'x-wallet-address': alice.address,
    'x-signed-timestamp': String(now),
    'x-signature': await alice.sign(
      `${older}\nWallet: ${alice.address.toLowerCase()}\nChain: 84532\nVerifiers: ownership-basic\nData: ${JSON.stringify(list)}\nTimestamp: ${now}`,
    ),
  })

  test('are accepted in owner actions where the operator lists them', async () => {
    const app = await startApp({ PROOFGATE_SIGNING_ACCEPTED_TITLES: older })
    expect(isOwnerView(await app.get(path, await signOlder(app.now())))).toBe(true)
  })

  test('are refused where the operator does not list them', async () => {
    const app = await startApp()
    expect((await app.get(path, await signOlder(app.now()))).status).toBe(401)
  })
})
