/** A client can recover from a refusal with nothing but its text. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, sol, type TestWallet } from '../wallets.ts'
import { expectRefused } from './refused.ts'

const api = '/api/v1'
const standardize = `${api}/verification/standardize`
const own = alice.address.toLowerCase()
const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const qHash = `0x${'ab'.repeat(32)}`

/** The body that a message shows, with its blanks filled in as a reader does. */
function readBody(message: string, wallet: string, now: number): Record<string, unknown> {
  const shown = /POST \/api\/v1\/verification\/standardize (\{.*?\}), sign/.exec(message)?.[1] ?? ''
  return JSON.parse(
    shown.replaceAll('<walletAddress>', wallet).replace('<now in Unix milliseconds>', String(now)),
  ) as Record<string, unknown>
}

async function follow(message: string, wallet: TestWallet) {
  const body = readBody(message, wallet.address, app.now())
  const prepared = await app.post(standardize, body)
  expect([prepared.status, prepared.body.error]).toEqual([200, undefined])
  const { walletAddress, signedTimestamp, chain } = body
  const signature = await wallet.sign(prepared.body.data.signerString)
  return { walletAddress, signedTimestamp, signature, ...(chain === undefined ? {} : { chain }) }
}

describe('a hint shows the whole request', () => {
  test('for an unsigned request', async () => {
    const proof = await app.prove(alice)
    const path = `${api}/proofs/revoke-self/${proof}`
    const { message } = (await app.post(path, {})).body.error
    expect(message).toContain('sign data.signerString')
    expect(message).toContain('the same signedTimestamp')
    expect((await app.post(path, await follow(message, alice))).status).toBe(200)
  })

  test('for a request with another signature, with its wallet', async () => {
    const proof = await app.prove(alice)
    const path = `${api}/proofs/revoke-self/${proof}`
    const wrong = await app.ownerBody(alice, { action: 'list_gates', walletAddress: own })
    const { message } = (await app.post(path, wrong)).body.error
    expect(message).toContain(`{"walletAddress":"${own}","verifierIds":["ownership-basic"]`)
    app.wait(1)
    expect((await app.post(path, await follow(message, alice))).status).toBe(200)
  })

  test('for a wallet on another chain, with the chain', async () => {
    const path = `${api}/proofs/by-wallet/${sol.address}?visibility=owner`
    const headers = await app.ownerHeaders(sol, { action: 'access_private_proofs_by_wallet', walletAddress: 'x' })
    const { message } = (await app.get(path, headers)).body.error
    expect(message).toContain('"chain":"solana:')
    const { walletAddress, signedTimestamp, signature, chain } = await follow(message, sol)
    const answer = await app.get(path, {
      'x-wallet-address': String(walletAddress),
      'x-signed-timestamp': String(signedTimestamp),
      'x-signature': signature,
      'x-chain': String(chain),
    })
    expect(answer.status).toBe(200)
  })
})

test('a refused signature is explained by another text first, and by contract wallets last', async () => {
  const wrong = await app.ownerBody(alice, { action: 'revoke_proof', qHash: `0x${'cd'.repeat(32)}` })
  const { message, details } = (await app.post(`${api}/proofs/revoke-self/${qHash}`, wrong)).body.error
  expect(message).toStartWith(
    'the owner signature is not accepted: it is over another text or another signedTimestamp, or by another wallet',
  )
  expect(message).toMatch(/contract wallet, only its chain can tell[^.]*\[chains\.<name>\][^.]*$/)
  expect(message).not.toContain('as error.details.signedData')
  expect(message.indexOf('error.details.signedData')).toBeGreaterThan(message.indexOf('standardize'))
  expect(details.signedData).toMatchObject({ action: 'revoke_proof', qHash })
})

test('a malformed signature is reported as malformed', async () => {
  const wrong = { walletAddress: own, signature: '0x12', signedTimestamp: app.now() }
  const { message } = (await app.post(`${api}/proofs/revoke-self/${qHash}`, wrong)).body.error
  expect(message).toStartWith('the owner signature is not accepted: The signature must be 0x and 130 hex digits')
})

describe('the hint of erase-all', () => {
  const path = `${api}/proofs/erase-all`

  test('names the ways that work for it', async () => {
    const { message } = (await app.post(path, {})).body.error
    expect(message).toContain('or use a browser that is signed in with the primary wallet')
    expect(message).not.toContain('access key')
    expect((await app.post(`${api}/proofs/revoke-self/${qHash}`, {})).body.error.message).toContain('access key')
  })

  test('says that a browser which is signed in must name the wallet', async () => {
    const { headers } = await app.signIn(alice)
    const answer = await app.post(path, {}, headers)
    expectRefused(answer, 'VALIDATION_ERROR', /walletAddress is missing in the body/)
    expect(answer.body.error.details).toEqual({ path: '/walletAddress' })
  })
})

describe('a signature of zeros counts as missing, and the answer says so', () => {
  const zeros = ['0x', '0x0', '0x00', `0x${'0'.repeat(130)}`]
  const says = /a signature of zeros \(0x00…\) counts as none/

  test.each(zeros)('%s in a body', async (signature) => {
    const signed = { walletAddress: own, signature, signedTimestamp: app.now() }
    expectRefused(await app.post(`${api}/proofs/revoke-self/${qHash}`, signed), 'WALLET_AUTH_REQUIRED', says)
  })

  test.each(zeros)('%s in headers', async (signature) => {
    const headers = { 'x-wallet-address': own, 'x-signature': signature, 'x-signed-timestamp': String(app.now()) }
    const path = `${api}/proofs/by-wallet/${own}?visibility=owner`
    expectRefused(await app.get(path, headers), 'WALLET_AUTH_REQUIRED', says)
  })

  test.each(zeros)('%s of a claim', async (signature) => {
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Hello' }, signature }
    const answer = await app.post(`${api}/verification`, { walletAddress: own, signedTimestamp: app.now(), ...claim })
    expectRefused(answer, 'WALLET_AUTH_REQUIRED', says)
  })

  test('a request without a signature gets no such hint', async () => {
    for (const body of [{}, { walletAddress: own }])
      expect((await app.post(`${api}/proofs/revoke-self/${qHash}`, body)).body.error.message).not.toContain('zeros')
  })
})
