import { describe, expect, test } from 'bun:test'
import { parsePortableProof } from '../../src/commands/portable-file.ts'
import { verify } from '../../src/commands/verify.ts'
import { startApp, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol } from '../wallets.ts'

const kept = { storeOriginalContent: true }
const listOf = (wallet = alice) => `/api/v1/proofs/by-wallet/${wallet.address}?includePortable=1`
const claim = (app: TestApp, options: object, wallet = alice) =>
  app.submit(wallet, {
    verifierIds: ['ownership-basic'],
    data: { owner: wallet.address, content: 'Kept. סוד 🗝️' },
    options,
  })

describe('the portable form of a proof that keeps its content', () => {
  test.each([
    ['private', alice, kept],
    ['public', alice, { ...kept, privacyLevel: 'public', publicDisplay: true }],
    ['of a wallet on Solana', sol, kept],
  ])('is handed out again to its owner, and is valid: %s', async (_, wallet, options) => {
    const app = await startApp()
    const made = await claim(app, options, wallet)
    const browser = await app.signIn(wallet)

    const { proofs } = (await app.get(listOf(wallet), browser.headers)).body.data

    expect(proofs[0].portableProof).toEqual(made.body.data.portableProof)
    const one = await app.get(`/api/v1/proofs/${made.body.data.qHash}?includePortable=1`, browser.headers)
    expect(one.body.data.portableProof).toEqual(made.body.data.portableProof)
    expect(parsePortableProof(JSON.stringify(proofs[0]))).toEqual(made.body.data.portableProof)
    const stdin = JSON.stringify(made.body.data.portableProof)
    expect((await run(verify, ['-'], { stdin })).code).toBe(0)
  })

  test('is given to a signature of the owner as well, and only where it is asked for', async () => {
    const app = await startApp()
    await claim(app, kept)
    const signed = await app.ownerHeaders(alice, {
      action: 'access_private_proofs_by_wallet',
      walletAddress: alice.address.toLowerCase(),
    })
    expect((await app.get(listOf(), signed)).body.data.proofs[0]).toHaveProperty('portableProof')
    const plain = await app.get(`/api/v1/proofs/by-wallet/${alice.address}`, signed)
    expect(plain.body.data.proofs[0]).not.toHaveProperty('portableProof')
  })

  test('is kept without the content when only the form is asked for, of a public proof, too', async () => {
    const app = await startApp()
    const open = { keepPortable: true, privacyLevel: 'public', publicDisplay: true }
    const made = (await claim(app, open)).body.data
    expect(made).not.toHaveProperty('warnings')
    const { headers } = await app.signIn(alice)
    const path = `/api/v1/proofs/${made.qHash}?includePortable=1`
    const own = (await app.get(path, headers)).body.data
    expect(own.portableProof).toEqual(made.portableProof)
    expect(own.options.storeOriginalContent).toBe(false)
    for (const asker of [{}, headers, (await app.signIn(bob)).headers])
      expect((await app.get(`/api/v1/proofs/${made.qHash}`, asker)).body.data).not.toHaveProperty('publicContent')
    expect((await app.get(path)).body.data).not.toHaveProperty('portableProof')
  })

  test('is not kept where the content was not to be', async () => {
    const app = await startApp()
    await claim(app, {})
    const { headers } = await app.signIn(alice)
    expect((await app.get(listOf(), headers)).body.data.proofs[0]).not.toHaveProperty('portableProof')
    expect(await select(app.parts.db, 'SELECT * FROM envelopes').all()).toEqual([])
  })

  test('is hidden from everybody else: strangers of a public proof, and viewers of a private one', async () => {
    const app = await startApp()
    const open = (await claim(app, { ...kept, privacyLevel: 'public', publicDisplay: true })).body.data.qHash
    app.wait(1)
    const secret = (await claim(app, kept)).body.data.qHash
    const { headers } = await app.signIn(alice)
    await app.post(
      '/api/v1/verification/access/grant',
      { qHash: secret, ownerWallet: alice.address, viewerWallet: bob.address },
      headers,
    )
    const viewer = (await app.signIn(bob)).headers
    const shared = (await app.get(`/api/v1/proofs/${secret}?includePortable=1`, viewer)).body.data
    expect(shared).toHaveProperty('publicContent')
    expect(shared).not.toHaveProperty('portableProof')
    for (const path of [`/api/v1/proofs/${open}?includePortable=1`, listOf()])
      for (const asker of [{}, viewer])
        expect(JSON.stringify((await app.get(path, asker)).body)).not.toContain('signature"')
    expect((await app.get(listOf())).body.data.proofs).toHaveLength(1)
  })

  test('lies sealed in the database, and goes with its proof', async () => {
    const app = await startApp()
    const made = await claim(app, { ...kept, privacyLevel: 'public' })
    const rows = await select<{ sealed: string }>(app.parts.db, 'SELECT sealed FROM envelopes').all()
    expect(rows).toHaveLength(1)
    expect(rows[0]!.sealed).toStartWith('v1.')
    expect(rows[0]!.sealed).not.toContain(made.body.data.portableProof.signature)
    const action = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
    await app.post('/api/v1/proofs/erase-all', await app.ownerBody(alice, action))
    expect(await select(app.parts.db, 'SELECT * FROM envelopes').all()).toEqual([])
  })
})
