/** Contracts and keys that share an address are separate wallets, which only a link joins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { innerOf, linkClaim, linkWallets } from '../wallet-link.ts'
import { bob, type TestWallet } from '../wallets.ts'
import { hub, lower, other, startTwoChains, type TwoChains } from './two-chains.ts'

let chains: TwoChains
beforeAll(async () => {
  chains = await startTwoChains()
})
afterAll(() => chains?.close())
beforeEach(() => chains.app.wait(1))

const wallets = '/api/v1/profile/wallets'
const list = async (wallet: TestWallet) => {
  chains.app.wait(1)
  const { headers } = await chains.app.signIn(wallet)
  const { linked, linkedBy } = (await chains.app.get(wallets, headers)).body.data
  const accounts = (found: { account: string }[]): string[] => found.map(({ account }) => account)
  return { linked: accounts(linked), linkedBy: accounts(linkedBy), headers }
}

describe('a link between two contracts at one address', () => {
  test('is made by both, joins them, and is dissolved once', async () => {
    const { app, onHub, onOther } = chains
    const name = `${other}:${onHub.address}`
    expect(await list(onHub)).toMatchObject({ linked: [], linkedBy: [] })
    const qHash = await linkWallets(app, onHub, onOther, { relationshipType: 'personal' })
    const { headers, ...of } = await list(onHub)
    expect(of).toEqual({ linked: [name], linkedBy: [] })
    // The linked one signs in to the profile of the other.
    app.wait(1)
    expect((await app.signIn(onOther)).did).toBe(`did:pkh:${hub}:${onHub.address}`)
    const link = (await app.get(wallets, headers)).body.data.linked[0]
    expect(link).toMatchObject({ qHash, contractOn: other, openSessions: 1 })
    const unlinked = await app.request(`${wallets}/${encodeURIComponent(name)}`, { method: 'DELETE', headers })
    expect(unlinked.body.data).toMatchObject({ account: name, revoked: [qHash], endedSessions: 1 })
    app.wait(1)
    expect((await app.signIn(onOther)).did).toBe(`did:pkh:${name}`)
  })

  test('needs the second one to sign on its own chain', async () => {
    const { app, onHub, onOther } = chains
    const { accounts, signed } = await innerOf({
      primary: onHub,
      secondary: onOther,
      secondaryChain: other,
      by: onHub,
      at: app.now(),
    })
    const { primaryAccountId, secondaryAccountId } = accounts
    const answer = await app.submit(onHub, {
      verifierIds: ['wallet-link'],
      data: { primaryAccountId, secondaryAccountId, ...signed },
    })
    expect(JSON.stringify(answer.body)).toContain('LINK_SIGNATURE_INVALID')
  })

  test('is prepared by svc_verify for the chain of the second one', async () => {
    const { app, keyOnHub, keyOnOther, makeKey } = chains
    const { token } = await makeKey(keyOnOther)
    const data = { secondaryAccountId: `${hub}:${lower(keyOnHub)}`, relationshipType: 'org' }
    const { data: first } = await app.tool(token, 'svc_verify', { verifierIds: ['wallet-link'], data })
    expect(first.prepared.signerString).toContain('\nChain: 84532\n')
    const signature = await keyOnHub.sign(first.prepared.signerString)
    const { arguments: args } = first.prepared.submitWith
    const { data: second } = await app.tool(token, 'svc_verify', { ...args, data: { ...args.data, signature } })
    expect(second.prepared.signerString).toContain('\nChain: 10\n')
    const last = { ...second.prepared.submitWith.arguments }
    last.signature = await keyOnOther.sign(second.prepared.signerString)
    expect((await app.tool(token, 'svc_verify', last)).data).toMatchObject({ result: 'Passed', contractOn: other })
    expect((await list(keyOnOther)).linked).toEqual([`${hub}:${lower(keyOnHub)}`])
    expect((await list(keyOnHub)).linkedBy).toEqual([`${other}:${lower(keyOnHub)}`])
    expect(await list(chains.key)).toMatchObject({ linked: [], linkedBy: [] })
  })
})

test('a key and a contract at its address can be linked, and the other contract there stays a stranger', async () => {
  const { app, key, keyOnOther } = chains
  await linkWallets(app, key, keyOnOther, { relationshipType: 'org' })
  expect((await list(key)).linked).toEqual([`${other}:${lower(key)}`])
  expect((await list(chains.keyOnHub)).linkedBy).not.toContain(lower(key))
})

test('a contract is not linked to itself, nor is a key on another chain', async () => {
  const { app, onHub } = chains
  const { body } = await app.submit(onHub, await linkClaim(app, onHub, onHub))
  expect(JSON.stringify(body)).toContain('SAME_WALLET')
  const { accounts, signed } = await innerOf({ primary: bob, secondary: bob, secondaryChain: other, at: app.now() })
  const { primaryAccountId, secondaryAccountId } = accounts
  const data = { primaryAccountId, secondaryAccountId, ...signed }
  const answer = await app.submit(bob, { verifierIds: ['wallet-link'], data })
  expect(JSON.stringify(answer.body)).toContain('SAME_WALLET')
})
