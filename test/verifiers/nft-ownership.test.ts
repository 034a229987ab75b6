import { afterAll, describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { zeroAddress } from 'viem'
import { startApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { evidenceIn, failed, refused } from './ask.ts'
import {
  askingCarefully,
  asks,
  base,
  expectAbsentWithoutChain,
  expectBlock,
  expectUnavailable,
  nobody,
} from './assets.ts'

const id = 'nft-ownership'
const maxUint256 = 2n ** 256n - 1n
const lower = (address: string) => address.toLowerCase()

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
const [art, silent, multi, coin, garbage, short, huge, hugeRevert, burner, invalid] = await Promise.all([
  deploy(anvil, 'Erc721'),
  deploy(anvil, 'Erc721Silent'),
  deploy(anvil, 'Erc1155'),
  deploy(anvil, 'Erc20', [18]),
  deploy(anvil, 'ReturnsGarbage'),
  deploy(anvil, 'Returns31Bytes'),
  deploy(anvil, 'Returns2Megabytes'),
  deploy(anvil, 'RevertsWith2Megabytes'),
  deploy(anvil, 'BurnsGas'),
  deploy(anvil, 'InvalidOpcode'),
])
for (const tokenId of [7n, maxUint256]) await art.write('mint', [alice.address, tokenId])
await art.write('mint', [bob.address, 8n])
for (const { address } of [alice, bob]) await multi.write('mint', [address, 5n, 3n])
// A token that was Alice's, then Bob's, then nobody's.
const aliceFrom = Number((await art.write('mint', [alice.address, 50n])).blockNumber)
const nobodyFrom = Number((await art.write('burn', [50n])).blockNumber)
const bobFrom = Number((await art.write('mint', [bob.address, 50n])).blockNumber)

const app = await startApp(asks(anvil.url))
const ask = askingCarefully(app, id)
const claim = { contractAddress: art.address, tokenId: '7', chainId: base }

describe('nft-ownership (src/guides/wire.md, "nft-ownership") holds', () => {
  const accepted = (data: object, wallet = alice, more: object = {}) => {
    app.wait(1)
    return app.submit(wallet, { verifierIds: [id], data, ...more })
  }

  test('for the bare minimum: the signer holds an ERC-721 token now', async () => {
    const answer = await accepted(claim)
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'verified' } } })
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    const { blockNumber, blockHash, blockTime } = evidence.onChainData
    expect(answer.body.data.verifiedVerifiers[0].status).toBe('nft_ownership_verified')
    expect(evidence).toEqual({
      input: {
        ownerAddress: lower(alice.address),
        contractAddress: art.address,
        tokenId: '7',
        chainId: base,
        tokenType: 'erc721',
      },
      onChainData: { actualOwner: lower(alice.address), chain: `eip155:${base}`, blockNumber, blockHash, blockTime },
      sources: ['chains.base.rpc[0]'],
      verificationTimestamp: app.now(),
    })
    expect(blockNumber).toBe(Number(await anvil.publicClient.getBlockNumber()))
  })

  test('for a chain by its CAIP-2 id, and the evidence then has the chain id that gates ask for', async () => {
    const { chainId: _, ...rest } = claim
    const { input } = evidenceIn(await accepted({ ...rest, chain: `eip155:${base}` }))
    expect(input).toMatchObject({ chainId: base })
    expect(input).not.toHaveProperty('chain')
  })

  test.each<[string, unknown, string]>([
    ['in decimal digits with leading zeros', '007', '7'],
    ['in hexadecimal digits', '0x07', '7'],
    ['as a number', 7, '7'],
    ['as the largest there is', String(maxUint256), String(maxUint256)],
    ['as the largest there is, in hexadecimal digits', `0x${'f'.repeat(64)}`, String(maxUint256)],
  ])('for a token id %s', async (_, tokenId, shown) => {
    expect(evidenceIn(await accepted({ ...claim, tokenId })).input.tokenId).toBe(shown)
  })

  test('for an ERC-1155 token of which the signer has some', async () => {
    const answer = await accepted({ ...claim, contractAddress: multi.address, tokenId: '5', tokenType: 'erc1155' })
    expect(evidenceIn(answer)).toMatchObject({
      input: { tokenType: 'erc1155', tokenId: '5' },
      onChainData: { actualOwner: lower(alice.address) },
    })
    expect(JSON.stringify(answer.body.data.verifiedVerifiers)).not.toContain('"3"')
  })

  test('for a subject that did not sign, since everybody may look', async () => {
    const answer = await accepted(
      { ...claim, ownerAddress: lower(alice.address), contractAddress: art.address.toUpperCase().replace('X', 'x') },
      mallory,
      { subjectWallet: alice.address },
    )
    expect(answer.body.data).toMatchObject({
      walletAddress: lower(mallory.address),
      subjectWallet: lower(alice.address),
    })
    expect(evidenceIn(answer).input).toMatchObject({
      ownerAddress: lower(alice.address),
      contractAddress: lower(art.address),
    })
  })

  test('for strangers, who see the whole evidence of a public proof', async () => {
    const answer = await accepted(claim, alice, { options: { privacyLevel: 'public', publicDisplay: true } })
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(body.data.verifiedVerifiers[0].data).toEqual(evidenceIn(answer))
  })
})

