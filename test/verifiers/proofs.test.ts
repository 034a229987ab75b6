/** `chains.<name>.proofs`: a node's answer is proved under an agreed header, or no proof is made. */
import { afterAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, keccak256, numberToHex, pad, parseAbi, zeroHash } from 'viem'
import { startApp } from '../app.ts'
import { contractWallet, wrapped } from '../contract-wallet.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { type Lie, lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed } from './ask.ts'
import { asks, base } from './assets.ts'

const anvil = await startAnvil({ chainId: base })
const node = startLyingRpc(anvil.url)
const oracle = await deploy(anvil, 'SanctionsOracle')
const asksForProofs = {
  ...asks(node.url),
  PROOFGATE_CHAINS_BASE_PROOFS: 'true',
  PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: oracle.address,
}
const app = await startApp(asksForProofs)
afterAll(() => Promise.all([anvil.stop(), node.stop()]))

const [coin, evilCoin, art, multi, owned] = [
  await deploy(anvil, 'Erc20', [6]),
  await deploy(anvil, 'Erc20', [6]),
  await deploy(anvil, 'Erc721'),
  await deploy(anvil, 'Erc1155'),
  await deploy(anvil, 'Owned', [alice.address]),
]
const [payer] = anvil.accounts
await coin.write('mint', [alice.address, 5_000_000n])
await evilCoin.write('mint', [mallory.address, 9_000_000n])
await oracle.write('set', [mallory.address, true])
const walletOfAlice = await deploy(anvil, 'Wallet1271', [alice.address])
const factory = await deploy(anvil, 'Wallet1271Factory')
const salt: Hex = `0x${'5a'.repeat(32)}`
const planned: Hex = await factory.read('addressOf', [alice.address, salt])
await anvil.send({ to: bob.address as Hex, value: 1n })
// Mallory had it, in blocks of before.
await art.write('mint', [mallory.address, 7n])
const startBlock = Number(await anvil.publicClient.getBlockNumber())
await art.write('burn', [7n])
await art.write('mint', [alice.address, 7n])
await multi.write('mint', [alice.address, 5n, 3n])
await multi.write('mint', [payer.address, 5n, 3n])

interface Case {
  readonly id: string
  readonly contract: Hex
  readonly data: object
  /** The node's answer that would make mallory's claim hold. */
  readonly wanted: Hex
  /** The claiming wallet, where it is not the key. */
  readonly as?: (key: TestWallet) => TestWallet
}
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const cases: readonly Case[] = [
  {
    id: 'token-holding',
    contract: coin.address,
    data: { contractAddress: coin.address, minBalance: '1', chainId: base },
    wanted: word(9_000_000),
  },
  {
    id: 'nft-ownership',
    contract: art.address,
    data: { contractAddress: art.address, tokenId: '7', chainId: base },
    wanted: pad(mallory.address as Hex),
  },
  {
    id: 'nft-ownership',
    contract: multi.address,
    data: { contractAddress: multi.address, tokenId: '5', tokenType: 'erc1155', chainId: base },
    wanted: word(3),
  },
  {
    id: 'contract-ownership',
    contract: owned.address,
    data: { contractAddress: owned.address, chainId: base },
    wanted: pad(mallory.address as Hex),
  },
]
/** Reads that decide, although the proof keeps no evidence of them. */
const decisions: readonly Case[] = [
  {
    id: 'ownership-basic',
    contract: walletOfAlice.address,
    data: { owner: walletOfAlice.address, content: 'Signed by a contract wallet' },
    wanted: `0x1626ba7e${'0'.repeat(56)}`,
    as: (key) => contractWallet(walletOfAlice.address, `eip155:${base}`, key),
  },
  {
    id: 'ownership-basic',
    contract: planned,
    data: { owner: planned, content: 'Signed by a wallet that is not deployed yet' },
    wanted: '0x01',
    as: (key) =>
      contractWallet(
        planned,
        `eip155:${base}`,
        key,
        wrapped(factory.address, factory.abi, 'create', [alice.address, salt]),
      ),
  },
  {
    id: 'wallet-risk',
    contract: oracle.address,
    data: { walletAddress: mallory.address, chainId: base },
    wanted: word(0),
  },
]
const of = (wallet: TestWallet, { id, data, as }: Case) => asking(app, id)(as ? as(wallet) : wallet, data)

