/** From options.publishToHub and options.targetChains to records that stand on real chains, over HTTP. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Hex } from 'viem'
import { overtake } from '../parts/overtake.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'
import {
  east,
  hub,
  mine,
  newClaim,
  newPublisher,
  nonceOf,
  openStage,
  recordOf,
  revoke,
  runUntilDone,
  type Stage,
  startPublishing,
  untilMined,
  west,
} from './stage.ts'

setDefaultTimeout(60_000)

let stages: Record<'hub' | 'east' | 'west', Stage>
let all: readonly Stage[]

beforeAll(async () => {
  const [atHub, atEast, atWest] = await Promise.all([openStage(hub), openStage(east), openStage(west)])
  stages = { hub: atHub, east: atEast, west: atWest }
  all = [atHub, atEast, atWest]
})
afterAll(() => Promise.all(all.map(({ anvil }) => anvil.stop())))

/** Reads the contract's timestamp, in Unix milliseconds. */
const timestampOn = async ({ eas }: Stage, qHash: string): Promise<number> =>
  Number(await eas.read('getTimestamp', [qHash])) * 1000
const revocationOn = async ({ eas }: Stage, address: Hex, qHash: string): Promise<number> =>
  Number(await eas.read('getRevokeOffchain', [address, qHash])) * 1000

describe('a proof that is to be recorded on three chains', () => {
  test('is accepted with 202, shows its progress, and ends as the contracts say', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { app, outbox } = server
    const options = { publishToHub: true, targetChains: [east, west] }

    const accepted = await app.submit(alice, newClaim(options))

    expect(accepted.status).toBe(202)
    expect(accepted.body.status).toBe('verified_crosschain_initiated')
    expect(accepted.body.message).toContain('being recorded')
    const { data } = accepted.body
    const { qHash } = data
    expect(data.receipt).toEqual({ format: 'caip-380-envelope', portable: true })
    expect(data.portableProof.qHash).toBe(qHash)
    expect(data.proofUrl).toBe(`http://localhost:8787/api/v1/proofs/${qHash}`)
    expect(data.options).toMatchObject(options)
    expect(data.targetChains).toEqual([east, west])
    expect(data.hubTransaction).toEqual({ txHash: null, timestamp: null, chainId: hub, status: 'waiting' })
    expect(data.crosschain).toMatchObject({
      status: 'initiated',
      hubTxHash: null,
      initiated: app.now(),
      completed: null,
      totalChains: 3,
      finalized: 0,
      createdVouchers: [],
    })
    expect(Object.keys(data.crosschain.relayResults)).toEqual([String(west), String(east)])

    // The clock of the chains goes on by itself meanwhile.
    app.wait(60_000)
    await outbox.runOnce()

    const onTheWay = await recordOf(app, qHash)
    expect(onTheWay.status).toBe('verified_crosschain_propagating')
    expect(onTheWay.lastUpdated).toBe(app.now())
    expect(onTheWay.crosschain).toMatchObject({ status: 'propagating', completed: null, finalized: 0 })
    expect(onTheWay.crosschain.relayResults[east]).toMatchObject({ success: false, status: 'sent', blockNumber: null })

    await runUntilDone(server, all)

    const record = await recordOf(app, qHash)
    expect(record.status).toBe('verified_crosschain_propagated')
    expect(record.crosschain).toMatchObject({
      status: 'propagated',
      completed: app.now(),
      totalChains: 3,
      finalized: 3,
    })
    expect(record.hubTransaction).toMatchObject({ chainId: hub, status: 'confirmed' })
    expect(record.hubTransaction.timestamp).toBe(await timestampOn(stages.hub, qHash))
    expect(record.crosschain.hubTxHash).toBe(record.hubTransaction.txHash)
    for (const stage of [stages.east, stages.west]) {
      const relay = record.crosschain.relayResults[stage.anvil.chainId]
      const receipt = await stage.anvil.publicClient.getTransactionReceipt({ hash: relay.transactionHash })
      expect(receipt.from).toBe(publisher.address.toLowerCase() as Hex)
      expect(relay).toEqual({
        success: true,
        transactionHash: receipt.transactionHash,
        timestamp: await timestampOn(stage, qHash),
        completedAt: app.now(),
        chainId: stage.anvil.chainId,
        status: 'confirmed',
        gasUsed: String(receipt.gasUsed),
        blockNumber: Number(receipt.blockNumber),
      })
      expect(relay.timestamp).toBeGreaterThan(0)
    }
    for (const stage of all) expect(await nonceOf(stage, publisher.address)).toBe(1)
  })

  test('is not called final before its transaction is as deep as publishing.confirmations says', async () => {
    const publisher = await newPublisher([stages.east])
    const { app, outbox } = await startPublishing(publisher)
    const { qHash } = (await app.submit(alice, newClaim({ targetChains: [east] }))).body.data
    await outbox.runOnce()
    await untilMined(stages.east, publisher.address, 1)
    for (const blocks of [0, 1]) {
      if (blocks > 0) await mine(stages.east.anvil, blocks)
      await outbox.runOnce()
      expect(await timestampOn(stages.east, qHash)).toBeGreaterThan(0)
      expect((await recordOf(app, qHash)).crosschain.relayResults[east].status).toBe('mined')
    }
    await mine(stages.east.anvil)
    await outbox.runOnce()
    expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
  })
})

