/** An account that runs the code of a contract (EIP-7702) keeps its key, and no other key signs for it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { contractWallet } from '../contract-wallet.ts'
import { leavesNothing } from '../http/refused.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { linkClaim } from '../wallet-link.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const chain = 'eip155:8453'
const address = alice.address.toLowerCase()
/** The code delegated at Alice's address accepts Mallory's signatures. */
const delegated = contractWallet(address, chain, mallory)
const byKey: TestWallet = { ...alice, signing: { chain } }
let anvil: Anvil
let app: TestApp
let delegate: string

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  app = await startApp({
    PROOFGATE_CHAINS_BASE_CHAIN: chain,
    PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
  const code = await deploy(anvil, 'Wallet1271', [mallory.address])
  delegate = code.address.toLowerCase()
  await anvil.rpc('anvil_setCode', [address, `0xef0100${delegate.slice(2)}`])
  await anvil.rpc('anvil_setStorageAt', [
    address,
    `0x${'0'.repeat(64)}`,
    `0x${mallory.address.slice(2).padStart(64, '0')}`,
  ])
  await anvil.rpc('anvil_mine')
})
afterAll(() => anvil?.stop())

function expectKeyAsked({ status, body }: Answer, code: string): void {
  expect([status < 500, body.error.code]).toEqual([true, code])
  expect(body.error.message.replace(alice.address, address)).toContain(
    `${address} on ${chain} is an account with a key that runs the code of ${delegate} (EIP-7702): its key signs for it`,
  )
}

async function signIn(wallet: TestWallet): Promise<Answer> {
  const { message } = (await app.post(`${auth}/nonce`, { walletAddress: address, chain })).body.data
  return app.post(`${auth}/verify`, { message, signature: await wallet.sign(message), signatureMethod: 'eip1271' })
}

test('signs in by its key, and not by a signature that only the code accepts', async () => {
  expectKeyAsked(await leavesNothing(app.parts, () => signIn(delegated)), 'SIGNATURE_INVALID')
  const { did, subjectId } = await app.signIn(byKey, chain)
  expect(did).toBe(`did:pkh:eip155:84532:${address}`)
  expect((await app.signIn(alice)).subjectId).toBe(subjectId)
})

test('makes proofs by its key, and not by a signature that only the code accepts', async () => {
  const claim = { verifierIds: ['ownership-basic'], data: { owner: address, content: 'Delegated' } }
  const refused = await leavesNothing(app.parts, () => app.submit(delegated, claim))
  expectKeyAsked(refused, 'SIGNATURE_INVALID')
  expect(refused.body.error.details.reason).toBe('SIGNS_BY_KEY')
  const { status, body } = await app.submit(byKey, claim)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ walletAddress: address, portableProof: { signatureMethod: 'eip191' } })
  expect(body.data.contractOn).toBeUndefined()
})

test('reads, revokes and erases by its key, and not by a signature that only the code accepts', async () => {
  const qHash = await app.prove(alice)
  const path = `/api/v1/proofs/${qHash}`
  const reading = { action: 'access_private_proof', qHash }
  const { 'x-signature-method': _, ...asContract } = await app.ownerHeaders(delegated, reading)
  expectKeyAsked(await app.get(path, asContract), 'SIGNATURE_INVALID')
  for (const [route, action] of [
    [`revoke-self/${qHash}`, { action: 'revoke_proof', qHash }],
    ['erase-all', { action: 'erase_all_proofs', walletAddress: address }],
  ] as const)
    expectKeyAsked(
      await leavesNothing(app.parts, async () =>
        app.post(`/api/v1/proofs/${route}`, await app.ownerBody(delegated, action)),
      ),
      'SIGNATURE_INVALID',
    )
  const read = await app.get(path, await app.ownerHeaders(alice, reading))
  expect(read.body.data.walletAddress).toBe(address)
  const revoked = await app.post(
    `/api/v1/proofs/revoke-self/${qHash}`,
    await app.ownerBody(byKey, { action: 'revoke_proof', qHash }),
  )
  expect(revoked.body).toMatchObject({ success: true })
})

test('is linked by its key, and not by a signature that only the code accepts', async () => {
  const refused = await app.submit(bob, await linkClaim(app, bob, delegated))
  expect(refused.body.error).toMatchObject({
    code: 'VERIFICATION_FAILED',
    details: { reason: 'LINK_SIGNATURE_INVALID' },
    message: expect.stringMatching(/runs the code of 0x[0-9a-f]{40} \(EIP-7702\)/),
  })
  expect((await app.submit(bob, await linkClaim(app, bob, alice))).status).toBe(200)
})

test('is not added to a profile by a signature that only the code accepts', async () => {
  const { headers } = await app.signIn(bob)
  const { message } = (await app.post(`${auth}/nonce`, { walletAddress: address, chain }, headers)).body.data
  const answer = await leavesNothing(app.parts, async () =>
    app.post(`${auth}/verify`, { message, signature: await delegated.sign(message) }, headers),
  )
  expectKeyAsked(answer, 'SIGNATURE_INVALID')
})
