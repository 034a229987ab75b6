/** Gates may name a wallet or contract with its chain: both are compared, or publishing is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { apply, definitionOf } from '../gates/gate.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { bob, type TestWallet } from '../wallets.ts'
import { hub, other, startTwoChains, type TwoChains } from './two-chains.ts'

let chains: TwoChains
/** The same address on both chains: a collection of its own on each. */
let collection: `0x${string}`
let holder: `0x${string}`
beforeAll(async () => {
  chains = await startTwoChains()
  const { anvils, onHub, onOther } = chains
  holder = onHub.address as `0x${string}`
  const [first, second] = await Promise.all(anvils.map((anvil) => deploy(anvil, 'Erc721')))
  collection = first!.address
  expect(second!.address).toBe(collection)
  await Promise.all([first, second].map((nft) => nft!.write('mint', [holder, 7n])))
  for (const [wallet, chainId] of [
    [onHub, 84532],
    [onOther, 10],
  ] as const)
    await prove(wallet, 'nft-ownership', { contractAddress: collection, tokenId: '7', chainId })
})
afterAll(() => chains?.close())

async function prove(wallet: TestWallet, verifierId: string, data: object): Promise<void> {
  chains.app.wait(1)
  const options = { privacyLevel: 'public', publicDisplay: true }
  const { status, body } = await chains.app.submit(wallet, { verifierIds: [verifierId], data, options })
  expect([status, body.error]).toEqual([200, undefined])
}

let count = 0
const publish = (verifierId: string, path: string, value: string, op = 'eq') =>
  apply(chains.app, {
    ...definitionOf({ requirements: [{ verifierId, match: [{ path, op, value }] }] }),
    gateId: `gate_${++count}`,
  })
const admits = async (gateId: string, about: string): Promise<boolean> =>
  (await chains.app.get(`/api/v1/proofs/check?gateId=${gateId}&address=${about}`)).body.data.gate.allRequiredSatisfied

describe.each([
  ['a DID', (chain: string, address: string) => `did:pkh:${chain}:${address}`],
  ['a CAIP-10 account', (chain: string, address: string) => `${chain}:${address}`],
])('%s as the value of a match row', (_, name) => {
  test.each<[string, () => string]>([
    ['contractAddress', () => collection],
    ['input.contractAddress', () => collection.toLowerCase()],
    ['ownerAddress', () => holder],
    ['input.ownerAddress', () => holder],
  ])('of %s asks for the address on that chain', async (path, address) => {
    for (const [chain, elsewhere] of [
      [hub, other],
      [other, hub],
    ] as const) {
      const { status, body } = await publish('nft-ownership', path, name(chain, address()))
      expect([status, body.error]).toEqual([200, undefined])
      expect(await admits(`gate_${count}`, `${chain}:${holder}`)).toBe(true)
      expect(await admits(`gate_${count}`, `${elsewhere}:${holder}`)).toBe(false)
    }
    await publish('nft-ownership', path, name('eip155:1', address()))
    expect(await admits(`gate_${count}`, `${hub}:${holder}`)).toBe(false)
  })

  test('with an address of evidence without a chain is refused, with the accepted form', async () => {
    for (const [verifierId, path] of [
      ['ownership-basic', 'ownerAddress'],
      ['ownership-dns-txt', 'walletAddress'],
      ['nft-ownership', 'subjectWallet'],
      ['nft-ownership', 'onChainData.actualOwner'],
      ['ownership-licensed', 'ownerAddress'],
    ] as const) {
      const { status, body } = await publish(verifierId, path, name(other, holder))
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(JSON.stringify(body.error)).toContain(
        `requirements[0].match[0].value names a chain, and ${path} of ${verifierId} is compared as an address alone: give the bare address`,
      )
    }
  })
})

test('the chain of a contract is compared in the proofs of its owner', async () => {
  const { anvils, onOther } = chains
  const owned = await deploy(anvils[1]!, 'Owned', [holder])
  await prove(onOther, 'contract-ownership', { contractAddress: owned.address, chainId: 10, walletAddress: holder })
  for (const [path, address] of [
    ['contractAddress', owned.address],
    ['walletAddress', holder],
    ['ownerAddress', holder],
  ] as const) {
    await publish('contract-ownership', path, `${other}:${address}`)
    expect(await admits(`gate_${count}`, `${other}:${holder}`)).toBe(true)
    await publish('contract-ownership', path, `${hub}:${address}`)
    expect(await admits(`gate_${count}`, `${other}:${holder}`)).toBe(false)
  }
})

test('a text that names no account is refused where an account is compared', async () => {
  for (const value of [`eip155:010:${holder}`, `did:web:${holder}`, `eip155:10:${holder}00`]) {
    const { status, body } = await publish('nft-ownership', 'ownerAddress', value)
    expect(status).toBe(400)
    expect(JSON.stringify(body.error)).toContain('must be an address, a did:pkh or a CAIP-10 account')
  }
})

test('a bare address is compared as before, on any chain', async () => {
  await publish('nft-ownership', 'contractAddress', collection)
  for (const chain of [hub, other]) expect(await admits(`gate_${count}`, `${chain}:${holder}`)).toBe(true)
})

test('a row on subjectWallet is met by any proof about that wallet, and refused where none could meet it', async () => {
  const { app, onHub } = chains
  const claim = {
    verifierIds: ['nft-ownership'],
    data: { ownerAddress: holder, contractAddress: collection, tokenId: '7', chainId: 84532 },
    subjectWallet: holder,
    options: { privacyLevel: 'public', publicDisplay: true },
  }
  app.wait(1)
  expect((await app.submit(bob, claim)).body.error).toBeUndefined()
  for (const [value, about, expected] of [
    [holder, bob.address, true],
    [holder, `${hub}:${onHub.address}`, true],
    [bob.address, bob.address, false],
  ] as const) {
    expect((await publish('nft-ownership', 'subjectWallet', value)).status).toBe(200)
    expect(await admits(`gate_${count}`, about)).toBe(expected)
  }
  for (const [verifierId, path] of [
    ['ownership-basic', 'subjectWallet'],
    ['nft-ownership', 'input.subjectWallet'],
  ] as const) {
    const { status, body } = await publish(verifierId, path, holder)
    expect(status).toBe(400)
    expect(JSON.stringify(body.error)).toContain('requirements[0].match[0].value is compared with nothing')
  }
})