describe('a request to publish', () => {
  test('by publishToHub alone records on the hub chain only', async () => {
    const server = await startPublishing(await newPublisher(all))
    const { body } = await server.app.submit(alice, newClaim({ publishToHub: true, targetChains: [] }))
    await runUntilDone(server, all)
    const record = await recordOf(server.app, body.data.qHash)
    expect(record.hubTransaction.status).toBe('confirmed')
    expect(record.targetChains).toEqual([])
    expect(record.crosschain).toMatchObject({ totalChains: 1, finalized: 1, relayResults: {} })
    expect(await timestampOn(stages.east, body.data.qHash)).toBe(0)
  })

  test('records on the hub when targetChains names it, and once on a chain named twice', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { body } = await server.app.submit(alice, newClaim({ targetChains: [east, hub, east, hub] }))
    expect(body.data.options).toMatchObject({ publishToHub: true, targetChains: [east] })
    await runUntilDone(server, all)
    const record = await recordOf(server.app, body.data.qHash)
    expect(record.hubTransaction).toMatchObject({ chainId: hub, status: 'confirmed' })
    expect(Object.keys(record.crosschain.relayResults)).toEqual([String(east)])
    for (const stage of [stages.hub, stages.east]) expect(await nonceOf(stage, publisher.address)).toBe(1)
  })

  test('by targetChains without publishToHub leaves the hub out', async () => {
    const server = await startPublishing(await newPublisher(all))
    const { body } = await server.app.submit(alice, newClaim({ targetChains: [west] }))
    await runUntilDone(server, all)
    const record = await recordOf(server.app, body.data.qHash)
    expect(record).not.toHaveProperty('hubTransaction')
    expect(record.crosschain).toMatchObject({ hubTxHash: null, totalChains: 1, finalized: 1 })
    expect(await timestampOn(stages.hub, body.data.qHash)).toBe(0)
  })

  test('gets the same record when it comes again: 202 while it goes on, then 200, and no second order', async () => {
    const publisher = await newPublisher([stages.east])
    const server = await startPublishing(publisher)
    const { app } = server
    const request = await app.signed(alice, newClaim({ targetChains: [east] }))
    const first = await app.post('/api/v1/verification', request)
    const [again, atOnce] = await Promise.all([1, 2].map(() => app.post('/api/v1/verification', request)))
    for (const answer of [again!, atOnce!]) {
      expect(answer.status).toBe(202)
      expect(answer.body.data).toEqual(first.body.data)
    }
    await runUntilDone(server, [stages.east])
    const done = await app.post('/api/v1/verification', request)
    expect(done.status).toBe(200)
    expect(done.body.status).toBe('verified_crosschain_propagated')
    expect(await nonceOf(stages.east, publisher.address)).toBe(1)
  })

  test('for twenty proofs at once makes twenty transactions in a row', async () => {
    const publisher = await newPublisher([stages.east])
    const server = await startPublishing(publisher)
    const { app } = server
    const ids: string[] = []
    for (let proof = 0; proof < 20; proof++)
      ids.push((await app.submit(alice, newClaim({ targetChains: [east] }))).body.data.qHash)
    await runUntilDone(server, [stages.east])
    for (const qHash of ids) expect(await timestampOn(stages.east, qHash)).toBeGreaterThan(0)
    expect(await nonceOf(stages.east, publisher.address)).toBe(20)
  })
})

