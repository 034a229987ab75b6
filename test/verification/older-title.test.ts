/** Signatures under an older first line that the operator accepts: proofs here, and nothing to take away. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { contractWallet } from '../contract-wallet.ts'
import { startMcp } from '../mcp/mcp.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { select } from '../parts/select.ts'
import { innerOf } from '../wallet-link.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

const older = 'SVC Verification Request'
const accepting = { PROOFGATE_SIGNING_ACCEPTED_TITLES: older, PROOFGATE_LIMITS_ENABLED: 'false' }
const path = '/api/v1/verification'
const here = { format: 'svc-receipt', portable: false }
const portable = { format: 'caip-380-envelope', portable: true }
const contentOf = (wallet: TestWallet, app: TestApp) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content: `At ${app.now()}` },
})

/** The signed body of a claim, under the older first line. */
async function signOlder(app: TestApp, wallet: TestWallet, claim: object): Promise<Record<string, unknown>> {
  const body = await app.signed(wallet, claim)
  const { signerString } = (await app.post(`${path}/standardize`, body)).body.data
  return { ...body, signature: await wallet.sign(String(signerString).split('\n').with(0, older).join('\n')) }
}

const expectHere = ({ status, body }: Answer): void => {
  expect(status).toBe(200)
  expect(body.data.receipt).toEqual(here)
  expect(body.data).not.toHaveProperty('portableProof')
}

describe('a proof that was signed under an older title', () => {
  test.each([
    ['a key', alice],
    ['a wallet on Solana', sol],
  ])('is not called portable for %s, as no portable form can carry the title', async (_, wallet) => {
    const app = await startApp(accepting)
    const answer = await app.post(path, await signOlder(app, wallet, contentOf(wallet, app)))
    expectHere(answer)
    expect(answer.body.message).toContain('older first line')
  })

  test('is answered alike when the same request is sent again', async () => {
    const app = await startApp(accepting)
    const request = await signOlder(app, alice, contentOf(alice, app))
    expectHere(await app.post(path, request))
    expectHere(await app.post(path, request))
  })

  test('becomes portable when the wallet signs the same claim under the newest title', async () => {
    const app = await startApp(accepting)
    const claim = contentOf(alice, app)
    const { qHash } = (await app.post(path, await signOlder(app, alice, claim))).body.data
    const { data } = (await app.submit(alice, claim)).body
    expect(data).toMatchObject({ qHash, receipt: portable, portableProof: { qHash } })
  })

  test('keeps no portable form, so that lists, reads and exports of its owner have none', async () => {
    const app = await startApp(accepting)
    const claim = { ...contentOf(alice, app), options: { storeOriginalContent: true } }
    const { qHash } = (await app.post(path, await signOlder(app, alice, claim))).body.data
    const { headers } = await app.signIn(alice)
    const read = await app.get(`/api/v1/proofs/${qHash}?includePortable=1`, headers)
    const list = await app.get(`/api/v1/proofs/by-wallet/${alice.address}?includePortable=1`, headers)
    expect(read.body.data).toHaveProperty('publicContent')
    for (const shown of [read.body.data, list.body.data.proofs[0]]) expect(shown).not.toHaveProperty('portableProof')
    expect(await select(app.parts.db, 'SELECT * FROM envelopes').all()).toEqual([])
  })

  test('has a page that names no portable form, unlike one that has it', async () => {
    const app = await startApp(accepting)
    const claim = () => ({ ...contentOf(alice, app), options: { privacyLevel: 'public' } })
    const { qHash } = (await app.post(path, await signOlder(app, alice, claim()))).body.data
    expect((await app.get(`/proof/${qHash}`)).body).not.toContain('id="yourself"')
    app.wait(1)
    const newest = await app.submit(alice, claim())
    expect((await app.get(`/proof/${newest.body.data.qHash}`)).body).toContain('id="yourself"')
  })

  test('is not portable for assistants either', async () => {
    const app = await startMcp(accepting)
    const token = await app.tokenOf(alice)
    const claim = { verifierIds: ['ownership-basic'], data: { content: 'A text' }, walletAddress: bob.address }
    const { submitWith, signerString } = (await app.tool(token, 'svc_verify', claim)).data.prepared
    const signature = await bob.sign(String(signerString).split('\n').with(0, older).join('\n'))
    const { data } = await app.tool(token, 'svc_verify', { ...submitWith.arguments, signature })
    expect(data).toMatchObject({ result: 'Passed', receipt: here })
    expect(data).not.toHaveProperty('portableProof')
  })
})

test('a page of an unsigned proof names no portable form', async () => {
  const app = await startApp()
  const { headers } = await app.signIn(alice)
  const body = { ...contentOf(alice, app), walletAddress: alice.address, options: { privacyLevel: 'public' } }
  const { qHash, receipt } = (await app.post(path, body, headers)).body.data
  expect(receipt).toEqual(here)
  expect((await app.get(`/proof/${qHash}`)).body).not.toContain('portable form')
})

describe('a link whose second wallet signed under an older title', () => {
  const linkOf = async (app: TestApp, title?: string) => {
    const { accounts, signed } = await innerOf({
      primary: alice,
      secondary: bob,
      at: app.now(),
      ...(title === undefined ? {} : { title }),
    })
    return {
      verifierIds: ['wallet-link'],
      data: { primaryAccountId: accounts.primaryAccountId, secondaryAccountId: accounts.secondaryAccountId, ...signed },
      options: { storeOriginalContent: true, privacyLevel: 'public' },
    }
  }

  test('is not portable, the first time and again: a verifier elsewhere could not check the second signature', async () => {
    const app = await startApp(accepting)
    const request = await app.signed(alice, await linkOf(app, older))
    const first = await app.post(path, request)
    expectHere(first)
    expectHere(await app.post(path, request))
    const { headers } = await app.signIn(alice)
    const { qHash, verifiedVerifiers } = first.body.data
    const read = await app.get(`/api/v1/proofs/${qHash}?includePortable=1`, headers)
    expect(read.body.data).not.toHaveProperty('portableProof')
    expect(Object.keys(verifiedVerifiers[0]).toSorted()).toEqual(['data', 'status', 'verified', 'verifierId', 'zkInfo'])
  })

  test('is portable where both signed under the newest', async () => {
    const app = await startApp(accepting)
    const { data } = (await app.submit(alice, await linkOf(app))).body
    expect(data.receipt).toEqual(portable)
  })
})

describe('a contract wallet', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 8453 })
  })
  afterAll(() => anvil?.stop())

  test('makes a proof that is not portable when it signs under an older title', async () => {
    const chain = 'eip155:8453'
    const app = await startApp({
      ...accepting,
      PROOFGATE_CHAINS_BASE_CHAIN: chain,
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    })
    const wallet = contractWallet((await deploy(anvil, 'Wallet1271', [alice.address])).address, chain, alice)
    expectHere(await app.post(path, await signOlder(app, wallet, contentOf(wallet, app))))
    app.wait(1)
    expect((await app.submit(wallet, contentOf(wallet, app))).body.data.receipt).toEqual(portable)
  })
})