describe('with proofs a claim that is true', () => {
  test('makes a proof that names its place in the state', async () => {
    const { stateRoot } = await anvil.publicClient.getBlock()
    const slots = [0, 2, 0, 0]
    for (const [index, one] of cases.entries()) {
      const { proof, blockHash } = evidenceIn(await of(alice, one)).onChainData
      expect(proof).toEqual({
        proved: true,
        account: true,
        contract: one.contract,
        storageSlot: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        layout: one.id === 'contract-ownership' ? 'plain' : 'mapping',
        baseSlot: word(slots[index]!),
        stateRoot,
      })
      expect(blockHash).toBe((await anvil.publicClient.getBlock()).hash)
      expect(JSON.stringify(proof).length).toBeLessThan(600)
    }
  })

  test('makes a proof marked as not proved when it rests on a shared slot', async () => {
    // decimals() is 6, and balanceOf() the lower half of a slot.
    const dispatch = '5f3560e01c63313ce5671461'
    const balance = '6004355f525f60205260405f20546fffffffffffffffffffffffffffffffff165f5260205ff3'
    // The jump goes behind the balance.
    const target = (12 + 3 + balance.length / 2).toString(16).padStart(4, '0')
    const packed = '0xbac0ed0000000000000000000000000000000001'
    await anvil.rpc('anvil_setCode', [packed, `0x${dispatch}${target}57${balance}5b60065f5260205ff3`])
    const slot = keccak256(`${pad(alice.address as Hex)}${zeroHash.slice(2)}`)
    await anvil.rpc('anvil_setStorageAt', [packed, slot, word((1n << 200n) + 5_000_000n)])
    await anvil.rpc('anvil_mine')
    const answer = await asking(app, 'token-holding')(alice, {
      contractAddress: packed,
      minBalance: '5',
      chainId: base,
    })
    expect(evidenceIn(answer).onChainData.proof).toMatchObject({ proved: false, reason: 'packed' })
  })

  test('says nothing of proofs where they are not requested', async () => {
    const plain = await startApp(asks(anvil.url))
    for (const one of cases)
      expect(evidenceIn(await asking(plain, one.id)(alice, one.data)).onChainData).not.toHaveProperty('proof')
  })
})

describe('with proofs', () => {
  test('contract wallets sign, deployed and not yet, and others do not sign for them', async () => {
    for (const one of decisions.slice(0, 2)) {
      expect((await of(alice, one)).status).toBe(200)
      expect(await of(mallory, one)).toMatchObject({
        status: 401,
        body: { error: { details: { reason: 'NOT_SIGNED' } } },
      })
    }
  })

  test('the oracle of sanctions is believed', async () => {
    expect(await of(mallory, decisions[2]!)).toMatchObject(failed('wallet-risk', 'WALLET_SANCTIONED'))
    const good = await asking(app, 'wallet-risk')(bob, { walletAddress: bob.address, chainId: base })
    expect(good.status).toBe(200)
    expect(evidenceIn(good).blocks).toEqual([{ chain: `eip155:${base}`, blockNumber: expect.any(Number) }])
  })
})

