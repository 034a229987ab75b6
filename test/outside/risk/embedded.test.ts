/** The embedded provider on real chains: oracles, account activity, and the operator's list before both. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { type Deployed, deploy } from '../../parts/contracts/contracts.ts'
import { temporaryFolder } from '../../parts/folders.ts'
import { startGoplus, startWebacy } from '../../parts/risk-providers.ts'
import { type Env, openedRisk, outageOf, refusalOf, verdictIn, webacyAt } from './opened.ts'

let base: Anvil
let eth: Anvil
let oracle: Deployed
const folder = temporaryFolder()
const denyList = join(folder, 'deny.txt')

beforeAll(async () => {
  const chains = await Promise.all([startAnvil({ chainId: 8453 }), startAnvil({ chainId: 1 })])
  base = chains[0]
  eth = chains[1]
  oracle = await deploy(eth, 'SanctionsOracle')
})
afterAll(async () => {
  await Promise.all([base?.stop(), eth?.stop()])
})

const onBase = (): Env => ({ PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453', PROOFGATE_CHAINS_BASE_RPC: base.url })
const onEth = (contract: Hex = oracle.address): Env => ({
  PROOFGATE_CHAINS_MAIN_CHAIN: 'eip155:1',
  PROOFGATE_CHAINS_MAIN_RPC: eth.url,
  PROOFGATE_CHAINS_MAIN_SANCTIONS_ORACLE: contract,
})
const listing = (...addresses: string[]): Env => {
  writeFileSync(denyList, addresses.join('\n'))
  return { PROOFGATE_RISK_DENY_LIST: denyList }
}

const fresh: Hex = `0x${'fe'.repeat(20)}`
const sol = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** About an EVM wallet, on Base unless said otherwise. */
const assess = async (env: Env, address: string, chain = 'base', chainId = 8453) =>
  (await openedRisk(env)).standard!.assess({ address: address.toLowerCase(), chain, chainId })
const assessSolana = async (env: Env, address: string) =>
  (await openedRisk(env)).standard!.assess({ address, chain: 'sol' })
const used = () => base.accounts[0].address
const harmless = { overallRisk: 0, riskLevel: 'low', sanctioned: false, poisoned: false }
const sanctioned = { overallRisk: 100, riskLevel: 'critical', sanctioned: true, poisoned: false }

describe('the activity of an account', () => {
  test('is harmless for a wallet that sends and holds; the block and the endpoint are named', async () => {
    await base.send({ to: fresh })
    const assessment = await assess(onBase(), used())
    expect(verdictIn(assessment)).toEqual(harmless)
    expect(assessment).toMatchObject({ issues: [], checked: ['activity'], sources: ['chains.base.rpc[0]'] })
    expect(assessment.blocks).toEqual([
      { chain: 'eip155:8453', blockNumber: Number(await base.publicClient.getBlockNumber()) },
    ])
  })

  test('a wallet that has sent nothing and holds nothing is fresh, until it gets something', async () => {
    const { issues, ...assessment } = await assess(onBase(), fresh)
    expect(verdictIn({ ...assessment, issues })).toEqual({ ...harmless, overallRisk: 40, riskLevel: 'medium' })
    expect(issues).toMatchObject([{ tag: 'fresh_wallet', severity: 'medium' }])

    const funded: Hex = `0x${'fd'.repeat(20)}`
    await base.send({ to: funded, value: 1n })
    expect(verdictIn(await assess(onBase(), funded))).toEqual(harmless)
  })

  test('an account counts as fresh only on the chain of the question', async () => {
    const funded: Hex = `0x${'fc'.repeat(20)}`
    await base.send({ to: funded, value: 1n })
    const env = { ...onBase(), ...onEth() }
    expect((await assess(env, funded)).issues).toEqual([])
    expect((await assess(env, funded, 'eth', 1)).issues).toMatchObject([{ tag: 'fresh_wallet' }])
  })

  test('a contract is reported as one', async () => {
    const { address } = await deploy(base, 'Erc20', [6])
    const assessment = await assess(onBase(), address)
    expect(verdictIn(assessment)).toEqual({ ...harmless, overallRisk: 10 })
    expect(assessment.issues).toMatchObject([{ tag: 'contract', severity: 'low' }])
  })

  test('an account that runs the code of a contract is reported with that contract (EIP-7702)', async () => {
    const { account, address } = base.accounts[2]
    const delegate = await deploy(base, 'Erc20', [6])
    const authorization = await account.signAuthorization({
      address: delegate.address,
      chainId: 8453,
      nonce: await base.publicClient.getTransactionCount({ address }),
    })
    const hash = await base.walletClient.sendTransaction({
      account: base.accounts[1].account,
      chain: null,
      to: fresh,
      authorizationList: [authorization],
    })
    await base.publicClient.waitForTransactionReceipt({ hash })

    const assessment = await assess(onBase(), address)
    expect(verdictIn(assessment)).toEqual({ ...harmless, overallRisk: 30, riskLevel: 'medium' })
    expect(assessment.issues).toEqual([
      { tag: 'delegated_account', severity: 'medium', description: `Runs the code of ${delegate.address} (EIP-7702)` },
    ])
  })
})

