/** Faults of chains and nodes during a transaction, and the proofs that wait for it. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createWalletClient, type Hex, http, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type LogFields, openLog } from '../../src/log.ts'
import { updateProofStatus } from '../../src/proofs/status-store.ts'
import { openOutbox } from '../../src/publishing/outbox.ts'
import type { TestApp } from '../app.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
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
  type Publisher,
  recordOf,
  revoke,
  runUntilDone,
  type Stage,
  setBalance,
  startPublishing,
  untilMined,
} from './stage.ts'

setDefaultTimeout(60_000)

const minute = 60_000
const gwei = 1_000_000_000n
let stage: Stage
let hubStage: Stage

beforeAll(async () => {
  ;[stage, hubStage] = await Promise.all([openStage(east), openStage(hub)])
})
afterAll(() => Promise.all([stage.anvil.stop(), hubStage.anvil.stop()]))

/** Blocks come only when the test makes them. */
async function withoutMining(test: () => Promise<void>): Promise<void> {
  await stage.anvil.rpc('evm_setAutomine', [false])
  try {
    await test()
  } finally {
    await stage.anvil.rpc('anvil_dropAllTransactions')
    await stage.anvil.rpc('evm_setAutomine', [true])
  }
}

const relayOf = async (app: TestApp, qHash: string) => (await recordOf(app, qHash)).crosschain.relayResults[east]
const isRecorded = async (qHash: string): Promise<boolean> => (await stage.eas.read('getTimestamp', [qHash])) > 0n

interface Row {
  readonly state: string
  readonly nonce: number | null
  readonly signed: Hex | null
  readonly tx_hashes: string | null
}
const rowsOf = (app: TestApp) => select<Row>(app.parts.db, 'SELECT * FROM publications ORDER BY id').all()

/** One proof that is to be recorded on the chain, and the server that does it. */
async function oneProof(publisher: Publisher) {
  const server = await startPublishing(publisher)
  // Tests before may have moved the clock of the chain.
  const { timestamp } = await stage.anvil.publicClient.getBlock()
  server.app.wait(Math.max(0, Number(timestamp) * 1000 - server.app.now()))
  const { body } = await server.app.submit(alice, newClaim({ targetChains: [east] }))
  return { ...server, qHash: body.data.qHash as string }
}

/** A server whose warnings the test reads. */
function listening(app: TestApp, more: Partial<TestApp['parts']> = {}) {
  const said: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = []
  const log = openLog((level, message, fields) => {
    if (level !== 'debug') said.push({ level, message, fields })
  })
  return { said, outbox: openOutbox({ ...app.parts, ...more, log }, updateProofStatus) }
}

describe('a reorganization', () => {
  test('makes the server send the same transaction again when it takes that back', async () => {
    const publisher = await newPublisher([stage])
    const server = await oneProof(publisher)
    const { app, outbox, qHash } = server
    await outbox.runOnce()
    await untilMined(stage, publisher.address, 1)
    await outbox.runOnce()
    const before = await relayOf(app, qHash)
    expect(before.status).toBe('mined')

    await stage.anvil.rpc('anvil_reorg', [1, []])
    expect(await isRecorded(qHash)).toBe(false)
    await withoutMining(async () => {
      await stage.anvil.rpc('anvil_dropAllTransactions')
      await outbox.runOnce()
      expect(await relayOf(app, qHash)).toMatchObject({ status: 'sent', blockNumber: null })
    })

    await runUntilDone(server, [stage])
    expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
    expect((await relayOf(app, qHash)).transactionHash).toBe(before.transactionHash)
    expect(await nonceOf(stage, publisher.address)).toBe(1)
    expect(await isRecorded(qHash)).toBe(true)
  })

  test('makes a transaction wait for the depth of its new block', async () => {
    const publisher = await newPublisher([stage])
    const { app, outbox, qHash } = await oneProof(publisher)
    await outbox.runOnce()
    await untilMined(stage, publisher.address, 1)
    const signed = (await rowsOf(app))[0]!.signed!
    await outbox.runOnce()
    const { blockNumber } = await relayOf(app, qHash)
    await mine(stage.anvil)

    await stage.anvil.rpc('anvil_reorg', [2, [[signed, 1]]])
    await mine(stage.anvil)
    await outbox.runOnce()
    expect(await relayOf(app, qHash)).toMatchObject({ status: 'mined', blockNumber: blockNumber + 1 })

    await mine(stage.anvil)
    await outbox.runOnce()
    expect(await relayOf(app, qHash)).toMatchObject({ status: 'confirmed', blockNumber: blockNumber + 1 })
    expect(await nonceOf(stage, publisher.address)).toBe(1)
  })
})

