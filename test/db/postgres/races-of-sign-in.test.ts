/** What several processes begin and end at once for people, apps and operators, over one database. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hashSha256Hex } from '../../../src/auth/sessions/session.ts'
import { deleteOldClients } from '../../../src/oauth/client-store.ts'
import { endAllGrants } from '../../../src/oauth/remove-client.ts'
import { openSigningKeys, rotateSigningKey } from '../../../src/oauth/signing-key.ts'
import { hashIfGood, linkAtStart, makeLink } from '../../../src/operator/link.ts'
import type { OpenedProcesses } from '../../../src/processes/open.ts'
import { insertSignIn } from '../../../src/social/sign-in-store.ts'
import type { Answer } from '../../app.ts'
import { expectRefused } from '../../http/refused.ts'
import { allScopes, authorizeParameters, cliCallback, flowOf, returnedBy } from '../../oauth/flow.ts'
import { link } from '../../payments/linking.ts'
import { alice, bob, mallory } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
beforeAll(async () => {
  all = await startApps(2, { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_AUTH_KEYS_PER_PROFILE: '3' })
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

describe('what several processes make at once', () => {
  test('is one signing key at the first use, and one that stays after rotations', async () => {
    await all.sql.unsafe('DELETE FROM oauth_keys')
    const keys = await all.race((app) => openSigningKeys(app.parts).current(), 4)
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    expect(await countRows('oauth_keys')).toBe(1)
    await all.race((app) => rotateSigningKey(app.parts), 4)
    expect(await countRows('oauth_keys')).toBe(9)
    expect(await countRows('oauth_keys WHERE retired_at IS NULL')).toBe(1)
    // The apps look for other keys than those that were deleted.
    for (const app of all.apps) app.wait(5_000)
  })

  test('is one link for an operator, which the process that made it shows', async () => {
    const [first, second] = all.apps.map((app) => app.parts.processes as OpenedProcesses)
    for (const each of [first, second, first]) await each!.look()
    // One that meets the link of the other asks whether that one lives.
    const beating = setInterval(() => void Promise.all([first!.look(), second!.look()]), 200)
    for (let round = 0; round < 10; round++) {
      await all.sql.unsafe('DELETE FROM operator_link')
      const tokens = (await all.race((app) => linkAtStart(app.parts))).filter((token) => token !== undefined)
      expect(tokens).toHaveLength(1)
      expect(await hashIfGood(other().parts, tokens[0])).toBeDefined()
    }
    clearInterval(beating)
  })

  test('is no link for an operator where somebody becomes one at this moment', async () => {
    const { token } = await makeLink(one().parts)
    const browser = await one().signIn(alice)
    const [claimed, made] = await overtake(
      holdLog,
      () => one().post('/api/v1/operator/claim', { token }, browser.headers),
      () => linkAtStart({ ...other().parts, processes: { ...other().parts.processes, listLive: async () => [] } }),
    )
    expect([claimed.status, made]).toEqual([200, undefined])
    expect(await countRows('operator_link')).toBe(0)
  })

  const codesOf = (answers: readonly Answer[]): string[] =>
    answers.map(({ status, body }) => (status < 300 ? 'made' : `${status} ${body.error.code}`)).toSorted()
  const repeat = (times: number, what: string): string[] => Array.from({ length: times }, () => what)

  test('is as many access keys as a profile may have', async () => {
    const { headers } = await one().signIn(alice)
    const answers = await all.race(
      (app, index) => app.post('/api/v1/auth/profile-keys', { name: `key ${index}` }, headers),
      5,
    )
    expect(codesOf(answers)).toEqual([...repeat(7, '409 CONFLICT'), ...repeat(3, 'made')])
  })

  test('is one secret of a name, and as many as a person may have', async () => {
    const { headers, subjectId } = await one().signIn(alice)
    const path = '/api/v1/profile/secrets'
    const named = await all.race((app) => app.post(path, { alias: 'KEY', type: 'single', content: 'x' }, headers), 5)
    expect(codesOf(named)).toEqual([...repeat(9, '409 CONFLICT'), 'made'])
    await all.sql.unsafe(
      `INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at)
       SELECT sha256(i::text::bytea), id, 'w', 'S' || i, 'single', 's', 1
       FROM profiles, generate_series(1, 997) i WHERE subject = '${subjectId}'`,
    )
    const more = await all.race(
      (app, index) => app.post(path, { alias: `MORE${index}`, type: 'single', content: 'x' }, headers),
      5,
    )
    expect(codesOf(more)).toEqual([...repeat(8, '409 CONFLICT'), ...repeat(2, 'made')])
  })

  test('is as many names of wallets as a person may give', async () => {
    const { headers, subjectId } = await one().signIn(alice)
    await all.sql.unsafe(
      `INSERT INTO wallet_labels (profile, account, wallet, label, created_at)
       SELECT id, 'w' || i, 'w', 'l', 1 FROM profiles, generate_series(1, 498) i WHERE subject = '${subjectId}'`,
    )
    const answers = await all.race((app, index) => {
      const account = `0x${(index + 1).toString(16).padStart(40, '0')}`
      return app.post('/api/v1/profile/labels', { account, label: `Name ${index}` }, headers)
    }, 5)
    expect(codesOf(answers)).toEqual([...repeat(8, '409 CONFLICT'), ...repeat(2, 'made')])
  })

  test('is as many unused clients as there are places', async () => {
    await all.sql.unsafe(
      `INSERT INTO oauth_clients (id, kind, redirect_uris, created_at, expires_at)
       SELECT 'c_' || i, 'dcr', '[]', i, 9000000000000 FROM generate_series(1, 10000) i`,
    )
    const answers = await all.race((app, index) => flowOf(app).register({ redirect_uris: [`${callback}/${index}`] }), 5)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(await countRows('oauth_clients WHERE used_at IS NULL')).toBe(10_000)
    await all.sql.unsafe('DELETE FROM oauth_clients WHERE used_at IS NULL')
  })

  test('is as many sign-ins at other providers as there are places', async () => {
    const expiresAt = one().now() + 60_000
    await all.race(
      ({ parts }, index) =>
        insertSignIn(parts.db, { hash: hashSha256Hex(`${index}`), sealed: 's', expiresAt, network: null }, 5),
      8,
    )
    expect(await countRows('social_sign_ins')).toBe(5)
  })
})

describe('tokens that several processes exchange at once', () => {
  test('of the requests with one code, one becomes a grant, which ends because the code came twice', async () => {
    for (let round = 0; round < 5; round++) {
      const code = await flowOf(one()).newCode()
      const answers = await all.race((app) => flowOf(app).redeem(code), 6)
      const [winner, ...rest] = answers.filter(({ status }) => status === 200)
      expect(rest).toEqual([])
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(11)
      expect(await flowOf(one()).opens(winner!.body.access_token)).toBe(false)
    }
  })

  test('a refresh token that is exchanged by both at the same moment gives both the same next one', async () => {
    const flows = all.apps.map(flowOf)
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = await flows[0]!.newTokens({ scope: allScopes })
      // All have read the grant before one of them is stored.
      const release = await all.hold('SELECT 1 FROM oauth_families ORDER BY id DESC LIMIT 1 FOR UPDATE')
      const asked = all.race((_, index) => flows[index]!.refresh(refresh_token))
      await all.waitForWaiting(2)
      await release()
      const answers = await asked
      expect(answers.map(({ status, body }) => `${status} ${body.error ?? ''}`)).toEqual(answers.map(() => '200 '))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
      for (const { body } of answers) expect(await flows[1]!.opens(body.access_token)).toBe(true)
    }
  })

  test('a refresh token that the other one has just exchanged gives the same next one', async () => {
    const [first, second] = all.apps.map(flowOf) as [ReturnType<typeof flowOf>, ReturnType<typeof flowOf>]
    const { refresh_token } = await first.newTokens({ scope: allScopes })
    // Each knows that the other one lives.
    const look = async () => {
      for (const { parts } of all.apps) await (parts.processes as OpenedProcesses).look()
    }
    await look()
    const exchanged = await first.refresh(refresh_token)
    const repeating = second.refresh(refresh_token)
    for (let beat = 0; beat < 3; beat++) {
      await Bun.sleep(100)
      await look()
    }
    const repeated = await repeating
    expect(repeated.body.refresh_token).toBe(exchanged.body.refresh_token)
  })

  test('codes for one client do not wait for each other', async () => {
    const flow = flowOf(one())
    const client = await flow.newClient([callback], 'A busy client')
    const parameters = authorizeParameters({ client_id: client, redirect_uri: callback, scope: 'svc:core' })
    const allow = async (wallet: typeof alice) => {
      const { cookie } = await one().signIn(wallet)
      const page = await flow.authorize(parameters, { cookie })
      return flow.allow(page.body, { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' })
    }
    expect((await allow(alice)).status).toBe(303)
    // Another person allows it something at this moment.
    const release = await all.hold(`SELECT 1 FROM oauth_clients WHERE id = '${client}' FOR NO KEY UPDATE`)
    expect((await allow(bob)).status).toBe(303)
    await release()
  })
})

describe('what is begun while another process ends it', () => {
  test('keeps a client that a person allows something while it expires', async () => {
    const flow = flowOf(one())
    const { cookie } = await one().signIn(alice)
    const client = await flow.newClient([callback], 'An expiring client')
    const parameters = authorizeParameters({ client_id: client, redirect_uri: callback, scope: 'svc:core' })
    const page = await flow.authorize(parameters, { cookie })
    await all.sql.unsafe(`UPDATE oauth_clients SET expires_at = 1 WHERE id = '${client}'`)
    const [given, deleted] = await overtake(
      holdLog,
      () => flow.allow(page.body, { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' }),
      () => deleteOldClients(other().parts.db, 2, 3, 10),
    )
    expect([given.status, deleted]).toEqual([303, 0])
    expect(await countRows(`oauth_clients WHERE id = '${client}'`)).toBe(1)
    expect(await countRows(`oauth_consents WHERE client = '${client}'`)).toBe(1)
  })

  test('is counted by the answer that ends an access key', async () => {
    const { headers } = await one().signIn(bob)
    await one().prove(bob)
    const made = await one().post('/api/v1/auth/profile-keys', { name: 'counted' }, headers)
    const { keyId } = made.body.data
    const store = await all.hold(
      `SELECT 1 FROM access_keys WHERE key_id = '${keyId}' FOR SHARE`,
      `INSERT INTO access_grants (proof_id, viewer, created_at, source_kind, source_id)
       SELECT max(id), '0xviewer', 1, 'access-key', '${keyId}' FROM proofs`,
    )
    const ending = other().request(`/api/v1/auth/profile-keys/${keyId}`, { method: 'DELETE', headers })
    await Promise.race([ending, all.waitForWaiting(1)])
    await store()
    const ended = await ending
    expect(ended.body.data).toMatchObject({ ended: { accessGrants: 1 } })
  })

  test('is a session of a profile that is deleted: the answer says so', async () => {
    const prepared = await one().post('/api/v1/auth/nonce', { walletAddress: mallory.address })
    await one().signIn(mallory)
    const { headers } = await one().signIn(mallory)
    const { message } = prepared.body.data
    const signature = await mallory.sign(message)
    const { cookie } = await one().signIn(bob)
    const before = hashSha256Hex(cookie.slice(cookie.indexOf('=') + 1))
    const [refused, deleted] = await overtake(
      () => all.hold(`SELECT 1 FROM sessions WHERE hash = unhex('${before}') FOR UPDATE`),
      () => one().post('/api/v1/auth/verify', { message, signature }, { cookie }),
      () => other().request('/api/v1/auth/me', { method: 'DELETE', headers }),
    )
    expect(deleted.status).toBe(200)
    expectRefused(refused, 'CONFLICT')
    expect(refused.body.error.message).toContain('the profile was deleted')
  })
})
