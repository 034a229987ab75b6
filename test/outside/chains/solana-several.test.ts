/** Several endpoints of one Solana cluster: who takes over, who must agree, and what doctor hears from each. */
import { afterAll, describe, expect, test } from 'bun:test'
import { Keypair } from '@solana/web3.js'
import { startOfTime } from '../../app.ts'
import { devnetGenesis, type EndpointSettings, type Lie } from '../../parts/solana/rpc.ts'
import { startSolana } from '../../parts/solana.ts'
import { chainOver, faultOf, openOver } from './solana-chain.ts'

const ledger = startSolana()
afterAll(() => ledger.stop())

const { mint, owner } = ledger.issue(4n, { decimals: 0 })
const asked = [owner.toBase58(), mint.address.toBase58()] as const

const honest: EndpointSettings = {}
const down: EndpointSettings = { instead: () => new Response(null, { status: 503 }) }
const ofDevnet: EndpointSettings = { genesisHash: devnetGenesis }

/** Changes the bytes of the first account of an answer. */
const withBytes =
  (accountOf: Lie, change: (bytes: Buffer) => void): Lie =>
  (truth) => {
    const told = structuredClone(truth)
    const account = accountOf(told.value[0]) as { data: [string, string] }
    const bytes = Buffer.from(account.data[0], 'base64')
    change(bytes)
    account.data = [bytes.toString('base64'), 'base64']
    return told
  }
const withMintBytes = (change: (bytes: Buffer) => void): EndpointSettings => ({
  lies: { getMultipleAccounts: withBytes((account) => account, change) },
})
const tellingAmount = (amount: bigint): EndpointSettings => ({
  lies: {
    getTokenAccountsByOwner: withBytes(
      ({ account }) => account,
      (bytes) => bytes.writeBigUInt64LE(amount, 64),
    ),
  },
})
const tellingSupply = (supply: bigint) => withMintBytes((bytes) => bytes.writeBigUInt64LE(supply, 36))
const tellingDecimals = (decimals: number) => withMintBytes((bytes) => bytes.writeUInt8(decimals, 44))
const tellingNoMint: EndpointSettings = {
  lies: { getMultipleAccounts: ({ context, value: [, clock] }) => ({ context, value: [null, clock] }) },
}

const over = (agree: number, ...settings: readonly EndpointSettings[]) =>
  chainOver(
    settings.map((one) => ledger.serve(one)),
    { agree },
  ).readTokenHolding(...asked)

describe('fail-over', () => {
  test('asks only the first endpoint while it answers', async () => {
    const [first, second] = [ledger.serve(), ledger.serve()]
    const { sources } = await chainOver([first, second]).readTokenHolding(...asked)
    expect(sources).toEqual(['chains.sol.rpc[0]'])
    expect([...first.asked].sort()).toEqual(['getGenesisHash', 'getMultipleAccounts', 'getTokenAccountsByOwner'])
    expect(second.asked).toEqual([])
  })

  test.each<[string, EndpointSettings]>([
    ['is down', down],
    ['is of another cluster', ofDevnet],
    ['talks nonsense', { lies: { getMultipleAccounts: () => 'yes' } }],
  ])('goes to the next when one %s', async (_, broken) => {
    expect(await over(1, broken, honest)).toMatchObject({ amount: 4n, sources: ['chains.sol.rpc[1]'] })
  })

  test('names all of them when none can be used', async () => {
    const { fault, source, happened } = await faultOf(over(1, ofDevnet, down))
    expect({ fault, source }).toEqual({ fault: 'wrong-source', source: 'chains.sol.rpc' })
    expect(happened).toMatch(
      /^got 0 of 1 needed answers: chains\.sol\.rpc\[0\]: is of solana:\w+, not of solana:mainnet; chains\.sol\.rpc\[1\]: \w+/,
    )
  })
})

