/** What several processes begin and end at once for people, apps and operators, over one database. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { endAllGrants } from '../../../src/oauth/remove-client.ts'
import { authorizeParameters, cliCallback, flowOf, returnedBy } from '../../oauth/flow.ts'
import { link } from '../../payments/linking.ts'
import { alice, bob } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
beforeAll(async () => {
  all = await startApps(2)
})
afterAll(() => all.close())
beforeEach(() => {
  for (const app of all.apps) app.wait(1)
})

/** Of a site: what a person allows it is remembered. */
const callback = 'https://client.example/callback'
const [one, other] = [() => all.apps[0]!, () => all.apps[1]!]
const ask = async <Row>(sql: string): Promise<Row[]> => [...(await all.sql.unsafe(sql))]
const countRows = async (from: string): Promise<number> =>
  (await ask<{ n: number }>(`SELECT count(*)::integer AS n FROM ${from}`))[0]!.n

/** Every write with a line in the log waits at its end, when all else of it is done. */
const holdLog = () => all.hold('LOCK TABLE audit_events IN SHARE MODE')
/** `second` runs into `first`, which has done its part and is not stored yet. */
async function overtake<First, Second>(
  hold: () => Promise<() => Promise<void>>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const release = await hold()
  const before = first()
  await all.waitForWaiting(1)
  const after = second()
  await Promise.race([after, all.waitForWaiting(2)])
  await release()
  return Promise.all([before, after])
}

describe('what is ended while it is begun in another process', () => {
  const newClient = () => flowOf(one()).newClient([callback], `Client at ${one().now()}`)
  const parametersOf = (client: string) =>
    authorizeParameters({ client_id: client, redirect_uri: callback, scope: 'svc:core offline_access' })

  /** The person says yes to an app. Returns the code. */
  async function allow(client: string, cookie: string): Promise<string> {
    const flow = flowOf(one())
    const page = await flow.authorize(parametersOf(client), { cookie })
    const given = await flow.allow(page.body, { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' })
    return returnedBy(given).searchParams.get('code')!
  }

  test('a code that is given out while its person signs out everywhere gives no tokens', async () => {
    const flow = flowOf(one())
    const { cookie, headers } = await one().signIn(alice)
    const client = await newClient()
    await allow(client, cookie)
    const [given, ended] = await overtake(
      () => all.hold(`SELECT 1 FROM oauth_clients WHERE id = '${client}' FOR UPDATE`),
      () => flow.authorize(parametersOf(client), { cookie }),
      () => other().post('/api/v1/auth/logout-everywhere', {}, headers),
    )
    expect(ended.status).toBe(200)
    const code = returnedBy(given).searchParams.get('code')!
    expect(code).toStartWith('ac_')
    expect((await flow.redeem(code, { client_id: client, redirect_uri: callback })).body.error).toBe('invalid_grant')
    expect(await countRows(`oauth_families WHERE client = '${client}'`)).toBe(0)
  })

  /** A code that its app redeems while something ends the grant. Resolves to whether a token of it still opens anything. */
  async function redeemMeanwhile(code: string, client: string, redirectUri: string, end: () => Promise<unknown>) {
    const flow = flowOf(one())
    const redeemed = await overtake(
      holdLog,
      () => flow.redeem(code, { client_id: client, redirect_uri: redirectUri }),
      end,
    )
    const [{ status, body }] = redeemed
    return status === 200 && flow.opens(body.access_token)
  }

  test('an app that redeems its code while it is disconnected has no grant left', async () => {
    const { cookie, headers } = await one().signIn(alice)
    const client = await newClient()
    const code = await allow(client, cookie)
    const opens = await redeemMeanwhile(code, client, callback, async () => {
      const answer = await other().request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers })
      expect(answer.status).toBe(200)
    })
    expect(opens).toBe(false)
  })

  test('a code that is given out while its app is disconnected gives no tokens', async () => {
    const flow = flowOf(one())
    const { cookie, headers } = await one().signIn(alice)
    const client = await newClient()
    await allow(client, cookie)
    const [given, ended] = await overtake(
      () => all.hold('LOCK TABLE oauth_codes IN SHARE MODE'),
      () => flow.authorize(parametersOf(client), { cookie }),
      () => other().request(`/api/v1/auth/apps/${client}`, { method: 'DELETE', headers }),
    )
    expect([given.status, ended.status]).toEqual([303, 200])
    expect(await countRows(`oauth_codes WHERE client = '${client}' AND consumed_at IS NULL`)).toBe(0)
  })

  test('an app that redeems the code of a linked wallet while that is unlinked has no grant left', async () => {
    await link(one(), alice, bob)
    const asAlice = await one().signIn(alice)
    const code = await flowOf(one()).newCode({}, bob)
    for (const app of all.apps) app.wait(10)
    const opens = await redeemMeanwhile(code, 'svc-cli', cliCallback, async () => {
      const path = `/api/v1/profile/wallets/${bob.address}`
      expect((await other().request(path, { method: 'DELETE', headers: asAlice.headers })).status).toBe(200)
    })
    expect(opens).toBe(false)
    expect(await countRows('oauth_families WHERE revoked_at IS NULL AND link_proof IS NOT NULL')).toBe(0)
  })

  test('a code that is redeemed while the operator ends all grants becomes none', async () => {
    const code = await flowOf(one()).newCode()
    const opens = await redeemMeanwhile(code, 'svc-cli', cliCallback, async () => {
      const { grants } = await endAllGrants(other().parts)
      expect(grants).toBeGreaterThan(0)
    })
    expect(opens).toBe(false)
    expect(await countRows('oauth_families WHERE revoked_at IS NULL')).toBe(0)
  })
})
