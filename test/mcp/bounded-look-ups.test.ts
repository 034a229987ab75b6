/** A tool reads a bounded number of rows to find one agent among many. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startCounting, stopCounting, workOf } from '../fuzz/counted-work.ts'
import { alice, evmWallet } from '../wallets.ts'
import { startMcp, type TestMcp } from './mcp.ts'

setDefaultTimeout(120_000)

const wallets = 12
const identitiesPerWallet = 20
/** All identities together hold about four million characters of instructions. */
const instructions = '\u4e2d'.repeat(16_000)

let app: TestMcp
beforeAll(async () => {
  startCounting()
  app = await startMcp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  for (let count = 1; count <= wallets; count++) {
    const wallet = evmWallet(`0x${count.toString(16).padStart(64, '0')}`)
    for (let number = 0; number < identitiesPerWallet; number++) {
      app.wait(1)
      const data = { agentId: `agent-${number}`, agentWallet: wallet.address, instructions }
      const options = { privacyLevel: 'public', publicDisplay: true }
      expect((await app.submit(wallet, { verifierIds: ['agent-identity'], data, options })).status).toBe(200)
    }
    const granted = { controllerWallet: alice.address, agentWallet: wallet.address, agentId: `agent-${count}` }
    expect((await app.submit(alice, { verifierIds: ['agent-delegation'], data: granted })).status).toBe(200)
  }
})
afterAll(stopCounting)

test.each([
  ['svc_agent_mount', 'nobody'],
  ['svc_agent_mount', 'agent-12'],
  ['svc_agent_mount', 'agent-1'],
])('%s reads a bounded part of the statements of all agents to find %s', async (name, agentId) => {
  const token = await app.tokenOf()
  const work = await workOf(async () => {
    const { result } = (await app.send(token, 'tools/call', { name, arguments: { agentId } })).body
    if (agentId === 'nobody') expect(JSON.parse(result.content[0].text).error.code).toBe('identity_not_found')
    else expect(result.structuredContent.identity).toMatchObject({ agentId, instructions })
  }, Number.POSITIVE_INFINITY)
  expect(work.rows + work.json).toBeLessThan(3_000_000)
})

test('svc_agent_create reads a bounded part of the statements of all agents to find the existing one', async () => {
  const token = await app.tokenOf()
  for (let count = 1; count <= wallets; count++) {
    const { address } = evmWallet(`0x${count.toString(16).padStart(64, '0')}`)
    const granted = { controllerWallet: alice.address, agentWallet: address, agentId: 'many' }
    expect((await app.submit(alice, { verifierIds: ['agent-delegation'], data: granted })).status).toBe(200)
  }
  const work = await workOf(async () => {
    const args = { agentId: 'many', agentWallet: 'generate' }
    const { result } = (await app.send(token, 'tools/call', { name: 'svc_agent_create', arguments: args })).body
    expect(result.structuredContent.next_action).toBe('ready')
  }, Number.POSITIVE_INFINITY)
  expect(work.rows + work.json).toBeLessThan(3_000_000)
})