describe('sanctions oracles', () => {
  test('a wallet that the oracle of its chain names is sanctioned', async () => {
    await oracle.write('set', [used(), true])
    const assessment = await assess(onEth(), used(), 'eth', 1)
    expect(verdictIn(assessment)).toEqual(sanctioned)
    expect(assessment.checked).toEqual(['sanctions', 'activity'])
    expect(assessment.issues).toEqual([
      {
        tag: 'sanctions_oracle',
        severity: 'critical',
        description: 'chains.main.sanctions_oracle says that it is sanctioned',
      },
    ])
    await oracle.write('set', [used(), false])
    expect(verdictIn(await assess(onEth(), used(), 'eth', 1))).toEqual(harmless)
  })

  test('an oracle of another chain counts as well, and its block and endpoint are named', async () => {
    await oracle.write('set', [used(), true])
    const assessment = await assess({ ...onBase(), ...onEth() }, used())
    expect(verdictIn(assessment)).toEqual(sanctioned)
    expect(assessment.sources).toEqual(['chains.base.rpc[0]', 'chains.main.rpc[0]'])
    expect(assessment.blocks.map(({ chain }) => chain)).toEqual(['eip155:8453', 'eip155:1'])
    await oracle.write('set', [used(), false])
  })

  test('need one of two to name the wallet, also when it is not that of the named chain', async () => {
    const other = await deploy(base, 'SanctionsOracle')
    const env = { ...onBase(), PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: other.address, ...onEth() }
    expect(verdictIn(await assess(env, used()))).toEqual(harmless)
    await oracle.write('set', [used(), true])
    expect(verdictIn(await assess(env, used()))).toEqual(sanctioned)
    await oracle.write('set', [used(), false])
  })

  test.each<[string, () => Promise<Hex>, RegExp]>([
    ['is no contract', async () => fresh, /there is no such contract/],
    ['reverts', async () => (await deploy(eth, 'WalletReverting')).address, /reverted/],
    ['burns gas', async () => (await deploy(eth, 'BurnsGas')).address, /out-of-gas/],
    ['answers with 2 MB', async () => (await deploy(eth, 'Returns2Megabytes')).address, /too-large/],
    ['answers with garbage', async () => (await deploy(eth, 'ReturnsGarbage')).address, /neither yes nor no/],
    ['answers with 31 bytes', async () => (await deploy(eth, 'Returns31Bytes')).address, /neither yes nor no/],
  ])('an oracle that %s has not said "not sanctioned"', async (_, contract, happened) => {
    const error = await outageOf(assess(onEth(await contract()), used(), 'eth', 1))
    expect(error.source).toBe('chains.main.sanctions_oracle')
    expect(error.message).toMatch(happened)
  })

  test('an oracle whose chain does not answer has not said "not sanctioned"', async () => {
    const env = { ...onBase(), ...onEth(), PROOFGATE_CHAINS_MAIN_RPC: 'http://127.0.0.1:9' }
    expect((await outageOf(assess(env, used()))).source).toBe('chains.main.rpc[0]')
  })
})

describe('chains and networks', () => {
  test('an EVM chain that is not configured is refused with those that are, where no sanctions are known', async () => {
    const refusal = await refusalOf(assess(onBase(), used(), 'bsc', 56))
    expect(refusal.message).toContain('bsc')
    expect(refusal.message).toContain('name one of base in')
    expect(refusal.message).toContain('"eip155:56"')
  })

  test('a chain without a short name is known by its id', async () => {
    const refusal = await refusalOf(assess(onBase(), used(), 'eip155:31337', 31_337))
    expect(refusal.message).toContain('eip155:31337')
  })

  test('an EVM chain that is not configured is left to the oracles of others, else to the list', async () => {
    const asked = async (env: Env) => (await assess(env, used(), 'bsc', 56)).asked
    const notAsked = [{ chain: 'bsc', reason: 'CHAIN_NOT_CONFIGURED' }]
    expect(await asked({ ...onBase(), ...onEth() })).toMatchObject([{ chains: ['eth'], notAsked }])
    expect(await asked({ ...onBase(), ...listing() })).toMatchObject([{ chains: [], notAsked, checked: [] }])
    await oracle.write('set', [used(), true])
    expect(verdictIn(await assess({ ...onBase(), ...onEth() }, used(), 'bsc', 56))).toEqual(sanctioned)
    await oracle.write('set', [used(), false])
  })

  test('a wallet of another network is known by the list alone', async () => {
    const refusal = await refusalOf(assessSolana(onBase(), sol))
    expect(refusal.message).toContain('risk.deny_list')

    const listed = { ...onBase(), ...listing(sol) }
    expect(verdictIn(await assessSolana(listed, sol))).toEqual(sanctioned)
    const other = await assessSolana(listed, 'So11111111111111111111111111111111111111112')
    expect(verdictIn(other)).toEqual(harmless)
    expect(other).toMatchObject({ checked: ['sanctions'], sources: ['risk.deny_list'], blocks: [] })
  })

  test('leave the verdict to the list on every chain when none is configured', async () => {
    const env = listing(fresh)
    expect(verdictIn(await assess(env, fresh, 'bsc', 56))).toEqual(sanctioned)
    expect(verdictIn(await assess(env, used(), 'bsc', 56))).toEqual(harmless)
  })
})

