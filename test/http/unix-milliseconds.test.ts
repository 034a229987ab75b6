/** A signed time in Unix seconds is a common mistake: the refusal names it, wherever a time is signed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

let app: TestApp
let seconds: number
beforeAll(async () => {
  app = await startApp()
  seconds = Math.floor(app.now() / 1000)
})
afterAll(() => app.close())

const claim = () => ({
  walletAddress: alice.address,
  verifierIds: ['ownership-basic'],
  data: { owner: alice.address, content: 'x' },
  signedTimestamp: seconds,
})
const signature = `0x${'12'.repeat(65)}`

test.each<[string, () => Promise<unknown>]>([
  ['standardize', () => app.post('/api/v1/verification/standardize', claim())],
  ['diagnose', () => app.post('/api/v1/verification/diagnose', { ...claim(), signature })],
  ['verification', () => app.post('/api/v1/verification', { ...claim(), signature })],
  [
    'an action of an owner in headers',
    async () =>
      app.get(
        `/api/v1/proofs/by-wallet/${alice.address}`,
        await app.ownerHeaders(alice, { action: 'access_private_proofs_by_wallet', walletAddress: 'x' }, seconds),
      ),
  ],
  [
    'an action of an owner in a body',
    async () =>
      app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, { action: 'erase_all_proofs' }, seconds)),
  ],
  [
    'the inner signature of a wallet link',
    async () =>
      app.submit(alice, {
        verifierIds: ['wallet-link'],
        data: {
          primaryWalletAddress: alice.address,
          primaryAccountId: `eip155:84532:${alice.address}`,
          secondaryWalletAddress: `0x${'b'.repeat(40)}`,
          secondaryAccountId: `eip155:84532:0x${'b'.repeat(40)}`,
          chain: 'eip155:84532',
          signature,
          signatureMethod: 'eip191',
          signedTimestamp: seconds,
        },
      }),
  ],
])('%s', async (_, send) => {
  const answer = await leavesNothing(app.parts, send as () => ReturnType<TestApp['get']>)
  expectRefused(answer, 'VALIDATION_ERROR', /Unix milliseconds, here \d{10}000/)
  expect(answer.body.error.details.path).toMatch(/\/(signedTimestamp|x-signed-timestamp)$/)
})

test('an old time in milliseconds is stale, and not reported as a wrong unit', async () => {
  const answer = await app.post('/api/v1/verification', { ...claim(), signature, signedTimestamp: 1e11 })
  expectRefused(answer, 'EXPIRED_SIGNATURE')
})