describe('with proofs a node that lies about the state under an agreed header', () => {
  const proofs = 'eth_getProof'
  const json = (id: unknown, result: unknown): Response => Response.json({ jsonrpc: '2.0', id, result })
  /** The fixed seed gives the same answers in each run. */
  let seed = 1
  const below = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const flipped = (hex: string): string => {
    const at = 2 + below(Math.max(1, hex.length - 2))
    return `${hex.slice(0, at)}${((Number.parseInt(hex[at] ?? '0', 16) + 1 + below(15)) % 16).toString(16)}${hex.slice(at + 1)}`
  }
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape is changed
  type Proof = any
  const listNodes = (proof: Proof): string[][] => [
    proof.accountProof,
    ...proof.storageProof.map(({ proof: nodes }: { proof: string[] }) => nodes),
  ]
  /** Changes a list of nodes, of the account or of a slot. */
  const inNodes =
    (change: (nodes: string[]) => void): (() => Lie) =>
    () =>
      lies.result(proofs, (proof) => {
        const lists = listNodes(proof).filter((nodes) => nodes.length > 0)
        change(pick(lists.slice(-1 - below(2))))
        return proof
      })
  /** An honest proof of something else. */
  const instead =
    (change: (params: readonly unknown[]) => readonly unknown[]): (() => Lie) =>
    () =>
    async (asked, honest) =>
      asked.method === proofs ? json(asked.id, (await honest(change(asked.params))).result) : undefined

  const wrongProofs: readonly (readonly [string, () => Lie])[] = [
    ['none', () => () => undefined],
    ['a node altered', inNodes((nodes) => nodes.splice(below(nodes.length), 1, flipped(pick(nodes))))],
    ['the last node gone', inNodes((nodes) => nodes.pop())],
    ['the first node gone', inNodes((nodes) => nodes.shift())],
    ['a node twice', inNodes((nodes) => nodes.push(nodes[0]!))],
    ['no nodes', inNodes((nodes) => nodes.splice(0))],
    ['a thousand nodes', inNodes((nodes) => nodes.push(...Array(1000).fill(nodes[0])))],
    ['a node of 100 KB', inNodes((nodes) => nodes.push(`0x${'ab'.repeat(100_000)}`))],
    ['no node but text', inNodes((nodes) => nodes.push('0xzz'))],
    ['nodes the other way round', inNodes((nodes) => nodes.reverse())],
    ['of another account', instead(([, slots, block]) => [evilCoin.address, slots, block])],
    ['of the account of nobody', instead(([, slots, block]) => [`0x${'77'.repeat(20)}`, slots, block])],
    ['of another slot', instead(([address, , block]) => [address, [word(below(9))], block])],
    ['of no slot', instead(([address, , block]) => [address, [], block])],
    ['of another block', instead(([address, slots]) => [address, slots, numberToHex(startBlock)])],
    [
      'whose values say otherwise',
      () =>
        lies.result(proofs, (proof) => ({
          ...proof,
          storageProof: proof.storageProof.map((one: object) => ({ ...one, value: '0x895440' })),
        })),
    ],
    [
      'whose account says otherwise',
      () => lies.result(proofs, (proof) => ({ ...proof, storageHash: flipped(proof.storageHash) })),
    ],
    ['null', () => lies.result(proofs, () => null)],
    ['a list', () => lies.result(proofs, () => [])],
    ['no members', () => lies.result(proofs, () => ({}))],
    ['no answer', () => lies.error(-32601, 'the method does not exist', [proofs])],
    ['a broken document', () => lies.halfDocument(proofs)],
  ]
  const evilCode = (wanted: Hex) => `0x7f${wanted.slice(2)}5f5260205ff3`
  const wrongBlocks: readonly (readonly [string, (one: Case) => Lie])[] = [
    ['none', () => () => undefined],
    [
      'another state root',
      () => lies.result('eth_getBlockByHash', (block) => ({ ...block, stateRoot: flipped(block.stateRoot) })),
    ],
    [
      'the header of another block',
      () => async (asked, honest) => {
        if (asked.method !== 'eth_getBlockByHash') return undefined
        const { hash } = await anvil.publicClient.getBlock({ blockNumber: BigInt(startBlock) })
        return json(asked.id, (await honest([hash, false])).result)
      },
    ],
    ['other code', ({ wanted }) => lies.result('eth_getCode', () => evilCode(wanted))],
    ['no code', () => lies.result('eth_getCode', () => '0x')],
  ]

  test('does not get a claim past, in any of 1,000 answers', async () => {
    const passed: string[] = []
    const statuses = new Map<number, number>()
    const all = [...cases, ...decisions]
    for (let answers = 0; answers < 1000; answers += 1) {
      const one = all[answers % all.length]!
      const [aboutProof, wrongProof] = wrongProofs[answers % wrongProofs.length]!
      const [aboutBlock, wrongBlock] = pick(wrongBlocks)
      const isDecimals = (asked: { params: readonly unknown[] }): boolean =>
        JSON.stringify(asked.params).includes('0x313ce567')
      const call: Lie = (asked) =>
        asked.method === 'eth_call' && !isDecimals(asked) ? json(asked.id, one.wanted) : undefined
      node.lie(call, wrongProof(), wrongBlock(one))
      const { status } = await of(mallory, one)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200 || status === 201) passed.push(`${one.id}: ${aboutProof}, ${aboutBlock}`)
    }
    expect(passed).toEqual([])
    // The node was asked and found out, and not the claim.
    expect([...statuses.keys()]).toEqual([503])
    node.tellTheTruth()
    expect((await of(alice, cases[0]!)).status).toBe(200)
    expect(await of(mallory, cases[0]!)).toMatchObject(failed('token-holding', 'BALANCE_TOO_LOW'))
  }, 120_000)

  test('does not make a claim untrue that is true', async () => {
    for (const one of decisions.slice(0, 2)) {
      node.lie(lies.result('eth_call', () => (one.wanted === '0x01' ? '0x00' : zeroHash)))
      expect((await of(alice, one)).status).toBe(503)
    }
    const nobodys = [zeroHash, zeroHash, zeroHash, pad(bob.address as Hex)]
    for (const [index, one] of cases.entries())
      for (const [, wrongProof] of wrongProofs.slice(0, 12)) {
        node.lie(
          lies.result('eth_call', () => nobodys[index]),
          wrongProof(),
        )
        expect((await of(alice, one)).status).toBe(503)
      }
    node.lie(lies.result('eth_getCode', () => '0x'))
    const own = await startApp(asksForProofs)
    for (const one of cases) expect((await asking(own, one.id)(alice, one.data)).status).toBe(503)
    node.tellTheTruth()
  })

  test('does not change how many decimals a token has', async () => {
    const decimals = encodeFunctionData({ abi: parseAbi(['function decimals() view returns (uint8)']) })
    const lie: Lie = (asked) =>
      asked.method === 'eth_call' && JSON.stringify(asked.params).includes(decimals)
        ? json(asked.id, word(0))
        : undefined
    node.lie(lie)
    const asked = { ...cases[0]!, data: { ...cases[0]!.data, minBalance: '1000' } }
    expect((await of(alice, asked)).status).toBe(503)
    node.tellTheTruth()
    expect(await of(alice, asked)).toMatchObject(failed('token-holding', 'BALANCE_TOO_LOW'))
  })
})