test('a receipt from another branch gives no verdict', async () => {
  const rpc = startLyingRpc(stage.anvil.url)
  try {
    const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
    const server = await oneProof(publisher)
    const { app, outbox, qHash } = server
    rpc.lie(
      lies.result(
        'eth_getTransactionReceipt',
        (receipt) => receipt && { ...receipt, blockHash: `0x${'9'.repeat(64)}` },
      ),
    )
    await outbox.runOnce()
    await untilMined(stage, publisher.address, 1)
    await mine(stage.anvil, 5)
    for (let look = 0; look < 3; look++) await outbox.runOnce()
    expect((await relayOf(app, qHash)).status).toBe('mined')

    rpc.tellTheTruth()
    await runUntilDone(server, [stage])
    expect((await relayOf(app, qHash)).status).toBe('confirmed')
  } finally {
    await rpc.stop()
  }
})

test('an endpoint that falls behind after the receipt was read does not make the record missing', async () => {
  const rpc = startLyingRpc(stage.anvil.url)
  try {
    const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
    const server = await oneProof(publisher)
    const { app, outbox, qHash } = server
    const before = await stage.anvil.publicClient.getBlockNumber()
    await outbox.runOnce()
    await untilMined(stage, publisher.address, 1)
    await outbox.runOnce()
    await mine(stage.anvil, 5)
    let looks = 0
    rpc.lie(async ({ method, params }, honest) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest' || looks++ === 0) return undefined
      return Response.json(await honest([`0x${before.toString(16)}`, false]))
    })
    await outbox.runOnce()
    expect(looks).toBeGreaterThan(1)
    expect((await relayOf(app, qHash)).status).toBe('mined')

    rpc.tellTheTruth()
    await runUntilDone(server, [stage])
    expect((await relayOf(app, qHash)).status).toBe('confirmed')
  } finally {
    await rpc.stop()
  }
})

