/** What a client made, changed or took away through one server is so at another one at once, whatever that one remembers. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { TestApp } from '../app.ts'
import { type SeveralApps, startApps } from '../db/postgres/several-apps.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(120_000)

let several: SeveralApps
let apps: readonly TestApp[]
beforeAll(async () => {
  several = await startApps(3)
  apps = several.apps
})
afterAll(() => several.close())

/** The answers of all three, each asked twice before, so that nothing is new to it. */
const askAll = async <T>(ask: (app: TestApp) => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (const app of apps) answers.push(await ask(app))
  return answers
}

const shown = { privacyLevel: 'public', publicDisplay: true }
const listIds = async (app: TestApp, address: string): Promise<string[]> =>
  (await app.get(`/api/v1/proofs/by-wallet/${address}`)).body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)
const readStatus = async (app: TestApp, qHash: string) => {
  const { status, body } = await app.get(`/api/v1/proofs/${qHash}`)
  return status === 200 ? body.data.status : status
}

test('a proof, its revocation and its visibility', async () => {
  const [one, other] = [apps[0]!, apps[1]!]
  await askAll((app) => listIds(app, alice.address))
  const qHash = await one.prove(alice, shown)
  expect(await askAll((app) => listIds(app, alice.address))).toEqual([[qHash], [qHash], [qHash]])
  const check = `/api/v1/proofs/check?address=${alice.address}&verifierIds=ownership-basic`
  for (const { body } of await askAll((app) => app.get(check))) expect(JSON.stringify(body)).toContain(qHash)

  const ending = await other.ownerBody(alice, { action: 'revoke_proof', qHash }, one.now())
  expect((await other.post(`/api/v1/proofs/revoke-self/${qHash}`, ending)).status).toBe(200)
  expect(await askAll((app) => readStatus(app, qHash))).toEqual(['revoked', 'revoked', 'revoked'])
  for (const { body } of await askAll((app) => app.get(check))) expect(JSON.stringify(body)).not.toContain(qHash)
})

test('a gate and its next version', async () => {
  await askAll((app) => app.get('/api/v1/gates/everywhere'))
  await putGate(apps[0]!.parts, { gateId: 'everywhere' })
  const found = await askAll((app) => app.get('/api/v1/gates/everywhere'))
  expect(found.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a session, an access key, and the end of both', async () => {
  const [one, other] = [apps[0]!, apps[1]!]
  const { headers } = await one.signIn(alice)
  const me = (sent: Record<string, string>) =>
    askAll(async (app) => (await app.get('/api/v1/auth/me', sent)).body.data?.via ?? null)
  expect(new Set(await me(headers)).size).toBe(1)
  expect((await me(headers))[0]).toBe('session')

  const made = await other.post('/api/v1/auth/profile-keys', { name: 'everywhere' }, headers)
  expect(made.status).toBe(200)
  const { key, keyId } = made.body.data
  const bearer = { authorization: `Bearer ${key}` }
  expect(await me(bearer)).toEqual(['access-key', 'access-key', 'access-key'])
  const ended = await one.request(`/api/v1/auth/profile-keys/${keyId}`, { method: 'DELETE', headers })
  expect(ended.status).toBe(200)
  expect(await me(bearer)).toEqual([null, null, null])

  expect((await other.post('/api/v1/auth/logout', {}, headers)).status).toBe(200)
  expect(await me(headers)).toEqual([null, null, null])
})

test('an erasure', async () => {
  const [one, other] = [apps[0]!, apps[1]!]
  const qHash = await one.prove(bob, shown)
  expect(await askAll((app) => readStatus(app, qHash))).toEqual(['verified', 'verified', 'verified'])
  const erasing = await other.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: bob.address }, one.now())
  const asked = await other.post('/api/v1/proofs/erase-all', erasing)
  expect([asked.status, asked.body.erasedCount]).toEqual([200, 1])
  expect(await askAll((app) => readStatus(app, qHash))).toEqual([404, 404, 404])
  expect(await askAll((app) => listIds(app, bob.address))).toEqual([[], [], []])
})

test('a name that is taken, and a private proof', async () => {
  const [one, other] = [apps[0]!, apps[1]!]
  const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'everywhere' } }
  expect((await one.submit(alice, claim)).status).toBe(200)
  expect((await askAll((app) => app.submit(bob, claim))).map(({ status }) => status)).toEqual([409, 409, 409])

  const qHash = await other.prove(alice, {}, { content: 'Only once' })
  expect((await askAll((app) => app.get(`/api/v1/proofs/${qHash}`))).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
})
