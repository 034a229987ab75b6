/** nft-ownership and token-holding about mints of Solana: over HTTP, against a real ledger behind JSON-RPC. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  createFreezeAccountInstruction,
  createTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { startApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import { devnetGenesis, type EndpointSettings, mainnetGenesis } from '../parts/solana/rpc.ts'
import type { Mint } from '../parts/solana/tokens.ts'
import { startSolana } from '../parts/solana.ts'
import { alice, bob, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const byHash = `solana:${mainnetGenesis.slice(0, 32)}`
/** The key of the wallet `sol`, as its own programs would hold it. */
const solKey = Keypair.fromSeed(Uint8Array.from({ length: 32 }, (_, index) => index + 1))
const someone = Keypair.generate().publicKey

const ledger = startSolana()
afterAll(() => ledger.stop())

const settings = (...rpc: readonly string[]) => ({
  PROOFGATE_CHAINS_SOL_CHAIN: 'solana:mainnet',
  PROOFGATE_CHAINS_SOL_RPC: rpc.join(','),
  PROOFGATE_LIMITS_ENABLED: 'false',
})
const app = await startApp(settings(ledger.serve().url))
const askNft = asking(app, 'nft-ownership')
const askToken = asking(app, 'token-holding')

const about = ({ address }: Mint) => ({ contractAddress: address.toBase58(), chain: 'solana:mainnet' })
const nftClaim = (mint: Mint) => ({ ...about(mint), tokenId: mint.address.toBase58() })
const tokenClaim = (mint: Mint, minBalance = '1.5') => ({ ...about(mint), minBalance })

const { mint: art, account: artAccount } = ledger.issue(1n, { decimals: 0 }, solKey.publicKey)
const { mint: coin } = ledger.issue(1_500_000n, {}, solKey.publicKey)
const { mint: foreignArt } = ledger.issue(1n, { decimals: 0 }, someone)
const { mint: foreignCoin } = ledger.issue(1_500_000n, {}, someone)

test('the wallet of these tests is the owner on the ledger', () => {
  expect(solKey.publicKey.toBase58()).toBe(sol.address)
})

describe('nft-ownership on Solana (src/guides/wire.md, "nft-ownership") holds', () => {
  test('for the bare minimum: the signer holds the one token of a mint', async () => {
    const answer = await askNft(sol, nftClaim(art))
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'verified', final: true } } })
    expect(evidenceIn(answer)).toEqual({
      input: {
        ownerAddress: sol.address,
        contractAddress: art.address.toBase58(),
        tokenId: art.address.toBase58(),
        chain: byHash,
      },
      onChainData: { actualOwner: sol.address, chain: byHash, slot: ledger.finalSlot() },
      sources: ['chains.sol.rpc[0]'],
      verificationTimestamp: app.now(),
    })
  })

  test.each<[string, object]>([
    ['the cluster by its genesis hash', { chain: byHash }],
    ['the token id 0', { tokenId: '0' }],
    ['the owner by name', { ownerAddress: sol.address }],
  ])('for %s', async (_, more) => {
    expect((await askNft(sol, { ...nftClaim(art), ...more })).status).toBe(200)
  })

  test('for a token that is frozen where it is', async () => {
    const { mint, account } = ledger.issue(1n, { decimals: 0 }, solKey.publicKey)
    ledger.send([createFreezeAccountInstruction(account, mint.address, ledger.payer.publicKey)])
    ledger.finalize()
    expect((await askNft(sol, nftClaim(mint))).status).toBe(200)
  })

  test('for a mint of Token-2022', async () => {
    const { mint } = ledger.issue(1n, { decimals: 0, program: TOKEN_2022_PROGRAM_ID }, solKey.publicKey)
    expect((await askNft(sol, nftClaim(mint))).status).toBe(200)
  })

  test('for an EVM signer who asks about a Solana wallet', async () => {
    const answer = await askNft(alice, nftClaim(art), { subjectWallet: sol.address })
    expect(evidenceIn(answer).input.ownerAddress).toBe(sol.address)
  })
})

