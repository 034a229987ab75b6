/** The look of the pages of verification: judged for accessibility by axe, and kept as pictures in dist/screenshots. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startDns } from '../parts/dns.ts'
import { shop, usdc } from '../payments/coin-stage.ts'
import { addEvmWallet } from './browser-wallets.ts'
import { startCoinChain } from './coin-chain.ts'
import { addGate } from './gates-here.ts'
import {
  addressOf,
  choose,
  connect,
  fill,
  finished,
  goToPayment,
  goUnsigned,
  openHosted,
  press,
  problem,
  proofIds,
  share,
} from './hosted-stage.ts'
import { judged } from './looks.ts'
import type { Visit } from './visit.ts'

setDefaultTimeout(60_000)

const { env } = await startCoinChain()
const dns = await startDns()
afterAll(() => dns.stop())
const hosted = await openHosted({
  ...env,
  PROOFGATE_CHAINS_DOWN_CHAIN: 'eip155:137',
  PROOFGATE_CHAINS_DOWN_RPC: 'http://127.0.0.1:9',
  PROOFGATE_DNS_RESOLVERS: dns.address,
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
})
await addGate(hosted.origin, {
  gateId: 'gate_club',
  name: 'The evening club',
  description:
    'A table for twelve, every first Thursday. Show that you hold a name here, and that your wallet is in good standing.',
  requirements: [
    { verifierId: 'ownership-pseudonym' },
    { verifierId: 'wallet-risk' },
    { verifierId: 'nft-ownership', optional: true, match: [{ path: 'input.contractAddress', op: 'eq', value: usdc }] },
  ],
  price: { amountUsd: '12.50', methods: ['stablecoin'], recipient: shop },
  rewards: [
    { kind: 'reveal', value: 'Ring twice, and say “heron”.', label: 'How to get in', message: 'See you on Thursday.' },
  ],
  supply: 12,
})
await addGate(hosted.origin, {
  gateId: 'gate_open',
  name: 'The reading list',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [
    { kind: 'reveal', value: 'Ring twice, and say “heron”.', label: 'How to get in', message: 'See you on Thursday.' },
  ],
  successReturnUrl: 'https://club.example.com/welcome',
})

let wallets = 1
/** Adds a new wallet. */
const fox = ({ context }: Visit, more = {}) =>
  addEvmWallet(context, { name: 'Vixen Wallet', key: `0x${(0xa0 + wallets++).toString(16).repeat(32)}`, ...more })

async function at(visit: Visit, path: string): Promise<void> {
  await visit.goto(path)
  await connect(visit.page, 'Vixen Wallet')
}

async function proved(visit: Visit, name: string, isPublic = true): Promise<string> {
  await at(visit, '/verify?verifiers=ownership-pseudonym')
  await fill(visit.page, 'pseudonymId', name)
  if (isPublic) await share(visit.page)
  await press(visit.page, 'Sign and check')
  await finished(visit.page)
  return (await proofIds(visit.page))[0]!
}

async function signedIn({ page, goto }: Visit): Promise<void> {
  await goto('/verify?intent=login')
  await choose(page, 'Vixen Wallet')
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
}