describe('agreement', () => {
  test('is reached by a quorum, and no more are asked', async () => {
    const endpoints = [ledger.serve(), ledger.serve(), ledger.serve()]
    const holding = await chainOver(endpoints, { agree: 2 }).readTokenHolding(...asked)
    expect(holding).toMatchObject({ amount: 4n, sources: ['chains.sol.rpc[0]', 'chains.sol.rpc[1]'] })
    expect(endpoints[2]!.asked).toEqual([])
  })

  test('reports the older slot, because endpoints differ', async () => {
    const slot = ledger.finalSlot() - 3
    const older: Lie = ({ value }) => ({ context: { slot }, value })
    const behind = { lies: { getMultipleAccounts: older, getTokenAccountsByOwner: older } }
    expect(await over(2, honest, behind)).toMatchObject({ amount: 4n, slot })
  })

  test('is not about the supply, which grows between two slots of a busy token', async () => {
    expect(await over(2, honest, tellingSupply(1_000n))).toMatchObject({ amount: 4n })
  })

  test('skips one that lies, which is then no source', async () => {
    expect(await over(2, tellingAmount(1_000n), honest, honest)).toMatchObject({
      amount: 4n,
      sources: ['chains.sol.rpc[1]', 'chains.sol.rpc[2]'],
    })
  })

  test.each<[string, EndpointSettings]>([
    ['the amount', tellingAmount(1_000n)],
    ['the decimals', tellingDecimals(1)],
    ['whether the mint is non-fungible', tellingSupply(1n)],
    ['whether there is a mint', tellingNoMint],
  ])('is not reached by two that differ about %s', async (_, liar) => {
    const fault = await faultOf(over(2, honest, liar))
    expect(fault).toMatchObject({
      fault: 'disagree',
      source: 'chains.sol.rpc',
      happened: 'gave different answers, and 2 endpoints must agree',
    })
    expect(fault.mend).toContain('chains.sol.rpc[0], chains.sol.rpc[1]')
  })

  test('needs more than one endpoint that knows the mint, also for a wallet without any of it', async () => {
    const endpoints = [ledger.serve(), ledger.serve(tellingNoMint)]
    const stranger = Keypair.generate().publicKey.toBase58()
    const asking = chainOver(endpoints, { agree: 2 }).readTokenHolding(stranger, asked[1])
    expect((await faultOf(asking)).fault).toBe('disagree')
  })

  test('is not reached by one alone', async () => {
    const { fault, source, happened } = await faultOf(over(2, honest, down))
    expect({ fault, source }).toEqual({ fault: 'unreachable', source: 'chains.sol.rpc' })
    expect(happened).toStartWith('got 1 of 2 needed answers: chains.sol.rpc[1]: ')
  })

  test('names the setting when there are too few endpoints for it', async () => {
    expect(await faultOf(over(2, honest))).toMatchObject({
      fault: 'disagree',
      source: 'chains.sol.agree',
      happened: 'asks for 2 endpoints that agree, and rpc has 1',
      mend: 'add endpoints of other hosts to chains.sol.rpc, or lower chains.sol.agree',
    })
  })
})

describe('doctor', () => {
  const hearAfter = (seconds: number, ...settings: readonly EndpointSettings[]) =>
    Promise.all(
      openOver(
        settings.map((one) => ledger.serve(one)),
        { now: () => startOfTime + seconds * 1000 },
      ).probes.map(async ({ setting, run }) => ({ setting, ...(await run()) })),
    )

  test('hears from each endpoint the cluster, the slot and its age', async () => {
    const found = {
      level: 'ok' as const,
      says: `answers for solana:mainnet at finalized slot ${ledger.finalSlot()}, 20 s old`,
    }
    expect(await hearAfter(20, honest, honest)).toEqual([
      { setting: 'chains.sol.rpc[0]', ...found },
      { setting: 'chains.sol.rpc[1]', ...found },
    ])
  })

  test.each<[string, EndpointSettings, number, RegExp]>([
    ['another cluster', ofDevnet, 0, /^is of solana:\w+, not of solana:mainnet$/],
    ['an old state', honest, 901, /^is 901 s behind the time$/],
    ['no answer', down, 0, /503/],
  ])('hears of %s as a fault', async (_, settings, seconds, says) => {
    const fault = await faultOf(hearAfter(seconds, settings))
    expect(fault.source).toBe('chains.sol.rpc[0]')
    expect(fault.happened).toMatch(says)
  })
})