describe('fees', () => {
  const nextBlock = async (baseFee: bigint, seconds = 120): Promise<void> => {
    await stage.anvil.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${baseFee.toString(16)}`])
    await stage.anvil.rpc('evm_increaseTime', [seconds])
    await mine(stage.anvil)
  }
  const feesOf = async (app: TestApp) => {
    const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce } = parseTransaction((await rowsOf(app))[0]!.signed!)
    return { maxFeePerGas, maxPriorityFeePerGas, nonce }
  }

  test('are raised for a transaction that blocks pass over, with the same nonce, and the one that is mined counts', async () => {
    await nextBlock(gwei)
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      await outbox.runOnce()
      const first = await feesOf(app)

      app.wait(2 * minute)
      await outbox.runOnce()
      // No block came since.
      expect(await feesOf(app)).toEqual(first)

      await nextBlock(20n * gwei, 600)
      await outbox.runOnce()
      const second = await feesOf(app)
      expect(second.nonce).toBe(first.nonce)
      expect(second.maxFeePerGas * 8n).toBeGreaterThanOrEqual(first.maxFeePerGas * 9n)
      expect(second.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(first.maxPriorityFeePerGas * 9n)
      expect(second.maxFeePerGas).toBeGreaterThan(20n * gwei)
      await outbox.runOnce()
      expect(await feesOf(app)).toEqual(second)

      const hashes = (await rowsOf(app))[0]!.tx_hashes!.split(' ')
      expect(hashes).toHaveLength(2)
      await mine(stage.anvil)
      await outbox.runOnce()
      await mine(stage.anvil, 3)
      await outbox.runOnce()
      expect(await relayOf(app, qHash)).toMatchObject({ status: 'confirmed', transactionHash: hashes[1]! })
      expect(await nonceOf(stage, publisher.address)).toBe(1)
    })
  })

  test('never pass publishing.max_fee_gwei, however long it takes', async () => {
    await nextBlock(gwei)
    await withoutMining(async () => {
      const publisher = await newPublisher([stage], { PROOFGATE_PUBLISHING_MAX_FEE_GWEI: '4' })
      const { app, qHash } = await oneProof(publisher)
      const { outbox, said } = listening(app)
      await outbox.runOnce()
      for (let round = 0; round < 6; round++) {
        app.wait(2 * minute)
        await nextBlock(round === 0 ? (7n * gwei) / 2n : 4n * gwei + 1n, 1200)
        await outbox.runOnce()
        expect((await feesOf(app)).maxFeePerGas).toBeLessThanOrEqual(4n * gwei)
      }
      expect((await feesOf(app)).maxFeePerGas).toBe(4n * gwei)
      expect(said.find(({ level }) => level === 'warn')?.fields).toMatchObject({
        why: expect.stringContaining('more than 4 gwei'),
        mend: expect.stringContaining('publishing.max_fee_gwei'),
      })
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagating')
    })
  })

  test('above publishing.max_fee_gwei let proofs wait, unsigned, until the chain is cheaper', async () => {
    await nextBlock(50n * gwei)
    const publisher = await newPublisher([stage], { PROOFGATE_PUBLISHING_MAX_FEE_GWEI: '10' })
    const server = await oneProof(publisher)
    await server.outbox.runOnce()
    expect(await rowsOf(server.app)).toMatchObject([{ state: 'waiting', signed: null }])

    await nextBlock(gwei)
    server.app.wait(minute)
    await runUntilDone(server, [stage])
    expect((await recordOf(server.app, server.qHash)).status).toBe('verified_crosschain_propagated')
  })
})

describe('nonces', () => {
  /** A transfer of the publisher’s that this server knows nothing of. */
  async function sendForeign(publisher: Publisher, nonce: number): Promise<void> {
    const account = privateKeyToAccount(publisher.env.PROOFGATE_PUBLISHING_PRIVATE_KEY as Hex)
    const wallet = createWalletClient({ account, transport: http(stage.anvil.url) })
    await wallet.sendTransaction({ chain: null, to: account.address, value: 0n, nonce, gas: 21_000n } as never)
  }

  test('are replaced once another transaction that used them is final, and only then', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'sent', nonce: 0 }])
      await stage.anvil.rpc('anvil_dropAllTransactions')
      await sendForeign(publisher, 0)
      await mine(stage.anvil)

      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'mined', nonce: 0 }])
      await mine(stage.anvil)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'mined', nonce: 0 }])
      await mine(stage.anvil)
      await setBalance(stage.anvil, publisher.address, 0n)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'waiting', nonce: null, signed: null, tx_hashes: null }])
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagating')
      await setBalance(stage.anvil, publisher.address, 10n ** 18n)
      app.wait(minute)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'sent', nonce: 1 }])
      await mine(stage.anvil, 1)
      await outbox.runOnce()
      await mine(stage.anvil, 3)
      await outbox.runOnce()
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
      expect(await nonceOf(stage, publisher.address)).toBe(2)
    })
  })

  test('are left to other waiting transactions of the account', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox } = await oneProof(publisher)
      await sendForeign(publisher, 0)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'sent', nonce: 1 }])
    })
  })

  test('are given to no more than 16 transactions at a time: nodes promise to keep no more', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox } = await oneProof(publisher)
      for (let more = 0; more < 17; more++) await app.submit(bob, newClaim({ targetChains: [east] }, bob))
      await outbox.runOnce()
      await outbox.runOnce()
      expect((await rowsOf(app)).flatMap(({ nonce }) => nonce ?? [])).toEqual(
        Array.from({ length: 16 }, (_, index) => index),
      )
      await mine(stage.anvil)
      await outbox.runOnce()
      expect((await rowsOf(app)).filter(({ state }) => state === 'sent').map(({ nonce }) => nonce)).toEqual([16, 17])
    })
  })

  test('a node that forgot its waiting transactions gets the same ones again', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox } = await oneProof(publisher)
      await app.submit(bob, newClaim({ targetChains: [east] }, bob))
      await outbox.runOnce()
      const before = await rowsOf(app)
      expect(before.map(({ nonce }) => nonce)).toEqual([0, 1])
      await stage.anvil.rpc('anvil_dropAllTransactions')

      await outbox.runOnce()
      expect(await rowsOf(app)).toEqual(before)
      await mine(stage.anvil)
      expect(await nonceOf(stage, publisher.address)).toBe(2)
    })
  })

  test('do not block the others when the transaction of an erased proof was never mined', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      const other = (await app.submit(bob, newClaim({ targetChains: [east] }, bob))).body.data.qHash
      await outbox.runOnce()
      await stage.anvil.rpc('anvil_dropAllTransactions')
      await app.post(
        '/api/v1/proofs/erase-all',
        await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
      )
      expect(await rowsOf(app)).toMatchObject([{ nonce: 1 }])

      await outbox.runOnce()
      await mine(stage.anvil)
      await outbox.runOnce()
      await mine(stage.anvil, 3)
      await outbox.runOnce()
      expect(await rowsOf(app)).toMatchObject([{ state: 'confirmed' }])
      expect(await isRecorded(other)).toBe(true)
      expect(await isRecorded(qHash)).toBe(false)
    })
  })

  test('a transaction of an account that is no longer the configured one is still sent again and followed', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      await outbox.runOnce()
      await stage.anvil.rpc('anvil_dropAllTransactions')
      const successor = await newPublisher([stage])
      const privateKey = successor.env.PROOFGATE_PUBLISHING_PRIVATE_KEY!
      const { config } = app.parts
      const later = openOutbox(
        {
          ...app.parts,
          config: { ...config, publishing: { ...config.publishing, privateKey } },
        },
        updateProofStatus,
      )
      await later.runOnce()
      await mine(stage.anvil)
      await later.runOnce()
      await mine(stage.anvil, 3)
      await later.runOnce()
      expect(await relayOf(app, qHash)).toMatchObject({ status: 'confirmed' })
      expect(await nonceOf(stage, publisher.address)).toBe(1)
      expect(await nonceOf(stage, successor.address)).toBe(0)
    })
  })
})

describe('a qHash that another account recorded', () => {
  test('before us counts as done, at the time of that record, and costs nothing', async () => {
    const publisher = await newPublisher([stage])
    const server = await oneProof(publisher)
    await stage.eas.write('timestamp', [server.qHash])
    await runUntilDone(server, [stage])
    const record = await recordOf(server.app, server.qHash)
    expect(record.status).toBe('verified_crosschain_propagated')
    expect(record.crosschain.relayResults[east]).toMatchObject({
      success: true,
      transactionHash: null,
      timestamp: Number(await stage.eas.read('getTimestamp', [server.qHash])) * 1000,
    })
    expect(await nonceOf(stage, publisher.address)).toBe(0)
  })

  test('before a reorganization took it back is recorded by us', async () => {
    const publisher = await newPublisher([stage])
    const server = await oneProof(publisher)
    await stage.eas.write('timestamp', [server.qHash])
    await server.outbox.runOnce()
    expect(await rowsOf(server.app)).toMatchObject([{ state: 'mined', nonce: null }])
    await stage.anvil.rpc('anvil_reorg', [1, []])
    await stage.anvil.rpc('anvil_dropAllTransactions')
    await runUntilDone(server, [stage])
    expect((await relayOf(server.app, server.qHash)).transactionHash).toMatch(/^0x/)
    expect(await nonceOf(stage, publisher.address)).toBe(1)
  })

  test('while our transaction was on its way: ours is reverted, and the proof is recorded', async () => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      await outbox.runOnce()
      const faster = stage.eas.write('timestamp', [qHash])
      await stage.anvil.rpc('anvil_dropTransaction', [(await rowsOf(app))[0]!.tx_hashes!])
      await Bun.sleep(100)
      await mine(stage.anvil)
      await faster
      await stage.anvil.rpc('eth_sendRawTransaction', [(await rowsOf(app))[0]!.signed!])
      await mine(stage.anvil)
      await outbox.runOnce()
      await mine(stage.anvil, 3)
      await outbox.runOnce()
      expect(await nonceOf(stage, publisher.address)).toBe(1)
      expect(await relayOf(app, qHash)).toMatchObject({ success: true, transactionHash: null, status: 'confirmed' })
    })
  })
})

describe('a contract that changes under way', () => {
  test.each([
    ['reverts the transaction', '0xfd', 'the transaction was reverted'],
    ['takes the transaction and records nothing', '0x00', 'the contract did not record it'],
  ])('is reported by the proof when it %s', async (_, code, reason) => {
    await withoutMining(async () => {
      const publisher = await newPublisher([stage])
      const { app, outbox, qHash } = await oneProof(publisher)
      await outbox.runOnce()
      const { address } = stage.eas
      const original = await stage.anvil.publicClient.getCode({ address })
      await stage.anvil.rpc('anvil_setCode', [address, code])
      await mine(stage.anvil)
      await stage.anvil.rpc('anvil_setCode', [address, original])
      const hash = (await rowsOf(app))[0]!.tx_hashes
      await outbox.runOnce()
      await mine(stage.anvil, 3)
      await outbox.runOnce()
      const record = await recordOf(app, qHash)
      expect(record.status).toBe('verified_propagation_failed')
      expect(record.crosschain.relayResults[east]).toMatchObject({ success: false, transactionHash: hash, reason })
      expect(await nonceOf(stage, publisher.address)).toBe(1)
    })
  })
})

test('a transaction that the contract would refuse does not block the next ones', async () => {
  const rpc = startLyingRpc(stage.anvil.url)
  try {
    const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
    const { app, qHash } = await oneProof(publisher)
    const other = (await app.submit(bob, newClaim({ targetChains: [east] }, bob))).body.data.qHash
    const { outbox, said } = listening(app)
    let isFirst = true
    rpc.lie(async ({ method }) => {
      // Another account records it after this server has looked and before it estimates the gas.
      if (method === 'eth_estimateGas' && isFirst) {
        isFirst = false
        await stage.eas.write('timestamp', [qHash])
      }
      return undefined
    })
    await outbox.runOnce()
    expect(await rowsOf(app)).toMatchObject([{ state: 'waiting' }, { state: 'sent' }])
    expect(said[0]!.fields.why).toContain('the contract would revert timestamp')
    app.wait(minute)
    await runUntilDone({ app, outbox }, [stage])
    expect((await relayOf(app, qHash)).transactionHash).toBeNull()
    expect(await isRecorded(other)).toBe(true)
    expect(await nonceOf(stage, publisher.address)).toBe(1)
  } finally {
    await rpc.stop()
  }
})

test('a chain that hangs does not keep another one waiting', async () => {
  const rpc = startLyingRpc(hubStage.anvil.url)
  try {
    const publisher = await newPublisher([stage, hubStage], { [`PROOFGATE_CHAINS_C${hub}_RPC`]: rpc.url })
    const { app, outbox } = await startPublishing(publisher)
    const { qHash } = (await app.submit(alice, newClaim({ publishToHub: true, targetChains: [east] }))).body.data
    rpc.lie(lies.hangs())
    let isHanging = true
    const hanging = outbox.runOnce().then(() => {
      isHanging = false
    })
    await untilMined(stage, publisher.address, 1)
    await mine(stage.anvil, 3)
    while (isHanging && (await relayOf(app, qHash)).status !== 'confirmed') {
      void outbox.runOnce()
      await Bun.sleep(20)
    }
    expect({ isHanging, status: (await relayOf(app, qHash)).status }).toEqual({ isHanging: true, status: 'confirmed' })
    await rpc.stop()
    await hanging
  } finally {
    await rpc.stop()
  }
})

describe('a publishing obstacle', () => {
  test('no money: the log names the account, and the proof goes on once it is paid', async () => {
    const publisher = await newPublisher([stage])
    await setBalance(stage.anvil, publisher.address, 1000n)
    const { app, qHash } = await oneProof(publisher)
    const { outbox, said } = listening(app)
    await outbox.runOnce()
    app.wait(minute)
    await outbox.runOnce()
    const warnings = said.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]!.fields).toMatchObject({
      account: publisher.address,
      why: expect.stringContaining('holds 1000 wei'),
      mend: `send funds to ${publisher.address.toLowerCase()}`,
    })
    expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_initiated')

    await setBalance(stage.anvil, publisher.address, 10n ** 18n)
    app.wait(minute)
    await runUntilDone({ app, outbox }, [stage])
    expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
    expect(said.at(-1)).toMatchObject({ level: 'info', message: 'publishing goes on' })
  })

  test('an unreachable chain is tried at growing intervals, and goes on when it is back', async () => {
    const rpc = startLyingRpc(stage.anvil.url)
    try {
      const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
      const { app, qHash } = await oneProof(publisher)
      const { outbox, said } = listening(app)
      rpc.lie(() => new Response('down', { status: 503 }))
      await outbox.runOnce()
      const calls = rpc.asked.length
      await outbox.runOnce()
      expect(rpc.asked.length).toBe(calls)
      for (let round = 0; round < 2; round++) {
        app.wait(minute)
        await outbox.runOnce()
      }
      expect(rpc.asked.length).toBeGreaterThan(calls)
      expect(said.filter(({ level }) => level === 'warn')).toHaveLength(1)
      expect(said[0]!.fields.why).toContain(`chains.c${east}.rpc[0]`)
      expect(JSON.stringify(said)).not.toContain(rpc.url)
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_initiated')

      rpc.tellTheTruth()
      app.wait(minute)
      await runUntilDone({ app, outbox }, [stage])
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
    } finally {
      await rpc.stop()
    }
  })

  test('an answer that was lost after the node took the transaction makes no second one', async () => {
    const rpc = startLyingRpc(stage.anvil.url)
    try {
      const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
      const { app, outbox, qHash } = await oneProof(publisher)
      rpc.lie(async ({ method }, honest) => {
        if (method !== 'eth_sendRawTransaction') return undefined
        await honest()
        return new Response('lost', { status: 502 })
      })
      await outbox.runOnce()
      rpc.tellTheTruth()
      app.wait(minute)
      await runUntilDone({ app, outbox }, [stage])
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagated')
      expect(await nonceOf(stage, publisher.address)).toBe(1)
    } finally {
      await rpc.stop()
    }
  })

  test('an address without the contract gets no transaction, and the log names the setting', async () => {
    const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_EAS`]: `0x${'12'.repeat(20)}` })
    const { app } = await oneProof(publisher)
    const { outbox, said } = listening(app)
    await outbox.runOnce()
    expect(said[0]).toMatchObject({
      level: 'warn',
      fields: { mend: expect.stringContaining('address of its contract') },
    })
    expect(said[0]!.fields.why).toContain(`chains.c${east}.eas`)
    expect(await nonceOf(stage, publisher.address)).toBe(0)
  })

  test('a chain that is no longer configured is named in the log, and given up in the end', async () => {
    const { app, qHash } = await oneProof(await newPublisher([stage]))
    const without = await startPublishing(await newPublisher([hubStage]))
    const { outbox, said } = listening(app, { outside: without.app.parts.outside })
    await outbox.runOnce()
    expect(said[0]).toMatchObject({ level: 'warn', fields: { chainId: east } })
    expect(said[0]!.fields.mend).toContain(`chain = "eip155:${east}"`)
    app.wait(1440 * minute)
    await outbox.runOnce()
    expect((await recordOf(app, qHash)).status).toBe('verified_propagation_failed')
  })
})

