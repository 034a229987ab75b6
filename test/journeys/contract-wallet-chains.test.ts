/**
 * Two people have contracts at one address, on two chains. A contract at the address of another person's wallet, on
 * another configured chain, gains no access by it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { startTwinWallets, type TwinWallets } from '../twin-wallets.ts'
import { alice, mallory, type TestWallet } from '../wallets.ts'

const [here, there] = ['eip155:8453', 'eip155:10']

let twins: TwinWallets
let app: TestApp
let nft: Deployed
let ofAlice: TestWallet
let ofMallory: TestWallet
let qHash: string
let ofMallorys: string

beforeAll(async () => {
  twins = await startTwinWallets(here, there)
  ;({ ofAlice, ofMallory } = twins)
  nft = await deploy(twins.anvils[0]!, 'Erc721')
  await nft.write('mint', [twins.wallets[0]!.address, 1n])
  app = await startApp(twins.env)
  qHash = await prove(ofAlice, 'Of Alice')
  ofMallorys = await prove(ofMallory, 'Of Mallory')
})
afterAll(() => twins?.stop())

async function prove(wallet: TestWallet, content: string): Promise<string> {
  app.wait(1)
  const data = { owner: wallet.address, content }
  const { body } = await app.submit(wallet, { verifierIds: ['ownership-basic'], data })
  return body.data.qHash
}

async function headersOf(wallet: TestWallet, action: object): Promise<Record<string, string>> {
  const { 'x-signature-method': _, ...headers } = await app.ownerHeaders(wallet, action)
  return headers
}
const read = async (wallet: TestWallet): Promise<Answer> =>
  app.get(`/api/v1/proofs/${qHash}`, await headersOf(wallet, { action: 'access_private_proof', qHash }))
async function listed(wallet: TestWallet, query = ''): Promise<string[]> {
  const action = { action: 'access_private_proofs_by_wallet', walletAddress: wallet.address }
  const { body } = await app.get(`/api/v1/proofs/by-wallet/${wallet.address}${query}`, await headersOf(wallet, action))
  return body.data.proofs.map((proof: { qHash: string }) => proof.qHash)
}

describe('a contract at the address of another person’s wallet, on another chain,', () => {
  test('does not read its private proofs, which its owner does', async () => {
    expect((await read(ofMallory)).body.data.walletAddress).toBeUndefined()
    expect((await read(ofAlice)).body.data.walletAddress).toBe(ofAlice.address)
  })

  test('lists its own proofs and no others', async () => {
    expect(await listed(ofMallory)).toEqual([ofMallorys])
    expect(await listed(ofAlice)).toEqual([qHash])
    expect(await listed(ofMallory, '?includeHistory=true')).toEqual([ofMallorys])
  })

  test('does not revoke and does not share', async () => {
    const revoking = await app.ownerBody(ofMallory, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, revoking)).status).toBe(403)
    const grant = { qHash, viewerWallet: mallory.address.toLowerCase(), expiresInSeconds: 900 }
    const granting = await app.ownerBody(ofMallory, { action: 'grant_proof_access', ...grant })
    const granted = await app.post('/api/v1/verification/access/grant', {
      ...grant,
      ownerWallet: ofMallory.address,
      ...granting,
    })
    expect(granted.status).toBe(403)
  })

  test('sees its own purchases at a gate, and not those of the other', async () => {
    await putGate(app.parts, { gateId: 'twins' })
    const signed = await app.ownerBody(ofAlice, { action: 'fulfill_gate', gateId: 'twins', qHash })
    expect((await app.post('/api/v1/profile/gates/twins/fulfill', { qHash, ...signed })).status).toBe(200)
    const action = { action: 'gate_check_private_proofs', walletAddress: ofMallory.address }
    const question = `/api/v1/proofs/check?gateId=twins&address=${ofAlice.address}`
    const told = async (wallet: TestWallet) => (await app.get(question, await headersOf(wallet, action))).body.data.gate
    expect((await told(ofMallory)).fulfillments).toEqual([])
    expect((await told(ofAlice)).fulfillments).toMatchObject([{ qHash }])
  })

  test('has no access to the assets of the other', async () => {
    const claim = {
      verifierIds: ['nft-ownership'],
      data: { contractAddress: nft.address, tokenId: '1', chainId: 8453 },
    }
    const refused = await app.submit(ofMallory, claim)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({
      code: 'INVALID_VERIFIER_DATA',
      details: { reason: 'CONTRACT_WALLET_OF_ANOTHER_CHAIN' },
    })
    expect((await app.submit(ofAlice, claim)).status).toBe(200)
  })

  test.each([
    ['agent-identity', { agentId: 'a', agentWallet: '<wallet>', agentChainRef: here }],
    [
      'agent-delegation',
      { controllerWallet: '<wallet>', controllerChainRef: here, agentWallet: alice.address, agentChainRef: here },
    ],
  ])('does not speak for it in %s', async (verifierId, data) => {
    const own = JSON.parse(JSON.stringify(data).replace('<wallet>', ofMallory.address))
    const { body } = await app.submit(ofMallory, { verifierIds: [verifierId], data: own })
    expect(body.error.details.reason).toBe('CONTRACT_WALLET_OF_ANOTHER_CHAIN')
    expect((await app.submit(ofAlice, { verifierIds: [verifierId], data: own })).status).toBe(200)
  })

  test('erases its own proofs and leaves the others, whose counts stay right', async () => {
    const before = (await listed(ofAlice)).length
    const erasing = await app.ownerBody(ofMallory, { action: 'erase_all_proofs', walletAddress: ofMallory.address })
    expect((await app.post('/api/v1/proofs/erase-all', erasing)).body.erasedCount).toBe(1)
    expect(await listed(ofAlice)).toHaveLength(before)
    const { body } = await app.get(`/api/v1/proofs/by-wallet/${ofAlice.address}`)
    expect(body.data.totalCount).toBe(0)
  })
})
