import { expect, test } from 'bun:test'
import { chooseMeant, readNamedAccount } from '../../src/wallet/account.ts'

const wallet = `0x${'ab'.repeat(20)}`
const contract = (chain: number) => ({ wallet, contractOn: `eip155:${chain}` })
const key = { wallet, contractOn: undefined }
const choose = (accounts: Parameters<typeof chooseMeant>[0], name: string) =>
  chooseMeant(accounts, readNamedAccount(name, 84532)!)

test('a name among accounts of one address means the one on its chain, or else the key', () => {
  const all = [contract(10), key, contract(84532)]
  expect(choose(all, `eip155:10:${wallet}`)).toEqual(contract(10))
  expect(choose(all, `did:pkh:eip155:84532:${wallet}`)).toEqual(contract(84532))
  expect(choose(all, `eip155:1:${wallet}`)).toEqual(key)
  expect(choose([contract(10)], `eip155:1:${wallet}`)).toBeUndefined()
})

test('a bare address means the key, or else the contract on the hub chain, or else the only account', () => {
  expect(choose([contract(10), contract(84532), key], wallet)).toEqual(key)
  expect(choose([contract(10), contract(84532)], wallet)).toEqual(contract(84532))
  expect(choose([contract(10), contract(1)], wallet)).toEqual(contract(10))
  expect(choose([key], `0x${'cd'.repeat(20)}`)).toBeUndefined()
})
