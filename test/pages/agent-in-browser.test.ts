/** /agent/{agentId} in Chromium. */
import { expect, test } from 'bun:test'
import { agent, alice, type TestWallet } from '../wallets.ts'
import { openHosted } from './hosted-stage.ts'

const hosted = await openHosted()

async function submit(wallet: TestWallet, claim: object): Promise<string> {
  const post = async (path: string, body: object) =>
    (
      await fetch(`${hosted.origin}/api/v1/verification${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()
  const options = { privacyLevel: 'public', publicDisplay: true }
  const body = { walletAddress: wallet.address, signedTimestamp: Date.now(), options, ...claim }
  const { data } = await post('/standardize', body)
  return (await post('', { ...body, signature: await wallet.sign(data.signerString) })).data.qHash
}

test('the page of an agent shows its card, leads to its proofs, and runs nothing of another origin', async () => {
  const agentId = 'writer <b>1</b>'
  const shared = { agentId, agentWallet: agent.address }
  await submit(agent, {
    verifierIds: ['agent-identity'],
    data: {
      ...shared,
      agentLabel: 'Writer',
      description: 'Writes about walks in the park.',
      capabilities: { publishing: true, search: true },
      skills: [{ id: 'prose', label: 'Prose' }],
      services: [{ name: 'mcp', endpoint: 'https://agent.example/mcp' }],
    },
  })
  const granted = await submit(alice, {
    verifierIds: ['agent-delegation'],
    data: { ...shared, controllerWallet: alice.address, scope: 'publish', expiresAt: Date.now() + 86_400_000 },
  })
  const visit = await hosted.open()
  const { page } = visit
  await visit.goto(`/agent/${encodeURIComponent(agentId)}`)
  await page.getByRole('heading', { name: 'Writer' }).waitFor()
  await page.getByText(agentId).first().waitFor()
  await page.getByText(alice.address.toLowerCase()).first().waitFor()
  await page.getByRole('button', { name: 'Copy the command' }).waitFor()
  await page.getByRole('link', { name: 'Proof of this permission' }).click()
  await page.waitForURL(`**/proof/${granted}`)
  expect(visit.complaints).toEqual([])
})
