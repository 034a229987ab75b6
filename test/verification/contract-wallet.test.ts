/** Signatures of contract wallets (src/guides/wire.md, "Signatures"), asked of a real chain. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Hex } from 'viem'
import { startApp, type TestApp } from '../app.ts'
import { contractWallet, wrapped } from '../contract-wallet.ts'
import { rowCounts } from '../http/refused.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

const chain = 'eip155:8453'
const salt: Hex = `0x${'5a'.repeat(32)}`

let anvil: Anvil
let app: TestApp
let ofAlice: Deployed
let factory: Deployed
/** The address at which the factory would put Alice's wallet. Never deployed. */
let planned: Hex

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  app = await startApp({ PROOFGATE_CHAINS_BASE_CHAIN: chain, PROOFGATE_CHAINS_BASE_RPC: anvil.url })
  ofAlice = await deploy(anvil, 'Wallet1271', [alice.address])
  factory = await deploy(anvil, 'Wallet1271Factory')
  planned = await factory.read('addressOf', [alice.address, salt])
})
afterAll(() => anvil?.stop())

const claimOf = (wallet: TestWallet) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content: `At ${app.now()}` },
})
const prove = (wallet: TestWallet, on = app) => {
  app.wait(1)
  return on.submit(wallet, claimOf(wallet))
}
const deployment = () => wrapped(factory.address, factory.abi, 'create', [alice.address, salt])

async function isRefused(wallet: TestWallet, reason: string, message: RegExp, on = app): Promise<void> {
  const before = await rowCounts(on.parts)
  const { status, body } = await prove(wallet, on)
  expect(status).toBe(401)
  expect(body.error).toMatchObject({ code: 'SIGNATURE_INVALID', details: { reason } })
  expect(body.error.message).toMatch(message)
  expect(await rowCounts(on.parts)).toEqual(before)
}

describe('a deployed contract wallet (ERC-1271)', () => {
  test('makes a proof, which says how it was signed', async () => {
    const wallet = contractWallet(ofAlice.address, chain, alice)
    const { status, body } = await prove(wallet)

    expect(status).toBe(200)
    expect(body.data.walletAddress).toBe(ofAlice.address.toLowerCase())
    expect(body.data.portableProof).toMatchObject({ signatureMethod: 'eip1271', chain })
  })

  test('reads, lists and revokes its proofs like every owner', async () => {
    const wallet = contractWallet(ofAlice.address.toLowerCase(), chain, alice)
    const { qHash } = (await prove(wallet)).body.data

    const reading = await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash })
    delete reading['x-signature-method']
    const read = await app.get(`/api/v1/proofs/${qHash}`, reading)
    expect(read.body.data.walletAddress).toBe(wallet.address)

    const revoked = await app.post(
      `/api/v1/proofs/revoke-self/${qHash}`,
      await app.ownerBody(wallet, { action: 'revoke_proof', qHash }),
    )
    expect(revoked.body).toMatchObject({ success: true, alreadyRevoked: false })
  })

  test('cannot be impersonated with another key', () =>
    isRefused(contractWallet(ofAlice.address, chain, bob), 'NOT_SIGNED', /does not accept this signature/))

  test.each([
    ['reverts', 'WalletReverting'],
    ['returns the magic value with something behind it', 'WalletGarbage'],
    ['is no wallet at all', 'Counter'],
    ['returns too few bytes', 'Returns31Bytes'],
    ['returns 2 MB', 'Returns2Megabytes'],
    ['burns all gas', 'BurnsGas'],
  ] as const)('has not signed when it %s', async (_, name) => {
    const { address } = await deploy(anvil, name)
    await isRefused(contractWallet(address, chain, alice), 'NOT_SIGNED', /does not accept/)
  })

  test('makes proofs with any signature when it accepts every one', async () => {
    const { address } = await deploy(anvil, 'WalletAcceptingAll')
    const signed = await prove(contractWallet(address, chain, alice, () => '0x01'))
    expect(signed.status).toBe(200)
  })

  test('refuses its former key after the key was changed', async () => {
    const moved = await deploy(anvil, 'Wallet1271', [alice.address])
    const wallet = contractWallet(moved.address, chain, alice)
    expect((await prove(wallet)).status).toBe(200)
    await moved.write('setSigner', [bob.address])
    await isRefused(wallet, 'NOT_SIGNED', /does not accept/)
  })

  test('is looked up on the chain of the request and no other', () =>
    isRefused(
      contractWallet(ofAlice.address, 'eip155:10', alice),
      'OTHER_WALLET',
      /eip155:10 is not in the configuration that was read here: its operator can add \[chains\.<name>\] with chain = "eip155:10" and rpc/,
    ))
})

