/**
 * Tools that cannot succeed on this server name the missing setting. No answer sends an assistant to a page, a tool
 * or an argument that cannot help.
 */

import { describe, expect, test } from 'bun:test'
import { verifierIds } from '../../src/verifiers/index.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol } from '../wallets.ts'
import { startMcp, type TestMcp } from './mcp.ts'

const qHash = `0x${'ab'.repeat(32)}`

/** Calls of every tool, for a verifier where it takes one. */
const callsFor = (id: string): readonly (readonly [string, object])[] => [
  ['context', {}],
  ['verifiers_catalog', {}],
  ['proofs_check', { verifiers: [id] }],
  ['proofs_check', { verifiers: [id], wallet: bob.address }],
  ['verify_or_guide', { verifierIds: [id] }],
  ['verify_or_guide', { verifierIds: [id], walletAddress: bob.address }],
  ['verify', { verifierIds: [id], data: {} }],
  ['verify', { verifierIds: [id], data: { content: 'x' }, walletAddress: bob.address }],
  ['verify', { verifierIds: [id], data: { content: 'x' }, signature: `0x${'11'.repeat(65)}`, signedTimestamp: 1 }],
  ['proofs_get', { verifierId: id }],
  ['proofs_get', { qHash }],
  ['secret_list', {}],
  ['secret_create', { alias: 'KEY', secretType: 'single', content: 'x' }],
  ['secret_revoke', { qHash }],
]

const agentCalls: readonly (readonly [string, object])[] = [
  ['agent_create', { agentId: 'a', agentWallet: 'generate' }],
  ['agent_create', { agentId: 'a', agentWallet: bob.address }],
  ['agent_create', { agentId: 'a', agentWallet: alice.address }],
  ['agent_link', { agentWallet: bob.address }],
  ['agent_mount', { agentId: 'a' }],
  ['agent_mount', { agentWallet: bob.address }],
]

/** Returns the answer without members that only describe the server. */
const guidanceIn = (data: Record<string, unknown>): string =>
  JSON.stringify(
    Object.fromEntries(
      ['next_action', 'nextSteps', 'message', 'hint', 'hostedVerifyUrl', 'preparedSignatures', 'prepared', 'error'].map(
        (name) => [name, data[name]],
      ),
    ),
  )

const leadsNowhere =
  /"next_action":"(?:fix_arguments_then_retry|open_hosted_verify|call_|sign_then_retry|submit_|retry_later)|\/verify\?|[Cc]all svc_|Change the argument|Check the identifier|to open/

/** The answer names the setting that would enable it, and suggests no other step. */
function expectDeadEnd(name: string, data: Record<string, unknown>, setting: RegExp): void {
  const guidance = guidanceIn(data)
  expect([name, leadsNowhere.exec(guidance)?.[0]]).toEqual([name, undefined])
  expect(guidance).toMatch(setting)
}

const call = async (app: TestMcp, token: string, name: string, args: object) =>
  (await app.tool(token, `svc_${name}`, args)).data

const needsVerifier = new Set(['proofs_check', 'verify_or_guide', 'verify'])

describe('with every verifier switched off', () => {
  const env = { PROOFGATE_VERIFIERS_DISABLED: verifierIds.join(','), PROOFGATE_LIMITS_ENABLED: 'false' }

  test('every tool answers, and those that need one say so', async () => {
    const app = await startMcp(env)
    const token = await app.tokenOf()
    for (const id of verifierIds)
      for (const [name, args] of callsFor(id)) {
        const data = await call(app, token, name, args)
        if (needsVerifier.has(name)) expectDeadEnd(`${name} ${id}`, data, /verifiers\.disabled/)
      }
    for (const [name, args] of agentCalls)
      expectDeadEnd(name, await call(app, token, name, args), /verifiers\.disabled/)
    expect((await call(app, token, 'verifiers_catalog', {})).verifierIds ?? []).toEqual([])
    const stored = (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())!.n
    expect(stored).toBe(0)
  })

  test('the catalog and the context list the disabled ones, with the settings that bring them', async () => {
    const app = await startMcp(env)
    const token = await app.tokenOf()
    const { notOffered } = await call(app, token, 'verifiers_catalog', {}).then((data) => data)
    const { verifierSummary } = await call(app, token, 'context', {})
    for (const list of [notOffered, verifierSummary.notOffered]) {
      expect(list.map(({ id }: { id: string }) => id).sort()).toEqual([...verifierIds].sort())
      for (const { id, why } of list) expect(why).toContain(`"${id}" is switched off here: the operator can`)
    }
  })
})

describe.each(verifierIds)('with %s off alone', (id) => {
  test('tools that need it say so, and agents are made only where both verifiers are on', async () => {
    const app = await startMcp({ PROOFGATE_VERIFIERS_DISABLED: id, PROOFGATE_LIMITS_ENABLED: 'false' })
    const token = await app.tokenOf()
    for (const [name, args] of callsFor(id)) {
      const data = await call(app, token, name, args)
      if (needsVerifier.has(name)) expectDeadEnd(`${name} ${id}`, data, /verifiers\.disabled/)
    }
    const isOfAgents = id.startsWith('agent-')
    const made = await call(app, token, 'agent_create', { agentId: 'b', agentWallet: 'generate' })
    if (!isOfAgents) return expect(made.next_action).toBe('ready')
    expectDeadEnd('agent_create', made, /verifiers\.disabled/)
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())!.n).toBe(0)
    const linked = await call(app, token, 'agent_link', { agentWallet: bob.address })
    expectDeadEnd('agent_link', linked, /verifiers\.disabled/)
  })
})

