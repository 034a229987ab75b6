/** Takes every verifier without visits elsewhere from the form on /verify to the proof, with real chain and DNS. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startWorld } from '../guides/world.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { addEvmWallet } from './browser-wallets.ts'
import {
  addressOf,
  choose,
  connect,
  fill,
  finished,
  keyOf,
  openHosted,
  pick,
  press,
  problem,
  proofIds,
  share,
} from './hosted-stage.ts'

setDefaultTimeout(60_000)

const world = await startWorld()
afterAll(() => world.stop())
const hosted = await openHosted({
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: world.here('https://rpc.example.com/<key>'),
  PROOFGATE_DNS_RESOLVERS: world.here('9.9.9.9'),
  PROOFGATE_VERIFIERS_ENABLED:
    'ownership-basic,ownership-pseudonym,ownership-dns-txt,ownership-licensed,contract-ownership,nft-ownership,token-holding,wallet-risk,wallet-link,ai-content-moderation,agent-identity,agent-delegation',
})
const one = addressOf('1')
await world.serves(one)
const nft = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const owned = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'

type Page = Awaited<ReturnType<typeof hosted.open>>['page']

/** The input, the button, and the evidence that the proof must then hold. */
const claims: Readonly<
  Record<string, { fields: (page: Page) => Promise<unknown>; submit: string; evidence: Record<string, unknown> }>
> = {
  'ownership-basic': {
    fields: (page) => fill(page, 'referenceId', 'https://example.com/mine'),
    submit: 'Sign the claim',
    evidence: { reference: { type: 'url', id: 'https://example.com/mine' } },
  },
  'ownership-pseudonym': {
    fields: async (page) => {
      await fill(page, 'pseudonymId', 'quiet.fox')
      await fill(page, 'displayName', 'Quiet Fox')
    },
    submit: 'Sign and check',
    evidence: { pseudonymId: 'quiet.fox', displayName: 'Quiet Fox' },
  },
  'ownership-dns-txt': {
    fields: async (page) => {
      await fill(page, 'domain', 'https://Example.com/about')
      expect(await page.locator('#work .notice').first().textContent()).toContain(
        `Name _svc.example.comValue wallet=${one.toLowerCase()}`,
      )
    },
    submit: 'Check the record now',
    evidence: { domain: 'example.com' },
  },
  'contract-ownership': {
    fields: (page) => fill(page, 'contractAddress', owned),
    submit: 'Check it now',
    evidence: { verificationMethod: 'owner' },
  },
  'nft-ownership': {
    fields: async (page) => {
      await fill(page, 'contractAddress', nft)
      await fill(page, 'tokenId', '7')
    },
    submit: 'Check it now',
    evidence: { input: expect.objectContaining({ tokenId: '7', chainId: 8453 }) },
  },
  'token-holding': {
    fields: async (page) => {
      await fill(page, 'contractAddress', token)
      await fill(page, 'minBalance', '2.5')
    },
    submit: 'Check it now',
    evidence: { input: expect.objectContaining({ minBalance: '2.5' }) },
  },
  'wallet-risk': { fields: async () => {}, submit: 'Check this wallet', evidence: { riskLevel: 'low' } },
  'ai-content-moderation': {
    fields: (page) => fill(page, 'text', 'A walk in the park.'),
    submit: 'Check it now',
    evidence: { safe: true },
  },
  'agent-identity': {
    fields: async (page) => {
      await fill(page, 'agentId', 'agent-1')
      await fill(page, 'instructions', 'x'.repeat(16_000))
    },
    submit: 'Sign as the agent',
    evidence: { agentId: 'agent-1', agentType: 'ai', instructions: 'x'.repeat(16_000) },
  },
  'agent-delegation': {
    fields: async (page) => {
      await fill(page, 'agentId', 'agent-1')
      await fill(page, 'agentWallet', addressOf('3'))
      await fill(page, 'permissions', 'read\nwrite')
    },
    submit: 'Sign the permission',
    evidence: { agentId: 'agent-1', agentWallet: addressOf('3').toLowerCase(), permissions: ['read', 'write'] },
  },
  'ownership-licensed': {
    fields: async (page) => {
      await fill(page, 'content', 'A licensed text')
      await fill(
        page,
        'license',
        JSON.stringify({ contractAddress: nft, tokenId: '7', chainId: 8453, ownerAddress: one }),
      )
    },
    submit: 'Sign and check',
    evidence: { license: expect.objectContaining({ tokenId: '7' }) },
  },
}

