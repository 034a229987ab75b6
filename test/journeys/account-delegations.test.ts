/** Delegations, links and unsigned claims of a person whose accounts share one address. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { linkWallets } from '../wallet-link.ts'
import { bob, evmWallet } from '../wallets.ts'
import { hub, lower, other, startTwoChains, type TwoChains } from './two-chains.ts'

let chains: TwoChains
let address: string
beforeAll(async () => {
  chains = await startTwoChains()
  address = lower(chains.key)
})
afterAll(() => chains?.close())
beforeEach(() => chains.app.wait(1))

test('delegations to two contracts at one address stand beside each other, and a new run replaces its own alone', async () => {
  const { app } = chains
  const delegate = async (agentChainRef: string): Promise<string> => {
    app.wait(1)
    const data = { controllerWallet: bob.address, agentWallet: address, agentChainRef, agentId: 'twin' }
    return (await app.submit(bob, { verifierIds: ['agent-delegation'], data })).body.data.qHash
  }
  const [first, onOther, renewed] = [await delegate(hub), await delegate(other), await delegate(hub)]
  const { token } = await chains.makeKey(bob)
  const { agents } = (await app.tool(token, 'svc_context')).data.profileContext
  expect(agents.map((agent: { delegationQHash: string }) => agent.delegationQHash).sort()).toEqual(
    [onOther, renewed].sort(),
  )
  expect(first).not.toBe(renewed)
})

test('an unsigned claim that names a chain belongs to the contract on it, and one without a chain to the key', async () => {
  const { app, key, keyOnOther } = chains
  await linkWallets(app, key, keyOnOther)
  const { headers } = await chains.makeKey(key)
  const claim = async (chain: object): Promise<string> => {
    app.wait(1)
    const data = { owner: address, content: JSON.stringify(chain) }
    const body = { walletAddress: address, ...chain, verifierIds: ['ownership-basic'], data }
    const made = await app.post('/api/v1/verification', { ...body, options: { privacyLevel: 'public' } }, headers)
    return made.body.data.qHash
  }
  const belongsToChain = async (about: string, qHash: string): Promise<boolean> =>
    (await app.get(`/api/v1/proofs/check?address=${about}&qHash=${qHash}`)).body.data.eligible
  const [ofContract, byNumber, ofKey, onHub] = [
    await claim({ chain: other }),
    await claim({ chainId: 10 }),
    await claim({}),
    await claim({ chain: hub }),
  ]
  for (const qHash of [ofContract, byNumber]) {
    expect(await belongsToChain(`${other}:${address}`, qHash)).toBe(true)
    expect(await belongsToChain(address, qHash)).toBe(false)
  }
  for (const qHash of [ofKey, onHub]) {
    expect(await belongsToChain(`${other}:${address}`, qHash)).toBe(false)
    expect(await belongsToChain(address, qHash)).toBe(true)
  }
})

test('the refusal of an unsigned claim names the account of the access key with its chain', async () => {
  const { app, onOther } = chains
  const { headers } = await chains.makeKey(onOther)
  const at = lower(onOther)
  const data = { owner: at, content: 'x' }
  const body = { walletAddress: at, chain: hub, verifierIds: ['ownership-basic'], data }
  const refused = await app.post('/api/v1/verification', body, headers)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
  expect(refused.body.error.message).toStartWith(
    `this access key is of ${other}:${at}, which may not act for ${at} on ${hub}: `,
  )
})

test('a link to one contract is not revoked by the linked contract of another chain at its address', async () => {
  const { app, onHub, onOther } = chains
  const primary = evmWallet(`0x${'e'.repeat(64)}`)
  const [toHub, toOther] = [await linkWallets(app, primary, onHub), await linkWallets(app, primary, onOther)]
  app.wait(1)
  const { headers } = await app.signIn(onOther)
  const revoke = (qHash: string) => app.post(`/api/v1/proofs/${qHash}/revoke-self`, {}, headers)
  expect((await revoke(toHub)).status).toBe(403)
  expect((await revoke(toOther)).status).toBe(200)
})

test('the text to sign for an agent, and the page for it, name contracts with their chains', async () => {
  const { app, onOther } = chains
  const { token } = await chains.makeKey(onOther)
  const agentWallet = `${hub}:${address}`
  const made = (await app.tool(token, 'svc_agent_create', { agentId: 'paged', agentWallet })).data
  expect(made.preparedSignatures).toMatchObject([{ walletAddress: address, chain: hub }])
  const linked = (await app.tool(token, 'svc_agent_link', { agentId: 'unknown', agentWallet })).data
  for (const { hostedVerifyUrl } of [made, linked]) {
    const { pathname, search, searchParams } = new URL(hostedVerifyUrl)
    expect(searchParams.get('agentWallet')).toBe(agentWallet)
    expect(searchParams.get('controllerWallet')).toBe(`${other}:${lower(onOther)}`)
    const page = await app.get(`${pathname}${search}`)
    expect(page.status).toBe(200)
  }
  const needed = (await app.tool(token, 'svc_verify', {
    verifierIds: ['ownership-basic'],
    walletAddress: `did:pkh:${hub}:${lower(onOther)}`,
    data: { content: 'x' },
  })) as { data: { message: string } }
  expect(needed.data.message).toBe(`${lower(onOther)} on ${hub} must sign a text. Nothing was stored yet.`)
})

test('the page of an agent takes accounts in every spelling, and refuses other text', async () => {
  const path = `/verify?verifiers=agent-delegation&agentWallet=`
  for (const [name, status] of [
    [`${other}:${address}`, 200],
    [`did:pkh:${other}:${address}`, 200],
    [address, 200],
    [`eip155:010:${address}`, 400],
    [`did:web:${address}`, 400],
    [`${other}:nobody`, 400],
  ] as const)
    expect((await chains.app.get(`${path}${name}`)).status).toBe(status)
})
