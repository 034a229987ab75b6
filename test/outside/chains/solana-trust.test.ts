/** Answers of a Solana endpoint that are refused: another cluster, an old state, lies, nonsense, and silence. */
import { afterAll, describe, expect, test } from 'bun:test'
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, type PublicKey } from '@solana/web3.js'
import type { OutsideError } from '../../../src/outside/failure.ts'
import { startOfTime } from '../../app.ts'
import { devnetGenesis, type Lie, mainnetGenesis } from '../../parts/solana/rpc.ts'
import type { Mint } from '../../parts/solana/tokens.ts'
import { startSolana } from '../../parts/solana.ts'
import { chainOver, faultOf } from './solana-chain.ts'

const ledger = startSolana()
afterAll(() => ledger.stop())

const { mint, owner } = ledger.issue(5n, { decimals: 0 })
const asked = [owner.toBase58(), mint.address.toBase58()] as const

describe('the cluster', () => {
  const localGenesis = 'GwoHvPQf1RrxQTDVGUAuEBRxqWvnqrbcLFTqDkcBGL4k'
  const byHash = (hash: string): string => `solana:${hash.slice(0, 32)}`

  test.each([
    ['solana:mainnet', mainnetGenesis, [byHash(mainnetGenesis), 'solana:mainnet']],
    [byHash(mainnetGenesis), mainnetGenesis, [byHash(mainnetGenesis), 'solana:mainnet']],
    ['solana:devnet', devnetGenesis, [byHash(devnetGenesis), 'solana:devnet']],
    [byHash(localGenesis), localGenesis, [byHash(localGenesis)]],
  ])('%s is known by its genesis hash', async (id, genesisHash, spellings) => {
    const chain = chainOver([ledger.serve({ genesisHash })], { chain: id })
    expect(chain.chain).toBe(spellings[0]!)
    expect(chain.spellings).toEqual(spellings)
    expect(await chain.readTokenHolding(...asked)).toMatchObject({ amount: 5n })
  })

  test.each([
    ['solana:mainnet', devnetGenesis],
    ['solana:devnet', mainnetGenesis],
    [byHash(localGenesis), mainnetGenesis],
    ['solana:mainnet', localGenesis],
    // The first 32 characters are not enough where the whole hash is known.
    ['solana:mainnet', `${mainnetGenesis.slice(0, 32)}${localGenesis.slice(32)}`],
    ['solana:nowhere', mainnetGenesis],
  ])('%s is not believed to an endpoint with the genesis hash %s', async (id, genesisHash) => {
    const chain = chainOver([ledger.serve({ genesisHash })], { chain: id })
    expect(await faultOf(chain.readTokenHolding(...asked))).toMatchObject({
      fault: 'wrong-source',
      source: 'chains.sol.rpc[0]',
      happened: `is of ${byHash(genesisHash)}, not of ${id}`,
    })
  })

  test('is asked for with every question: an endpoint can become another one', async () => {
    let hash = mainnetGenesis
    const chain = chainOver([ledger.serve({ lies: { getGenesisHash: () => hash } })])
    expect(await chain.readTokenHolding(...asked)).toMatchObject({ amount: 5n })
    hash = devnetGenesis
    expect((await faultOf(chain.readTokenHolding(...asked))).fault).toBe('wrong-source')
  })
})

describe('an endpoint that is behind', () => {
  const after = (seconds: number, staleAfterSeconds: number) =>
    chainOver([ledger.serve()], { staleAfterSeconds, now: () => startOfTime + seconds * 1000 })

  test('is not believed after stale_after_seconds', async () => {
    expect(await after(60, 60).readTokenHolding(...asked)).toMatchObject({ amount: 5n })
    expect(await faultOf(after(61, 60).readTokenHolding(...asked))).toMatchObject({
      fault: 'wrong-source',
      source: 'chains.sol.rpc[0]',
      happened: 'is 61 s behind the time',
    })
  })

  test('a missing mint is not believed either', async () => {
    const nothing = Keypair.generate().publicKey.toBase58()
    expect(await after(60, 60).readTokenHolding(asked[0], nothing)).toMatchObject({ mintKind: 'absent' })
    expect((await faultOf(after(61, 60).readTokenHolding(asked[0], nothing))).fault).toBe('wrong-source')
  })

  test('is believed at any age with 0', async () => {
    expect(await after(1_000_000, 0).readTokenHolding(...asked)).toMatchObject({ amount: 5n })
  })

  test('with its token accounts alone is not believed either', async () => {
    const behind = (slots: number) => {
      const slot = ledger.finalSlot() - slots
      const lies = { getTokenAccountsByOwner: ({ value }) => ({ value, context: { slot } }) } satisfies Record<
        string,
        Lie
      >
      return { slot, chain: chainOver([ledger.serve({ lies })], { staleAfterSeconds: 60 }) }
    }
    const [near, far] = [behind(150), behind(151)]
    expect(await near.chain.readTokenHolding(...asked)).toMatchObject({ amount: 5n, slot: near.slot })
    expect((await faultOf(far.chain.readTokenHolding(...asked))).fault).toBe('wrong-source')
  })
})

