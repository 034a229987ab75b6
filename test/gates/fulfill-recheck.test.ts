/** Gates that ask for final blocks, and gates that read the chain again before they give anything. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { openFollow } from '../../src/proofs/follow.ts'
import { contractWallet } from '../contract-wallet.ts'
import { startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { asks, base } from '../verifiers/assets.ts'
import { alice, bob } from '../wallets.ts'
import { openStage, price, type Stage, type StageGate } from './fulfill-stage.ts'

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
const art = await deploy(anvil, 'Erc721')
const coin = await deploy(anvil, 'Erc20', [6])

const env = {
  ...asks(anvil.url),
  PROOFGATE_VERIFIERS_ENABLED:
    'ownership-basic,ownership-licensed,nft-ownership,token-holding,contract-ownership,wallet-link',
  PROOFGATE_CHAINS_BASE_STALE_AFTER_SECONDS: '0',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
}
let stage: Stage
beforeEach(async () => {
  stage = await openStage(env)
})

const nft = (tokenId: bigint, contract: Deployed = art) => ({
  contractAddress: contract.address,
  tokenId: String(tokenId),
  chainId: base,
})
const holds = {
  id: 'holds',
  verifierId: 'nft-ownership',
  match: [{ path: 'input.contractAddress', op: 'eq' as const, value: art.address }],
}
const reward: Pick<StageGate, 'rewards'> = { rewards: [{ kind: 'reveal', value: 'xyzzy' }] }

async function proveData(one: Stage, data: object, verifierIds = ['nft-ownership']): Promise<string> {
  one.wait(1)
  const { status, body } = await one.submit(alice, { verifierIds, data })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.qHash
}
let lastId = 100n
/** Mints a new token for Alice. */
async function mintToken(): Promise<bigint> {
  lastId += 1n
  await art.write('mint', [alice.address, lastId])
  return lastId
}
/** The token is Bob's from then on. */
async function sell(tokenId: bigint): Promise<void> {
  await art.write('burn', [tokenId])
  await art.write('mint', [bob.address, tokenId])
}
const explained = async (gateId: string, qHash: string) => {
  const headers = await stage.ownerHeaders(alice, {
    action: 'gate_check_private_proofs',
    walletAddress: alice.address.toLowerCase(),
  })
  const query = `address=${alice.address}&gateId=${gateId}&qHash=${qHash}&includePrivate=true&includeQHashes=true&explain=true`
  return (await stage.request(`/api/v1/proofs/check?${query}`, { headers })).body.data
}

