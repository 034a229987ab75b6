/** The checks of doctor on an EVM chain. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Hex } from 'viem'
import { OutsideError } from '../../../src/outside/failure.ts'
import type { Probe } from '../../../src/outside/probe.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { type LyingRpc, lies, startLyingRpc } from '../../parts/lying-rpc.ts'
import { openBase } from './evm-chain.ts'

let anvil: Anvil
let liar: LyingRpc
let eas: Deployed
let oracle: Deployed
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  eas = await deploy(anvil, 'EAS', [(await deploy(anvil, 'SchemaRegistry')).address])
  oracle = await deploy(anvil, 'SanctionsOracle')
})
beforeEach(() => {
  liar = startLyingRpc(anvil.url)
})
afterEach(() => liar.stop())
afterAll(() => anvil.stop())

/** One line for each probe, as doctor would print it. */
const linesOf = (probes: readonly Probe[]): Promise<string[]> =>
  Promise.all(
    probes.map(async ({ setting, run }) => {
      try {
        const { level, says } = await run()
        return `${level} ${setting}: ${says}`
      } catch (error) {
        if (error instanceof OutsideError) return `thrown ${error.message} (${error.mend})`
        throw error
      }
    }),
  )
const examine = (rpc: readonly string[], options: Parameters<typeof openBase>[1] = {}): Promise<string[]> =>
  linesOf(openBase(rpc, options).probes)

describe('doctor', () => {
  test('tries each endpoint, and says how far it is', async () => {
    const newest = await anvil.publicClient.getBlockNumber()
    expect(await examine([anvil.url, liar.url])).toEqual([
      `ok chains.base.rpc[0]: answers for eip155:8453 at block ${newest}, 0 s old; keeps old blocks`,
      `ok chains.base.rpc[1]: answers for eip155:8453 at block ${newest}, 0 s old; keeps old blocks`,
    ])
  })

  test('finds the endpoint that cannot prove its state, where proofs are asked for', async () => {
    const proving = () => examine([liar.url], { proofs: true })
    expect((await proving())[0]).toEndWith('; keeps old blocks; proves its state')
    liar.lie(lies.error(-32601, 'the method does not exist', ['eth_getProof']))
    expect(await proving()).toEqual([
      'thrown chains.base.rpc[0]: does not offer eth_getProof (use the address of a full EVM node, or set proofs = false for this chain)',
    ])
    liar.lie(lies.result('eth_getProof', (proof) => ({ ...proof, accountProof: proof.accountProof.slice(1) })))
    expect((await proving())[0]).toStartWith(
      'thrown chains.base.rpc[0]: gave an answer to eth_getProof that is not proved by the header of the block',
    )
    liar.lie(lies.result('eth_getBlockByHash', (block) => ({ ...block, extraData: '0x12' })))
    expect((await proving())[0]).toStartWith(
      'thrown chains.base.rpc[0]: gives no header that has the hash of the block',
    )
    expect((await examine([liar.url]))[0]).toStartWith('ok chains.base.rpc[0]')
  })

  test('finds the endpoint of another chain, the one that is behind and the one that is not there', async () => {
    liar.lie(lies.chainId(1))
    expect(await examine([liar.url, 'http://127.0.0.1:1'])).toEqual([
      'thrown chains.base.rpc[0]: is of eip155:1, not of eip155:8453 (give an endpoint of the right chain, or set the chain that this one is of)',
      expect.stringMatching(/^thrown chains\.base\.rpc\[1\]: /),
    ])
    liar.lie(lies.olderBlocks(3600))
    expect((await examine([liar.url]))[0]).toContain('is behind its chain')
  })

  test('finds an endpoint that keeps no old blocks, and one that cannot read by block hash', async () => {
    liar.lie((asked) =>
      asked.params.includes('0x1')
        ? Response.json({ jsonrpc: '2.0', id: asked.id, error: { code: -32000, message: 'missing trie node' } })
        : undefined,
    )
    expect((await examine([liar.url]))[0]).toEndWith('; cannot answer about old blocks')
    // A node from before EIP-1898 takes the number of a block, or a word, and no object.
    liar.lie((asked) =>
      asked.params.some((param) => typeof param === 'object')
        ? lies.error(-32602, 'invalid argument 1')(asked, async () => ({ id: asked.id }))
        : undefined,
    )
    expect((await examine([liar.url]))[0]).toMatch(
      /^warn chains\.base\.rpc\[0\]: answers for eip155:8453 .*; takes no block hash \(EIP-1898\)/,
    )
    liar.lie(lies.error(-32602, 'invalid argument 1', ['eth_getBalance']))
    expect((await examine([liar.url]))[0]).toStartWith(
      'thrown chains.base.rpc[0]: answered eth_getBalance with the error -32602',
    )
  })

  test('tries whether a quorum of endpoints agrees', async () => {
    const agreementOf = async (rpc: readonly string[]) => (await examine(rpc, { agree: 2 })).at(-1)
    const newest = await anvil.publicClient.getBlockNumber()
    expect(await agreementOf([anvil.url, liar.url])).toBe(
      `ok chains.base.agree: 2 endpoints agree on block ${newest}, and 2 must`,
    )
    liar.lie(lies.blockHash(`0x${'12'.repeat(32)}`))
    expect(await agreementOf([anvil.url, liar.url])).toStartWith('thrown chains.base.rpc: gave different answers')
    expect(await agreementOf([anvil.url])).toBe(
      'thrown chains.base.agree: asks for 2 endpoints that agree, and rpc has 1 (add endpoints of other hosts to chains.base.rpc, or lower chains.base.agree)',
    )
  })

  test('tries the contracts', async () => {
    const contracts = { eas: eas.address, sanctionsOracle: oracle.address }
    expect((await examine([anvil.url], contracts)).slice(1)).toEqual([
      `ok chains.base.eas: answers as the Ethereum Attestation Service at ${eas.address}`,
      `ok chains.base.sanctions_oracle: answers as a sanctions oracle at ${oracle.address}`,
    ])
  })

  test('finds contracts that are not there, and others than the expected ones', async () => {
    const nobody: Hex = '0x00000000000000000000000000000000000000aa'
    const absent = await examine([anvil.url], { eas: nobody, sanctionsOracle: nobody })
    for (const line of absent.slice(1))
      expect(line).toMatch(/^fail chains\.base\.\w+: no contract stands at 0x0+aa on eip155:8453$/)
    const garbage = (await deploy(anvil, 'ReturnsGarbage')).address
    const short = (await deploy(anvil, 'Returns31Bytes')).address
    // PUSH0, NOT, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: a word that is neither a time nor a boolean.
    const allOnes: Hex = '0x00000000000000000000000000000000000000ff'
    await anvil.rpc('anvil_setCode', [allOnes, '0x5f195f5260205ff3'])
    for (const wrong of [oracle.address, garbage, short, allOnes])
      expect((await examine([anvil.url], { eas: wrong })).at(-1)).toBe(
        `fail chains.base.eas: the contract at ${wrong} does not answer as the Ethereum Attestation Service`,
      )
    for (const wrong of [eas.address, garbage, short, allOnes])
      expect((await examine([anvil.url], { sanctionsOracle: wrong })).at(-1)).toBe(
        `fail chains.base.sanctions_oracle: the contract at ${wrong} does not answer as a sanctions oracle`,
      )
  })
})
