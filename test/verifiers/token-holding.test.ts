import { afterAll, describe, expect, test } from 'bun:test'
import { zeroAddress } from 'viem'
import { startApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { evidenceIn, failed, refused } from './ask.ts'
import { askingCarefully, asks, base, expectAbsentWithoutChain, expectBlock, expectUnavailable } from './assets.ts'

const id = 'token-holding'
const lower = (address: string) => address.toLowerCase()

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
const [coin6, coin18, coin0, coin255, bare, art, multi, garbage, short, huge, burner] = await Promise.all([
  deploy(anvil, 'Erc20', [6]),
  deploy(anvil, 'Erc20', [18]),
  deploy(anvil, 'Erc20', [0]),
  deploy(anvil, 'Erc20', [255]),
  deploy(anvil, 'Erc20WithoutDecimals'),
  deploy(anvil, 'Erc721'),
  deploy(anvil, 'Erc1155'),
  deploy(anvil, 'ReturnsGarbage'),
  deploy(anvil, 'Returns31Bytes'),
  deploy(anvil, 'Returns2Megabytes'),
  deploy(anvil, 'BurnsGas'),
])
await coin18.write('mint', [alice.address, 10n ** 18n])
await coin0.write('mint', [alice.address, 3n])
await coin255.write('mint', [alice.address, 2n ** 256n - 1n])
await bare.write('mint', [alice.address, 5n])
await art.write('mint', [alice.address, 1n])
// 1.5 tokens of six decimals, in two steps.
const halfFrom = Number((await coin6.write('mint', [alice.address, 500_000n])).blockNumber)
const allFrom = Number((await coin6.write('mint', [alice.address, 1_000_000n])).blockNumber)

const app = await startApp(asks(anvil.url))
const ask = askingCarefully(app, id)
const claim = { contractAddress: coin6.address, minBalance: '1.5', chainId: base }

describe('token-holding (src/guides/wire.md, "token-holding") holds', () => {
  const accepted = (data: object, wallet = alice, more: object = {}) => {
    app.wait(1)
    return app.submit(wallet, { verifierIds: [id], data, ...more })
  }

  test('by block number where the node takes no block hash, and the evidence says so and why', async () => {
    const old = startLyingRpc(anvil.url)
    old.lie(lies.noBlockHash())
    const here = await startApp(asks(old.url))
    const answer = await here.submit(alice, { verifierIds: [id], data: claim })
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    expect(evidence.onChainData).toMatchObject({
      readBy: 'blockNumber',
      readByReason:
        'chains.base.rpc[0] cannot read by block hash (EIP-1898): read by number, and the hash of that block compared afterwards',
    })
    here.close()
    await old.stop()
  })

  test('for exactly the minimum, and the evidence hides the balance', async () => {
    const answer = await accepted({ ...claim, minBalance: '1.25' })
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    const { blockNumber, blockHash, blockTime } = evidence.onChainData
    expect(answer.body.data.verifiedVerifiers[0].status).toBe('token_holding_verified')
    expect(evidence).toEqual({
      input: {
        ownerAddress: lower(alice.address),
        contractAddress: coin6.address,
        minBalance: '1.25',
        chainId: base,
      },
      onChainData: {
        requiredMinBalance: '1.25',
        requiredMinBalanceBaseUnits: '1250000',
        decimals: 6,
        chain: `eip155:${base}`,
        blockNumber,
        blockHash,
        blockTime,
      },
      sources: ['chains.base.rpc[0]'],
      verificationTimestamp: app.now(),
    })
  })

  test.each<[string, { address: string }, string, string]>([
    ['six decimals, all of it', coin6, '1.5', '1500000'],
    ['six decimals, the smallest part', coin6, '0.000001', '1'],
    ['six decimals, zeros in front', coin6, '0001.500000', '1500000'],
    ['18 decimals, all of it', coin18, '1', '1000000000000000000'],
    ['18 decimals, the smallest part', coin18, '0.000000000000000001', '1'],
    ['18 decimals, one part less than a number can tell', coin18, '0.999999999999999999', '999999999999999999'],
    ['no decimals', coin0, '3', '3'],
  ])('for a token with %s', async (_, { address }, minBalance, baseUnits) => {
    const answer = await accepted({ ...claim, contractAddress: address, minBalance })
    expect(evidenceIn(answer)).toMatchObject({
      input: { minBalance },
      onChainData: { requiredMinBalance: minBalance, requiredMinBalanceBaseUnits: baseUnits },
    })
  })

  test('for a chain by its CAIP-2 id, and the evidence then has the chain id that gates ask for', async () => {
    const { chainId: _, ...rest } = claim
    const { input } = evidenceIn(await accepted({ ...rest, chain: `eip155:${base}` }))
    expect(input).toMatchObject({ chainId: base })
    expect(input).not.toHaveProperty('chain')
  })

  test('for a subject that did not sign, since everybody may look', async () => {
    const answer = await accepted({ ...claim, ownerAddress: alice.address }, mallory, {
      subjectWallet: alice.address,
    })
    expect(answer.body.data).toMatchObject({
      walletAddress: lower(mallory.address),
      subjectWallet: lower(alice.address),
    })
    expect(evidenceIn(answer).input.ownerAddress).toBe(lower(alice.address))
  })

  test('for strangers, who see the whole evidence of a public proof', async () => {
    const answer = await accepted(claim, alice, { options: { privacyLevel: 'public', publicDisplay: true } })
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(body.data.verifiedVerifiers[0].data).toEqual(evidenceIn(answer))
  })

  test.each([
    ['half at the first block', '0.5', halfFrom],
    ['all of it at the second', '1.5', allFrom],
  ])('for %s', async (_, minBalance, blockNumber) => {
    const evidence = evidenceIn(await accepted({ ...claim, minBalance, blockNumber }))
    await expectBlock(anvil, evidence)
    expect(evidence).toMatchObject({ input: { blockNumber }, onChainData: { blockNumber } })
  })
})

describe('token-holding fails:', () => {
  test.each<[string, object, string]>([
    ['one base unit is missing', { minBalance: '1.500001' }, 'BALANCE_TOO_LOW'],
    [
      'one base unit of 18 decimals is missing',
      { contractAddress: coin18.address, minBalance: '1.000000000000000001' },
      'BALANCE_TOO_LOW',
    ],
    ['the minimum is more than there can be', { minBalance: '9'.repeat(60) }, 'BALANCE_TOO_LOW'],
    [
      'a whole token of 255 decimals cannot exist',
      { contractAddress: coin255.address, minBalance: '1' },
      'BALANCE_TOO_LOW',
    ],
    [
      'seven digits for six decimals, which rounding would make zero',
      { minBalance: '0.0000001' },
      'MIN_BALANCE_TOO_FINE',
    ],
    ['seven digits for six decimals, above the balance', { minBalance: '1.5000001' }, 'MIN_BALANCE_TOO_FINE'],
    [
      'a fraction of a token without decimals',
      { contractAddress: coin0.address, minBalance: '2.5' },
      'MIN_BALANCE_TOO_FINE',
    ],
    ['the rest came a block later', { blockNumber: halfFrom }, 'BALANCE_TOO_LOW'],
    ['the contract came later', { blockNumber: 0 }, 'NO_CONTRACT'],
    ['the owner is not the signer', { ownerAddress: bob.address }, 'OWNER_MISMATCH'],
    ['the token has no decimals()', { contractAddress: bare.address, minBalance: '5' }, 'NO_DECIMALS'],
    ['the contract is an ERC-721 token', { contractAddress: art.address, minBalance: '1' }, 'NO_DECIMALS'],
    ['the contract is an ERC-1155 token', { contractAddress: multi.address, minBalance: '1' }, 'NO_DECIMALS'],
    ['nobody lives at the address', { contractAddress: mallory.address }, 'NO_CONTRACT'],
    ['the address is zero', { contractAddress: zeroAddress }, 'NO_CONTRACT'],
    ['the contract gives garbage', { contractAddress: garbage.address }, 'CONTRACT_ANSWER_MALFORMED'],
    ['the contract gives 31 bytes', { contractAddress: short.address }, 'CONTRACT_ANSWER_MALFORMED'],
    ['the contract gives 2 MiB', { contractAddress: huge.address }, 'CONTRACT_ANSWER_TOO_LARGE'],
    ['the contract burns all gas', { contractAddress: burner.address }, 'CONTRACT_OUT_OF_GAS'],
  ])('%s', async (_, change, reason) => {
    expect(await ask(alice, { ...claim, ...change })).toMatchObject(failed(id, reason))
  })

  test('the balance is too low, and the answer hides it', async () => {
    const { body } = await ask(alice, { ...claim, minBalance: '2' })
    expect(JSON.stringify(body)).not.toMatch(/1500000|1\.5/)
  })

  test('the contract has decimals() and nothing else', async () => {
    const address = `0x${'dec1'.repeat(10)}`
    // Returns 6 to the selector of decimals(), and reverts for every other.
    await anvil.rpc('anvil_setCode', [address, '0x5f3560e01c63313ce567146011575f5ffd5b60065f5260205ff3'])
    await anvil.rpc('anvil_mine')
    expect(await ask(alice, { ...claim, contractAddress: address })).toMatchObject(failed(id, 'NO_BALANCE'))
  })

  test('a wallet has no tokens', async () => {
    expect(await ask(bob, { ...claim, minBalance: '0.000001' })).toMatchObject(failed(id, 'BALANCE_TOO_LOW'))
  })
})

describe('token-holding is refused:', () => {
  const { chainId: _, ...withoutChain } = claim

  test.each<[string, object, string]>([
    ['no chain', withoutChain, '/chainId'],
    ['the chain twice', { ...claim, chain: `eip155:${base}` }, '/chain'],
    ['a chain that is not configured', { ...claim, chainId: 10 }, '/chainId'],
    ['a Solana cluster that is not configured', { ...withoutChain, chain: 'solana:mainnet' }, '/chain'],
    ['a mint of Solana on an EVM chain', { ...claim, contractAddress: sol.address }, '/contractAddress'],
    ['no contract', { ...claim, contractAddress: undefined }, '/contractAddress'],
    ['no minimum', { ...claim, minBalance: undefined }, '/minBalance'],
    ['a minimum of zero, which everybody holds', { ...claim, minBalance: '0' }, '/minBalance'],
    ['zero with a fraction', { ...claim, minBalance: '00.000' }, '/minBalance'],
    ['a number, which could have been rounded already', { ...claim, minBalance: 1.5 }, '/minBalance'],
    ['a negative minimum', { ...claim, minBalance: '-1' }, '/minBalance'],
    ['a sign', { ...claim, minBalance: '+1' }, '/minBalance'],
    ['an exponent', { ...claim, minBalance: '1e3' }, '/minBalance'],
    ['a comma', { ...claim, minBalance: '1,5' }, '/minBalance'],
    ['a point and nothing after it', { ...claim, minBalance: '1.' }, '/minBalance'],
    ['a point and nothing before it', { ...claim, minBalance: '.5' }, '/minBalance'],
    ['two points', { ...claim, minBalance: '1.5.0' }, '/minBalance'],
    ['a line break after the digits', { ...claim, minBalance: '1\n' }, '/minBalance'],
    ['digits of another script', { ...claim, minBalance: '١' }, '/minBalance'],
    ['61 digits', { ...claim, minBalance: '1'.repeat(61) }, '/minBalance'],
    ['61 digits after the point', { ...claim, minBalance: `0.${'1'.repeat(61)}` }, '/minBalance'],
    ['half a block', { ...claim, blockNumber: 0.5 }, '/blockNumber'],
    ['an owner of Solana', { ...claim, ownerAddress: sol.address }, '/ownerAddress'],
  ])('%s', async (_, data, path) => {
    expect(await ask(alice, data)).toMatchObject(refused(id, path))
  })

  test('a block that is in the future', async () => {
    const { status, body } = await ask(alice, { ...claim, blockNumber: 1_000_000 })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'INVALID_VERIFIER_DATA', details: { verifierId: id } })
  })
})

describe('token-holding when it cannot look', () => {
  test('says so, says when to try again, and stores no proof', () => expectUnavailable(id, alice, claim))

  test('is absent from a server without a chain', () => expectAbsentWithoutChain(id, alice, claim))
})
