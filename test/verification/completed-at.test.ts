/** completedAt is when the last verifier answered: looking things up takes time, and clocks are set meanwhile. */
import { afterAll, afterEach, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { startDns, txt } from '../parts/dns.ts'
import { alice } from '../wallets.ts'

const domain = 'example.test'
const server = await startDns({ [`_svc.${domain}`]: [txt(`wallet=${alice.address.toLowerCase()}`)] })
const app = await startApp({ PROOFGATE_DNS_RESOLVERS: server.address })
afterEach(() => {
  server.script = undefined
})
afterAll(async () => {
  await app.close()
  await server.stop()
})

/** A proof of the domain, while the clock goes on by so much between question and answer. */
async function proveMeanwhile(ms: number) {
  app.wait(1)
  server.script = (asked) => {
    app.wait(ms)
    return [asked.answer()]
  }
  const startedAt = app.now()
  const answer = await app.submit(alice, { verifierIds: ['ownership-dns-txt'], data: { domain } })
  expect(answer.status).toBe(200)
  const { qHash, verifiedVerifiers } = answer.body.data
  const { verificationTimestamp } = verifiedVerifiers[0].data
  return { startedAt, verificationTimestamp, completedAt: answer.body.data.completedAt, qHash }
}

test('a proof is completed at its last look-up, and not when it was requested', async () => {
  const { startedAt, completedAt, verificationTimestamp } = await proveMeanwhile(3000)
  expect(verificationTimestamp).toBe(startedAt)
  expect(completedAt).toBe(startedAt + 3000)
})

test('a proof is not completed before its look-up, where the clock was set back meanwhile', async () => {
  const { completedAt, verificationTimestamp, qHash } = await proveMeanwhile(-5000)
  expect(completedAt).toBeGreaterThanOrEqual(verificationTimestamp)
  const { body } = await app.post('/api/v1/verification/status-batch', { qHashes: [qHash] })
  expect(Date.parse(body.results[qHash].completedAt)).toBe(completedAt)
})