/** Each leaves the page in the state that is looked at. */
const states: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  'verify-wallet': async (visit) => {
    await fox(visit)
    await visit.goto(
      `/verify?preset=project-pack&presetLabel=List your project&message=Two short checks, then you are back with us.&returnUrl=https://app.example.com/projects`,
    )
    await visit.page.getByRole('heading', { name: 'Choose a wallet' }).waitFor()
  },
  'verify-signed-in': async (visit) => {
    await fox(visit)
    await signedIn(visit)
    await visit.goto('/verify?preset=basic')
    await visit.page.locator('[name=keepPortable]').waitFor()
  },
  'verify-unsigned': async (visit) => {
    await fox(visit)
    await signedIn(visit)
    await visit.goto('/verify?preset=basic')
    await goUnsigned(visit.page)
    await visit.page.getByText('No wallet signs this proof').waitFor()
  },
  'verify-basic': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=creator-pack')
    await visit.page.locator('[name=content]').waitFor()
  },
  'verify-domain': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=domain')
    await fill(visit.page, 'domain', 'example.com')
  },
  'verify-no': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=domain')
    await fill(visit.page, 'domain', 'example.com')
    await press(visit.page, 'Check the record now')
    await problem(visit.page, 'The check failed')
  },
  'verify-nobody-looked': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=holder')
    await visit.page.locator('select[name=chainId]').selectOption('137')
    await fill(visit.page, 'contractAddress', usdc)
    await fill(visit.page, 'minBalance', '5')
    await press(visit.page, 'Check it now')
    await problem(visit.page, 'We could not check this')
  },
  'verify-missing-field': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=nft')
    await press(visit.page, 'Check it now')
    await problem(visit.page, 'Contract is missing')
  },
  'verify-waiting': async (visit) => {
    await fox(visit, { waits: { personal_sign: new Promise(() => {}) } })
    await at(visit, '/verify?preset=username')
    await fill(visit.page, 'pseudonymId', 'waiting')
    await press(visit.page, 'Sign and check')
    await visit.page.locator('#status').filter({ hasText: 'Sign the text' }).waitFor()
  },
  'verify-agent': async (visit) => {
    await fox(visit)
    await at(
      visit,
      `/verify?verifiers=agent-delegation&agentId=scout&agentWallet=${addressOf('3')}&scope=payments:x402&maxSpend=5000000&expiresAt=1893456000000&prefillDelegationDefaults={"permissions":["read_data","draft_report"]}&prefillRuntimePolicy={"requiresHumanApproval":true}`,
    )
    await visit.page.getByRole('button', { name: 'Sign the permission' }).waitFor()
  },
  'verify-link': async (visit) => {
    await fox(visit)
    await visit.goto('/verify?preset=wallet-link')
    await choose(visit.page, 'Vixen Wallet')
    await visit.page.locator('#wallets-heading').filter({ hasText: 'Second wallet' }).waitFor()
  },
  'verify-not-offered': async (visit) => {
    await visit.goto('/verify?preset=social')
    await visit.page.getByText('does not offer').waitFor()
  },
  'verify-done': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?preset=username&returnUrl=https://app.example.com/projects')
    await fill(visit.page, 'pseudonymId', 'grey.heron')
    await press(visit.page, 'Sign and check')
    await finished(visit.page)
  },
  'checkout-start': async (visit) => {
    await fox(visit)
    await visit.goto('/verify?gateId=gate_club')
    await visit.page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor()
  },
  'checkout-missing': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?gateId=gate_club')
    await press(visit.page, /^Go on: Pseudonym/)
    await fill(visit.page, 'pseudonymId', 'club.member')
    await press(visit.page, 'Sign and check')
    await visit.page.getByRole('button', { name: /^Go on: Wallet check/ }).waitFor()
  },
  'checkout-pay': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?gateId=gate_club')
    await press(visit.page, /^Go on: Pseudonym/)
    await fill(visit.page, 'pseudonymId', 'club.payer')
    await press(visit.page, 'Sign and check')
    await press(visit.page, /^Go on: Wallet check/)
    await press(visit.page, 'Check this wallet')
    await goToPayment(visit.page)
    await visit.page.getByText(shop.toLowerCase()).waitFor()
  },
  'checkout-reward': async (visit) => {
    await fox(visit)
    await at(visit, '/verify?gateId=gate_open')
    await press(visit.page, /^Go on: Pseudonym/)
    await fill(visit.page, 'pseudonymId', 'well.read')
    await press(visit.page, 'Sign and check')
    await press(visit.page, 'Get it now')
    await visit.page.getByRole('heading', { name: 'You have access' }).waitFor()
  },
  'proof-public': async (visit) => {
    await fox(visit)
    const qHash = await proved(visit, 'public.bird')
    await visit.goto(`/proof/${qHash}`)
  },
  'proof-owner': async (visit) => {
    await fox(visit)
    const qHash = await proved(visit, 'own.bird', false)
    await signedIn(visit)
    await visit.goto(`/proof/${qHash}`)
    await visit.page.getByText('Share it with another wallet').click()
    await visit.page.getByText('Revoke it', { exact: true }).click()
  },
  'proof-private': async (visit) => {
    await fox(visit)
    const qHash = await proved(visit, 'shy.bird', false)
    await visit.goto(`/proof/${qHash}`)
  },
}

test.each(Object.entries(states))('%s, on a phone and a desktop, light and dark', async (name, prepare) => {
  const visit = await hosted.open({ expectsStatus: [400, 402, 404, 503] })
  const { page } = visit
  await prepare(visit)
  await judged(page, name)
  expect(visit.complaints).toEqual([])
})
