/** A model works for one account: two contracts and a key at one address get separate answers of tools. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { linkWallets } from '../wallet-link.ts'
import { bob, type TestWallet } from '../wallets.ts'
import { hub, lower, other, startTwoChains, type TwoChains } from './two-chains.ts'

let chains: TwoChains
/** Access keys of the key and of the two contracts at its address. */
let tokens: { readonly key: string; readonly onHub: string; readonly onOther: string }
let address: string
beforeAll(async () => {
  chains = await startTwoChains()
  address = lower(chains.key)
  const { key, keyOnHub, keyOnOther, makeKey } = chains
  tokens = {
    key: (await makeKey(key)).token,
    onHub: (await makeKey(keyOnHub)).token,
    onOther: (await makeKey(keyOnOther)).token,
  }
})
afterAll(() => chains?.close())
beforeEach(() => chains.app.wait(1))

const call = async (token: string, name: string, args: object = {}) => {
  const { data } = await chains.app.tool(token, `svc_${name}`, args)
  return data
}
const claim = (content: string) => ({ verifierIds: ['ownership-basic'], data: { content } })
/** Signs the text that a tool prepared, and submits it. */
const finish = async (token: string, signer: TestWallet, prepared: { signerString: string; submitWith: unknown }) => {
  const text = JSON.stringify(prepared.submitWith).replace('<signature>', await signer.sign(prepared.signerString))
  return call(token, 'verify', JSON.parse(text).arguments)
}

describe('svc_verify', () => {
  test.each([
    ['nothing', undefined],
    ['a bare address', () => address],
    ['a DID', () => `did:pkh:${other}:${address}`],
    ['a CAIP-10 account', () => `${other}:${address}`],
  ])('makes a claim of the contract that is signed in, whom %s names', async (how, name) => {
    const walletAddress = name?.()
    const made = await call(tokens.onOther, 'verify', {
      ...claim(how),
      ...(walletAddress === undefined ? {} : { walletAddress }),
      options: { privacyLevel: 'public', publicDisplay: true },
    })
    expect(made).toMatchObject({ result: 'Passed', walletAddress: address, contractOn: other })
    const eligible = async (about: string): Promise<boolean> =>
      (await chains.app.get(`/api/v1/proofs/check?address=${about}&qHash=${made.qHash}`)).body.data.eligible
    expect([await eligible(`${other}:${address}`), await eligible(`${hub}:${address}`)]).toEqual([true, false])
  })

  test.each([
    ['a DID', () => ({ walletAddress: `did:pkh:${hub}:${address}` })],
    ['a CAIP-10 account', () => ({ walletAddress: `${hub}:${address}` })],
    ['a bare address and a chain', () => ({ walletAddress: address, chain: hub })],
  ])('asks the contract on the other chain to sign, whom %s names', async (how, names) => {
    const needed = await call(tokens.onOther, 'verify', { ...claim(`for the hub, by ${how}`), ...names() })
    expect(needed).toMatchObject({ result: 'Action needed', walletAddress: address })
    expect(needed.prepared.signerString).toContain('\nChain: 84532\n')
    const made = await finish(tokens.onOther, chains.keyOnHub, needed.prepared)
    expect(made).toMatchObject({ result: 'Passed', contractOn: hub })
  })

  test('takes the chain of an agent from its data', async () => {
    const data = { agentId: 'self', agentWallet: address, agentChainRef: hub }
    const asked = { verifierIds: ['agent-identity'], data }
    expect((await call(tokens.onOther, 'verify', asked)).result).toBe('Action needed')
    const own = await call(tokens.onOther, 'verify', { ...asked, data: { ...data, agentChainRef: other } })
    expect(own).toMatchObject({ result: 'Passed', contractOn: other })
  })

  test('refuses two chains for one wallet', async () => {
    const walletAddress = `${hub}:${address}`
    const refused = await call(tokens.onOther, 'verify', { ...claim('two'), walletAddress, chain: other })
    expect([refused.error.code, refused.error.details?.argument]).toEqual(['VALIDATION_ERROR', 'chain'])
  })
})

test('svc_verify_or_guide asks about the contract on the given chain', async () => {
  await call(tokens.onOther, 'verify', claim('to be found'))
  const asked = { verifierIds: ['ownership-basic'], walletAddress: address }
  expect(await call(tokens.onOther, 'verify_or_guide', { ...asked, chain: other })).toMatchObject({ eligible: true })
  const elsewhere = await call(tokens.onOther, 'verify_or_guide', { ...asked, chain: 'eip155:1' })
  expect(elsewhere.eligible).toBe(false)
  expect(elsewhere.nextSteps[0]).toContain(`eip155:1:${address}`)
})

test('svc_proofs_get lists the proofs of the account, and only public ones of others at its address', async () => {
  const made: Record<string, string> = {}
  for (const [name, token] of Object.entries(tokens))
    made[name] = (await call(token, 'verify', claim(`private of ${name}`))).qHash
  const names = { key: address, onHub: `${hub}:${address}`, onOther: `${other}:${address}` }
  const read = async (token: string, args: object = {}) => {
    const { data } = await call(token, 'proofs_get', args)
    return { ...data, ids: data.proofs.map(({ qHash }: { qHash: string }) => qHash) as string[] }
  }
  for (const [name, token] of Object.entries(tokens)) {
    const own = await read(token)
    expect(Object.values(made).filter((id) => own.ids.includes(id))).toEqual([made[name]!])
    if (name !== 'key') expect(own.resolved.did).toBe(`did:pkh:${names[name as keyof typeof names]}`)
    expect(own.profileSummary.proofsSummary.total).toBe(own.pagination.totalCount)
  }
  for (const [name, token, foreign] of [
    ['onHub', tokens.onHub, names.onOther],
    ['onOther', tokens.onOther, names.onHub],
  ] as const) {
    const { ids, profileSummary } = await read(token, { identifier: foreign })
    expect(Object.values(made).filter((id) => ids.includes(id))).toEqual([])
    expect(profileSummary).toBeNull()
    expect((await read(token, { identifier: names[name] })).ids).toContain(made[name]!)
  }
})

