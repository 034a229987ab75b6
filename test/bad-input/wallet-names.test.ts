/** Names and addresses of other systems are refused wherever a request names a wallet, and the refusal says why. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { agent, alice, sol } from '../wallets.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const qHash = await app.prove(alice)
const digits = agent.address.slice(2).toLowerCase()
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const standardize = (verifierIds: readonly string[], data: object, more: object = {}) =>
  app.post('/api/v1/verification/standardize', {
    walletAddress: alice.address,
    verifierIds,
    data,
    signedTimestamp: app.now(),
    ...more,
  })
const grantTo = (viewerWallet: string) =>
  standardize(['ownership-basic'], { action: 'grant_proof_access', qHash, viewerWallet })
const delegateTo = (agentWallet: string, more: object = {}) =>
  standardize(['agent-delegation'], { controllerWallet: alice.address, agentWallet, ...more })

const foreign = [
  ['bob', /a short name, which counts only with its chain/],
  ['vitalik.eth', /an ENS name: give the address it points to/],
  ['pay.vitalik.eth', /an ENS name/],
  [digits, new RegExp(`40 hexadecimal digits without 0x: did you mean 0x${digits}\\?`)],
  [bitcoin, /a Bitcoin address, and wallets of Bitcoin cannot sign here/],
] as const

describe.each(foreign)('the wallet %s', (wallet, reason) => {
  test.each([
    ['a list', `/api/v1/proofs/by-wallet/${wallet}`],
    ['a check', `/api/v1/proofs/check?address=${wallet}&verifierId=ownership-basic`],
    ['the providers of proofs of a person', `/api/v1/verification/human/providers?walletAddress=${wallet}`],
  ])('is refused by %s', async (_, path) => {
    expectRefused(await app.get(path), 'INVALID_WALLET_ADDRESS', reason)
  })

  test('is refused as the wallet of the claim that a read asks for', async () => {
    const query = `latestScope=1&verifierId=ownership-basic&scopeKey=a&walletAddress=${wallet}`
    expectRefused(await app.get(`/api/v1/proofs/${qHash}?${query}`), 'INVALID_WALLET_ADDRESS', reason)
  })

  test('is refused as the viewer of a grant, before and after it is signed', async () => {
    expectRefused(await grantTo(wallet), 'VALIDATION_ERROR', reason)
    const terms = { qHash, viewerWallet: wallet }
    const { walletAddress, ...signature } = await app.ownerBody(alice, { action: 'grant_proof_access', ...terms })
    const answer = await app.post('/api/v1/verification/access/grant', {
      ...terms,
      ownerWallet: walletAddress,
      ...signature,
    })
    expectRefused(answer, 'INVALID_WALLET_ADDRESS', reason)
  })

  test('is refused as an agent whose chain nobody names', async () => {
    expectRefused(await delegateTo(wallet), 'INVALID_VERIFIER_DATA', reason)
  })

  const accounts = ['agentWallet', 'controllerWallet', 'primaryWalletAddress', 'secondaryWalletAddress']
  test.each(accounts)('is refused as %s of a check', async (name) => {
    const answer = await app.get(`/api/v1/proofs/check?address=${alice.address}&${name}=${wallet}`)
    expectRefused(answer, 'INVALID_WALLET_ADDRESS', reason)
  })
})

// Evidence of assets and of risks holds an address alone; wallet-risk looks at wallets of Bitcoin too.
describe.each(['ownerAddress', 'subjectWallet', 'contractAddress'])('%s of a check', (name) => {
  const ask = (wallet: string) => app.get(`/api/v1/proofs/check?address=${alice.address}&${name}=${wallet}`)

  test.each([
    ['bob', /is a short name and no address: give the bare address/],
    ['vitalik.eth', /is an ENS name/],
    [digits, /did you mean 0x/],
  ])('is refused as %s', async (wallet, reason) => {
    expectRefused(await ask(wallet), 'INVALID_WALLET_ADDRESS', reason)
  })

  test.each([bitcoin, sol.address, agent.address])('may be %s', async (wallet) => {
    expect((await ask(wallet)).status).toBe(200)
  })
})

describe('the wallet of an agent', () => {
  test('may be a name beside its chain', async () => {
    const answer = await delegateTo('bob', { agentChainRef: 'near:mainnet' })
    expect(answer.status).toBe(200)
    const named = await app.get(`/api/v1/proofs/check?address=${alice.address}&agentWallet=near:mainnet:bob`)
    expect(named.status).toBe(200)
  })

  test('must be an address of the chain beside it', async () => {
    const answer = await delegateTo('bob', { agentChainRef: 'eip155:1' })
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /data\.agentWallet is not an address of eip155:1 \(agentChainRef\)/)
  })

  test('is not given with its chain', async () => {
    const answer = await delegateTo(`eip155:1:${agent.address}`)
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /^data\.agentWallet: must be an address without its chain/)
  })

  test('of a link to the page is refused as the proof refuses it', async () => {
    for (const wallet of ['bob', 'vitalik.eth']) {
      const { body } = await app.get(`/verify?verifiers=agent-delegation&agentId=a1&agentWallet=${wallet}`)
      expect(body).toMatch(/agentWallet is (a short name|an ENS name)/)
    }
  })
})

test('an account with its chain is refused where an address alone is wanted, which the refusal gives', async () => {
  const answer = await app.get(`/api/v1/verification/human/providers?walletAddress=eip155:1:${agent.address}`)
  expectRefused(
    answer,
    'INVALID_WALLET_ADDRESS',
    new RegExp(`an address alone: give ${agent.address}\\. The chain of a contract wallet goes into contractOn$`),
  )
})
