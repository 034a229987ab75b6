/** Signing in with a contract wallet, on a real chain. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { contractWallet, wrapped } from '../contract-wallet.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const chain = 'eip155:8453'
const salt = `0x${'5b'.repeat(32)}` as const
let anvil: Anvil
let app: TestApp
let ofAlice: Deployed

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  app = await startApp({ PROOFGATE_CHAINS_BASE_CHAIN: chain, PROOFGATE_CHAINS_BASE_RPC: anvil.url })
  ofAlice = await deploy(anvil, 'Wallet1271', [alice.address])
})
afterAll(() => anvil?.stop())

async function attempt(wallet: TestWallet, on: string, signatureMethod?: string) {
  const { message } = (await app.post(`${auth}/nonce`, { walletAddress: wallet.address, chain: on })).body.data
  return app.post(`${auth}/verify`, { message, signature: await wallet.sign(message), signatureMethod })
}

test('is an account on its chain only', async () => {
  const { headers, did, subjectId } = await app.signIn(contractWallet(ofAlice.address, chain, alice))
  const address = ofAlice.address.toLowerCase()
  expect(did).toBe(`did:pkh:eip155:8453:${address}`)
  expect((await app.get(`${auth}/me`, headers)).body.data).toMatchObject({
    subjectId,
    address,
    accounts: [{ address, contractOn: chain, isPrimary: true }],
  })
  expect((await app.signIn(alice)).subjectId).not.toBe(subjectId)
})

test('is looked up on the chain that the message names', async () => {
  const wallet = contractWallet(ofAlice.address, chain, alice)
  const elsewhere = await leavesNothing(app.parts, () => attempt(wallet, 'eip155:10', 'eip1271'))
  expectRefused(elsewhere, 'VERIFIER_UNAVAILABLE', /this server has no chain eip155:10/)
  // Without a method it may as well be the key of another account.
  expectRefused(await attempt(wallet, 'eip155:10'), 'SIGNATURE_INVALID', /needs a message for its own chain/)
})

test('is not spoken for by another key', async () => {
  const answer = await leavesNothing(app.parts, () => attempt(contractWallet(ofAlice.address, chain, bob), chain))
  expectRefused(answer, 'SIGNATURE_INVALID', /does not fit 0x/)
  expect(answer.body.error.details.reason).toBe('NOT_SIGNED')
})

test('an undeployed contract wallet signs in by ERC-6492', async () => {
  const factory = await deploy(anvil, 'Wallet1271Factory')
  const planned: string = await factory.read('addressOf', [alice.address, salt])
  const deployment = wrapped(factory.address, factory.abi, 'create', [alice.address, salt])
  const { did } = await app.signIn(contractWallet(planned, chain, alice, deployment))
  expect(did).toBe(`did:pkh:eip155:8453:${planned.toLowerCase()}`)
})

test('is refused while its chain does not answer, and the message stays valid', async () => {
  const own = await startAnvil({ chainId: 8453 })
  const there = await startApp({ PROOFGATE_CHAINS_BASE_CHAIN: chain, PROOFGATE_CHAINS_BASE_RPC: own.url })
  const { address } = await deploy(own, 'Wallet1271', [alice.address])
  const { message } = (await there.post(`${auth}/nonce`, { walletAddress: address, chain })).body.data
  await own.stop()
  const answer = await leavesNothing(there.parts, async () =>
    there.post(`${auth}/verify`, { message, signature: await alice.sign(message) }),
  )
  expectRefused(answer, 'VERIFIER_UNAVAILABLE', /could not be looked up/)
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  await there.close()
})

test('cannot be impersonated by a lying node where the chain is proved', async () => {
  const node = startLyingRpc(anvil.url)
  const there = await startApp({
    PROOFGATE_CHAINS_BASE_CHAIN: chain,
    PROOFGATE_CHAINS_BASE_RPC: node.url,
    PROOFGATE_CHAINS_BASE_PROOFS: 'true',
  })
  const [owner, thief] = [alice, bob].map((key) => contractWallet(ofAlice.address, chain, key)) as [
    TestWallet,
    TestWallet,
  ]
  const qHash = await there.prove(owner)
  const { message } = (await there.post(`${auth}/nonce`, { walletAddress: thief.address, chain })).body.data
  const { 'x-signature-method': _, ...reading } = await there.ownerHeaders(thief, {
    action: 'access_private_proof',
    qHash,
  })
  const erasing = await there.ownerBody(thief, { action: 'erase_all_proofs', walletAddress: thief.address })
  const signature = await thief.sign(message)
  const attempts = [
    () => there.post(`${auth}/verify`, { message, signature }),
    () => there.get(`/api/v1/proofs/${qHash}`, reading),
    () => there.post('/api/v1/proofs/erase-all', erasing),
  ]
  node.lie(lies.result('eth_call', () => `0x1626ba7e${'0'.repeat(56)}`))
  for (const attempt of attempts) expect((await leavesNothing(there.parts, attempt)).status).toBe(503)
  node.tellTheTruth()
  for (const attempt of attempts) expectRefused(await leavesNothing(there.parts, attempt), 'SIGNATURE_INVALID', /./)
  await there.close()
  await node.stop()
})