test('svc_secret_create keeps a secret of the account that is signed in, and refuses another one', async () => {
  const made = await call(tokens.onOther, 'secret_create', { alias: 'OWN', secretType: 'single', content: 'x' })
  expect(made).toMatchObject({ walletAddress: address, contractOn: other })
  expect((await call(tokens.onOther, 'secret_list')).items[0].contractOn).toBe(other)
  expect((await call(tokens.onHub, 'secret_list')).items).toEqual([])
  expect((await call(tokens.key, 'secret_list')).items).toEqual([])
  const foreign = { alias: 'A', secretType: 'single', content: 'x', walletAddress: `${hub}:${address}` }
  const refused = await call(tokens.onOther, 'secret_create', foreign)
  expect([refused.error.code, refused.message]).toEqual(['FORBIDDEN', expect.stringContaining(`${other}:${address}`)])
})

test('svc_context names the accounts with their chains', async () => {
  const { principal } = (await call(tokens.onOther, 'context')).profileContext
  expect(principal).toMatchObject({
    did: `did:pkh:${other}:${address}`,
    primaryAccount: `${other}:${address}`,
    accounts: [`${other}:${address}`],
  })
})

describe('an agent', () => {
  test('is the contract on the chain that it is named with, and not the one that lets it act', async () => {
    const agentWallet = `${hub}:${address}`
    const made = await call(tokens.onOther, 'agent_create', { agentId: 'twin', agentWallet })
    expect(made.delegationQHash).toBeString()
    const [needed] = made.preparedSignatures
    expect(needed.signerString).toContain('\nChain: 84532\n')
    expect(await finish(tokens.onOther, chains.keyOnHub, needed)).toMatchObject({ result: 'Passed', contractOn: hub })
    const isLinked = async (name: string): Promise<boolean> =>
      (await call(tokens.onOther, 'agent_link', { agentWallet: name, agentId: 'twin' })).linked
    expect([await isLinked(agentWallet), await isLinked(`did:pkh:${hub}:${address}`)]).toEqual([true, true])
    expect([await isLinked(`${other}:${address}`), await isLinked(`eip155:1:${address}`)]).toEqual([false, false])
    const mounted = await call(tokens.onOther, 'agent_mount', { agentWallet })
    expect(mounted.trust.delegationQHash).toBe(made.delegationQHash)
    expect((await call(tokens.onOther, 'agent_mount', { agentWallet: `eip155:1:${address}` })).isError).not.toBe(false)
    const { agentContext } = (await call(tokens.onOther, 'proofs_get', { agentWallet })).data
    expect(agentContext.delegationQHash).toBe(made.delegationQHash)
    const ofAnother = await call(tokens.onOther, 'proofs_get', { agentWallet: `${other}:${address}` })
    expect(ofAnother.data.agentContext.delegationQHash).toBeNull()
    const { agents } = (await call(tokens.onOther, 'context')).profileContext
    expect(agents).toEqual([expect.objectContaining({ agentId: 'twin', agentAccountId: agentWallet })])
  })

  test('may be made once for each of two contracts at one address, by a person who has linked both', async () => {
    await linkWallets(chains.app, bob, chains.onHub, { relationshipType: 'agent' })
    await linkWallets(chains.app, bob, chains.onOther, { relationshipType: 'agent' })
    const { token } = await chains.makeKey(bob)
    const made = []
    for (const chain of [hub, other]) {
      const agentWallet = `${chain}:${chains.onHub.address}`
      made.push(await call(token, 'agent_create', { agentId: 'both', agentWallet, scope: `on:${chain}` }))
    }
    expect(made.map(({ path }) => path)).toEqual(['session_auto_complete', 'session_auto_complete'])
    for (const [at, chain] of [hub, other].entries()) {
      const agentWallet = `did:pkh:${chain}:${chains.onHub.address}`
      const found = await call(token, 'agent_link', { agentWallet })
      expect([found.identityQHash, found.delegationQHash]).toEqual([made[at].identityQHash, made[at].delegationQHash])
      expect((await call(token, 'agent_mount', { agentWallet })).trust.identityQHash).toBe(made[at].identityQHash)
    }
    const { agents } = (await call(token, 'context')).profileContext
    const pairs = agents.map((one: Record<string, string>) => [one.identityQHash, one.delegationQHash])
    expect(pairs).toEqual(made.map((one) => [one.identityQHash, one.delegationQHash]).reverse())
  })

  test('for a contract wallet is delegated to by that contract, on its chain', async () => {
    const made = await call(tokens.onOther, 'agent_create', { agentId: 'made', agentWallet: 'generate' })
    expect(made.path).toBe('session_auto_complete')
    const { body } = await chains.app.get(
      `/api/v1/proofs/check?address=${other}:${address}&controllerWallet=${other}:${address}&agentId=made&includePrivate=true`,
      { authorization: `Bearer ${tokens.onOther}` },
    )
    expect(body.data.eligible).toBe(true)
    const again = await call(tokens.onOther, 'agent_create', { agentId: 'made', agentWallet: 'generate' })
    expect([again.path, again.agentWallet]).toEqual(['already_linked', made.agentWallet])
  })
})
