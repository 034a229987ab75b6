/** Proofs are followed until the block that they were read at is final, over real chains that are reorganized. */

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { openFollow } from '../../src/proofs/follow.ts'
import { startApp, type TestApp } from '../app.ts'
import { checking, prove } from '../gates/check-world.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { startMcp } from '../mcp/mcp.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { overtake } from '../parts/overtake.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { asks, base } from '../verifiers/assets.ts'
import { alice, bob } from '../wallets.ts'

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
const art = await deploy(anvil, 'Erc721')
const coin = await deploy(anvil, 'Erc20', [6])
/** Anvil calls a block final when 64 more stand on it. */
const makeFinal = (chain: Anvil = anvil) => chain.rpc('anvil_mine', ['0x46'])

const nft = (tokenId: number, contract: Deployed = art) => ({
  contractAddress: contract.address,
  tokenId: String(tokenId),
  chainId: base,
})

/** The clock of the app jumps, and the one of the chain does not. */
const following = (rpc: string) => ({
  ...asks(rpc),
  PROOFGATE_VERIFIERS_ENABLED:
    'ownership-basic,ownership-licensed,nft-ownership,token-holding,contract-ownership,wallet-link',
  PROOFGATE_CHAINS_BASE_STALE_AFTER_SECONDS: '0',
  PROOFGATE_LOG_LEVEL: 'error',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
})

let app: TestApp
beforeEach(async () => {
  app = await startApp(following(anvil.url))
})

