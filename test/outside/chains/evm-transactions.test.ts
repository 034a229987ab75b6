/** Sending transactions over real nodes, and over ones that refuse, forget and lie. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, keccak256, zeroHash } from 'viem'
import { type EvmTransactions, TransactionRefused } from '../../../src/outside/chains/chain.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { abiOf, type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase, outageOf } from './evm-chain.ts'

let anvil: Anvil
let liar: LyingRpc
let eas: Deployed
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  eas = await deploy(anvil, 'EAS', [(await deploy(anvil, 'SchemaRegistry')).address])
})
beforeEach(() => {
  liar = startLyingRpc(anvil.url)
})
afterEach(() => liar.stop())
afterAll(() => anvil.stop())

const on = (...rpc: string[]): EvmTransactions => openBase(rpc).chain.transactions
const honest = (): EvmTransactions => on(anvil.url)

const timestampOf = (qHash: Hex): Hex =>
  encodeFunctionData({ abi: abiOf('EAS') as never, functionName: 'timestamp', args: [qHash] } as never)

/** A transaction of the second account, ready to send. */
async function signed(qHash: Hex, options: { nonce?: number; gwei?: bigint; value?: bigint } = {}): Promise<Hex> {
  const { account, address } = anvil.accounts[1]
  const next = await anvil.publicClient.getTransactionCount({ address, blockTag: 'pending' })
  const { nonce = next, gwei = 5n, value = 0n } = options
  return account.signTransaction({
    type: 'eip1559',
    chainId: 8453,
    nonce,
    to: eas.address,
    data: timestampOf(qHash),
    value,
    gas: 200_000n,
    maxFeePerGas: gwei * 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
}
const fresh = (): Hex => keccak256(crypto.getRandomValues(new Uint8Array(8)))

const refusalOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    (value) => `answered ${value}`,
    (error) => {
      if (error instanceof TransactionRefused) return `${error.reason} ${error.source} ${error.data}`
      throw error
    },
  )

/** anvil answers before the block is made. */
async function sentAndMined(transaction: Hex, sender: EvmTransactions = honest()): Promise<Hex> {
  const hash = await sender.send(transaction)
  await anvil.publicClient.waitForTransactionReceipt({ hash })
  return hash
}

async function withoutMining<T>(run: () => Promise<T>): Promise<T> {
  await anvil.rpc('evm_setAutomine', [false])
  try {
    return await run()
  } finally {
    await anvil.rpc('evm_setAutomine', [true])
    await anvil.rpc('anvil_mine', ['0x1'])
  }
}

describe('a transaction', () => {
  test('is prepared, sent, mined and found again', async () => {
    const { address } = anvil.accounts[1]
    const transactions = honest()
    const qHash = fresh()
    const nonce = await transactions.nextNonce(address, 'pending')
    expect(nonce).toBe(await anvil.publicClient.getTransactionCount({ address }))
    const { baseFee, priorityFee } = await transactions.fees()
    expect(baseFee).toBe((await anvil.publicClient.getBlock()).baseFeePerGas!)
    expect(priorityFee).toBe(10n ** 9n)
    const call = { from: address, to: eas.address, data: timestampOf(qHash) }
    expect(await transactions.estimateGas(call)).toBe(
      await anvil.publicClient.estimateGas({ ...call, account: address }),
    )

    const transaction = await signed(qHash, { nonce })
    const hash = await transactions.send(transaction)
    expect(hash).toBe(keccak256(transaction))
    await anvil.publicClient.waitForTransactionReceipt({ hash })
    const receipt = await transactions.readReceipt(hash)
    const block = await anvil.publicClient.getBlock()
    expect(receipt).toMatchObject({
      transactionHash: hash,
      blockNumber: Number(block.number),
      blockHash: block.hash,
      succeeded: true,
      from: address.toLowerCase() as Hex,
      to: eas.address,
      logs: [{ address: eas.address, data: '0x' }],
    })
    expect(receipt!.gasUsed).toBe(block.gasUsed)
    expect(receipt!.logs[0]!.topics[1]).toBe(qHash)
    expect(await transactions.newestBlock()).toEqual({
      number: Number(block.number),
      hash: block.hash,
      timestampMs: Number(block.timestamp) * 1000,
    })
  })

  test('waiting to be mined is counted by the pending nonce alone, and has no receipt', async () => {
    const { address } = anvil.accounts[1]
    await withoutMining(async () => {
      const nonce = await honest().nextNonce(address, 'latest')
      const hash = await honest().send(await signed(fresh()))
      expect(await honest().nextNonce(address, 'latest')).toBe(nonce)
      expect(await honest().nextNonce(address, 'pending')).toBe(nonce + 1)
      expect(await honest().readReceipt(hash)).toBeNull()
    })
  })

  test('has a receipt with the failure when it failed on the chain', async () => {
    const hash = await sentAndMined(await signed(fresh(), { value: 1n }))
    expect(await honest().readReceipt(hash)).toMatchObject({ succeeded: false, logs: [] })
  })

  test('has no receipt any more after a reorganization took it back', async () => {
    const hash = await sentAndMined(await signed(fresh()))
    await anvil.rpc('anvil_mine', ['0x1'])
    expect(await honest().readReceipt(hash)).not.toBeNull()
    await anvil.rpc('anvil_reorg', [2, []])
    expect(await honest().readReceipt(hash)).toBeNull()
  })

  test('has no receipt when it is unknown', async () => {
    expect(await honest().readReceipt(zeroHash)).toBeNull()
  })
})

describe('sending', () => {
  test('succeeds twice for the same transaction, both while it waits and after it was mined', async () => {
    const transaction = await withoutMining(async () => {
      const waiting = await signed(fresh())
      expect(await honest().send(waiting)).toBe(keccak256(waiting))
      expect(await honest().send(waiting)).toBe(keccak256(waiting))
      return waiting
    })
    await anvil.publicClient.waitForTransactionReceipt({ hash: keccak256(transaction) })
    expect(await honest().readReceipt(keccak256(transaction))).not.toBeNull()
    expect(await honest().send(transaction)).toBe(keccak256(transaction))
  })

  test('another transaction with a used nonce is refused', async () => {
    const nonce = await anvil.publicClient.getTransactionCount({ address: anvil.accounts[1].address })
    await sentAndMined(await signed(fresh(), { nonce }))
    const other = await signed(fresh(), { nonce })
    expect(await refusalOf(honest().send(other))).toBe('nonce-used chains.base.rpc[0] 0x')
  })

  test('a replacement that does not pay more is refused, one that does is taken', async () => {
    await withoutMining(async () => {
      const nonce = await honest().nextNonce(anvil.accounts[1].address, 'latest')
      await honest().send(await signed(fresh(), { nonce }))
      const same = await signed(fresh(), { nonce })
      expect(await refusalOf(honest().send(same))).toBe('underpriced chains.base.rpc[0] 0x')
      const { account } = anvil.accounts[1]
      const higher = await account.signTransaction({
        type: 'eip1559',
        chainId: 8453,
        nonce,
        to: eas.address,
        data: timestampOf(fresh()),
        gas: 200_000n,
        maxFeePerGas: 10n * 10n ** 9n,
        maxPriorityFeePerGas: 2n * 10n ** 9n,
      })
      expect(await honest().send(higher)).toBe(keccak256(higher))
    })
  })

  test('more than the account has is refused', async () => {
    const tooMuch = await signed(fresh(), { value: 10n ** 24n })
    expect(await refusalOf(honest().send(tooMuch))).toBe('insufficient-funds chains.base.rpc[0] 0x')
  })

  test('reaches every endpoint, also those behind the one that takes it first', async () => {
    const other = startLyingRpc(anvil.url)
    try {
      await on(liar.url, other.url).send(await signed(fresh()))
      for (const rpc of [liar, other]) while (!rpc.asked.includes('eth_sendRawTransaction')) await Bun.sleep(5)
    } finally {
      await other.stop()
    }
  })

  test('succeeds when one endpoint takes it, whatever the others say', async () => {
    for (const lie of [lies.status(500), lies.hangs(), lies.error(-32000, 'underpriced', ['eth_sendRawTransaction'])]) {
      liar.lie(lie)
      const transaction = await signed(fresh())
      expect(await sentAndMined(transaction, on(liar.url, anvil.url))).toBe(keccak256(transaction))
      expect(await honest().readReceipt(keccak256(transaction))).not.toBeNull()
    }
  })

  test('is an outage when no endpoint can take it, and names each fault', async () => {
    liar.lie(lies.status(500))
    const transaction = await signed(fresh())
    expect(await outageOf(on(liar.url).send(transaction))).toBe('unreachable chains.base.rpc[0]: answered 500')
    const both = await outageOf(on(liar.url, `${liar.url}/second`).send(transaction))
    expect(both).toContain('chains.base.rpc[0]: answered 500; chains.base.rpc[1]: answered 500')
    expect(await honest().readReceipt(keccak256(transaction))).toBeNull()
  })

  test('to an endpoint of another chain does not happen', async () => {
    liar.lie(lies.chainId(1))
    expect(await outageOf(on(liar.url).send(await signed(fresh())))).toContain('is of eip155:1')
    expect(liar.asked).not.toContain('eth_sendRawTransaction')
  })

  test('to an endpoint that gives another hash is not believed', async () => {
    liar.lie(lies.result('eth_sendRawTransaction', () => zeroHash))
    expect(await outageOf(on(liar.url).send(await signed(fresh())))).toContain('is the hash of another transaction')
  })

  test('to an endpoint that knows a used nonce, and not the transaction, is refused', async () => {
    liar.lie(lies.error(-32000, 'nonce too low', ['eth_sendRawTransaction']))
    expect(await refusalOf(on(liar.url).send(await signed(fresh())))).toBe('nonce-used chains.base.rpc[0] 0x')
  })
})

test('nonce, fees and gas come from one endpoint, also with a quorum', async () => {
  liar.lie(lies.status(500))
  const { transactions } = openBase([liar.url, anvil.url], { agree: 2 }).chain
  const { address } = anvil.accounts[1]
  expect(await transactions.nextNonce(address, 'latest')).toBe(
    await anvil.publicClient.getTransactionCount({ address }),
  )
  expect((await transactions.fees()).priorityFee).toBe(10n ** 9n)
  expect(await transactions.estimateGas({ from: address, to: address, data: '0x' })).toBe(21_000n)
  expect(await outageOf(transactions.newestBlock())).toContain('got 1 of 2 needed answers')
})

describe('an estimate of gas', () => {
  test('for a call that reverts is refused with the reason of the contract', async () => {
    const qHash = fresh()
    await eas.write('timestamp', [qHash])
    const call = { from: anvil.accounts[1].address, to: eas.address, data: timestampOf(qHash) }
    // AlreadyTimestamped()
    expect(await refusalOf(honest().estimateGas(call))).toBe('reverts chains.base.rpc[0] 0x2e267946')
  })

  test('is an outage when a node cannot make it', async () => {
    liar.lie(lies.error(-32603, 'Internal error', ['eth_estimateGas']))
    const call = { from: anvil.accounts[1].address, to: eas.address, data: timestampOf(fresh()) }
    expect(await outageOf(on(liar.url).estimateGas(call))).toContain('answered eth_estimateGas with the error -32603')
    expect(await on(liar.url, anvil.url).estimateGas(call)).toBeGreaterThan(21_000n)
  })
})

describe('fees', () => {
  test('come from the gas price where a node suggests no priority fee', async () => {
    liar.lie(
      lies.error(-32601, 'Method not found', ['eth_maxPriorityFeePerGas']),
      lies.result('eth_getBlockByNumber', (block) => ({ ...block, baseFeePerGas: '0x64' })),
      lies.result('eth_gasPrice', () => '0x96'),
    )
    expect(await on(liar.url).fees()).toEqual({ baseFee: 100n, priorityFee: 50n })
    liar.lie(
      lies.error(-32601, 'Method not found', ['eth_maxPriorityFeePerGas']),
      lies.result('eth_getBlockByNumber', (block) => ({ ...block, baseFeePerGas: '0x64' })),
      lies.result('eth_gasPrice', () => '0x1'),
    )
    expect(await on(liar.url).fees()).toEqual({ baseFee: 100n, priorityFee: 0n })
  })

  test('are an outage on a chain without a base fee', async () => {
    liar.lie(lies.result('eth_getBlockByNumber', ({ baseFeePerGas: _, ...block }) => block))
    expect(await outageOf(on(liar.url).fees())).toContain('has blocks without a base fee (EIP-1559)')
  })

  test('are refused from an endpoint that is behind', async () => {
    liar.lie(lies.olderBlocks(3600))
    expect(await outageOf(on(liar.url).fees())).toContain('is behind its chain')
  })
})

describe('a receipt', () => {
  test('is not believed for another transaction, with a strange status or with a broken log', async () => {
    const hash = await sentAndMined(await signed(fresh()))
    const wrongs: readonly (readonly [object, string])[] = [
      [{ transactionHash: zeroHash }, 'is the receipt of another transaction'],
      [{ status: '0x2' }, 'has a status that is neither 0 nor 1'],
      [{ status: null }, 'is no quantity'],
      [{ logs: null }, 'is no receipt'],
      [{ logs: [{ address: '0x12', topics: [], data: '0x' }] }, 'does not have 20 bytes'],
    ]
    for (const [members, what] of wrongs) {
      liar.lie(lies.result('eth_getTransactionReceipt', (receipt) => ({ ...receipt, ...members })))
      expect(await outageOf(on(liar.url).readReceipt(hash))).toContain(what)
    }
  })

  test('does not count yet when it has no block', async () => {
    const hash = await sentAndMined(await signed(fresh()))
    liar.lie(
      lies.result('eth_getTransactionReceipt', (receipt) => ({ ...receipt, blockHash: null, blockNumber: null })),
    )
    expect(await on(liar.url).readReceipt(hash)).toBeNull()
  })

  test('counts when as many endpoints as must agree have the same one', async () => {
    const hash = await sentAndMined(await signed(fresh()))
    const two = openBase([liar.url, anvil.url], { agree: 2 }).chain.transactions
    expect(await two.readReceipt(hash)).toMatchObject({ succeeded: true })
    liar.lie(lies.result('eth_getTransactionReceipt', () => null))
    expect(await outageOf(two.readReceipt(hash))).toStartWith('disagree chains.base.rpc')
    liar.lie(lies.result('eth_getTransactionReceipt', (receipt) => ({ ...receipt, status: '0x0' })))
    expect(await outageOf(two.readReceipt(hash))).toStartWith('disagree chains.base.rpc')
  })
})