describe('nft-ownership at a block', () => {
  test.each([
    ['the block in which Alice got it', alice, aliceFrom],
    ['the last block before it was burned', alice, nobodyFrom - 1],
    ['the block in which Bob got it', bob, bobFrom],
  ])('holds at %s', async (_, wallet, blockNumber) => {
    app.wait(1)
    const answer = await app.submit(wallet, { verifierIds: [id], data: { ...claim, tokenId: '50', blockNumber } })
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    expect(evidence).toMatchObject({ input: { blockNumber }, onChainData: { blockNumber } })
  })

  test.each([
    ['Alice before she got it', alice, aliceFrom - 1, 'TOKEN_NOT_FOUND'],
    ['Alice while nobody had it', alice, nobodyFrom, 'TOKEN_NOT_FOUND'],
    ['Alice when it was Bob’s', alice, bobFrom, 'NOT_TOKEN_OWNER'],
    ['Bob when it was Alice’s', bob, aliceFrom, 'NOT_TOKEN_OWNER'],
    ['before the contract was there', alice, art.blockNumber - 1, 'NO_CONTRACT'],
    ['at the very first block', alice, 0, 'NO_CONTRACT'],
  ])('fails for %s', async (_, wallet, blockNumber, reason) => {
    expect(await ask(wallet, { ...claim, tokenId: '50', blockNumber })).toMatchObject(failed(id, reason))
  })

  test('is refused for a future block', async () => {
    const { status, body } = await ask(alice, { ...claim, blockNumber: 1_000_000 })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'INVALID_VERIFIER_DATA', details: { verifierId: id } })
    expect(body.error.message).toContain('1000000')
  })

  test('is another claim than the one about now, and does not take its place', async () => {
    const own = await startApp(asks(anvil.url))
    const listed = { options: { privacyLevel: 'public', publicDisplay: true } }
    const shown = async () =>
      (await own.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.proofs.length as number
    const counts: number[] = []
    for (const data of [claim, { ...claim, tokenId: '0x7' }, { ...claim, blockNumber: bobFrom }]) {
      own.wait(1)
      await own.submit(alice, { verifierIds: [id], data, ...listed })
      counts.push(await shown())
    }
    expect(counts).toEqual([1, 1, 2])
  })

  test('for two subjects makes two claims of one signer', async () => {
    const own = await startApp(asks(anvil.url))
    const listed = { options: { privacyLevel: 'public', publicDisplay: true } }
    const shared = { ...claim, contractAddress: multi.address, tokenId: '5', tokenType: 'erc1155' }
    for (const { address } of [alice, bob]) {
      own.wait(1)
      await own.submit(mallory, { verifierIds: [id], data: shared, subjectWallet: address, ...listed })
    }
    expect((await own.get(`/api/v1/proofs/by-wallet/${mallory.address}`)).body.data.proofs).toHaveLength(2)
  })
})