/** Waits until all checks are due, and runs them. */
async function look(one: TestApp = app): Promise<void> {
  one.wait(20 * 60_000)
  await openFollow(one.parts).runOnce()
}
const read = async (qHash: string, one: TestApp = app) => (await one.get(`/api/v1/proofs/${qHash}`)).body.data
const listed = async (qHash: string) =>
  (await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.proofs.find(
    (proof: { qHash: string }) => proof.qHash === qHash,
  )
const listProofs = async (query: string): Promise<string[]> =>
  (await app.get(`/api/v1/proofs/by-wallet/${alice.address}?${query}`)).body.data.proofs.map(
    ({ qHash }: { qHash: string }) => qHash,
  )
const isEligible = async (tokenId: number) =>
  (await checking(app)({ verifierId: 'nft-ownership', contractAddress: art.address, tokenId: String(tokenId) })).body
    .data.eligible
const followedRows = (one: TestApp = app) => select<object>(one.parts.db, 'SELECT * FROM followed_blocks').all()

/** Takes the newest blocks away, and puts as many without transactions in their place. */
const reorganise = (blocks: number) => anvil.rpc('anvil_reorg', [blocks, []])

describe('a proof that was read from a chain', () => {
  test('says that it is not final until its block is, wherever it is read', async () => {
    await art.write('mint', [alice.address, 1n])
    const qHash = await prove(app, ['nft-ownership'], nft(1))
    const checked = async () => (await checking(app)({ qHash, verifierId: 'nft-ownership' })).body.data
    expect(await checked()).toMatchObject({ eligible: true, final: false })
    expect(await read(qHash)).toMatchObject({ status: 'verified', final: false })
    expect(await listed(qHash)).toMatchObject({ final: false })
    await look()
    expect(await read(qHash)).toMatchObject({ final: false })
    await makeFinal()
    await look()
    const proof = await read(qHash)
    expect(proof).toMatchObject({ status: 'verified', final: true })
    expect(proof).not.toHaveProperty('readAgain')
    expect(await listed(qHash)).toMatchObject({ final: true })
    expect(await followedRows()).toEqual([])
    expect(await checked()).toMatchObject({ eligible: true, final: true })
    expect((await app.get(`/api/v1/proofs/${await app.prove()}`)).body.data).not.toHaveProperty('final')
  })

  test('counts nowhere once its block was replaced and the claim does not hold, and is revoked when that is final', async () => {
    await art.write('mint', [alice.address, 2n])
    const qHash = await prove(app, ['nft-ownership'], nft(2))
    await putGate(app.parts, { gateId: 'door', requirements: [{ id: 'r1', verifierId: 'nft-ownership' }] })
    const gateCheck = async () => (await checking(app)({ gateId: 'door', explain: true })).body.data
    expect((await gateCheck()).gate.allRequiredSatisfied).toBe(true)
    expect(await isEligible(2)).toBe(true)
    await reorganise(1)
    await look()
    expect(await isEligible(2)).toBe(false)
    expect(await read(qHash)).toMatchObject({
      status: 'revoked',
      revokedReason: 'REORGANISED',
      revokedAt: null,
      final: false,
    })
    const statuses = await app.post('/api/v1/verification/status-batch', { qHashes: [qHash] })
    expect(statuses.body.results[qHash].status).toBe('revoked')
    expect(await listProofs('status=verified')).not.toContain(qHash)
    expect(await listProofs('status=revoked')).toContain(qHash)
    expect((await app.get(`/proof/${qHash}`)).body).toContain('The claim was not true when it was read again.')
    const { gate, explain } = await gateCheck()
    expect(gate.allRequiredSatisfied).toBe(false)
    expect(explain[0]).toMatchObject({ code: 'REORGANISED' })
    const signed = await alice.signAction({ action: 'fulfill_gate', gateId: 'door', qHash }, app.now())
    const refused = await app.post('/api/v1/profile/gates/door/fulfill', { qHash, ...signed })
    expect(refused.body.error.code).toBe('PROOF_NOT_VERIFIED')
    await makeFinal()
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'revoked', revokedReason: 'REORGANISED', revokedAt: app.now() })
    expect(await isEligible(2)).toBe(false)
    expect(await listed(qHash)).toBeUndefined()
    expect(await followedRows()).toEqual([])
  })

  test('about a license is followed like one about a token', async () => {
    await art.write('mint', [alice.address, 70n])
    const { contractAddress, tokenId, chainId } = nft(70)
    const qHash = await prove(app, ['ownership-licensed'], {
      content: 'A print of the picture.',
      owner: alice.address,
      license: { contractAddress, tokenId, chainId, ownerAddress: alice.address },
    })
    expect(await read(qHash)).toMatchObject({ status: 'verified', final: false })
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'verified', final: false })
    await reorganise(1)
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'revoked', revokedReason: 'REORGANISED', final: false })
    const check = checking(app)({ verifierId: 'ownership-licensed', contractAddress: art.address })
    expect((await check).body.data.eligible).toBe(false)
    await art.write('mint', [alice.address, 70n])
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'verified', readAgain: [{ verifierId: 'ownership-licensed' }] })
    await makeFinal()
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'verified', final: true })
  })

  test('is revoked by its owner for good, and says so in place of the block, while its claim is gone', async () => {
    await art.write('mint', [alice.address, 44n])
    const qHash = await prove(app, ['nft-ownership'], nft(44))
    await reorganise(1)
    await look()
    expect(await read(qHash)).toMatchObject({ revokedReason: 'REORGANISED', revokedAt: null })
    const signed = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/${qHash}/revoke-self`, signed)).status).toBe(200)
    const revokedAt = app.now()
    await art.write('mint', [alice.address, 44n])
    for (let pass = 0; pass < 2; pass++) {
      const proof = await read(qHash)
      expect(proof).toMatchObject({ status: 'revoked', revokedAt })
      expect(proof.revokedReason).toBeUndefined()
      await look()
    }
    expect(await followedRows()).toEqual([])
  })

  test('comes back with its transaction, and names the block of the newer reading', async () => {
    await art.write('mint', [alice.address, 3n])
    const qHash = await prove(app, ['nft-ownership'], nft(3))
    await reorganise(1)
    await look()
    await look()
    await look()
    expect(await read(qHash)).toMatchObject({ status: 'revoked', revokedAt: null })
    expect(await isEligible(3)).toBe(false)
    const { blockNumber, blockHash } = await art.write('mint', [alice.address, 3n])
    await look()
    expect(await isEligible(3)).toBe(true)
    const proof = await read(qHash)
    expect(proof).toMatchObject({ status: 'verified', final: false })
    expect(proof.readAgain).toEqual([
      {
        verifierId: 'nft-ownership',
        chain: `eip155:${base}`,
        blockNumber: Number(blockNumber),
        blockHash,
        holds: true,
        readAt: app.now(),
      },
    ])
    await makeFinal()
    await look()
    expect(await read(qHash)).toMatchObject({ final: true, readAgain: [{ blockHash, holds: true }] })
  })

  test('goes on at the new block where the claim holds there too', async () => {
    await art.write('mint', [alice.address, 4n])
    // Empty blocks in the place of empty ones would be the same blocks.
    for (const tokenId of [41n, 42n]) await art.write('mint', [bob.address, tokenId])
    const qHash = await prove(app, ['nft-ownership'], nft(4))
    const { onChainData } = (await read(qHash)).verifiedVerifiers[0].data
    await reorganise(2)
    await look()
    expect(await isEligible(4)).toBe(true)
    const { final, readAgain, verifiedVerifiers } = await read(qHash)
    expect(final).toBe(false)
    expect(verifiedVerifiers[0].data.onChainData).toEqual(onChainData)
    expect(readAgain[0].blockHash).not.toBe(onChainData.blockHash)
    const block = await anvil.publicClient.getBlock({ blockNumber: BigInt(readAgain[0].blockNumber) })
    expect(readAgain[0].blockHash).toBe(block.hash)
    await makeFinal()
    await look()
    expect(await read(qHash)).toMatchObject({ final: true })
  })

  test('with several claims stops counting when one of them is gone', async () => {
    await coin.write('mint', [alice.address, 5_000_000n])
    await anvil.rpc('anvil_mine', ['0x1'])
    await art.write('mint', [alice.address, 5n])
    const qHash = await prove(app, ['nft-ownership', 'token-holding'], {
      'nft-ownership': nft(5),
      'token-holding': { contractAddress: coin.address, minBalance: '5', chainId: base },
    })
    expect(await followedRows()).toHaveLength(2)
    await reorganise(1)
    await look()
    expect(await isEligible(5)).toBe(false)
    expect(await read(qHash)).toMatchObject({ status: 'revoked', revokedReason: 'REORGANISED' })
  })

  test('with several blocks is final once all of them are', async () => {
    const { blockNumber } = await art.write('mint', [alice.address, 9n])
    await makeFinal()
    await coin.write('mint', [alice.address, 1_000_000n])
    const qHash = await prove(app, ['nft-ownership', 'token-holding'], {
      'nft-ownership': { ...nft(9), blockNumber: Number(blockNumber) },
      'token-holding': { contractAddress: coin.address, minBalance: '1', chainId: base },
    })
    await look()
    expect(await followedRows()).toHaveLength(1)
    expect(await read(qHash)).toMatchObject({ final: false })
    await makeFinal()
    await look()
    expect(await read(qHash)).toMatchObject({ final: true })
  })

  test('shows this to assistants too', async () => {
    const mcp = await startMcp(following(anvil.url))
    const token = await mcp.tokenOf()
    await art.write('mint', [alice.address, 8n])
    const qHash = await prove(mcp, ['nft-ownership'], nft(8))
    for (const final of [false, true]) {
      const { proofs } = (await mcp.tool(token, 'svc_proofs_get', { include: 'metadata' })).data.data
      expect(proofs).toMatchObject([{ qHash, final }])
      const check = { wallet: alice.address, verifiers: ['nft-ownership'] }
      expect((await mcp.tool(token, 'svc_proofs_check', check)).data).toMatchObject({ eligible: true, final })
      await makeFinal()
      await look(mcp)
    }
  })

  test('stays as it is while the chain does not answer, and is checked less often', async () => {
    const own = await startAnvil({ chainId: base })
    const there = await deploy(own, 'Erc721')
    await there.write('mint', [alice.address, 1n])
    const asking = await startApp(following(own.url))
    const qHash = await prove(asking, ['nft-ownership'], nft(1, there))
    const before = await read(qHash, asking)
    await own.stop()
    const follow = openFollow(asking.parts)
    const pauses: number[] = []
    for (let failed = 0; failed < 3; failed++) {
      asking.wait(20 * 60_000)
      await follow.runOnce()
      const [row] = (await followedRows(asking)) as { look_at: number }[]
      pauses.push(row!.look_at - asking.now())
    }
    expect(await read(qHash, asking)).toEqual(before)
    expect(pauses).toEqual([15_000, 30_000, 60_000])
  })

  test('is followed in time while another chain hangs, however many proofs are of that one', async () => {
    const own = await startAnvil({ chainId: 10 })
    const rpc = startLyingRpc(own.url)
    const far = await deploy(own, 'Erc721')
    const both = await startApp({
      ...following(anvil.url),
      PROOFGATE_CHAINS_SLOW_CHAIN: 'eip155:10',
      PROOFGATE_CHAINS_SLOW_RPC: rpc.url,
      PROOFGATE_CHAINS_SLOW_STALE_AFTER_SECONDS: '0',
      PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '20',
    })
    for (let tokenId = 1; tokenId <= 10; tokenId++) {
      await far.write('mint', [alice.address, BigInt(tokenId)])
      await prove(both, ['nft-ownership'], { ...nft(tokenId, far), chainId: 10 })
    }
    rpc.lie(lies.hangs())
    const follow = openFollow(both.parts)
    // Twice: a pass that hangs must not hold up what falls due after it began.
    for (const tokenId of [61, 62]) {
      await art.write('mint', [alice.address, BigInt(tokenId)])
      const qHash = await prove(both, ['nft-ownership'], nft(tokenId))
      await makeFinal()
      both.wait(20 * 60_000)
      rpc.forgetAsked()
      void follow.runOnce()
      const isFinal = async () => (await read(qHash, both)).final
      for (let waited = 0; waited < 100 && !(await isFinal()); waited++) await Bun.sleep(20)
      expect(await isFinal()).toBe(true)
      if (tokenId === 61) expect(rpc.asked.length).toBeGreaterThan(0)
      else expect(rpc.asked).toEqual([])
    }
    expect(await followedRows(both)).toHaveLength(10)
    await Promise.all([rpc.stop(), own.stop()])
  })

  test('is not followed any more when it was revoked or erased', async () => {
    await art.write('mint', [bob.address, 6n])
    const qHash = await prove(app, ['nft-ownership'], nft(6), { wallet: bob })
    await art.write('mint', [alice.address, 7n])
    const other = await prove(app, ['nft-ownership'], nft(7))
    const revoked = await app.ownerBody(alice, { action: 'revoke_proof', qHash: other })
    expect((await app.post(`/api/v1/proofs/${other}/revoke-self`, revoked)).status).toBe(200)
    const low = bob.address.toLowerCase()
    const erasure = await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: low })
    expect((await app.post('/api/v1/proofs/erase-all', erasure)).status).toBe(200)
    await look()
    expect(await followedRows()).toEqual([])
    expect((await app.get(`/api/v1/proofs/${qHash}`)).status).toBe(404)
  })

  test.skipIf(onlyOnSqlite('a number that is given again')).each([
    ['is revoked', 'UPDATE proofs SET revoked_at', 90],
    ['is no longer followed', 'DELETE FROM followed_blocks', 92],
  ])('leaves the proof alone that has its number then, when it is erased just before it %s', async (_, sql, token) => {
    const findNumber = async (qHash: string) =>
      (await select<{ id: number }>(app.parts.db, 'SELECT id FROM proofs WHERE q_hash = unhex(?)').get(qHash.slice(2)))
        ?.id
    await art.write('mint', [bob.address, BigInt(token)])
    const number = await findNumber(await prove(app, ['nft-ownership'], nft(token), { wallet: bob }))
    await reorganise(1)
    await look()
    await makeFinal()
    let qHash = ''
    overtake(app.parts.db, sql, async () => {
      const action = { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() }
      expect((await app.post('/api/v1/proofs/erase-all', await app.ownerBody(bob, action))).status).toBe(200)
      await art.write('mint', [alice.address, BigInt(token + 1)])
      qHash = await prove(app, ['nft-ownership'], nft(token + 1))
    })
    await look()
    expect(await findNumber(qHash)).toBe(number)
    expect(await read(qHash)).toMatchObject({ status: 'verified', final: false })
    expect(await followedRows()).toHaveLength(1)
  })
})