describe('a lie is not believed:', () => {
  const faultWith = (method: string, lie: Lie): Promise<OutsideError> =>
    faultOf(chainOver([ledger.serve({ lies: { [method]: lie } })]).readTokenHolding(...asked))

  /** Returns an honest endpoint's answer about other accounts. */
  async function tokenAccountsOf(who: PublicKey, what: Mint): Promise<unknown> {
    const params = [who.toBase58(), { mint: what.address.toBase58() }, { encoding: 'base64' }]
    const response = await fetch(ledger.serve().url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params }),
    })
    return ((await response.json()) as { result: unknown }).result
  }

  test('the accounts of another mint', async () => {
    const other = ledger.issue(1_000n, { decimals: 0 }, owner)
    const truth = await tokenAccountsOf(owner, other.mint)
    expect(await faultWith('getTokenAccountsByOwner', () => truth)).toMatchObject({
      fault: 'malformed',
      source: 'chains.sol.rpc[0]',
      happened: 'gave an answer to getTokenAccountsByOwner with an account that is not the one asked for',
    })
  })

  test('the accounts of another owner', async () => {
    const rich = Keypair.generate().publicKey
    ledger.mintTo(mint, ledger.openAccount(mint, rich), 1_000n)
    ledger.finalize()
    const truth = await tokenAccountsOf(rich, mint)
    expect((await faultWith('getTokenAccountsByOwner', () => truth)).happened).toContain('not the one asked for')
  })

  /** The one token account of the owner, with other members. */
  const changed =
    (change: Lie): Lie =>
    ({ context, value }) => ({ context, value: value.map(change) })
  const withAccount = (change: Lie): Lie => changed(({ pubkey, account }) => ({ pubkey, account: change(account) }))
  const withByte = (at: number, byte: number): Lie =>
    withAccount((account) => {
      const bytes = Buffer.from(account.data[0], 'base64')
      bytes[at] = byte
      return { ...account, data: [bytes.toString('base64'), 'base64'] }
    })
  const withProgram = (program: PublicKey): Lie => withAccount((account) => ({ ...account, owner: program.toBase58() }))
  const withData = (data: unknown): Lie => withAccount((account) => ({ ...account, data }))

  test.each<[string, Lie, string]>([
    ['one account twice', ({ context, value }) => ({ context, value: [...value, ...value] }), 'one account twice'],
    ['an account of the other token program', withProgram(TOKEN_2022_PROGRAM_ID), 'not the one asked for'],
    ['an account of a program of somebody’s own', withProgram(ledger.payer.publicKey), 'not the one asked for'],
    ['an account that was never initialized', withByte(108, 0), 'not the one asked for'],
    ['an account in a state that does not exist', withByte(108, 3), 'not the one asked for'],
    ['an account cut short', withData([btoa('short'), 'base64']), 'not the one asked for'],
    ['an account without an address', changed(({ account }) => ({ account })), 'no address'],
    ['an account that is nothing', changed(() => null), 'no address'],
    ['an account without a state', withAccount(() => null), 'no program or no data'],
    ['data in another encoding', withData([btoa('x'), 'base58']), 'no program or no data'],
    ['data without an encoding', withData(btoa('x')), 'no program or no data'],
    ['data that is not base64', withData(['!'.repeat(220), 'base64']), 'not base64'],
    ['data that is a number', withData([7, 'base64']), 'not base64'],
    ['no slot', ({ value }) => ({ value }), 'without a slot'],
    ['a slot of text', ({ value }) => ({ context: { slot: '7' }, value }), 'without a slot'],
    ['a slot below zero', ({ value }) => ({ context: { slot: -1 }, value }), 'without a slot'],
    ['half a slot', ({ value }) => ({ context: { slot: 1.5 }, value }), 'without a slot'],
    ['no list', ({ context }) => ({ context, value: {} }), 'without a slot and a list'],
    ['nothing', () => null, 'without a slot and a list'],
  ])('%s', async (_, lie, says) => {
    const { fault, happened } = await faultWith('getTokenAccountsByOwner', lie)
    expect(fault).toBe('malformed')
    expect(happened).toContain(says)
  })

  /** The mint and the clock: one of the two is changed. */
  const withMint =
    (change: Lie): Lie =>
    ({ context, value: [first, clock] }) => ({ context, value: [change(first), clock] })
  const withClock =
    (change: Lie): Lie =>
    ({ context, value: [first, clock] }) => ({ context, value: [first, change(clock)] })

  test.each<[string, Lie, string]>([
    ['a mint without a program', withMint((account) => ({ ...account, owner: undefined })), 'no program or no data'],
    [
      'a mint of a program that is none',
      withMint((account) => ({ ...account, owner: '0x12' })),
      'no program or no data',
    ],
    ['one account of two', ({ context, value }) => ({ context, value: value.slice(1) }), 'with 1 of 2 accounts'],
    ['no clock', withClock(() => null), 'without the clock'],
    ['a clock that somebody else keeps', withClock((clock) => ({ ...clock, owner: asked[0] })), 'without the clock'],
    ['half a clock', withClock((clock) => ({ ...clock, data: [btoa('x'.repeat(20)), 'base64'] })), 'without the clock'],
  ])('%s', async (_, lie, says) => {
    const { fault, happened } = await faultWith('getMultipleAccounts', lie)
    expect(fault).toBe('malformed')
    expect(happened).toContain(says)
  })

  test.each([
    ['a number', 7],
    ['nothing', null],
    ['a text that is no hash', 'mainnet'],
  ])('a genesis hash that is %s', async (_, hash) => {
    expect(await faultWith('getGenesisHash', () => hash)).toMatchObject({
      fault: 'malformed',
      happened: 'gave an answer to getGenesisHash that is no hash',
    })
  })
})

