/** Each account has its own vault of secrets, also two contracts and a key at one address. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'
import { hub, lower, other, startTwoChains, type TwoChains } from './two-chains.ts'

const secrets = '/api/v1/profile/secrets'
let chains: TwoChains
let count = 0
beforeAll(async () => {
  chains = await startTwoChains()
})
afterAll(() => chains?.close())
beforeEach(() => chains.app.wait(1))

type Headers = Record<string, string>
const store = async (headers: Headers, walletAddress?: string) => {
  const wallet = walletAddress === undefined ? {} : { walletAddress }
  const { status, body } = await chains.app.post(secrets, { alias: `S${++count}`, content: 'sk', ...wallet }, headers)
  expect([status, body.error]).toEqual([200, undefined])
  return body.data as { id: string; alias: string; walletAddress: string; contractOn?: string }
}
const list = async (headers: Headers): Promise<string[]> =>
  (await chains.app.get(secrets, headers)).body.data.secrets.map(({ id }: { id: string }) => id)
/** The secrets in the list of a wallet. */
const look = async (headers: Headers, name: string): Promise<string[]> => {
  const { status, body } = await chains.app.get(`/api/v1/proofs/by-wallet/${name}?includeSecrets=true`, headers)
  expect(status).toBe(200)
  return body.data.proofs
    .filter(({ verifierIds }: { verifierIds: string[] }) => verifierIds.includes('secret'))
    .map(({ qHash }: { qHash: string }) => qHash)
}
const erase = (headers: Headers, id: string) => chains.app.request(`${secrets}/${id}`, { method: 'DELETE', headers })

test('a secret of one account is listed, used and erased by no other at its address', async () => {
  const { key, keyOnHub, keyOnOther, makeKey } = chains
  const holders: { name: string; headers: Headers; id: string }[] = []
  for (const [name, wallet] of Object.entries({
    [lower(key)]: key,
    [`${hub}:${lower(key)}`]: keyOnHub,
    [`${other}:${lower(key)}`]: keyOnOther,
  } satisfies Record<string, TestWallet>)) {
    const { headers } = await makeKey(wallet)
    const made = await store(headers)
    expect([made.walletAddress, made.contractOn]).toEqual([lower(key), wallet.signing.chain])
    holders.push({ name, headers, id: made.id })
  }
  for (const { name, headers, id } of holders) {
    expect(await list(headers)).toEqual([id])
    expect(await look(headers, name)).toEqual([id])
    for (const foreign of holders.filter((one) => one.id !== id)) {
      expect(await look(headers, foreign.name)).not.toContain(foreign.id)
      expect((await erase(headers, foreign.id)).status).toBe(404)
    }
  }
  const [, { headers: ofContract } = { headers: {} }] = holders
  const body = { alias: 'x', content: 'sk', walletAddress: `${other}:${lower(key)}` }
  expect((await chains.app.post(secrets, body, ofContract)).body.error.code).toBe('FORBIDDEN')
  for (const { headers, id } of holders) expect((await erase(headers, id)).status).toBe(200)
})

describe('for a person who has linked two contracts of one address', () => {
  let headers: Headers
  beforeAll(async () => {
    await linkWallets(chains.app, bob, chains.onHub, { relationshipType: 'org' })
    await linkWallets(chains.app, bob, chains.onOther, { relationshipType: 'org' })
    headers = (await chains.makeKey(bob)).headers
  })

  test.each([
    ['a DID', (chain: string) => `did:pkh:${chain}:${chains.onHub.address}`],
    ['a CAIP-10 account', (chain: string) => `${chain}:${chains.onHub.address}`],
  ])('each secret stands in the vault that %s names', async (_, name) => {
    const made = { [hub]: await store(headers, name(hub)), [other]: await store(headers, name(other)) }
    for (const chain of [hub, other]) {
      expect(made[chain]).toMatchObject({ walletAddress: chains.onHub.address, contractOn: chain })
      expect(await look(headers, name(chain))).toEqual([made[chain]!.id])
    }
    const listed = (await chains.app.get(secrets, headers)).body.data.secrets
    expect(listed.map(({ contractOn }: { contractOn: string }) => contractOn)).toEqual([other, hub])
    for (const chain of [hub, other]) await erase(headers, made[chain]!.id)
  })

  test('a bare address names the contract on the hub chain, and the address of a key the key', async () => {
    const first = await store(headers, chains.onHub.address)
    expect(first).toMatchObject({ walletAddress: chains.onHub.address, contractOn: hub })
    const own = await store(headers, `did:pkh:${other}:${lower(bob)}`)
    expect(own.contractOn).toBeUndefined()
    expect(await look(headers, lower(bob))).toEqual([own.id])
    for (const { id } of [first, own]) await erase(headers, id)
  })

  test('a wallet of another person, and a text that is no wallet, are refused', async () => {
    for (const [walletAddress, code] of [
      [`${hub}:${lower(alice)}`, 'FORBIDDEN'],
      [`eip155:1:${chains.onHub.address}`, 'FORBIDDEN'],
      [`eip155:010:${chains.onHub.address}`, 'INVALID_WALLET_ADDRESS'],
      ['did:web:example.org', 'INVALID_WALLET_ADDRESS'],
    ]) {
      const { body } = await chains.app.post(secrets, { alias: 'x', content: 'sk', walletAddress }, headers)
      expect([body.error?.code, body.error?.details?.path]).toEqual([code, '/walletAddress'])
    }
  })
})