describe('a gate that asks for final blocks', () => {
  test('opens once the block of the proof is final, and until then says that it waits for it', async () => {
    await stage.gate('vault', { requirements: [{ ...holds, final: true }], ...reward })
    const qHash = await proveData(stage, nft(await mintToken()))
    const early = await stage.fulfill('vault', qHash)
    expect(early).toMatchObject({ status: 400, body: { error: { code: 'GATE_REQUIREMENTS_NOT_MET' } } })
    const data = await explained('vault', qHash)
    expect(data.gate.allRequiredSatisfied).toBe(false)
    expect(data.explain.find(({ id }: { id: string }) => id === 'holds')).toMatchObject({
      code: 'NOT_FINAL',
      message: 'the block of the nearest proof is not final yet: ask again in some minutes',
    })

    await anvil.rpc('anvil_mine', ['0x46'])
    stage.wait(60_000)
    await openFollow(stage.parts).runOnce()
    expect((await explained('vault', qHash)).gate).toMatchObject({
      allRequiredSatisfied: true,
      rows: [{ final: true }],
    })
    expect((await stage.fulfill('vault', qHash)).body.data?.fulfillment.value).toBe('xyzzy')
  })

  test('with a recheck grants a licensed claim until the asset is sold', async () => {
    const licensed = { id: 'licensed', verifierId: 'ownership-licensed', final: true, recheck: true }
    await stage.gate('prints', { requirements: [licensed], ...reward })
    const tokenId = await mintToken()
    const license = { ...nft(tokenId), ownerAddress: alice.address }
    const claim = { content: 'A print of the picture.', owner: alice.address, license }
    const qHash = await proveData(stage, claim, ['ownership-licensed'])
    expect((await stage.fulfill('prints', qHash)).body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    await anvil.rpc('anvil_mine', ['0x46'])
    stage.wait(60_000)
    await openFollow(stage.parts).runOnce()
    await sell(tokenId)
    expect((await stage.fulfill('prints', qHash)).body.error.details).toMatchObject({
      rechecked: [{ id: 'licensed', reason: 'NOT_TOKEN_OWNER' }],
    })
    await art.write('burn', [tokenId])
    await art.write('mint', [alice.address, tokenId])
    expect((await stage.fulfill('prints', qHash)).body.data?.fulfillment.value).toBe('xyzzy')
  })

  test('does not count older proofs without a known block', async () => {
    await stage.gate('vault', { requirements: [{ ...holds, final: true }], ...reward })
    const qHash = await proveData(stage, nft(await mintToken()))
    await stage.parts.db.write([{ sql: 'UPDATE proofs SET finality = NULL', params: [] }])
    expect((await stage.fulfill('vault', qHash)).body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    const { explain } = await explained('vault', qHash)
    expect(explain.find(({ id }: { id: string }) => id === 'holds')).toMatchObject({
      code: 'NOT_FINAL',
      message: expect.stringContaining('make a new proof'),
    })
    expect((await stage.get(`/api/v1/proofs/${qHash}`)).body.data).not.toHaveProperty('final')
  })

  test('counts a proof at once that was read at a final block', async () => {
    const tokenId = await mintToken()
    await anvil.rpc('anvil_mine', ['0x46'])
    const final = await openStage({ ...env, PROOFGATE_CHAINS_BASE_READ_AT: 'finalized' })
    await final.gate('vault', { requirements: [{ ...holds, final: true }], ...reward })
    expect((await final.fulfill('vault', await proveData(final, nft(tokenId)))).status).toBe(200)
  })
})

describe('a gate with recheck', () => {
  test('refuses an asset that was sold since the proof, names it, and takes no payment', async () => {
    await stage.gate('door', { requirements: [{ ...holds, recheck: true }], price, ...reward })
    const tokenId = await mintToken()
    const qHash = await proveData(stage, nft(tokenId))
    await sell(tokenId)
    stage.till.takes('0xpaid')
    const refused = await stage.fulfill('door', qHash, { paymentTxHash: '0xpaid' })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'GATE_REQUIREMENTS_NOT_MET',
          message: expect.stringContaining(
            `token ${tokenId} of ${art.address} belongs to ${bob.address.toLowerCase()}`,
          ),
          details: { rechecked: [{ id: 'holds', qHash, reason: 'NOT_TOKEN_OWNER' }] },
        },
      },
    })
    expect(refused.body.error.details.unmatched).toMatchObject({ identity: 'tx:0xpaid', state: 'owed' })
    expect(await stage.rows('SELECT * FROM payments')).toEqual([])
    expect(await stage.rows('SELECT * FROM fulfillments')).toEqual([])
    // A gate without it lets the same proof in.
    await stage.gate('open', { requirements: [holds], ...reward })
    expect((await stage.fulfill('open', qHash)).status).toBe(200)
  })

  test('gives its reward where the claim still holds, and the same again without asking', async () => {
    await stage.gate('door', { requirements: [{ ...holds, recheck: true }], ...reward })
    const tokenId = await mintToken()
    const qHash = await proveData(stage, nft(tokenId))
    expect((await stage.fulfill('door', qHash)).body.data?.fulfillment.value).toBe('xyzzy')
    await sell(tokenId)
    expect((await stage.fulfill('door', qHash)).body.data?.fulfillment.value).toBe('xyzzy')
  })

  test('reads the holdings of a contract wallet on its chain, and not those of the key at its address', async () => {
    await stage.gate('door', { requirements: [{ ...holds, recheck: true }], ...reward })
    const { address } = await deploy(anvil, 'Wallet1271', [alice.address])
    const wallet = contractWallet(address, `eip155:${base}`, alice)
    const proofs: string[] = []
    for (const tokenId of [lastId + 1n, lastId + 2n]) {
      await art.write('mint', [address, tokenId])
      stage.wait(1)
      const { body } = await stage.submit(wallet, { verifierIds: ['nft-ownership'], data: nft(tokenId) })
      proofs.push(body.data.qHash)
    }
    lastId += 2n
    const [kept, sold] = proofs as [string, string]
    await sell(lastId)
    expect((await stage.fulfill('door', sold, {}, { wallet })).body.error).toMatchObject({
      code: 'GATE_REQUIREMENTS_NOT_MET',
      details: { rechecked: [{ qHash: sold, reason: 'NOT_TOKEN_OWNER' }] },
    })
    expect((await stage.fulfill('door', kept, {}, { wallet })).body.data?.fulfillment.value).toBe('xyzzy')
    expect(await stage.rows<{ wallet: string }>('SELECT wallet FROM fulfillments')).toEqual([
      { wallet: `eip155:${base}:${address.toLowerCase()}` },
    ])
  })

  test('reads a balance again, and a claim about a past block as one about now', async () => {
    const match = [{ path: 'input.blockNumber', op: 'gte' as const, value: '1' }]
    await stage.gate('rich', { requirements: [{ id: 'rich', verifierId: 'token-holding', recheck: true }], ...reward })
    await stage.gate('was', {
      requirements: [{ id: 'was', verifierId: 'nft-ownership', match, recheck: true }],
      ...reward,
    })
    await coin.write('mint', [alice.address, 7_000_000n])
    const rich = await proveData(stage, { contractAddress: coin.address, minBalance: '5', chainId: base }, [
      'token-holding',
    ])
    const tokenId = await mintToken()
    const blockNumber = Number(await anvil.publicClient.getBlockNumber())
    const past = await proveData(stage, { ...nft(tokenId), blockNumber })
    await sell(tokenId)
    expect((await stage.fulfill('rich', rich)).status).toBe(200)
    const refused = await stage.fulfill('was', past)
    expect(refused.body.error).toMatchObject({ details: { rechecked: [{ reason: 'NOT_TOKEN_OWNER' }] } })
  })

  test('counts another proof of the wallet in the place of one that does not hold', async () => {
    await stage.gate('door', { requirements: [{ ...holds, recheck: true }], ...reward })
    const [kept, sold] = [await mintToken(), await mintToken()]
    const older = await proveData(stage, nft(kept))
    const newer = await proveData(stage, nft(sold))
    await sell(sold)
    expect((await stage.fulfill('door', newer)).body.error.code).toBe('GATE_REQUIREMENTS_NOT_MET')
    expect((await stage.fulfill('door', older)).status).toBe(200)
  })

  test('asks only for the claims that its rule needs, and gives 503 where one depends on a chain that is down', async () => {
    const own = await startAnvil({ chainId: base })
    const there = await deploy(own, 'Erc721')
    await there.write('mint', [alice.address, 1n])
    const asking = await openStage({ ...env, PROOFGATE_CHAINS_BASE_RPC: own.url })
    const basic = { id: 'basic', verifierId: 'ownership-basic' }
    const nftThere = { id: 'nft', verifierId: 'nft-ownership', recheck: true }
    await asking.gate('either', { requirements: [basic, nftThere], rule: { any: ['basic', 'nft'] }, ...reward })
    await asking.gate('door', { requirements: [nftThere], price, ...reward })
    const qHash = await proveData(asking, nft(1n, there))
    const content = await asking.prove(alice)
    await own.stop()

    expect((await asking.fulfill('either', content)).status).toBe(200)
    const unasked = await asking.fulfill('door', qHash, { paymentTxHash: '0xpaid' })
    expect(unasked).toMatchObject({
      status: 503,
      body: { error: { code: 'VERIFIER_UNAVAILABLE', details: { source: 'chains.base.rpc[0]' } } },
    })
    expect(Number(unasked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(asking.till.asked).toEqual([])
    expect(await asking.rows('SELECT * FROM fulfillments')).toHaveLength(1)
  })
})
