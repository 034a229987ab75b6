/**
 * Names of wallets, read from a real chain. viem reads the same names from the contract there, so the questions are those
 * of ENS.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createPublicClient, type Hex, http } from 'viem'
import { mainnet } from 'viem/chains'
import { getEnsAddress, getEnsName } from 'viem/ens'
import { isPlainName, mostAddresses } from '../../src/outside/names/ens.ts'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { chooseName, openNameBook, pointName } from '../parts/answer-book.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { freePort } from '../parts/free-port.ts'
import { alice, bob, mallory } from '../wallets.ts'

setDefaultTimeout(60_000)

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  await openNameBook(anvil)
})
afterAll(() => anvil.stop())

const low = ({ address }: { address: string }) => address.toLowerCase()
const start = (rpc = anvil.url) =>
  startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_CHAINS_ETHEREUM_CHAIN: 'eip155:1',
    PROOFGATE_CHAINS_ETHEREUM_RPC: rpc,
  })

async function ask(app: TestApp, ...addresses: readonly string[]): Promise<Record<string, string>> {
  const { headers } = await app.signIn(alice)
  const { body } = await app.get(`/api/v1/profile/names?addresses=${addresses.join(',')}`, headers)
  return Object.fromEntries(body.data.names.map(({ address, name }: Record<string, string>) => [address, name]))
}

describe('names of wallets', () => {
  test('are told where the name leads back to the wallet, as viem reads it too', async () => {
    await chooseName(anvil, low(alice), 'alice.eth')
    await pointName(anvil, 'alice.eth', alice.address)
    const client = createPublicClient({ chain: mainnet, transport: http(anvil.url) })
    expect(await getEnsName(client, { address: alice.address as Hex, gatewayUrls: [] })).toBe('alice.eth')
    expect(await getEnsAddress(client, { name: 'alice.eth', gatewayUrls: [] })).toBe(alice.address as Hex)
    expect(await ask(await start(), alice.address, low(bob))).toEqual({ [low(alice)]: 'alice.eth' })
  })

  test('are not told of a wallet that chose the name of another one', async () => {
    await chooseName(anvil, low(mallory), 'alice.eth')
    expect(await ask(await start(), low(mallory))).toEqual({})
  })

  test.each([
    ['in another spelling', 'Bob.eth'],
    ['with a character that nobody sees', 'bo\u200db.eth'],
    ['with a letter of another alphabet', 'b\u043eb.eth'],
    ['that turns the direction of a line', 'bob\u202e.eth'],
    ['that is too long', `${'b'.repeat(90)}.eth`],
    ['without a dot', 'bob'],
  ])('are not told %s', async (_, name) => {
    await chooseName(anvil, low(bob), name)
    await pointName(anvil, name, bob.address)
    expect(await ask(await start(), low(bob))).toEqual({})
    expect(isPlainName(name)).toBe(false)
  })

  test('are kept for ten minutes', async () => {
    const app = await start()
    await chooseName(anvil, low(bob), 'bob.eth')
    await pointName(anvil, 'bob.eth', bob.address)
    expect(await ask(app, low(bob))).toEqual({ [low(bob)]: 'bob.eth' })
    await chooseName(anvil, low(bob), 'robert.eth')
    await pointName(anvil, 'robert.eth', bob.address)
    expect(await ask(app, low(bob))).toEqual({ [low(bob)]: 'bob.eth' })
    app.wait(11 * 60_000)
    expect(await ask(app, low(bob))).toEqual({ [low(bob)]: 'robert.eth' })
  })

  test('are left out without a node of Ethereum, and with one that does not answer', async () => {
    const app = await startApp()
    expect(app.parts.outside.names).toBeUndefined()
    expect(await ask(app, low(alice))).toEqual({})
    expect(await ask(await start(`http://127.0.0.1:${await freePort()}`), low(alice))).toEqual({})
  })

  test('are for a signed-in browser, a bounded number at once', async () => {
    const app = await start()
    const path = `/api/v1/profile/names?addresses=${low(alice)}`
    expectRefused(await app.get(path), 'WALLET_AUTH_REQUIRED')
    const { headers } = await app.signIn(alice)
    expect((await app.get(path + `,${low(alice)}`.repeat(mostAddresses - 1), headers)).status).toBe(200)
    expectRefused(await app.get(path + `,${low(alice)}`.repeat(mostAddresses), headers), 'VALIDATION_ERROR')
    expectRefused(await app.get('/api/v1/profile/names?addresses=bob', headers), 'VALIDATION_ERROR')
  })
})
