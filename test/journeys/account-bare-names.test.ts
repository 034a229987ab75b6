/** A bare address in a filter or a match row means the key, or the contract on the hub chain. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { apply, definitionOf } from '../gates/gate.ts'
import { innerOf, linkClaim } from '../wallet-link.ts'
import { evmWallet, type TestWallet } from '../wallets.ts'
import { hub, lower, other, startTwoChains, type TwoChains } from './two-chains.ts'

const person = (digit: string): TestWallet => evmWallet(`0x${digit.repeat(64)}`)
/** Four people, named after the account that they linked or authorized, among three at one address. */
const [withHub, withOther, withKey, withKeyElsewhere] = [person('a'), person('b'), person('c'), person('d')]

let chains: TwoChains
let address: string
beforeAll(async () => {
  chains = await startTwoChains()
  address = lower(chains.key)
  const { app, key, keyOnHub, keyOnOther } = chains
  const link = async (primary: TestWallet, secondary: TestWallet) =>
    prove(primary, 'wallet-link', (await linkClaim(app, primary, secondary)).data)
  await link(withHub, keyOnHub)
  await link(withOther, keyOnOther)
  await link(withKey, key)
  const { accounts, signed } = await innerOf({
    primary: withKeyElsewhere,
    secondary: key,
    secondaryChain: other,
    at: app.now(),
  })
  const { primaryAccountId, secondaryAccountId } = accounts
  await prove(withKeyElsewhere, 'wallet-link', { primaryAccountId, secondaryAccountId, ...signed })

  for (const [wallet, agentChainRef] of [
    [withHub, hub],
    [withOther, other],
    [withKey, undefined],
  ] as const)
    await prove(wallet, 'agent-delegation', { controllerWallet: wallet.address, agentWallet: address, agentChainRef })
  for (const [wallet, agentChainRef] of [
    [keyOnHub, hub],
    [keyOnOther, other],
    [key, other],
  ] as const) {
    await prove(wallet, 'agent-identity', { agentId: 'a', agentWallet: address, agentChainRef })
    await prove(wallet, 'agent-delegation', {
      controllerWallet: address,
      controllerChainRef: agentChainRef,
      agentWallet: withKey.address,
    })
  }
  await link(keyOnOther, person('e'))
})
afterAll(() => chains?.close())

async function prove(wallet: TestWallet, verifierId: string, data: object): Promise<void> {
  chains.app.wait(1)
  const options = { privacyLevel: 'public', publicDisplay: true }
  const { status, body } = await chains.app.submit(wallet, { verifierIds: [verifierId], data, options })
  expect([status, body.error]).toEqual([200, undefined])
}

interface Asked {
  readonly about: string
  readonly verifierId: string
  readonly name: string
  readonly value: string
}

/** Asks both ways, whose answers must be the same. */
async function isMet({ about, verifierId, name, value }: Asked): Promise<boolean> {
  const { app } = chains
  const filter = await app.get(`/api/v1/proofs/check?address=${about}&verifierIds=${verifierId}&${name}=${value}`)
  const gateId = `gate_${++count}`
  const requirements = [{ verifierId, match: [{ path: name, op: 'eq', value }] }]
  expect((await apply(app, { ...definitionOf({ requirements }), gateId })).status).toBe(200)
  const gate = await app.get(`/api/v1/proofs/check?gateId=${gateId}&address=${about}`)
  expect(gate.body.data.gate.allRequiredSatisfied).toBe(filter.body.data.eligible)
  return filter.body.data.eligible
}
let count = 0

describe('a bare address', () => {
  test('as secondaryWalletAddress is the linked key or the contract on the hub chain, and no other contract', async () => {
    const asked = { verifierId: 'wallet-link', name: 'secondaryWalletAddress', value: address }
    for (const [wallet, expected] of [
      [withHub, true],
      [withOther, false],
      [withKey, true],
      [withKeyElsewhere, true],
    ] as const)
      expect(await isMet({ ...asked, about: wallet.address })).toBe(expected)
    expect(await isMet({ ...asked, about: withOther.address, value: `${other}:${address}` })).toBe(true)
  })

  test('as agentWallet of a delegation is no agent on another chain than the hub', async () => {
    const asked = { verifierId: 'agent-delegation', name: 'agentWallet', value: address }
    for (const [wallet, expected] of [
      [withHub, true],
      [withOther, false],
      [withKey, true],
    ] as const)
      expect(await isMet({ ...asked, about: wallet.address })).toBe(expected)
    expect(await isMet({ ...asked, about: withOther.address, value: `did:pkh:${other}:${address}` })).toBe(true)
  })

  test.each([
    ['agentWallet', 'agent-identity'],
    ['controllerWallet', 'agent-delegation'],
  ])('as %s is the account that signed, which is a key on every chain', async (name, verifierId) => {
    const asked = { verifierId, name, value: address }
    expect(await isMet({ ...asked, about: `${hub}:${address}` })).toBe(true)
    expect(await isMet({ ...asked, about: `${other}:${address}` })).toBe(false)
    expect(await isMet({ ...asked, about: address })).toBe(true)
    expect(await isMet({ ...asked, about: `${other}:${address}`, value: `${other}:${address}` })).toBe(true)
  })

  test('as primaryWalletAddress is not the contract on another chain', async () => {
    const asked = { about: `${other}:${address}`, verifierId: 'wallet-link', name: 'primaryWalletAddress' }
    expect(await isMet({ ...asked, value: address })).toBe(false)
    expect(await isMet({ ...asked, value: `${other}:${address}` })).toBe(true)
  })

  test('is explained with the chain of its contract when that is another chain', async () => {
    const { body } = await chains.app.get(
      `/api/v1/proofs/check?explain=true&address=${withOther.address}&verifierIds=wallet-link&secondaryWalletAddress=${address}`,
    )
    expect(JSON.stringify(body.data)).toContain(`"wanted":"${address}","found":"${other}:${address}"`)
  })
})
