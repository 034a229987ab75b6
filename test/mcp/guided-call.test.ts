/** The call that svc_verify_or_guide tells an assistant to make: it names every member that the data has to have. */
import { expect, test } from 'bun:test'
import { verifierIds } from '../../src/verifiers/index.ts'
import { agent, alice, bob } from '../wallets.ts'
import { startMcp } from './mcp.ts'

const nowhere = 'http://127.0.0.1:9'
const app = await startMcp({
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_VERIFIERS_ENABLED: verifierIds
    .filter((id) => id !== 'ownership-org-oauth' && id !== 'proof-of-human')
    .join(),
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: nowhere,
  PROOFGATE_DNS_RESOLVERS: '127.0.0.1:9',
  PROOFGATE_RISK_PROVIDERS: 'goplus',
  PROOFGATE_RISK_GOPLUS_URL: nowhere,
  PROOFGATE_SOCIAL_GITHUB_PROVIDER: 'github',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_ID: 'c',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_SECRET: 'k',
})
const token = await app.tokenOf()

const samples: Readonly<Record<string, unknown>> = {
  content: 'Words',
  contentType: 'text/plain',
  pseudonymId: 'alice',
  domain: 'example.com',
  contractAddress: bob.address,
  chainId: 8453,
  tokenId: '1',
  minBalance: '1',
  walletAddress: alice.address,
  controllerWallet: alice.address,
  agentWallet: alice.address,
  agentId: 'writer',
  secondaryWalletAddress: bob.address,
  license: { contractAddress: bob.address, tokenId: '1', chainId: 8453, ownerAddress: alice.address },
  owner: alice.address,
}

/** The data that a step asks for: data.<member>, or data["<verifier>"].<member>. */
function dataIn(step: string): Record<string, unknown> {
  const data: Record<string, Record<string, unknown>> = {}
  for (const [, id = '', member = ''] of step.matchAll(/data(?:\["([a-z-]+)"\])?\.([A-Za-z]+)/g)) {
    expect(samples).toHaveProperty(member)
    data[id] = { ...data[id], [member]: samples[member] }
  }
  return Object.hasOwn(data, '') ? data['']! : data
}

const idsIn = (step: string): string[] => JSON.parse(/\[[^\]]*\]/.exec(step)?.[0] ?? '[]')

test.each([...app.parts.catalog.enabled.keys()])('the guide for %s leads to a call that succeeds', async (id) => {
  const guide = (await app.tool(token, 'svc_verify_or_guide', { verifierIds: [id] })).data
  if (guide.next_action === 'open_hosted_verify') return expect(id).toBe('ownership-social')
  const [step] = guide.nextSteps
  expect(idsIn(step)).toEqual([id])
  const { data } = await app.tool(token, 'svc_verify', { verifierIds: [id], data: dataIn(step) })
  // No outside service answers in this test; by then the data has been accepted.
  expect(data.error?.code ?? data.result).toMatch(
    /^(Passed|Action needed|Blocked|[A-Z_]*(UNAVAILABLE|UPSTREAM)[A-Z_]*)$/,
  )
})

test('the guide for a wallet-link names the call that makes the text for the second wallet', async () => {
  const guide = (await app.tool(token, 'svc_verify_or_guide', { verifierIds: ['wallet-link'] })).data
  expect(guide.nextSteps[0]).toContain('data.secondaryWalletAddress')
  expect(guide.nextSteps[0]).not.toMatch(/data\.signature|data\.signedTimestamp/)
  const { data } = await app.tool(token, 'svc_verify', {
    verifierIds: ['wallet-link'],
    data: dataIn(guide.nextSteps[0]),
  })
  expect(data).toMatchObject({ next_action: 'sign_then_retry', prepared: { walletAddress: bob.address.toLowerCase() } })
})

test('the guide for several verifiers names the members of each, and a separate call for wallet-link', async () => {
  const verifierIds = ['ownership-pseudonym', 'wallet-link', 'ownership-basic']
  const guide = (await app.tool(token, 'svc_verify_or_guide', { verifierIds, walletAddress: agent.address })).data
  const [first, second] = guide.nextSteps
  expect([idsIn(first), idsIn(second)]).toEqual([['ownership-pseudonym', 'ownership-basic'], ['wallet-link']])
  for (const step of [first, second]) {
    const call = { verifierIds: idsIn(step), data: dataIn(step), walletAddress: agent.address }
    expect((await app.tool(token, 'svc_verify', call)).data.result).toBe('Action needed')
  }
})
