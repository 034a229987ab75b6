/** The seller on the page of a checkout: the name, the address, and the domain that a public proof shows. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { startDns, txt } from '../parts/dns.ts'
import { asking } from '../verifiers/ask.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'
import { apply, definitionOf, digestOf, gatesPath } from './gate.ts'

const gateId = 'gate_holders'
const domain = 'example.test'
const year = 365 * 86_400_000
const server = await startDns()
let app: TestApp

beforeEach(async () => {
  app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_LOG_LEVEL: 'error',
    PROOFGATE_DNS_RESOLVERS: server.address,
  })
  await apply(app, definitionOf())
})
afterEach(() => app.close())
afterAll(() => server.stop())

async function prove(wallet: TestWallet, options: object): Promise<string> {
  server.zone.set(`_svc.${domain}`, [txt(`wallet=${wallet.address.toLowerCase()}`)])
  const answer = await asking(app, 'ownership-dns-txt')(wallet, { domain }, { options })
  expect(answer.status).toBe(200)
  server.zone.clear()
  server.asked.splice(0)
  return answer.body.data.qHash
}

const open = async (headers = {}): Promise<string> =>
  (await app.get(`/verify?gateId=${gateId}`, { accept: 'text/html', ...headers })).body as unknown as string

const asPublic = { privacyLevel: 'public' }

describe('the domain', () => {
  test('of a public proof is shown, and no name server is asked', async () => {
    const qHash = await prove(alice, asPublic)
    const page = await open()
    expect(page).toContain(domain)
    expect(page).not.toContain(qHash)
    expect(server.asked).toEqual([])
  })

  test('has a link to a proof that is listed', async () => {
    const qHash = await prove(alice, { ...asPublic, publicDisplay: true })
    expect(await open()).toContain(`proof/${qHash}`)
  })

  test.each([
    ['private', async () => prove(alice, {})],
    ['of another wallet', async () => prove(bob, asPublic)],
    [
      'revoked',
      async () => {
        const qHash = await prove(alice, asPublic)
        const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
        expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).status).toBe(200)
      },
    ],
    [
      'expired',
      async () => {
        await prove(alice, asPublic)
        await app.parts.db.write([{ sql: 'UPDATE proofs SET expires_at = ?1', params: [app.now()] }])
      },
    ],
    [
      'older than a year',
      async () => {
        await prove(alice, asPublic)
        app.wait(year + 1)
      },
    ],
  ])('of a proof that is %s is not shown', async (_, make) => {
    await make()
    expect(await open()).not.toContain(domain)
  })
})

test('a name is shown as text, and a private gate shows nothing to strangers', async () => {
  const name = '<script>alert(1)</script> & Sons'
  const data = { action: 'set_gate_appearance', gateId, digest: digestOf({ seller: name }) }
  await app.post(`${gatesPath}/${gateId}/appearance`, { seller: name, ...(await app.ownerBody(alice, data)) })
  expect(await open()).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons')
  app.wait(1)
  await apply(app, definitionOf({ policy: { visibility: 'private' } }))
  const address = alice.address.slice(2, 8).toLowerCase()
  for (const headers of [{}, { cookie: (await app.signIn(mallory)).cookie }]) {
    const page = (await open(headers)).toLowerCase()
    for (const said of ['&amp; sons', 'holders</h1>', address]) expect(page).not.toContain(said)
  }
  expect(await open({ cookie: (await app.signIn(alice)).cookie })).toContain('&amp; Sons')
})