describe('readers', () => {
  test('see the status of a private proof as strangers, and no chains', async () => {
    const server = await startPublishing(await newPublisher(all))
    const { qHash } = (await server.app.submit(alice, newClaim({ targetChains: [east] }))).body.data
    await runUntilDone(server, all)
    const { data } = (await server.app.get(`/api/v1/proofs/${qHash}`)).body
    expect(Object.keys(data).sort()).toEqual(['createdAt', 'lastUpdated', 'privacyLevel', 'qHash', 'status'])
    expect(data.status).toBe('verified_crosschain_propagated')
    const { results } = (await server.app.post('/api/v1/verification/status-batch', { qHashes: [qHash] })).body
    expect(results[qHash].status).toBe('verified_crosschain_propagated')
  })

  test('see the copies of each proof in a public list, and can filter by them', async () => {
    const server = await startPublishing(await newPublisher(all))
    const { app } = server
    const listed = { privacyLevel: 'public', publicDisplay: true }
    const copied = (await app.submit(bob, newClaim({ ...listed, targetChains: [east, west] }, bob))).body.data.qHash
    const onHub = (await app.submit(bob, newClaim({ ...listed, publishToHub: true }, bob))).body.data.qHash
    const plain = await app.prove(bob, listed)
    await runUntilDone(server, all)

    const list = async (query: string) =>
      (await app.get(`/api/v1/proofs/by-wallet/${bob.address}?${query}`)).body.data.proofs
    const proofs = await list('')
    expect(proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([plain, onHub, copied])
    expect(proofs[0]).not.toHaveProperty('crosschain')
    expect(proofs[1].hubTransaction.status).toBe('confirmed')
    expect(proofs[2].crosschain).toMatchObject({ totalChains: 2, finalized: 2 })
    const ids = async (query: string) => (await list(query)).map(({ qHash }: { qHash: string }) => qHash)
    expect(await ids('chainCoverage=cross-chain')).toEqual([copied])
    expect(await ids('chainCoverage=hub-only')).toEqual([plain, onHub])
    expect(await ids('status=verified')).toEqual([plain, onHub, copied])
    expect(await ids('status=verified_crosschain_propagated')).toEqual([onHub, copied])
  })

  test('see that a proof is partially verified, with its progress beside it', async () => {
    const server = await startPublishing(await newPublisher(all))
    const { app } = server
    const accepted = await app.submit(alice, {
      verifierIds: ['ownership-basic', 'agent-delegation'],
      data: {
        'ownership-basic': { owner: alice.address, content: crypto.randomUUID() },
        'agent-delegation': { controllerWallet: bob.address, agentWallet: alice.address },
      },
      options: { targetChains: [east] },
    })
    expect(accepted.status).toBe(202)
    expect(accepted.body.status).toBe('partially_verified')
    await runUntilDone(server, all)
    const record = await recordOf(app, accepted.body.data.qHash)
    expect(record.status).toBe('partially_verified')
    expect(record.crosschain.status).toBe('propagated')
  })
})

describe('a revoked proof', () => {
  test('is revoked on every chain that holds it', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { app } = server
    const { qHash } = (await app.submit(alice, newClaim({ publishToHub: true, targetChains: [east] }))).body.data
    await runUntilDone(server, all)

    expect((await revoke(app, qHash)).body.alreadyRevoked).toBe(false)
    expect((await revoke(app, qHash)).body.alreadyRevoked).toBe(true)
    await runUntilDone(server, all)

    const record = await recordOf(app, qHash)
    expect(record.status).toBe('revoked')
    for (const stage of [stages.hub, stages.east]) {
      const revocation = record.crosschain.revocations[stage.anvil.chainId]
      expect(revocation).toMatchObject({ success: true, status: 'confirmed' })
      expect(revocation.timestamp).toBe(await revocationOn(stage, publisher.address, qHash))
      expect(revocation.timestamp).toBeGreaterThan(0)
      expect(await nonceOf(stage, publisher.address)).toBe(2)
    }
    expect(await nonceOf(stages.west, publisher.address)).toBe(0)
  })

  test('is not recorded when it was revoked before anything was sent', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { app } = server
    const { qHash } = (await app.submit(alice, newClaim({ targetChains: [east] }))).body.data
    await revoke(app, qHash)
    await runUntilDone(server, all)
    expect(await nonceOf(stages.east, publisher.address)).toBe(0)
    const { crosschain, status } = await recordOf(app, qHash)
    expect(status).toBe('revoked')
    expect(crosschain).not.toHaveProperty('revocations')
    expect(crosschain.relayResults[east]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('revoked'),
    })
  })

  test('is revoked there as well when its transaction was still on the way', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { app, outbox } = server
    const { qHash } = (await app.submit(alice, newClaim({ targetChains: [east] }))).body.data
    await outbox.runOnce()
    await untilMined(stages.east, publisher.address, 1)
    await revoke(app, qHash)
    await runUntilDone(server, all)
    expect(await timestampOn(stages.east, qHash)).toBeGreaterThan(0)
    expect(await revocationOn(stages.east, publisher.address, qHash)).toBeGreaterThan(0)
  })
})

describe('an erased proof', () => {
  const erase = async (app: Awaited<ReturnType<typeof startPublishing>>['app']) =>
    app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
    )
  const rows = (app: Awaited<ReturnType<typeof startPublishing>>['app']) =>
    select<object>(app.parts.db, 'SELECT * FROM publications').all()

  test('removes its orders, and no transaction is sent any more', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    await server.app.submit(alice, newClaim({ targetChains: [east, west] }))
    await erase(server.app)
    expect(await rows(server.app)).toEqual([])
    await runUntilDone(server, all)
    expect(await nonceOf(stages.east, publisher.address)).toBe(0)
  })

  test('while a transaction is made leaves the order alone that gets its number', async () => {
    const publisher = await newPublisher(all)
    const server = await startPublishing(publisher)
    const { app, outbox } = server
    await app.submit(alice, newClaim({ targetChains: [east] }))
    overtake(app.parts.db, 'UPDATE publications', async () => {
      await erase(app)
      await app.submit(bob, newClaim({ targetChains: [east] }, bob))
    })
    await outbox.runOnce()
    // PostgreSQL gives no number a second time.
    const id = app.parts.db.isShared ? 2 : 1
    expect(await rows(app)).toMatchObject([{ id, state: 'waiting', signed: null, nonce: null }])
    expect(await nonceOf(stages.east, publisher.address)).toBe(0)
    await runUntilDone(server, all)
    expect(await rows(app)).toMatchObject([{ id, state: 'confirmed' }])
  })
})
