import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { agent, alice, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'agent-identity'
const evm = agent.address.toLowerCase()

describe('agent-identity (src/guides/wire.md, "agent-identity")', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const ask = asking(app, id)
  const basic = { agentId: 'helper', agentWallet: agent.address }
  const whole = {
    agentLabel: 'Helper',
    agentType: 'ai',
    avatar: 'https://a.example/a.png',
    description: 'Helps',
    capabilities: { wallet: true, mcp: false },
    instructions: 'Be kind',
    skills: [{ id: 'search', label: 'Search', kind: 'mcp', enabled: true }],
    services: [{ name: 'api', endpoint: 'https://a.example/api', version: '1' }],
    defaultRuntime: { provider: 'p', model: 'm', mode: 'x' },
  }

  test('holds: everything an agent can say of itself is public', async () => {
    const answer = await ask(
      agent,
      { ...basic, ...whole },
      { options: { privacyLevel: 'public', publicDisplay: true } },
    )
    expect(answer.status).toBe(200)
    const expected = {
      ...basic,
      ...whole,
      agentWallet: evm,
      agentChainRef: 'eip155:84532',
      agentAccountId: `eip155:84532:${evm}`,
    }
    expect(evidenceIn(answer)).toEqual(expected)
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(body.data.verifiedVerifiers[0].data).toEqual(expected)
  })

  test.each<[string, object, object, string]>([
    ['left out: the chain of the request', {}, {}, `eip155:84532:${evm}`],
    ['left out: the chainId of the request', {}, { chainId: 10 }, `eip155:10:${evm}`],
    ['given', { agentChainRef: 'eip155:8453' }, {}, `eip155:8453:${evm}`],
    [
      'given with an account id in checksum case',
      { agentChainRef: 'eip155:1', agentAccountId: `eip155:1:${agent.address}` },
      {},
      `eip155:1:${evm}`,
    ],
  ])('holds: the chain of the agent is %s', async (_, data, more, accountId) => {
    expect(evidenceIn(await ask(agent, { ...basic, ...data }, more)).agentAccountId).toBe(accountId)
  })

  test.each(['data:image/png;base64,AAAA', 'ipfs://bafy/1.png', 'robot', ''])('holds: the avatar %p', async (avatar) =>
    expect((await ask(agent, { ...basic, avatar })).status).toBe(200),
  )

  test('holds: services at addresses of other schemes', async () => {
    const services = ['did:web:a.example', 'ipfs://bafy', 'wss://a.example', 'mailto:a@a.example'].map((endpoint) => ({
      name: 'a',
      endpoint,
    }))
    expect((await ask(agent, { ...basic, services })).status).toBe(200)
  })

  test('holds: an agent on Solana', async () => {
    const answer = await ask(sol, { agentId: 'sol', agentWallet: sol.address })
    expect(evidenceIn(answer)).toMatchObject({
      agentWallet: sol.address,
      agentAccountId: `solana:mainnet:${sol.address}`,
    })
  })

  test.each<[string, object, string]>([
    ['the wallet is not the one that signed', { agentWallet: alice.address }, 'AGENT_WALLET_MISMATCH'],
    ['the account id is of another chain', { agentAccountId: `eip155:1:${evm}` }, 'ACCOUNT_ID_MISMATCH'],
    ['the account id is of another wallet', { agentAccountId: `eip155:84532:${alice.address}` }, 'ACCOUNT_ID_MISMATCH'],
  ])('fails: %s', async (_, change, reason) => {
    expect(await ask(agent, { ...basic, ...change })).toMatchObject(failed(id, reason))
  })

  test.each<[string, object, string]>([
    ['no agentId', { agentId: undefined }, '/agentId'],
    ['an empty agentId', { agentId: '' }, '/agentId'],
    ['an agentId of 129 characters', { agentId: 'x'.repeat(129) }, '/agentId'],
    ['an unknown member', { motto: 'x' }, '/motto'],
    ['an unknown capability', { capabilities: { flying: true } }, '/capabilities/flying'],
    ['a capability in words', { capabilities: { wallet: 'yes' } }, '/capabilities/wallet'],
    ['an unknown type', { agentType: 'human' }, '/agentType'],
    ['49 skills', { skills: Array.from({ length: 49 }, (_, index) => ({ id: `s${index}` })) }, '/skills'],
    ['an unknown member of a skill', { skills: [{ id: 's', price: 1 }] }, '/skills/0/price'],
    [
      '17 services',
      { services: Array.from({ length: 17 }, () => ({ name: 'n', endpoint: 'https://a.example' })) },
      '/services',
    ],
    ['a service without an address', { services: [{ name: 'n', endpoint: 'not an address' }] }, '/services/0/endpoint'],
    ['an unknown member of the runtime', { defaultRuntime: { gpu: 1 } }, '/defaultRuntime/gpu'],
    ['instructions of 16,001 characters', { instructions: 'x'.repeat(16_001) }, '/instructions'],
    ['a chain that is none', { agentChainRef: 'base' }, '/agentChainRef'],
    ...['javascript:alert(1)', 'https:e.example', 'data:text/html,x', 'VBScript:x'].flatMap(
      (address): [string, object, string][] => [
        [
          `${address} as the endpoint of a service`,
          { services: [{ name: 'a', endpoint: address }] },
          '/services/0/endpoint',
        ],
        [`${address} as an avatar`, { avatar: ` ${address}` }, '/avatar'],
      ],
    ),
  ])('refused: %s', async (_, change, path) => {
    expect(await ask(agent, { ...basic, ...change })).toMatchObject(refused(id, path))
  })
})