test('a proof that is revoked while its transaction is being made is not recorded', async () => {
  const rpc = startLyingRpc(stage.anvil.url)
  try {
    const publisher = await newPublisher([stage], { [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url })
    const { app, outbox, qHash } = await oneProof(publisher)
    rpc.lie(async ({ method }) => {
      if (method === 'eth_estimateGas') await revoke(app, qHash)
      return undefined
    })
    await outbox.runOnce()
    await mine(stage.anvil)
    expect(await rowsOf(app)).toMatchObject([{ state: 'failed', signed: null }])
    expect(rpc.asked).not.toContain('eth_sendRawTransaction')
    expect(await nonceOf(stage, publisher.address)).toBe(0)
  } finally {
    await rpc.stop()
  }
})

describe('giving up', () => {
  test('after publishing.give_up_after_minutes the proof says so, and keeps the records on other chains', async () => {
    const rpc = startLyingRpc(stage.anvil.url)
    try {
      const publisher = await newPublisher([stage, hubStage], {
        [`PROOFGATE_CHAINS_C${east}_RPC`]: rpc.url,
        PROOFGATE_PUBLISHING_GIVE_UP_AFTER_MINUTES: '10',
      })
      const server = await startPublishing(publisher)
      const { app, outbox } = server
      rpc.lie(() => new Response('down', { status: 503 }))
      const { qHash } = (await app.submit(alice, newClaim({ publishToHub: true, targetChains: [east] }))).body.data
      await outbox.runOnce()
      await mine(hubStage.anvil, 3)
      await outbox.runOnce()
      await outbox.runOnce()
      const half = await recordOf(app, qHash)
      expect(half.status).toBe('verified_crosschain_propagating')
      expect(half.hubTransaction.status).toBe('confirmed')
      expect(half.crosschain).toMatchObject({ completed: null, finalized: 1 })

      app.wait(10 * minute - 1)
      await outbox.runOnce()
      expect((await recordOf(app, qHash)).status).toBe('verified_crosschain_propagating')
      app.wait(minute)
      await outbox.runOnce()
      const record = await recordOf(app, qHash)
      expect(record.status).toBe('verified_propagation_failed')
      expect(record.crosschain).toMatchObject({ status: 'failed', completed: app.now(), finalized: 1, totalChains: 2 })
      expect(record.crosschain.relayResults[east]).toMatchObject({
        success: false,
        status: 'failed',
        reason: 'given up after 10 minutes',
      })
    } finally {
      await rpc.stop()
    }
  })
})