describe('a proof of', () => {
  test.each(Object.entries(claims))('%s', async (verifierId, { fields, submit, evidence }) => {
    const visit = await hosted.open()
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('1') })
    await visit.goto(`/verify?verifiers=${verifierId}`)
    await connect(page)
    await page.getByRole('button', { name: submit }).waitFor()
    await fields(page)
    await share(page)
    await press(page, submit)
    await finished(page)
    const [qHash] = await proofIds(page)
    const { verifiedVerifiers, status } = await hosted.proofOf(qHash!)
    expect(status).toBe('verified')
    expect(verifiedVerifiers[0]).toMatchObject({ verifierId, verified: true, data: evidence })
    expect(visit.complaints).toEqual([])
  })

  test('wallet-link: both accounts of one wallet sign, the second one first', async () => {
    const visit = await hosted.open()
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('1') })
    await visit.goto('/verify?verifiers=wallet-link')
    await choose(page)
    await page.getByRole('heading', { level: 2, name: 'Second wallet' }).waitFor()

    await choose(page)
    await problem(page, 'This is the first wallet')
    wallet.key = keyOf('2')
    await wallet.emit('accountsChanged', [addressOf('2')])
    await choose(page)
    await page.getByText('(signed)').waitFor()

    await choose(page)
    await problem(page, `This step needs the account ${one}`)
    wallet.key = keyOf('1')
    await wallet.emit('accountsChanged', [one])
    await choose(page)
    await pick(page, 'relationshipType', 'personal')
    await share(page)
    await press(page, 'Sign with the first wallet')
    await finished(page)
    const [qHash] = await proofIds(page)
    const { verifiedVerifiers } = await hosted.proofOf(qHash!)
    expect(verifiedVerifiers[0].data).toMatchObject({
      primaryWalletAddress: one.toLowerCase(),
      secondaryWalletAddress: addressOf('2').toLowerCase(),
      relationshipType: 'personal',
    })
    expect(visit.complaints).toEqual([])
  })
})

test('a pack leads through its steps, one proof each, and the site learns all of them', async () => {
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, { key: keyOf('1') })
  await visit.goto('/verify?preset=project-pack&returnUrl=https://app.example.com/projects')
  await connect(page)
  await page.getByRole('heading', { name: '1 of 2: Smart contract' }).waitFor()
  await fill(page, 'contractAddress', owned)
  await press(page, 'Check it now')
  await page.getByRole('heading', { name: '2 of 2: Domain' }).waitFor()
  await fill(page, 'domain', 'example.com')
  await press(page, 'Check the record now')
  await finished(page)
  const ids = await proofIds(page)
  expect(ids).toHaveLength(2)
  const there = new URL((await page.locator('#go-on').getAttribute('href'))!)
  expect(Object.fromEntries(there.searchParams)).toEqual({ qHash: ids[1]!, qHashes: ids.join(',') })
  expect(visit.complaints).toEqual([])
})

test('the pack of an agent: its identity, its permissions, and the good standing of the wallet', async () => {
  const visit = await hosted.open()
  const { page } = visit
  const wallet = await addEvmWallet(visit.context, { key: keyOf('3') })
  const query = new URLSearchParams({
    preset: 'agent-pack',
    agentId: 'a1',
    agentWallet: addressOf('3'),
    controllerWallet: one,
  })
  await visit.goto(`/verify?${query}`)
  await connect(page)
  await press(page, 'Sign as the agent')
  await page.getByRole('heading', { name: 'Your wallet, which lets the agent act' }).waitFor()
  wallet.key = keyOf('1')
  await wallet.emit('accountsChanged', [one])
  await connect(page)
  await press(page, 'Sign the permission')
  await page.getByRole('heading', { name: '3 of 3: Wallet check' }).waitFor()
  await press(page, 'Check this wallet')
  await finished(page)
  expect(await proofIds(page)).toHaveLength(3)
  expect(visit.complaints).toEqual([])
})

test('a contract wallet makes a proof on its own chain', async () => {
  const { address } = await deploy(world.anvil, 'Wallet1271', [addressOf('2')])
  const visit = await hosted.open()
  const { page } = visit
  await addEvmWallet(visit.context, {
    key: keyOf('2'),
    contract: address,
    chainId: 8453,
    node: world.anvil.url,
  })
  await visit.goto('/verify?preset=basic')
  await connect(page)
  await fill(page, 'content', 'By a contract')
  await share(page)
  await press(page, 'Sign the claim')
  await finished(page)
  expect(await hosted.proofOf((await proofIds(page))[0]!)).toMatchObject({
    walletAddress: address.toLowerCase(),
    chainId: 8453,
  })
  expect(visit.complaints).toEqual([])
})

describe('a claim that fails', () => {
  const noted = { expectsStatus: [400, 503] }

  test('is answered with the reason and the remedy; checking again asks the wallet for nothing', async () => {
    const visit = await hosted.open(noted)
    const { page } = visit
    const wallet = await addEvmWallet(visit.context, { key: keyOf('2') })
    await visit.goto('/verify?verifiers=ownership-dns-txt')
    await connect(page)
    await fill(page, 'domain', 'example.com')
    await press(page, 'Check the record now')
    await problem(page, 'The check failed. No proof was made.')
    await problem(page, 'Compare the record with the one in the form')
    expect(await page.locator('#problem .notice').getAttribute('class')).toBe('notice warning')
    const signed = () => wallet.asked.filter(({ method }) => method === 'personal_sign').length
    expect(signed()).toBe(1)
    await press(page, 'Check again')
    await problem(page, 'The check failed')
    expect(signed()).toBe(1)
    expect(visit.complaints).toEqual([])
  })

  test('because a name is taken is shown as neither a “no” nor an outage', async () => {
    const visit = await hosted.open({ expectsStatus: [409] })
    const { page } = visit
    await addEvmWallet(visit.context, { key: keyOf('2') })
    await visit.goto('/verify?verifiers=ownership-pseudonym')
    await connect(page)
    await fill(page, 'pseudonymId', 'quiet.fox')
    await press(page, 'Sign and check')
    await page.locator('#problem .notice.danger').waitFor()
  })
})