describe('token-holding on Solana (src/guides/wire.md, "token-holding") holds', () => {
  test('for exactly the minimum, and tells no balance', async () => {
    const answer = await askToken(sol, tokenClaim(coin))
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'verified' } } })
    expect(evidenceIn(answer)).toEqual({
      input: {
        ownerAddress: sol.address,
        contractAddress: coin.address.toBase58(),
        minBalance: '1.5',
        chain: byHash,
      },
      onChainData: {
        requiredMinBalance: '1.5',
        requiredMinBalanceBaseUnits: '1500000',
        decimals: 6,
        chain: byHash,
        slot: ledger.finalSlot(),
      },
      sources: ['chains.sol.rpc[0]'],
      verificationTimestamp: app.now(),
    })
  })

  test('for several token accounts together, and not for the largest of them alone', async () => {
    const { mint } = ledger.issue(1_000_000n, {}, solKey.publicKey)
    expect(await askToken(sol, tokenClaim(mint))).toMatchObject(failed('token-holding', 'BALANCE_TOO_LOW'))
    ledger.mintTo(mint, ledger.openFurtherAccount(mint, solKey.publicKey), 500_000n)
    ledger.finalize()
    expect((await askToken(sol, tokenClaim(mint))).status).toBe(200)
  })

  test('for a mint of Token-2022', async () => {
    const { mint } = ledger.issue(15n, { decimals: 1, program: TOKEN_2022_PROGRAM_ID }, solKey.publicKey)
    expect((await askToken(sol, tokenClaim(mint))).status).toBe(200)
  })

  test('for the largest amount there is, to the last unit', async () => {
    const { mint } = ledger.issue(2n ** 64n - 1n, { decimals: 9 }, solKey.publicKey)
    expect((await askToken(sol, tokenClaim(mint, '18446744073.709551615'))).status).toBe(200)
    const { mint: less } = ledger.issue(2n ** 64n - 2n, { decimals: 9 }, solKey.publicKey)
    expect(await askToken(sol, tokenClaim(less, '18446744073.709551615'))).toMatchObject(
      failed('token-holding', 'BALANCE_TOO_LOW'),
    )
  })
})

describe('a claim about Solana is untrue and leaves nothing:', () => {
  const nothing = { address: Keypair.generate().publicKey, program: coin.program }
  const { mint: pair } = ledger.issue(2n, { decimals: 0 }, solKey.publicKey)

  test.each<[string, object, string]>([
    ['the token is somebody else’s', nftClaim(foreignArt), 'NOT_TOKEN_OWNER'],
    ['the owner is not the signer', { ...nftClaim(art), ownerAddress: someone.toBase58() }, 'OWNER_MISMATCH'],
    ['there is no mint', nftClaim(nothing), 'MINT_NOT_FOUND'],
    ['a token account stands for the mint', nftClaim({ ...art, address: artAccount }), 'NOT_A_MINT'],
    ['a program stands for the mint', nftClaim({ ...art, address: art.program }), 'NOT_A_MINT'],
    ['there are two of it', nftClaim(pair), 'NOT_AN_NFT'],
    ['it can be divided', nftClaim(coin), 'NOT_AN_NFT'],
  ])('nft-ownership, %s', async (_, data, reason) => {
    expect(await leavesNothing(app.parts, () => askNft(sol, data))).toMatchObject(failed('nft-ownership', reason))
  })

  test.each<[string, object, string]>([
    ['there is too little by one unit', tokenClaim(coin, '1.500001'), 'BALANCE_TOO_LOW'],
    ['it is somebody else’s', tokenClaim(foreignCoin), 'BALANCE_TOO_LOW'],
    ['the owner is not the signer', { ...tokenClaim(coin), ownerAddress: someone.toBase58() }, 'OWNER_MISMATCH'],
    ['there is no mint', tokenClaim(nothing), 'MINT_NOT_FOUND'],
    ['a wallet stands for the mint', tokenClaim({ ...coin, address: ledger.payer.publicKey }), 'NOT_A_MINT'],
    ['the minimum has more digits than the token', tokenClaim(coin, '1.0000001'), 'MIN_BALANCE_TOO_FINE'],
  ])('token-holding, %s', async (_, data, reason) => {
    expect(await leavesNothing(app.parts, () => askToken(sol, data))).toMatchObject(failed('token-holding', reason))
  })

  test('both, before the tokens are final', async () => {
    const { mint } = ledger.issue(0n, { decimals: 0 }, solKey.publicKey)
    ledger.mintTo(mint, ledger.openAccount(mint, solKey.publicKey), 1n)
    await leavesNothing(app.parts, async () => {
      expect(await askNft(sol, nftClaim(mint))).toMatchObject(failed('nft-ownership', 'NOT_AN_NFT'))
      expect(await askToken(sol, tokenClaim(mint, '1'))).toMatchObject(failed('token-holding', 'BALANCE_TOO_LOW'))
    })
    ledger.finalize()
    expect((await askNft(sol, nftClaim(mint))).status).toBe(200)
  })

  test('both, after the tokens were sent away', async () => {
    const { mint, account } = ledger.issue(1n, { decimals: 0 }, solKey.publicKey)
    expect((await askNft(sol, nftClaim(mint))).status).toBe(200)
    const target = ledger.openAccount(mint, someone)
    ledger.send([createTransferCheckedInstruction(account, mint.address, target, solKey.publicKey, 1n, 0)], [solKey])
    ledger.finalize()
    expect(await askNft(sol, nftClaim(mint))).toMatchObject(failed('nft-ownership', 'NOT_TOKEN_OWNER'))
    expect(await askToken(sol, tokenClaim(mint, '1'))).toMatchObject(failed('token-holding', 'BALANCE_TOO_LOW'))
  })
})

