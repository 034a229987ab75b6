/** The size limit of answers to an assistant, and their privacy for other people's proofs. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { agent, alice, bob } from '../wallets.ts'
import { startMcp } from './mcp.ts'

setDefaultTimeout(60_000)

const twoMegabytes = 2_000_000
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }

test('svc_proofs_get with content is below two megabytes, has every row, and says which are shortened', async () => {
  const app = await startMcp(unlimited)
  const token = await app.tokenOf()
  const made: string[] = []
  for (let count = 0; count < 40; count++)
    made.unshift(await app.prove(alice, { storeOriginalContent: true }, { content: `${count}${'c'.repeat(49_000)}` }))
  const short = await app.prove(alice, { storeOriginalContent: true }, { content: 'short' })
  const { data } = await app.tool(token, 'svc_proofs_get', { include: 'content', limit: 100 })
  const answer = await app.send(token, 'tools/call', {
    name: 'svc_proofs_get',
    arguments: { include: 'content', limit: 100 },
  })
  expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(twoMegabytes)
  const { proofs } = data.data
  expect(proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([short, ...made])
  expect(proofs[0]).toMatchObject({ publicContent: { content: 'short' } })
  expect(proofs[0]).not.toHaveProperty('contentTruncated')
  for (const proof of proofs.slice(1)) {
    expect(proof.contentTruncated).toBe(true)
    expect(proof).not.toHaveProperty('publicContent')
  }
  const alone = await app.tool(token, 'svc_proofs_get', { include: 'content', qHash: made[0] })
  expect(alone.data.data.proofs[0].publicContent.content).toHaveLength(49_002)
})

test('the agents in svc_context are all there, and large ones are shortened', async () => {
  const app = await startMcp(unlimited)
  const token = await app.tokenOf()
  for (let count = 0; count < 45; count++) {
    const agentId = `agent-${count}`
    const options = { privacyLevel: 'public', publicDisplay: true }
    const data = { agentId, agentWallet: agent.address, instructions: '\u4e2d'.repeat(16_000) }
    app.wait(1)
    expect((await app.submit(agent, { verifierIds: ['agent-identity'], data, options })).status).toBe(200)
    const delegation = { controllerWallet: alice.address, agentWallet: agent.address, agentId }
    await app.submit(alice, { verifierIds: ['agent-delegation'], data: delegation })
  }
  const answer = await app.send(token, 'tools/call', { name: 'svc_context', arguments: {} })
  expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(twoMegabytes)
  const { agents } = answer.body.result.structuredContent.profileContext
  expect(agents).toHaveLength(45)
  expect(agents.filter((one: { contentTruncated?: boolean }) => one.contentTruncated).length).toBeGreaterThan(5)
})

test('an unlisted identity of a foreign agent wallet is shown only to a caller that names its id', async () => {
  const app = await startMcp(unlimited)
  const token = await app.tokenOf()
  const claim = { verifierIds: ['agent-identity'], data: { agentId: 'helper', agentWallet: agent.address } }
  const { qHash } = (await app.submit(agent, { ...claim, options: { privacyLevel: 'public' } })).body.data
  await app.submit(alice, {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: agent.address, agentId: 'helper' },
  })
  for (const [name, args] of [
    ['svc_context', {}],
    ['svc_proofs_get', { agentWallet: agent.address }],
    ['svc_agent_link', { agentWallet: agent.address }],
    ['svc_agent_mount', { agentWallet: agent.address }],
  ] as const)
    expect((await app.tool(token, name, args)).text).not.toContain(qHash)
  const named = await app.tool(token, 'svc_agent_mount', { identityQHash: qHash })
  expect(named.data.trust.identityQHash).toBe(qHash)
  const own = await app.tokenOf(agent)
  expect((await app.tool(own, 'svc_agent_mount', { agentId: 'helper' })).data.trust.identityQHash).toBe(qHash)
  expect(
    (await app.tool(await app.tokenOf(bob), 'svc_agent_mount', { agentWallet: agent.address })).text,
  ).not.toContain(qHash)
})

test.each([
  ['quotes', '"', 50_000],
  ['control characters', '\u0001', 40_000],
  ['reversed solidi', '\\', 50_000],
  ['three bytes each', '\u4e2d', 50_000],
])('svc_verify prepares and stores content of %s with answers below two megabytes', async (_, character, most) => {
  const app = await startMcp(unlimited)
  const token = await app.tokenOf()
  const ask = async (args: object) => {
    const { body } = await app.send(token, 'tools/call', { name: 'svc_verify', arguments: args })
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(twoMegabytes)
    const { content, structuredContent } = body.result
    return { text: JSON.parse(content[0].text), structured: structuredContent }
  }
  const makeClaim = (length: number) => ({
    walletAddress: bob.address,
    verifierIds: ['ownership-basic'],
    data: { content: character.repeat(length) },
  })
  const large = await ask(makeClaim(most))
  expect(large.structured.prepared.submitWith.arguments.data.content).toHaveLength(most)
  expect(large.text.result).toBe('Action needed')

  const { signerString, submitWith } = (await ask(makeClaim(16_000))).structured.prepared
  const made = await ask({ ...submitWith.arguments, signature: await bob.sign(signerString) })
  expect(made.structured).toMatchObject({ result: 'Passed', portableProof: {} })
  expect(made.text.qHash).toBe(made.structured.qHash)
})
