/** A computer and a phone whose requests come to different processes of the server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { pairingLimits } from '../../../src/pairing/pairing.ts'
import type { TestApp } from '../../app.ts'
import { alice, bob } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
let one: TestApp
let other: TestApp
beforeAll(async () => {
  all = await startApps(2, { PROOFGATE_BASE_URL: 'https://proofs.example', PROOFGATE_LIMITS_ENABLED: 'false' })
  ;[one, other] = all.apps as [TestApp, TestApp]
})
afterAll(() => all.close())

const path = '/api/v1/auth/pairings'
async function send(app: TestApp, step: string, body: object) {
  const { status, body: answer } = await app.post(`${path}${step}`, body)
  return { status, ...(answer.data ?? {}), error: answer.error }
}

async function open(app: TestApp, purpose = 'sign-in') {
  const { secret, address } = await send(app, '', { purpose })
  return { secret: secret as string, code: new URL(address).hash.slice(1) }
}

describe('a phone and a computer at different processes', () => {
  test('are connected, and the signature of the phone signs the computer in', async () => {
    const { secret: computer, code } = await open(one)
    expect(await send(other, '/look', { code })).toMatchObject({ status: 200, purpose: 'sign-in' })
    const { secret: phone, number } = await send(other, '/take', { code })
    expect(await send(one, '/computer', { secret: computer })).toMatchObject({ state: 'compare', number })
    await send(other, '/phone', { secret: phone, do: 'confirm' })
    expect((await send(one, '/computer', { secret: computer, do: 'confirm' })).state).toBe('paired')
    await send(other, '/phone', { secret: phone, account: { address: alice.address, isContract: false } })
    expect((await send(one, '/computer', { secret: computer })).account.address).toBe(alice.address)
    const { message } = (await one.post('/api/v1/auth/nonce', { walletAddress: alice.address })).body.data
    await send(one, '/computer', { secret: computer, text: message })
    const { asked } = await send(other, '/phone', { secret: phone })
    await send(other, '/phone', { secret: phone, answer: { number: 1, signature: await alice.sign(asked.text) } })
    const { answer } = await send(one, '/computer', { secret: computer })
    const { signature } = answer.given
    expect((await other.post('/api/v1/auth/verify', { message, signature })).status).toBe(200)
  })

  test('end it for each other', async () => {
    const { secret, code } = await open(one)
    const { secret: phone } = await send(other, '/take', { code })
    await send(other, '/phone', { secret: phone, do: 'refuse' })
    expect(await send(one, '/computer', { secret })).toMatchObject({ state: 'ended', ended: 'numbers-differ' })
  })

  test('have it end where the browser of the computer is gone', async () => {
    const { secret, code } = await open(one)
    const { secret: phone } = await send(other, '/take', { code })
    for (let passed = 0; passed < pairingLimits.silentMs; passed += 30_000) {
      for (const app of all.apps) app.wait(30_000)
      expect((await send(one, '/computer', { secret })).state).toBe('compare')
    }
    expect((await send(other, '/phone', { secret: phone })).state).toBe('compare')
    for (const app of all.apps) app.wait(pairingLimits.silentMs)
    expect(await send(other, '/phone', { secret: phone })).toMatchObject({ state: 'ended', ended: 'computer-gone' })
  })
})

describe('at the same moment', () => {
  test('one of two phones takes a code, and the other one ends it', async () => {
    for (let round = 0; round < 10; round++) {
      const { secret, code } = await open(one)
      const answers = await all.race((app) => send(app, '/take', { code }))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await send(other, '/computer', { secret })).toMatchObject({ state: 'ended', ended: 'second-phone' })
    }
  })

  test('both sides confirm, and neither is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const { secret, code } = await open(one)
      const { secret: phone } = await send(other, '/take', { code })
      await Promise.all([
        send(one, '/computer', { secret, do: 'confirm' }),
        send(other, '/phone', { secret: phone, do: 'confirm' }),
      ])
      expect((await send(one, '/computer', { secret })).state).toBe('paired')
    }
  })

  test('one of two wallets is lent', async () => {
    const { secret, code } = await open(one)
    const { secret: phone } = await send(other, '/take', { code })
    await send(one, '/computer', { secret, do: 'confirm' })
    await send(other, '/phone', { secret: phone, do: 'confirm' })
    const lent = await all.race((app, index) => {
      const { address } = index % 2 ? alice : bob
      return send(app, '/phone', { secret: phone, account: { address, isContract: false } })
    }, 4)
    const { account } = await send(one, '/computer', { secret })
    const winners = lent.flatMap(({ status }, index) => (status === 200 ? [(index % 2 ? alice : bob).address] : []))
    expect(new Set(winners)).toEqual(new Set([account.address]))
  })

  test('a client gets as many codes as are allowed', async () => {
    const limited = await startApps(2, {
      PROOFGATE_BASE_URL: 'https://proofs.example',
      PROOFGATE_LIMITS_RATES_SESSIONS: '1000/1m',
    })
    const answers = await limited.race((app) => app.post(path, { purpose: 'verify' }), pairingLimits.mostPerClient)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(pairingLimits.mostPerClient)
    await limited.close()
  })
})

test('the database has no code, no secret, no text and no address of a wallet or a client', async () => {
  const { secret: computer, code } = await open(one)
  const { secret: phone } = await send(other, '/take', { code })
  await send(one, '/computer', { secret: computer, do: 'confirm' })
  await send(other, '/phone', { secret: phone, do: 'confirm' })
  await send(other, '/phone', { secret: phone, account: { address: alice.address, isContract: false } })
  const { message } = (await one.post('/api/v1/auth/nonce', { walletAddress: alice.address })).body.data
  await send(one, '/computer', { secret: computer, text: message })
  const rows = JSON.stringify(await all.sql`SELECT * FROM pairings`)
  for (const text of [computer, phone, code, alice.address, alice.address.toLowerCase(), 'sign in', '127.0.0.1'])
    expect(rows).not.toContain(text)
})
