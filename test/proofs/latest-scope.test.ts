/** Privacy of latestScope: it hides the ids of unlisted runs, and of successors of a private one. */
import { describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

const listed = { privacyLevel: 'public', publicDisplay: true }
const unlisted = { privacyLevel: 'public' }
const paths = ['/api/v1/proofs/', '/api/v1/verification/status/']

const start = () => startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const run = (app: TestApp, options: object, content = 'One claim') => app.prove(alice, options, { content })
const readAs = async (app: TestApp, wallet: TestWallet, qHash: string): Promise<Answer> =>
  app.get(
    `/api/v1/proofs/${qHash}?latestScope=1`,
    await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash }),
  )
const scopeOfClaim = async (app: TestApp, qHash: string): Promise<string> => {
  const { contentHash } = (await app.get(`/api/v1/proofs/${qHash}`)).body.data.verifiedVerifiers[0].data
  return `walletAddress=${alice.address}&verifierId=ownership-basic&scopeKey=${contentHash}`
}

describe.each(paths)('%s{qHash}?latestScope=1 of a private proof', (path) => {
  test('answers a stranger the same whether or not a public run followed', async () => {
    const answers = await Promise.all(
      [true, false].map(async (hasSuccessor) => {
        const app = await start()
        const hidden = await run(app, {})
        if (hasSuccessor) await run(app, listed)
        else app.wait(1)
        const { status, body } = await app.get(`${path}${hidden}?latestScope=1`)
        return { status, data: body.data, qHash: body.qHash === hidden }
      }),
    )
    expect(answers[0]).toEqual(answers[1]!)
    expect(answers[0]).toMatchObject({ status: 200, qHash: true, data: { privacyLevel: 'private' } })
    expect(answers[0]!.data).not.toHaveProperty('isLatest')
    expect(answers[0]!.data).not.toHaveProperty('walletAddress')
  })

  test('hides a claim that is named beside it from a stranger', async () => {
    const app = await start()
    const hidden = await run(app, {})
    const open = await run(app, listed)
    const named = await app.get(`${path}${hidden}?latestScope=1&${await scopeOfClaim(app, open)}`)
    const plain = await app.get(`${path}${hidden}?latestScope=1`)
    expect(named.body.data).toEqual(plain.body.data)
  })
})

test('the owner of a private proof gets the public run that followed it', async () => {
  const app = await start()
  const hidden = await run(app, {})
  const open = await run(app, listed)
  expect((await readAs(app, alice, hidden)).body.data).toMatchObject({ qHash: open, isLatest: false })
})

test('the id of an unlisted successor goes to the owner, and not to a caller with another id', async () => {
  const app = await start()
  const open = await run(app, listed)
  const byId = await run(app, unlisted)
  for (const query of ['latestScope=1', `latestScope=1&${await scopeOfClaim(app, open)}`]) {
    const { body } = await app.get(`/api/v1/proofs/${open}?${query}`)
    expect(body.data).toMatchObject({ qHash: open, isLatest: true })
    expect(JSON.stringify(body)).not.toContain(byId)
  }
  expect((await readAs(app, bob, open)).body.data.qHash).toBe(open)
  expect((await readAs(app, alice, open)).body.data).toMatchObject({ qHash: byId, isLatest: false })
})

test('an unlisted proof that is named is not answered with an older listed run', async () => {
  const app = await start()
  await run(app, listed)
  const byId = await run(app, unlisted)
  expect((await app.get(`/api/v1/proofs/${byId}?latestScope=1`)).body.data).toMatchObject({
    qHash: byId,
    isLatest: true,
  })
})