describe('an endpoint', () => {
  const refusing = (code: number) => () =>
    Response.json({ jsonrpc: '2.0', id: 1, error: { code, message: 'see https://rpc.example/secret-key' } })

  test.each<[string, () => Response | Promise<Response>, string, RegExp]>([
    ['behind its cluster', refusing(-32005), 'wrong-source', /^says that it is behind its cluster$/],
    ['of another kind of chain', refusing(-32601), 'wrong-source', /^does not offer get\w+$/],
    ['without indexes', refusing(-32010), 'wrong-source', /^does not offer get\w+$/],
    ['with an error of its own', refusing(-32603), 'unreachable', /^answered get\w+ with the error -32603$/],
    ['with a page of HTML', () => new Response('<html>Sign in</html>'), 'malformed', /not JSON/],
    ['with half an answer', () => new Response('{"jsonrpc":"2.0","id":1,"res'), 'malformed', /not JSON/],
    ['that answers 502', () => new Response(null, { status: 502 }), 'unreachable', /502/],
    ['that answers 429', () => new Response(null, { status: 429 }), 'rate-limited', /429/],
    ['that answers 401', () => new Response(null, { status: 401 }), 'credentials', /401/],
  ])('%s is named by its setting, and its address stays secret', async (_, instead, kind, says) => {
    const { url } = ledger.serve({ instead })
    const fault = await faultOf(chainOver([{ url: `${url}secret-key` }]).readTokenHolding(...asked))
    expect(fault).toMatchObject({ fault: kind, source: 'chains.sol.rpc[0]' })
    expect(fault.happened).toMatch(says)
    expect(`${fault.message} ${fault.mend}`).not.toContain('secret-key')
  })

  test('is given up after the time limit when it is silent', async () => {
    const { url } = ledger.serve({ instead: () => new Promise(() => {}) })
    expect(await faultOf(chainOver([{ url }], { timeoutMs: 100 }).readTokenHolding(...asked))).toMatchObject({
      fault: 'timeout',
      source: 'chains.sol.rpc[0]',
    })
  })

  test.each<[string, number]>([
    ['getMultipleAccounts', 1],
    ['getTokenAccountsByOwner', 8],
  ])('that sends more than %s may hold is not read to the end', async (method, mebibytes) => {
    const filled = (bytes: number) => {
      const lies: Record<string, Lie> = { [method]: (truth) => ({ ...truth, filling: 'x'.repeat(bytes) }) }
      return chainOver([ledger.serve({ lies })]).readTokenHolding(...asked)
    }
    const limit = mebibytes * 1024 * 1024
    expect(await filled(limit - 2000)).toMatchObject({ amount: 5n })
    expect(await faultOf(filled(limit))).toMatchObject({ fault: 'malformed', source: 'chains.sol.rpc[0]' })
  })

  test('is named by its setting when it is down', async () => {
    const gone = ledger.serve()
    await gone.stop()
    expect(await faultOf(chainOver([gone]).readTokenHolding(...asked))).toMatchObject({
      fault: 'unreachable',
      source: 'chains.sol.rpc[0]',
    })
  })
})