describe('an oracle that names the wallet', () => {
  test.each(['all', 'any', 'fallback'])('counts under %s also while another chain does not answer', async (policy) => {
    const goplus = startGoplus()
    await oracle.write('set', [used(), true])
    const env = {
      ...onBase(),
      ...onEth(),
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9',
      PROOFGATE_RISK_PROVIDERS: 'embedded,goplus',
      PROOFGATE_RISK_POLICY: policy,
      PROOFGATE_RISK_GOPLUS_URL: goplus.url,
    }
    const { asked, ...assessment } = await assess(env, used())
    expect(verdictIn({ ...assessment })).toEqual(sanctioned)
    expect(asked[0]).toMatchObject({ provider: 'embedded', checked: ['sanctions'] })
    await oracle.write('set', [used(), false])
    if (policy === 'all') expect((await outageOf(assess(env, used()))).source).toBe('chains.base.rpc[0]')
  })
})

describe('the embedded provider with another provider', () => {
  const goplus = startGoplus()
  afterEach(() => {
    goplus.fault = undefined
  })
  const withGoplus = (): Env => ({
    ...onBase(),
    ...onEth(),
    PROOFGATE_RISK_PROVIDERS: 'goplus,embedded',
    PROOFGATE_RISK_GOPLUS_URL: goplus.url,
  })
  const listHeard = async (env: Env, chain: string, chainId: number) => {
    const { asked, checked } = await assess(env, used(), chain, chainId)
    return { heard: asked.map(({ provider, answered }) => [provider, answered]), checked }
  }

  test('does not let an unconfigured EVM chain bypass the oracles', async () => {
    expect(await listHeard(withGoplus(), 'bsc', 56)).toEqual({
      heard: [
        ['goplus', true],
        ['embedded', true],
      ],
      checked: ['sanctions', 'activity'],
    })
    const { asked } = await assess(withGoplus(), used(), 'bsc', 56)
    expect(asked.map(({ chains }) => chains)).toEqual([undefined, ['eth']])
    await oracle.write('set', [used(), true])
    expect(verdictIn(await assess(withGoplus(), used(), 'bsc', 56))).toEqual(sanctioned)
    await oracle.write('set', [used(), false])
  })

  test('gives no verdict by the oracles alone where the other is down, whatever the policy', async () => {
    goplus.fault = 'it has a fault of its own (500)'
    for (const policy of ['all', 'any', 'fallback']) {
      const env = { ...withGoplus(), PROOFGATE_RISK_POLICY: policy }
      expect((await outageOf(assess(env, used(), 'bsc', 56))).source).toBe('risk.goplus')
    }
    const env = { ...withGoplus(), PROOFGATE_RISK_POLICY: 'any' }
    expect((await listHeard(env, 'base', 8453)).heard).toEqual([
      ['goplus', false],
      ['embedded', true],
    ])
  })

  test('with fallback, the list alone does not stand in for a provider that comes later', async () => {
    const webacy = startWebacy()
    const env = {
      ...webacyAt(webacy.url),
      ...listing(),
      PROOFGATE_RISK_PROVIDER: '',
      PROOFGATE_RISK_PROVIDERS: 'embedded,webacy',
      PROOFGATE_RISK_POLICY: 'fallback',
    }
    const { asked } = await assessSolana(env, sol)
    expect(asked.map(({ provider, answered }) => [provider, answered])).toEqual([
      ['embedded', true],
      ['webacy', true],
    ])
  })

  test('where no oracle is configured, embedded has nothing to say of such a chain', async () => {
    const env = { ...withGoplus(), PROOFGATE_CHAINS_MAIN_SANCTIONS_ORACLE: '' }
    expect((await listHeard(env, 'bsc', 56)).heard).toEqual([
      ['goplus', true],
      ['embedded', false],
    ])
  })
})

describe('the operator’s list before a chain', () => {
  test('names a wallet that the chain finds harmless, and no other provider is asked', async () => {
    const env = { ...onBase(), ...listing(used()), PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9' }
    const assessment = await assess(env, used())
    expect(verdictIn(assessment)).toEqual(sanctioned)
    expect(assessment.sources).toEqual(['risk.deny_list'])
  })

  test('does not name it: then the chain is asked, and both are named', async () => {
    const assessment = await assess({ ...onBase(), ...listing(fresh) }, used())
    expect(verdictIn(assessment)).toEqual(harmless)
    expect(assessment.sources).toEqual(['risk.deny_list', 'chains.base.rpc[0]'])
    expect(assessment.checked).toEqual(['sanctions', 'activity'])
  })

  test('cannot be read: the chain alone is not enough', async () => {
    const env = { ...onBase(), ...listing('nonsense') }
    expect((await outageOf(assess(env, used()))).source).toBe('risk.deny_list')
  })
})