describe('with nothing configured', () => {
  const lacking = verifierIds.filter((id) => /social|dns|org-oauth|contract-|nft|token-|risk|human|licensed/.test(id))

  test.each(lacking)('%s says which setting brings it', async (id) => {
    const app = await startMcp()
    const token = await app.tokenOf()
    for (const [name, args] of callsFor(id)) {
      if (!needsVerifier.has(name)) continue
      expectDeadEnd(
        `${name} ${id}`,
        await call(app, token, name, args),
        /social\.|dns\.|chains\.|risk\.|human\.|verifiers\./,
      )
    }
  })

  test('an asset on an unknown chain needs the operator', async () => {
    const app = await startMcp({
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9',
    })
    const data = { chainId: 1, contractAddress: bob.address, tokenId: '1', ownerAddress: alice.address }
    const answer = await call(app, await app.tokenOf(), 'verify', { verifierIds: ['nft-ownership'], data })
    expectDeadEnd('verify', answer, /chains\.<name>/)
    expect(answer).toMatchObject({ next_action: 'ask_the_operator' })
  })

  test('unconfigured publishing is left out', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const args = { verifierIds: ['ownership-basic'], data: { content: 'x' }, options: { publishToHub: true } }
    const data = await call(app, token, 'verify', args)
    expect(data.error.message).toMatch(/operator|publishing\./)
    expect(data.next_action).toBe('fix_arguments_then_retry')
    expect(data.nextSteps.join(' ')).not.toContain('hostedVerifyUrl')
  })
})

test('a disabled verifier blocks a request for all of several, and not one for any of them', async () => {
  const app = await startMcp({ PROOFGATE_VERIFIERS_DISABLED: 'wallet-link' })
  const token = await app.tokenOf()
  const verifiers = ['ownership-basic', 'wallet-link']
  const all = await call(app, token, 'verify_or_guide', { verifierIds: verifiers })
  expectDeadEnd('all', all, /verifiers\.disabled/)
  expect(all).toMatchObject({ missing: verifiers, unavailable: ['wallet-link'], next_action: 'ask_the_operator' })
  const any = await call(app, token, 'verify_or_guide', { verifierIds: verifiers, requireAll: false })
  expect(any).toMatchObject({ unavailable: ['wallet-link'], next_action: 'call_svc_verify' })
  expect(any.nextSteps[0]).toContain('["ownership-basic"]')
  expect(any.nextSteps.join(' ')).not.toContain('wallet-link')
  expect(new URL(any.hostedVerifyUrl).searchParams.get('verifiers')).toBe('ownership-basic')
})

test('an agent whose proofs were made before stays linked and mounted after its verifiers were switched off', async () => {
  const app = await startMcp({ PROOFGATE_VERIFIERS_DISABLED: '' })
  const token = await app.tokenOf()
  await call(app, token, 'agent_create', { agentId: 'a', agentWallet: 'generate' })
  for (const id of ['agent-identity', 'agent-delegation'])
    (app.parts.catalog.enabled as Map<string, unknown>).delete(id)
  const again = await call(app, token, 'agent_create', { agentId: 'a', agentWallet: 'generate' })
  expect(again).toMatchObject({ path: 'already_linked', next_action: 'ready' })
  expect((await call(app, token, 'agent_mount', { agentId: 'a' })).identity.agentId).toBe('a')
})

test('a task that needs a person on a page is sent there, where the page can do it', async () => {
  const app = await startMcp({
    PROOFGATE_SOCIAL_GITHUB_PROVIDER: 'github',
    PROOFGATE_SOCIAL_GITHUB_CLIENT_ID: 'c',
    PROOFGATE_SOCIAL_GITHUB_CLIENT_SECRET: 'k',
  })
  const token = await app.tokenOf()
  for (const walletAddress of [alice.address, bob.address]) {
    const data = await call(app, token, 'verify', { verifierIds: ['ownership-social'], data: {}, walletAddress })
    expect(data).toMatchObject({ result: 'Action needed', next_action: 'open_hosted_verify' })
    expect(new URL(data.hostedVerifyUrl).searchParams.get('verifiers')).toBe('ownership-social')
    expect(data.prepared).toBeUndefined()
  }
})

test('an agent whose wallet no runtime accepts is not to be made again', async () => {
  const app = await startMcp()
  const token = await app.tokenOf(sol)
  await call(app, token, 'agent_create', { agentId: 's', agentWallet: sol.address })
  const data = await call(app, token, 'agent_mount', { agentId: 's' })
  expect(data.error.code).toBe('mount_incomplete')
  expect(data.next_action).toBe('ask_the_person')
})

test('an unknown verifier is a mistake, and the catalog helps', async () => {
  const app = await startMcp()
  const data = await call(app, await app.tokenOf(), 'verify', { verifierIds: ['ownership-basics'], data: {} })
  expect(data.next_action).toBe('fix_arguments_then_retry')
  expect(data.nextSteps.join(' ')).toContain('svc_verifiers_catalog')
})

test('an unknown gate is not retried with other arguments', async () => {
  const app = await startMcp()
  const data = await call(app, await app.tokenOf(), 'proofs_check', { gateId: 'gate_elsewhere' })
  expect(data.next_action).toBe('ask_the_person')
  expect(data.nextSteps.join(' ')).toContain('another server')
})