describe('nft-ownership fails:', () => {
  test.each<[string, object, string]>([
    ['the token is somebody else’s', { tokenId: '8' }, 'NOT_TOKEN_OWNER'],
    ['there is no such token', { tokenId: '404' }, 'TOKEN_NOT_FOUND'],
    ['the owner is not the signer', { ownerAddress: bob.address }, 'OWNER_MISMATCH'],
    ['nobody lives at the address', { contractAddress: mallory.address }, 'NO_CONTRACT'],
    ['the address is zero', { contractAddress: zeroAddress }, 'NO_CONTRACT'],
    ['the contract is an ERC-20 token', { contractAddress: coin.address }, 'TOKEN_NOT_FOUND'],
    ['the contract is an ERC-1155 token', { contractAddress: multi.address, tokenId: '5' }, 'TOKEN_NOT_FOUND'],
    ['the contract is an ERC-721 token', { tokenType: 'erc1155' }, 'NOT_ERC1155'],
    [
      'the signer has none of the ERC-1155 token',
      { contractAddress: multi.address, tokenId: '6', tokenType: 'erc1155' },
      'NOT_TOKEN_OWNER',
    ],
    ['ownerOf gives garbage', { contractAddress: garbage.address }, 'CONTRACT_ANSWER_MALFORMED'],
    [
      'balanceOf gives garbage, which would be a large balance',
      { contractAddress: garbage.address, tokenType: 'erc1155' },
      'CONTRACT_ANSWER_MALFORMED',
    ],
    ['ownerOf gives 31 bytes', { contractAddress: short.address }, 'CONTRACT_ANSWER_MALFORMED'],
    ['ownerOf gives 2 MiB', { contractAddress: huge.address }, 'CONTRACT_ANSWER_TOO_LARGE'],
    ['ownerOf reverts with 2 MiB', { contractAddress: hugeRevert.address }, 'TOKEN_NOT_FOUND'],
    ['ownerOf burns all gas', { contractAddress: burner.address }, 'CONTRACT_OUT_OF_GAS'],
    ['ownerOf meets an invalid instruction', { contractAddress: invalid.address }, 'TOKEN_NOT_FOUND'],
    [
      'the hash function at address 2 answers with a number that would be a large balance',
      { contractAddress: `0x${'2'.padStart(40, '0')}`, tokenType: 'erc1155' },
      'NO_CONTRACT',
    ],
  ])('%s', async (_, change, reason) => {
    expect(await ask(alice, { ...claim, ...change })).toMatchObject(failed(id, reason))
  })

  test('address zero owns no token, even where a contract names it as the owner', async () => {
    const data = { ...claim, contractAddress: silent.address, tokenId: '404' }
    expect(await ask(alice, data, { subjectWallet: zeroAddress })).toMatchObject(failed(id, 'TOKEN_NOT_FOUND'))
  })

  test('the owner is the signer, and the claim is about another wallet', async () => {
    const more = { subjectWallet: alice.address }
    expect(await ask(bob, { ...claim, tokenId: '8', ownerAddress: bob.address }, more)).toMatchObject(
      failed(id, 'OWNER_MISMATCH'),
    )
  })
})

describe('nft-ownership is refused:', () => {
  const { chainId: _, ...withoutChain } = claim

  test.each<[string, object, string]>([
    ['no chain', withoutChain, '/chainId'],
    ['the chain twice', { ...claim, chain: `eip155:${base}` }, '/chain'],
    ['two chains', { ...claim, chain: 'eip155:1' }, '/chain'],
    ['a chain that is not configured', { ...claim, chainId: 1 }, '/chainId'],
    ['one by its CAIP-2 id', { ...withoutChain, chain: 'eip155:1' }, '/chain'],
    ['a Solana cluster that is not configured', { ...withoutChain, chain: 'solana:mainnet' }, '/chain'],
    ['a chain id with a leading zero', { ...withoutChain, chain: `eip155:0${base}` }, '/chain'],
    ['a chain of another kind', { ...withoutChain, chain: 'cosmos:cosmoshub-4' }, '/chain'],
    ['a chain that is no CAIP-2 id', { ...withoutChain, chain: 'base' }, '/chain'],
    ['chain 0', { ...claim, chainId: 0 }, '/chainId'],
    ['a chain id that a number cannot hold', { ...claim, chainId: 2 ** 53 }, '/chainId'],
    ['no contract', { ...claim, contractAddress: undefined }, '/contractAddress'],
    ['half a contract', { ...claim, contractAddress: art.address.slice(0, 41) }, '/contractAddress'],
    ['a contract of Solana on an EVM chain', { ...claim, contractAddress: sol.address }, '/contractAddress'],
    ['no token id', { ...claim, tokenId: undefined }, '/tokenId'],
    ['a token id of null', { ...claim, tokenId: null }, '/tokenId'],
    ['an empty token id', { ...claim, tokenId: '' }, '/tokenId'],
    ['a token id of words', { ...claim, tokenId: 'seven' }, '/tokenId'],
    ['a negative token id', { ...claim, tokenId: '-7' }, '/tokenId'],
    ['half a token', { ...claim, tokenId: 7.5 }, '/tokenId'],
    ['a number that is not exact', { ...claim, tokenId: 2 ** 53 }, '/tokenId'],
    ['a token id of 257 bits', { ...claim, tokenId: String(maxUint256 + 1n) }, '/tokenId'],
    ['an unknown token type', { ...claim, tokenType: 'erc20' }, '/tokenType'],
    ['a negative block', { ...claim, blockNumber: -1 }, '/blockNumber'],
    ['a block as text', { ...claim, blockNumber: '1' }, '/blockNumber'],
    ['an owner that is no address', { ...claim, ownerAddress: 'alice.near' }, '/ownerAddress'],
  ])('%s', async (_, data, path) => {
    expect(await ask(alice, data)).toMatchObject(refused(id, path))
  })

  test.each(['eip155:8453', 'did:pkh:eip155:8453'])('a subject that is named with a chain: %s', async (chain) => {
    const answer = await ask(mallory, claim, { subjectWallet: `${chain}:${alice.address}` })
    expect(answer.body.error).toMatchObject({
      code: 'INVALID_WALLET_ADDRESS',
      message: expect.stringContaining('without a chain'),
      details: { path: '/subjectWallet' },
    })
  })

  test('a Solana wallet cannot hold a token of an EVM chain', async () => {
    const answer = await ask(sol, claim)
    expect(answer).toMatchObject(refused(id, '/ownerAddress'))
    expect(answer.body.error.message).toContain('subjectWallet')
  })

  test('an unknown chain, with the known chains and the setting that adds one', async () => {
    const { body } = await ask(alice, { ...claim, chainId: 1 })
    expect(body.error.message).toContain(`configured: eip155:${base}`)
    expect(body.error.message).toContain('[chains.<name>] with chain = "eip155:1" and rpc')
  })
})