describe('a wallet that is not deployed yet (ERC-6492)', () => {
  test('makes a proof when its signature brings its deployment', async () => {
    const { status, body } = await prove(contractWallet(planned, chain, alice, deployment()))
    expect(status).toBe(200)
    expect(body.data.portableProof.signatureMethod).toBe('eip6492')
    expect(await anvil.publicClient.getCode({ address: planned })).toBeUndefined()
  })

  test('is refused with the bare signature', () =>
    isRefused(contractWallet(planned, chain, alice), 'OTHER_WALLET', /There is no contract wallet at/))

  test('is refused with the key of another person inside', () =>
    isRefused(contractWallet(planned, chain, bob, deployment()), 'NOT_SIGNED', /does not accept/))

  test('is refused with the deployment of another wallet', () =>
    isRefused(
      contractWallet(planned, chain, alice, wrapped(factory.address, factory.abi, 'create', [bob.address, salt])),
      'NOT_SIGNED',
      /does not accept/,
    ))

  test('is refused with a wrapper that cannot be read', () =>
    isRefused(
      contractWallet(planned, chain, alice, () => `0x1234${'6492'.repeat(16)}`),
      'MALFORMED',
      /There is no contract wallet/,
    ))

  test('once deployed is believed with its wrapper and without', async () => {
    const other: Hex = `0x${'77'.repeat(32)}`
    const address = await factory.read('addressOf', [alice.address, other])
    await factory.write('create', [alice.address, other])
    const wrap = wrapped(factory.address, factory.abi, 'create', [alice.address, other])
    expect((await prove(contractWallet(address, chain, alice, wrap))).body.data.portableProof.signatureMethod).toBe(
      'eip1271',
    )
    expect((await prove(contractWallet(address, chain, alice))).status).toBe(200)
  })

  // Any caller can choose the wrapped call. Made before the signature check, it could change the signer for that check.
  test('a deployed wallet is not changed by the call that a stranger wraps', async () => {
    const ofBob = await deploy(anvil, 'Wallet1271', [bob.address])
    const takeOver = wrapped(ofBob.address, ofBob.abi, 'setSigner', [alice.address])
    await isRefused(contractWallet(ofBob.address, chain, alice, takeOver), 'NOT_SIGNED', /does not accept/)
  })
})

describe('where the chain cannot be asked', () => {
  test('a contract wallet is answered as undecided, and no proof is stored', async () => {
    const silent = await startApp({
      PROOFGATE_CHAINS_BASE_CHAIN: chain,
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1',
    })
    const before = await rowCounts(silent.parts)
    const { status, body, headers } = await prove(contractWallet(ofAlice.address, chain, alice), silent)
    expect(status).toBe(503)
    expect(body.error.code).toBe('VERIFIER_UNAVAILABLE')
    expect(body.error.message).toContain('chains.base')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await rowCounts(silent.parts)).toEqual(before)
  })

  test('a wallet with a key needs no chain', async () => {
    const silent = await startApp({
      PROOFGATE_CHAINS_BASE_CHAIN: chain,
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1',
    })
    const { status, body } = await silent.submit(alice, { ...claimOf(alice), chainId: 8453 })
    expect(status).toBe(200)
    expect(body.data.portableProof.signatureMethod).toBe('eip191')
  })

  test('a signature that no key can have made is undecided where no chain is configured', async () => {
    const none = await startApp()
    await isRefused(
      contractWallet(planned, chain, alice, deployment()),
      'NO_CHAIN',
      /If 0x[0-9a-fA-F]{40} is a contract wallet, only its chain can tell/,
      none,
    )
  })
})

test('diagnose shows a contract wallet the answer of its chain', async () => {
  const wallet = contractWallet(ofAlice.address, chain, alice)
  const claim = { walletAddress: wallet.address, ...claimOf(wallet), chain, signedTimestamp: app.now() }
  const { signerString } = (await app.post('/api/v1/verification/standardize', claim)).body.data
  const diagnose = async (signature: string) =>
    (await app.post('/api/v1/verification/diagnose', { ...claim, signature })).body.data
  expect((await diagnose(await wallet.sign(signerString))).reason).toBe('signature_valid')
  expect((await diagnose(await bob.sign(signerString))).diagnosis.message).toContain('does not accept this signature')
})

test('a contract wallet can be the second wallet of a link', async () => {
  app.wait(1)
  const at = app.now()
  const ids = {
    primaryAccountId: `${chain}:${bob.address.toLowerCase()}`,
    primaryWalletAddress: bob.address.toLowerCase(),
    secondaryAccountId: `${chain}:${ofAlice.address.toLowerCase()}`,
    secondaryWalletAddress: ofAlice.address.toLowerCase(),
  }
  const message = [
    'Portable Proof Verification Request',
    `Wallet: ${ofAlice.address.toLowerCase()}`,
    `Chain: ${chain.slice('eip155:'.length)}`,
    'Verifiers: wallet-link',
    `Data: ${JSON.stringify(ids)}`,
    `Timestamp: ${at}`,
  ].join('\n')
  const link = { ...ids, chain, signature: await alice.sign(message), signatureMethod: 'eip1271', signedTimestamp: at }
  const { status } = await app.submit(bob, { verifierIds: ['wallet-link'], data: link })
  expect(status).toBe(200)
})
