/** A refusal names the member that is wrong, as the caller wrote it, and every member that is missing beside it. */
import { describe, expect, test } from 'bun:test'
import { joinSentences } from '../../src/pattern-words.ts'
import { startApp } from '../app.ts'
import { definitionOf, gatesPath } from '../gates/gate.ts'
import { expectRefused } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { findInside } from './plain-message.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const session = await app.signIn(alice)
const applyGate = (definition: object) => app.post(gatesPath, { definition }, session.headers)
const standardize = (verifierIds: readonly string[], data: object) =>
  app.post('/api/v1/verification/standardize', {
    walletAddress: alice.address,
    verifierIds,
    data,
    signedTimestamp: app.now(),
  })

describe('members that are missing', () => {
  test.each([
    ['grant_proof_access', 'data.qHash and data.viewerWallet are missing in the action grant_proof_access ('],
    ['fulfill_gate', 'data.gateId and data.qHash are missing in the action fulfill_gate ('],
    ['apply_gate', 'data.gateId and data.digest are missing in the action apply_gate ('],
  ])('of the action %s are told together', async (action, start) => {
    const answer = await standardize(['ownership-basic'], { action })
    expectRefused(answer, 'VALIDATION_ERROR')
    expect(answer.body.error.message).toStartWith(start)
  })

  test('of a gate are told together', async () => {
    const answer = await applyGate({})
    expectRefused(answer, 'VALIDATION_ERROR', /^gateId, name and requirements are missing$/)
  })

  test('of a reward have no kind', async () => {
    const answer = await applyGate(definitionOf({ rewards: [{}] }))
    expectRefused(answer, 'VALIDATION_ERROR', /^rewards\[0\]\.kind is missing$/)
  })

  test.each([
    [{}, /^data holds no object "ownership-basic": with data under verifier ids, each id needs its own/],
    [{ agentId: 'a' }, /With several verifiers, the data of each may stand under its id: data\["ownership-basic"\]/],
  ])('of several verifiers are looked for under their ids: %j', async (data, hint) => {
    const answer = await standardize(['ownership-basic', 'agent-identity'], data)
    expectRefused(answer, 'INVALID_VERIFIER_DATA', hint)
  })
})

test('the wallet of a trial is named as the body names it', async () => {
  const answer = await app.post(`${gatesPath}/test`, { definition: definitionOf({}), wallet: 'bob' }, session.headers)
  expectRefused(answer, 'INVALID_WALLET_ADDRESS', /^wallet is a short name/)
  expect(answer.body.error.details).toMatchObject({ path: '/wallet' })
})

describe('an entry of many checks', () => {
  const right = { address: alice.address, verifierId: 'ownership-basic' }

  test.each([
    [{ address: 5 }, 'address is not a wallet address'],
    [{ address: null }, 'address is missing'],
    [{ address: 'x'.repeat(257) }, 'body checks[1].address: must be at most 256 characters long'],
    [{ includePrivate: null }, 'body checks[1].includePrivate: must be one of 1, true, yes, 0, false, no'],
    [{ minCount: {} }, 'body checks[1].minCount: must be a whole number'],
  ])('is refused alone with %j', async (wrong, start) => {
    const { status, body } = await app.post('/api/v1/proofs/check', { checks: [right, { ...right, ...wrong }] })
    expect(status).toBe(200)
    expect(body.data.results[0].success).toBe(true)
    expect(body.data.results[1].success).toBe(false)
    expect(body.data.results[1].error.message).toStartWith(start)
  })
})

describe('a blank name is refused', () => {
  test('of an access key', async () => {
    const answer = await app.post('/api/v1/auth/profile-keys', { name: '  ' }, session.headers)
    expectRefused(answer, 'VALIDATION_ERROR', /body name: must be a text that is not blank/)
  })

  test('of an app', async () => {
    const answer = await app.post('/oauth/register', { client_name: '  ', redirect_uris: ['http://127.0.0.1/cb'] })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('holds no letter, digit or sign')
  })
})

test.each(['it must be 64 bytes.', 'send npk_…', 'it is stale'])('a sentence after %p adds no second stop', (first) => {
  const told = joinSentences(first, 'This is the text.')
  expect([told, findInside(told)]).toEqual([told, undefined])
})

test('a signature of the wrong form is told without a doubled full stop', async () => {
  const claim = { walletAddress: '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj', chain: 'solana:mainnet' }
  const data = { owner: claim.walletAddress, content: 'x' }
  const more = { verifierIds: ['ownership-basic'], data, signedTimestamp: app.now(), signature: 'abc' }
  const { body } = await app.post('/api/v1/verification', { ...claim, ...more })
  expect([body.error.message, findInside(body.error.message)]).toEqual([expect.stringMatching(/digits\. /), undefined])
})

test('an unknown key beside a session is told without a doubled full stop', async () => {
  const headers = { ...session.headers, authorization: `Bearer npk_${'A'.repeat(43)}` }
  const { body } = await app.get('/api/v1/profile/gates', headers)
  expect(body.error.message).toContain('npk_… This request also carries the cookie of a session')
  expect(findInside(body.error.message)).toBeUndefined()
})

test('the words of the catalog name a guide and no file', async () => {
  const { body } = await app.get('/api/v1/verification/verifiers')
  const description = await app.get('/openapi.json')
  for (const told of [body, description.body]) expect(JSON.stringify(told)).not.toContain('src/guides')
})