describe('the catalog of a server with a chain', async () => {
  const { body } = await app.get('/api/v1/verification/verifiers')

  test.each([
    ['nft-ownership', 'asset', ['token-holding', 'ownership-basic']],
    ['token-holding', 'asset', ['nft-ownership', 'ownership-basic']],
    ['contract-ownership', 'ownership', ['wallet-link', 'wallet-risk', 'agent-identity']],
  ])('shows %s as a snapshot that anybody may ask about any wallet', (verifierId, category, compatibleWith) => {
    expect(body.data).toContain(verifierId)
    expect(body.metadata[verifierId]).toMatchObject({
      category,
      compatibleWith,
      flowType: 'external_lookup',
      expiryType: 'point_in_time',
      allowsDelegatedSubject: true,
    })
    expect(body.meta.supportedAssetChainIds).toEqual([base])
  })

  test('has a JSON Schema for nft-ownership that takes every spelling of a token id, and no other', () => {
    const validate = new Ajv({ strict: false }).compile(body.metadata[id].dataSchema)
    for (const tokenId of ['7', '0x7', 7]) expect(validate({ ...claim, tokenId })).toBe(true)
    for (const tokenId of ['', 7.5, -7, null, undefined]) expect(validate({ ...claim, tokenId })).toBe(false)
  })
})

describe('nft-ownership with several endpoints', () => {
  const endpoints = (rpc: string[], agree = '1') => ({ ...asks(rpc.join(',')), PROOFGATE_CHAINS_BASE_AGREE: agree })

  test('asks the next one when the first is down, and the evidence says who answered', async () => {
    const own = await startApp(endpoints([nobody, anvil.url]))
    const answer = await own.submit(alice, { verifierIds: [id], data: claim })
    expect(evidenceIn(answer)).toMatchObject({ sources: ['chains.base.rpc[1]'] })
  })

  test('names all endpoints that had to agree', async () => {
    const own = await startApp({
      ...endpoints([anvil.url, `${anvil.url}/?key=second`], '2'),
      PROOFGATE_CHAINS_BASE_AGREE_COUNTS: 'addresses',
    })
    const answer = await own.submit(alice, { verifierIds: [id], data: claim })
    expect(evidenceIn(answer)).toMatchObject({ sources: ['chains.base.rpc[0]', 'chains.base.rpc[1]'] })
  })

  test.each([
    ['the only one is of another chain', 1, 1],
    ['the second, which must agree, tells of another history', base, 2],
  ])('says that it cannot look when %s, and stores no proof', async (_, chainId, agree) => {
    const other = await startAnvil({ chainId })
    try {
      await other.rpc('anvil_mine', ['0x64'])
      const rpc = agree === 1 ? [other.url] : [anvil.url, other.url]
      const own = await startApp(endpoints(rpc, String(agree)))
      const { status, body, headers } = await askingCarefully(own, id)(alice, claim)
      expect(status).toBe(503)
      expect(body.error.code).toBe('VERIFIER_UNAVAILABLE')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await other.stop()
    }
  })
})

describe('nft-ownership when it cannot look', () => {
  test('says so, says when to try again, and stores no proof', () => expectUnavailable(id, alice, claim))

  test('is absent from a server without a chain', () => expectAbsentWithoutChain(id, alice, claim))
})

test('an NFT and a token in one request: one holds, the other is kept as a row that does not', async () => {
  app.wait(1)
  const { status, body } = await app.submit(alice, {
    verifierIds: [id, 'token-holding'],
    data: {
      [id]: claim,
      'token-holding': { contractAddress: coin.address, minBalance: '1', chainId: base },
    },
  })
  expect(status).toBe(200)
  expect(body.data.status).toBe('partially_verified')
  expect(body.data.verifiedVerifiers).toMatchObject([
    { verifierId: id, verified: true, status: 'nft_ownership_verified' },
    { verifierId: 'token-holding', verified: false, status: 'failed', data: { reason: 'BALANCE_TOO_LOW' } },
  ])
})