describe('a claim about Solana is refused and leaves nothing:', () => {
  const wholeCoin = tokenClaim(coin)

  test.each<[string, object, string]>([
    ['an older block', { ...wholeCoin, blockNumber: 1 }, '/blockNumber'],
    ['a chain id beside the chain', { ...wholeCoin, chainId: 1 }, '/chain'],
    ['a cluster that is not configured', { ...wholeCoin, chain: 'solana:devnet' }, '/chain'],
    ['a mint that is an EVM address', { ...wholeCoin, contractAddress: alice.address }, '/contractAddress'],
    ['a mint of 24 bytes', { ...wholeCoin, contractAddress: '2'.repeat(32) }, '/contractAddress'],
    ['an owner that is an EVM address', { ...wholeCoin, ownerAddress: alice.address }, '/ownerAddress'],
    ['a minimum of zero', { ...wholeCoin, minBalance: '0.0' }, '/minBalance'],
  ])('token-holding, %s', async (_, data, path) => {
    expect(await leavesNothing(app.parts, () => askToken(sol, data))).toMatchObject(refused('token-holding', path))
  })

  test.each<[string, object, string]>([
    ['an older block', { blockNumber: 1 }, '/blockNumber'],
    ['the id of another token', { tokenId: '2' }, '/tokenId'],
    ['a standard of Ethereum', { tokenType: 'erc1155' }, '/tokenType'],
  ])('nft-ownership, %s', async (_, more, path) => {
    const ask = () => askNft(sol, { ...nftClaim(art), ...more })
    expect(await leavesNothing(app.parts, ask)).toMatchObject(refused('nft-ownership', path))
  })

  test('an EVM signer who names no Solana wallet', async () => {
    const answer = await leavesNothing(app.parts, () => askNft(bob, nftClaim(art)))
    expect(answer).toMatchObject(refused('nft-ownership', '/ownerAddress'))
  })
})

describe('an unavailable look-up gives no verdict:', () => {
  const richer = (truth: { value: { account: { data: [string, string] } }[] }) => {
    const other = ledger.issue(1_000_000_000n, {}, solKey.publicKey)
    const account = ledger.finalState().getAccount(other.account.toBytes())!
    return {
      ...truth,
      value: [
        {
          pubkey: other.account.toBase58(),
          account: {
            data: [Buffer.from(account.data()).toString('base64'), 'base64'],
            owner: new PublicKey(account.owner()).toBase58(),
          },
        },
      ],
    }
  }

  test.each<[string, EndpointSettings, string]>([
    ['the endpoint is down', { instead: () => new Response(null, { status: 502 }) }, 'unreachable'],
    ['it is of another cluster', { genesisHash: devnetGenesis }, 'wrong-source'],
    ['it sends a page of HTML', { instead: () => new Response('<html></html>') }, 'malformed'],
    ['it wants a key', { instead: () => new Response(null, { status: 401 }) }, 'credentials'],
    ['it wants fewer calls', { instead: () => new Response(null, { status: 429 }) }, 'rate-limited'],
    ['it shows the accounts of another mint', { lies: { getTokenAccountsByOwner: richer } }, 'malformed'],
  ])('%s', async (_, endpoint, fault) => {
    const own = await startApp(settings(ledger.serve(endpoint).url))
    const answer = await leavesNothing(own.parts, () => asking(own, 'token-holding')(sol, tokenClaim(coin, '1000')))
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'VERIFIER_UNAVAILABLE',
          details: { verifierId: 'token-holding', source: 'chains.sol.rpc[0]', fault },
        },
      },
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await own.close()
  })

  test('while the cluster’s clock is too old', async () => {
    const old = startSolana()
    const { mint } = old.issue(1n, { decimals: 0 }, solKey.publicKey)
    const own = await startApp(settings(old.serve().url))
    own.wait(901_000)
    const ask = () => asking(own, 'nft-ownership')(sol, nftClaim(mint))
    expect(await leavesNothing(own.parts, ask)).toMatchObject({ status: 503 })
    old.finalize(own.now())
    expect(await ask()).toMatchObject({ status: 200 })
    await Promise.all([old.stop(), own.close()])
  })

  test('unless another endpoint answers, and the evidence names it', async () => {
    const own = await startApp(settings(ledger.serve({ genesisHash: devnetGenesis }).url, ledger.serve().url))
    const answer = await asking(own, 'nft-ownership')(sol, nftClaim(art))
    expect(evidenceIn(answer).sources).toEqual(['chains.sol.rpc[1]'])
    await own.close()
  })

  test('a lying endpoint does not count with agree = 2', async () => {
    const lying = { lies: { getTokenAccountsByOwner: (truth: { value: [] }) => ({ ...truth, value: [] }) } }
    const own = await startApp({
      ...settings(ledger.serve(lying).url, ledger.serve().url, ledger.serve().url),
      PROOFGATE_CHAINS_SOL_AGREE: '2',
    })
    const answer = await asking(own, 'nft-ownership')(sol, nftClaim(art))
    expect(evidenceIn(answer).sources).toEqual(['chains.sol.rpc[1]', 'chains.sol.rpc[2]'])
    await own.close()
  })
})
