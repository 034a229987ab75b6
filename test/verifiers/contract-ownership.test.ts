import { afterAll, describe, expect, test } from 'bun:test'
import { encodeFunctionData, type Hex, pad, parseAbi, zeroAddress, zeroHash } from 'viem'
import { startApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { abiOf, contractAt, deploy } from '../parts/contracts/contracts.ts'
import { alice, bob, evmWallet, mallory, sol } from '../wallets.ts'
import { evidenceIn, failed, refused } from './ask.ts'
import { askingCarefully, asks, base, expectAbsentWithoutChain, expectBlock, expectUnavailable } from './assets.ts'

const id = 'contract-ownership'
const lower = (address: string) => address.toLowerCase()
const adminSlot = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
/** The wallet that pays on the test chain, which can give away what it owns. */
const payer = evmWallet(anvil.accounts[0].privateKey)

const counter = await deploy(anvil, 'Counter')
const setUp = encodeFunctionData({ abi: abiOf('Counter') as never, functionName: 'set', args: [1n] } as never)
const [owned, renounced, roles, admin, getAdmin, proxy, renouncedProxy, walletProxy] = await Promise.all([
  deploy(anvil, 'Owned', [alice.address]),
  deploy(anvil, 'Owned', [payer.address]),
  deploy(anvil, 'Roles', [alice.address]),
  deploy(anvil, 'Admin', [alice.address]),
  deploy(anvil, 'GetAdmin', [alice.address]),
  deploy(anvil, 'TransparentProxy', [counter.address, alice.address, setUp]),
  deploy(anvil, 'TransparentProxy', [counter.address, payer.address, setUp]),
  deploy(anvil, 'ProxyWithEoaAdmin', [counter.address, alice.address, setUp]),
])
const [noAdmin, garbage, huge, burner, operated] = await Promise.all([
  deploy(anvil, 'Admin', [zeroAddress]),
  deploy(anvil, 'ReturnsGarbage'),
  deploy(anvil, 'Returns2Megabytes'),
  deploy(anvil, 'BurnsGas'),
  deploy(anvil, 'Roles', [payer.address]),
])
const inAdminSlot = async (address: Hex): Promise<Hex> =>
  `0x${(await anvil.publicClient.getStorageAt({ address, slot: adminSlot }))!.slice(-40)}`
const proxyAdmin = await inAdminSlot(proxy.address)
await renounced.write('renounceOwnership')
await contractAt(anvil, 'Owned', await inAdminSlot(renouncedProxy.address)).write('renounceOwnership')
await operated.write('grantRole', [await operated.read('OPERATOR_ROLE'), alice.address])

const app = await startApp(asks(anvil.url))
const ask = askingCarefully(app, id)
const claim = { contractAddress: owned.address, chainId: base }
const accepted = (data: object, wallet = alice, more: object = {}) => {
  app.wait(1)
  return app.submit(wallet, { verifierIds: [id], data, ...more })
}

describe('contract-ownership (src/guides/wire.md, "contract-ownership") holds', () => {
  test('for the bare minimum: the signer is the owner', async () => {
    const answer = await accepted(claim)
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    const { blockNumber, blockHash, blockTime } = evidence.onChainData
    expect(answer.body.data.verifiedVerifiers[0].status).toBe('contract_ownership_verified')
    expect(evidence).toEqual({
      input: {
        walletAddress: lower(alice.address),
        contractAddress: owned.address,
        chainId: base,
        method: 'owner',
      },
      onChainData: { actualOwner: lower(alice.address), chain: `eip155:${base}`, blockNumber, blockHash, blockTime },
      verificationMethod: 'owner',
      sources: ['chains.base.rpc[0]'],
      verificationTimestamp: app.now(),
    })
  })

  test.each<[string, string, { address: string }, object]>([
    ['owns the ProxyAdmin of a transparent proxy', 'admin', proxy, { adminSource: 'proxyAdmin', proxyAdmin }],
    ['is the admin of a proxy itself', 'admin', walletProxy, { adminSource: 'eip1967' }],
    ['is what admin() says', 'admin', admin, { adminSource: 'admin()' }],
    ['is what getAdmin() says', 'admin', getAdmin, { adminSource: 'getAdmin()' }],
    ['has the default admin role', 'accessControl', roles, { role: zeroHash, hasRole: true }],
  ])('for a wallet that %s', async (_, method, { address }, facts) => {
    const evidence = evidenceIn(await accepted({ ...claim, contractAddress: address, method }))
    await expectBlock(anvil, evidence)
    expect(evidence).toMatchObject({
      input: { contractAddress: address, method },
      verificationMethod: method,
      onChainData: method === 'admin' ? { actualAdmin: lower(alice.address), ...facts } : facts,
    })
  })

  test('for a subject that did not sign, since everybody may look', async () => {
    const answer = await accepted({ ...claim, walletAddress: alice.address }, mallory, {
      subjectWallet: alice.address,
    })
    expect(evidenceIn(answer).input.walletAddress).toBe(lower(alice.address))
  })

  test('for the ProxyAdmin as the subject, which controls the proxy', async () => {
    const answer = await accepted({ ...claim, contractAddress: proxy.address, method: 'admin' }, alice, {
      subjectWallet: proxyAdmin,
    })
    expect(evidenceIn(answer).onChainData).toMatchObject({ actualAdmin: proxyAdmin, adminSource: 'eip1967' })
  })

  test('for strangers, who see the whole evidence of a public proof', async () => {
    const answer = await accepted(claim, alice, { options: { privacyLevel: 'public', publicDisplay: true } })
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(body.data.verifiedVerifiers[0].data).toEqual(evidenceIn(answer))
  })

  test('once per method: the proof of one does not replace the proof of another', async () => {
    const own = await startApp(asks(anvil.url))
    const listed = { options: { privacyLevel: 'public', publicDisplay: true } }
    // A proxy before an ownable contract. The proxy's storage lacks what a constructor sets, so the owner is written
    // there.
    const anyCall = encodeFunctionData({ abi: parseAbi(['function owner()']) })
    const both = await deploy(anvil, 'TransparentProxy', [owned.address, alice.address, anyCall])
    await anvil.rpc('anvil_setStorageAt', [both.address, zeroHash, pad(alice.address as Hex)])
    for (const method of ['owner', 'admin', 'owner']) {
      own.wait(1)
      const data = { ...claim, contractAddress: both.address, method }
      expect((await own.submit(alice, { verifierIds: [id], data, ...listed })).status).toBe(200)
    }
    expect((await own.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.proofs).toHaveLength(2)
  })
})

describe('contract-ownership fails:', () => {
  test.each<[string, { address: string }, string, string]>([
    ['ownership was renounced', renounced, 'owner', 'OWNERSHIP_RENOUNCED'],
    ['ownership of the ProxyAdmin was renounced', renouncedProxy, 'admin', 'OWNERSHIP_RENOUNCED'],
    ['admin() is address zero', noAdmin, 'admin', 'OWNERSHIP_RENOUNCED'],
    ['the contract has no owner()', counter, 'owner', 'NO_OWNER'],
    ['the contract has no admin of any kind', counter, 'admin', 'NO_ADMIN'],
    ['an owner is no admin', owned, 'admin', 'NO_ADMIN'],
    ['the contract has no roles', owned, 'accessControl', 'NO_ACCESS_CONTROL'],
    ['the signer has another role', operated, 'accessControl', 'ROLE_NOT_HELD'],
    ['nobody lives at the address, by owner', mallory, 'owner', 'NO_CONTRACT'],
    ['nobody lives at the address, by admin', mallory, 'admin', 'NO_CONTRACT'],
    ['nobody lives at the address, by role', mallory, 'accessControl', 'NO_CONTRACT'],
    ['owner() gives garbage', garbage, 'owner', 'CONTRACT_ANSWER_MALFORMED'],
    ['admin() gives garbage', garbage, 'admin', 'CONTRACT_ANSWER_MALFORMED'],
    ['hasRole gives garbage', garbage, 'accessControl', 'CONTRACT_ANSWER_MALFORMED'],
    ['owner() gives 2 MiB', huge, 'owner', 'CONTRACT_ANSWER_TOO_LARGE'],
    ['owner() burns all gas', burner, 'owner', 'CONTRACT_OUT_OF_GAS'],
  ])('%s', async (_, { address }, method, reason) => {
    expect(await ask(alice, { ...claim, contractAddress: address, method })).toMatchObject(failed(id, reason))
  })

  test.each<[string, { address: string }, string, string]>([
    ['owner()', owned, 'owner', 'NOT_CONTRACT_OWNER'],
    ['the ProxyAdmin', proxy, 'admin', 'NOT_CONTRACT_OWNER'],
    ['the admin slot', walletProxy, 'admin', 'NOT_CONTRACT_ADMIN'],
    ['admin()', admin, 'admin', 'NOT_CONTRACT_ADMIN'],
    ['getAdmin()', getAdmin, 'admin', 'NOT_CONTRACT_ADMIN'],
    ['the default admin role', roles, 'accessControl', 'ROLE_NOT_HELD'],
  ])('%s names somebody else', async (_, { address }, method, reason) => {
    expect(await ask(bob, { ...claim, contractAddress: address, method })).toMatchObject(failed(id, reason))
  })

  test('the wallet in the data is not the signer', async () => {
    expect(await ask(bob, { ...claim, walletAddress: alice.address })).toMatchObject(failed(id, 'OWNER_MISMATCH'))
  })

  test('the signer is to be the owner, and has not accepted yet (Ownable2Step): the old owner still is', async () => {
    const twoStep = await deploy(anvil, 'OwnedTwoStep', [payer.address])
    await twoStep.write('transferOwnership', [alice.address])
    expect(await twoStep.read('pendingOwner')).toBe(alice.address)
    const data = { ...claim, contractAddress: twoStep.address }
    expect(await ask(alice, data)).toMatchObject(failed(id, 'NOT_CONTRACT_OWNER'))
    expect(await accepted(data, payer)).toMatchObject({ status: 200 })
  })

  test('address zero controls no contract, not even a renounced one', async () => {
    const data = { ...claim, contractAddress: renounced.address }
    expect(await ask(alice, data, { subjectWallet: zeroAddress })).toMatchObject(failed(id, 'OWNERSHIP_RENOUNCED'))
  })

  test('the admin is a contract without an owner', async () => {
    const { address } = await deploy(anvil, 'ProxyWithEoaAdmin', [counter.address, counter.address, setUp])
    expect(await ask(alice, { ...claim, contractAddress: address, method: 'admin' })).toMatchObject(
      failed(id, 'NOT_CONTRACT_ADMIN'),
    )
  })

  test('the admin is a wallet that has lent its address to a contract (EIP-7702): its key decides, not that owner', async () => {
    const lent = anvil.accounts[3].address
    await anvil.rpc('anvil_setCode', [lent, `0xef0100${owned.address.slice(2)}`])
    await anvil.rpc('anvil_setStorageAt', [lent, zeroHash, pad(alice.address as Hex)])
    expect(await contractAt(anvil, 'Owned', lent).read('owner')).toBe(alice.address)
    const { address } = await deploy(anvil, 'ProxyWithEoaAdmin', [counter.address, lent, setUp])
    expect(await ask(alice, { ...claim, contractAddress: address, method: 'admin' })).toMatchObject(
      failed(id, 'NOT_CONTRACT_ADMIN'),
    )
  })

  test('the admin slot holds more than an address', async () => {
    const { address } = await deploy(anvil, 'ProxyWithEoaAdmin', [counter.address, alice.address, setUp])
    await anvil.rpc('anvil_setStorageAt', [address, adminSlot, `0x${'01'.padEnd(24, '0')}${alice.address.slice(2)}`])
    expect(await ask(alice, { ...claim, contractAddress: address, method: 'admin' })).toMatchObject(
      failed(id, 'NO_ADMIN'),
    )
  })
})

describe('contract-ownership is refused:', () => {
  test.each<[string, object, string]>([
    ['no chain', { ...claim, chainId: undefined }, '/chainId'],
    ['a chain in words only', { contractAddress: owned.address, chain: `eip155:${base}` }, '/chainId'],
    ['a chain that is not configured', { ...claim, chainId: 1 }, '/chainId'],
    ['no contract', { ...claim, contractAddress: undefined }, '/contractAddress'],
    ['a program of Solana', { ...claim, contractAddress: sol.address }, '/contractAddress'],
    ['a wallet of Solana', { ...claim, walletAddress: sol.address }, '/walletAddress'],
    ['an unknown method', { ...claim, method: 'deployer' }, '/method'],
  ])('%s', async (_, data, path) => {
    expect(await ask(alice, data)).toMatchObject(refused(id, path))
  })

  test('a Solana wallet cannot own a contract of an EVM chain', async () => {
    expect(await ask(sol, claim)).toMatchObject(refused(id, '/walletAddress'))
  })
})

describe('contract-ownership when it cannot look', () => {
  test.each(['owner', 'admin', 'accessControl'])('by %s: says so and stores no proof', (method) =>
    expectUnavailable(id, alice, { ...claim, method }),
  )

  test('is absent from a server without a chain', () => expectAbsentWithoutChain(id, alice, claim))
})
