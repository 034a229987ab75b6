/** The routes of operators, which are unknown to everybody else. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { makeAuditStatement } from '../../src/audit/log-store.ts'
import { noteJobRun } from '../../src/jobs/store.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { api, openStage, seen } from './stage.ts'

setDefaultTimeout(60_000)

const revocation = { walletAddress: alice.address, signature: `0x${'1'.repeat(130)}`, signedTimestamp: startOfTime }

const reads = [
  '',
  '/health',
  '/limits',
  '/catalog',
  '/audit',
  '/audit?limit=0',
  '/audit?event=nonsense',
  '/audit/export',
  '/numbers',
]

describe('for everybody else the address is unknown:', () => {
  test.each([
    ...reads.map((path) => ['GET', path] as const),
    ['POST', '/health'],
    ['POST', '/health/probe'],
    ['DELETE', '/limits?policy=api&key=local'],
    ['DELETE', '/limits?policy=nonsense'],
    ['PUT', '/audit'],
  ] as const)('%s %s', async (method, rest) => {
    const { app, operator, stranger } = await openStage()
    const made = await app.post('/api/v1/auth/profile-keys', { name: 'a' }, operator.headers)
    const key = { authorization: `Bearer ${made.body.data.key}` }
    const path = `${api}${rest}`
    const unknown = `/api/v1/unknown${rest}`
    const bare = (text: string) => text.split('?')[0]!
    for (const headers of [{}, stranger.headers, key, { ...operator.headers, ...key }, { cookie: 'svc_session=x' }])
      expect(seen(await app.request(path, { method, headers }), bare(path))).toEqual(
        seen(await app.request(unknown, { method, headers }), bare(unknown)),
      )
  })

  test('a body that is not JSON makes no difference', async () => {
    const { app, stranger } = await openStage()
    const path = `${api}/health/probe`
    expect(seen(await app.post(path, '{', stranger.headers), path)).toEqual(
      seen(await app.post('/api/v1/unknown', '{', stranger.headers), '/api/v1/unknown'),
    )
  })

  test('the description of the API does not list it', async () => {
    const { app } = await openStage()
    expect(JSON.stringify((await app.get('/openapi.json')).body)).not.toContain('/operator')
  })

  test('a removed operator sees nothing from then on', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const wallet = alice.address.toLowerCase()
    await app.parts.db.write([{ sql: 'INSERT INTO operators VALUES (?, 1)', params: [wallet] }])
    expect((await app.get(`${api}/health`, browser.headers)).status).toBe(200)
    await app.parts.db.write([{ sql: 'DELETE FROM operators', params: [] }])
    expect((await app.get(`${api}/health`, browser.headers)).status).toBe(404)
  })
})

describe('changes without their CSRF token', () => {
  test('are 403 for an operator, and change nothing', async () => {
    const { app, operator } = await openStage({ PROOFGATE_LIMITS_RATES_OWNER: '2/1m' })
    for (let count = 0; count < 3; count++) await app.post(`/api/v1/proofs/revoke-self/0x${'a'.repeat(64)}`, revocation)
    const policyOf = async () =>
      (await app.get(`${api}/limits`, operator.headers)).body.data.policies.find(
        ({ policy }: { policy: string }) => policy === 'owner',
      )
    const before = await policyOf()
    const { cookie } = operator
    const path = `${api}/limits?policy=owner&key=local`
    expect((await app.request(path, { method: 'DELETE', headers: { cookie } })).status).toBe(403)
    expect((await app.request(`${api}/health/probe`, { method: 'POST', headers: { cookie } })).status).toBe(403)
    expect(await policyOf()).toEqual(before)
  })
})

describe('GET /api/v1/operator/health', () => {
  test('shows the contents and the resources of the server, and likely mistakes', async () => {
    const { app, operator } = await openStage({ PROOFGATE_HOST: '127.0.0.1', PROOFGATE_LIMITS_ENABLED: 'false' })
    await app.prove(bob)
    await app.prove(bob)
    app.wait(65_000)
    const { status, body } = await app.get(`${api}/health`, operator.headers)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d/),
      startedAt: startOfTime,
      uptimeSeconds: 65,
      database: { bytes: expect.any(Number), logBytes: 0, checkedAt: null },
      disk: null,
      memory: { residentBytes: expect.any(Number), heapBytes: expect.any(Number) },
      counts: { accounts: 1, proofs: 2 },
      lastCommit: { result: 'stored', ageMs: expect.any(Number) },
      waitingMs: 0,
      heartbeat: null,
      conditions: [],
      erasing: { erasures: 0, proofs: 0, since: null },
      jobs: { isScheduled: false, behindMs: null, backup: null, drill: null, upgrade: null },
      sweep: { overdueSince: null },
      processes: [
        {
          run: app.parts.run,
          host: expect.any(String),
          version: expect.stringMatching(/^\d/),
          startedAt: startOfTime,
          isThis: true,
        },
      ],
      standbys: [],
      advice: [{ setting: 'limits.enabled', says: 'limits.enabled is false: anybody may keep the server busy' }],
      here: [{ setting: 'backup.to', level: 'warn', says: expect.any(String), mend: expect.any(String) }],
      examination: null,
    })
    expect(body.data.database.bytes).toBeGreaterThan(10_000)
  })

  test.skipIf(onlyOnSqlite('a backup of the data folder'))(
    'tells a backup and a drill that are overdue by their schedule',
    async () => {
      const { app, operator } = await openStage({
        PROOFGATE_BACKUP_TO: '/tmp/no-such-backups',
        PROOFGATE_BACKUP_PASSPHRASE: 'seven words that nobody else knows or guesses',
        PROOFGATE_BACKUP_SCHEDULE: '7 * * * *',
        PROOFGATE_BACKUP_DRILL_SCHEDULE: '37 3 * * *',
      })
      const { db, now } = app.parts
      const note = (job: 'backup' | 'drill') =>
        noteJobRun({ job, endedAt: now(), tookMs: 9, isGood: true, says: 'made' })
      await db.write([note('backup'), note('drill')])
      const read = async () => {
        const { backup, drill } = (await app.get(`${api}/health`, operator.headers)).body.data.jobs
        return [backup.isOverdue, drill.isOverdue]
      }
      expect(await read()).toEqual([false, false])
      app.wait(3 * 3_600_000)
      expect(await read()).toEqual([true, false])
    },
  )

  test('checks external services on request, at most every 30 seconds, and remembers the results', async () => {
    let calls = 0
    using _ = Object.assign(
      Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: () => {
          calls++
          return new Response('no', { status: 500 })
        },
      }),
    )
    const node = _.url.href
    const { app, operator } = await openStage({
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: `${node}secret-key`,
      PROOFGATE_OUTSIDE_PRIVATE_NETWORKS: '127.0.0.0/8',
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    })
    const probe = () => app.post(`${api}/health/probe`, {}, operator.headers)
    const [first, second] = await Promise.all([probe(), probe()])
    const callsOnce = calls
    expect(callsOnce).toBeGreaterThan(0)
    expect(second.body).toEqual(first.body)
    const found = first.body.data.findings.find(({ setting }: { setting: string }) => setting === 'chains.base.rpc[0]')
    expect(found).toMatchObject({ level: 'fail', says: expect.any(String), mend: expect.any(String) })
    await probe()
    expect(calls).toBe(callsOnce)
    expect((await app.get(`${api}/health`, operator.headers)).body.data.examination).toEqual(first.body.data)
    app.wait(30_000)
    await probe()
    expect(calls).toBeGreaterThan(callsOnce)
    expect(JSON.stringify(first.body)).not.toContain('secret-key')

    const { providers } = (await app.get(`${api}/catalog`, operator.headers)).body.data
    expect(providers[0]).toMatchObject({
      kind: 'chain',
      name: 'base',
      detail: 'eip155:8453',
      sources: [{ setting: 'chains.base.rpc[0]', lastSuccessAt: null, lastFailure: { fault: 'unreachable' } }],
    })
    expect(JSON.stringify(providers)).not.toContain('secret-key')
  })
})

describe('GET /api/v1/operator/limits', () => {
  test('shows for each policy the fullest buckets, and refused callers; a bucket can be reset', async () => {
    const { app, operator } = await openStage({ PROOFGATE_LIMITS_RATES_OWNER: '2/1m' })
    const revoke = () => app.post(`/api/v1/proofs/revoke-self/0x${'a'.repeat(64)}`, revocation)
    for (let count = 0; count < 4; count++) await revoke()
    const policyOf = async () =>
      (await app.get(`${api}/limits`, operator.headers)).body.data.policies.find(
        ({ policy }: { policy: string }) => policy === 'owner',
      )
    expect(await policyOf()).toEqual({
      policy: 'owner',
      per: 'client address',
      setting: 'limits.rates.owner',
      unit: 'requests',
      count: 2,
      windowMs: 60_000,
      keys: 1,
      busiest: [{ key: 'local', used: 2, fullAt: startOfTime + 60_000 }],
      refused: [{ key: 'local', times: 2, lastAt: startOfTime }],
    })
    expect((await revoke()).status).toBe(429)
    const forget = () =>
      app.request(`${api}/limits?policy=owner&key=local`, { method: 'DELETE', headers: operator.headers })
    expect((await forget()).body.data).toEqual({ forgotten: true })
    expect((await revoke()).status).toBe(401)
    expect((await policyOf()).refused).toEqual([])
    await forget()
    expect((await forget()).body.data).toEqual({ forgotten: false })
  })

  test('shows the twenty fullest of many, and the hundred that were refused last', async () => {
    const { app, operator } = await openStage()
    const { limiter } = app.parts
    for (let wallet = 0; wallet < 500; wallet++)
      for (let take = 0; take <= wallet % 50; take++) limiter.take('create', `wallet ${wallet}`)
    for (let wallet = 0; wallet < 200; wallet++)
      for (let take = 0; take < 51; take++)
        try {
          limiter.take('create', `greedy ${wallet}`)
        } catch {}
    const { policies } = (await app.get(`${api}/limits`, operator.headers)).body.data
    const { keys, busiest, refused } = policies.find(({ policy }: { policy: string }) => policy === 'create')
    expect(keys).toBe(700)
    expect(busiest.map(({ used }: { used: number }) => used)).toEqual(new Array(20).fill(50))
    expect(refused).toHaveLength(100)
    expect(refused[0].key).toBe('greedy 199')
  })

  test('says that nothing is counted where limits are switched off', async () => {
    const { app, operator } = await openStage({ PROOFGATE_LIMITS_ENABLED: 'false' })
    expect((await app.get(`${api}/limits`, operator.headers)).body.data).toEqual({ enabled: false, policies: [] })
  })
})

test('GET /api/v1/operator/catalog tells which verifiers are absent, and why', async () => {
  const { app, operator } = await openStage()
  const { verifiers, providers } = (await app.get(`${api}/catalog`, operator.headers)).body.data
  const one = (id: string) => verifiers.find((verifier: { id: string }) => verifier.id === id)
  expect(one('ownership-basic')).toEqual({
    id: 'ownership-basic',
    enabled: true,
    access: 'public',
    why: null,
    switchedOff: false,
  })
  expect(one('nft-ownership')).toMatchObject({
    enabled: false,
    switchedOff: false,
    why: expect.stringContaining('chain'),
  })
  expect(providers).toContainEqual({
    kind: 'payment',
    name: 'stripe',
    detail: null,
    lacks: expect.any(String),
    sources: [],
  })
})

test('GET /api/v1/operator/catalog names the judges, and the ones that a request may name', async () => {
  const { app, operator } = await openStage({
    PROOFGATE_RISK_PROVIDERS: 'goplus,webacy',
    PROOFGATE_RISK_POLICY: 'any',
    PROOFGATE_RISK_SELECTABLE: 'webacy',
    PROOFGATE_RISK_WEBACY_API_KEY: 'k',
    PROOFGATE_RISK_CHAINALYSIS_API_KEY: 'k',
  })
  const { providers } = (await app.get(`${api}/catalog`, operator.headers)).body.data
  const details = providers.flatMap(({ kind, name, detail }: Record<string, string>) =>
    kind === 'risk' || kind === 'moderation' ? [[name, detail]] : [],
  )
  expect(details).toEqual([
    ['webacy', 'is asked: one answer is enough; requests may choose it'],
    ['goplus', 'is asked: one answer is enough'],
    ['chainalysis', 'nobody asks it'],
    ['embedded', 'is asked'],
  ])
})

describe('GET /api/v1/operator/audit', () => {
  const events = async (app: TestApp, headers: Record<string, string>, query = '') =>
    (await app.get(`${api}/audit${query}`, headers)).body.data.events as {
      event: string
      wallet: string | null
      details: object
    }[]

  test('has the newest first, page by page', async () => {
    const { app, operator } = await openStage()
    for (let count = 0; count < 250; count++)
      await app.parts.db.write([
        makeAuditStatement('signed_out', { profile: null, at: startOfTime + count, session: `s${count}` }),
      ])
    const all: unknown[] = []
    let cursor = ''
    do {
      const { body } = await app.get(`${api}/audit?limit=100${cursor}`, operator.headers)
      all.push(...body.data.events)
      cursor = body.data.nextCursor && `&cursor=${body.data.nextCursor}`
    } while (cursor)
    expect(all).toHaveLength(252)
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: startOfTime + 249,
      event: 'signed_out',
      wallet: null,
      details: { session: 's249' },
    })
    expect(all.at(-1)).toMatchObject({ event: 'signed_in', wallet: alice.address.toLowerCase() })
  })

  test('is filtered by event, by person and from a time on', async () => {
    const { app, operator } = await openStage()
    app.wait(1000)
    await app.signIn(sol)
    expect(await events(app, operator.headers, `?person=${bob.address}`)).toMatchObject([{ event: 'signed_in' }])
    expect(await events(app, operator.headers, `?person=${sol.address}&event=signed_in`)).toHaveLength(1)
    expect(await events(app, operator.headers, `?person=${sol.address}&event=signed_out`)).toEqual([])
    expect(await events(app, operator.headers, `?person=${mallory.address}`)).toEqual([])
    expect(await events(app, operator.headers, `?until=${startOfTime}`)).toHaveLength(2)
    expect(await events(app, operator.headers, '?until=5')).toEqual([])
  })

  test.each([
    ['an event that there is not', '?event=nonsense', /event must be one of signed_in/],
    ['a cursor of another query', 'other', /belongs to another query/],
    ['a limit beyond the most', '?limit=501', /limit/],
    ['a time that is none', '?until=yesterday', /until/],
  ])('refuses %s', async (_, query, reason) => {
    const { app, operator } = await openStage()
    const { nextCursor } = (await app.get(`${api}/audit?limit=1`, operator.headers)).body.data
    const asked = query === 'other' ? `?event=signed_in&cursor=${nextCursor}` : query
    const { status, body } = await app.get(`${api}/audit${asked}`, operator.headers)
    expect(status).toBe(400)
    expect(body.error.message).toMatch(reason)
  })

  test('is exported whole, a line of JSON for each event', async () => {
    const { app, operator } = await openStage()
    await app.parts.db.write(
      Array.from({ length: 2500 }, (_, count) =>
        makeAuditStatement('signed_out', { profile: null, at: startOfTime, count }),
      ),
    )
    const { body, headers } = await app.get(`${api}/audit/export?event=signed_out`, operator.headers)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('content-disposition')).toContain('.ndjson')
    const lines = (body as string).trim().split('\n')
    expect(lines).toHaveLength(2500)
    expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'signed_out', details: { count: 2499 } })
  })

  test('is exported in slices, and other requests are answered between them', async () => {
    const { app, operator } = await openStage()
    await app.parts.db.write(
      Array.from({ length: 5000 }, (_, count) =>
        makeAuditStatement('signed_out', { profile: null, at: startOfTime, count }),
      ),
    )
    const finished: string[] = []
    await Promise.all([
      app.get(`${api}/audit/export`, operator.headers).then(() => finished.push('export')),
      // These run one after the other, because each needs its own turn of the event loop.
      (async () => {
        for (let count = 0; count < 5; count++) {
          await Bun.sleep(0)
          await app.get('/api/v1/health')
        }
        finished.push('others')
      })(),
    ])
    expect(finished).toEqual(['others', 'export'])
  })

  test('a cursor of another list is refused', async () => {
    const { app, operator } = await openStage()
    const { nextCursor } = (await app.get(`${api}/audit?limit=1`, operator.headers)).body.data
    for (const path of ['/api/v1/profile/fulfillments', `/api/v1/proofs/by-wallet/${alice.address}`]) {
      const { status, body } = await app.get(`${path}?cursor=${nextCursor}`, operator.headers)
      expect(status).toBe(400)
      expect(body.error.message).toMatch(/belongs to another query/)
    }
  })

  test('gates: made, changed, published, paused, rolled back, deleted', async () => {
    const { app, operator } = await openStage()
    const owner = await app.signIn(alice)
    const gate = definitionOf({ status: 'draft' })
    const path = '/api/v1/profile/gates/gate_holders'
    await apply(app, gate)
    await apply(app, { ...gate, name: 'Others' })
    for (const status of ['active', 'paused'])
      expect((await app.post(`${path}/status`, { status }, owner.headers)).status).toBe(200)
    expect((await app.post(`${path}/rollback`, { version: 1 }, owner.headers)).status).toBe(200)
    for (const archived of [true, false])
      expect((await app.post(`${path}/archive`, { archived }, owner.headers)).status).toBe(200)
    expect((await app.request(path, { method: 'DELETE', headers: owner.headers })).status).toBe(200)
    const seenHere = (await events(app, operator.headers)).filter(({ event }) => event.startsWith('gate_')).reverse()
    const wallet = alice.address.toLowerCase()
    const line = (event: string, version: number, more = {}) =>
      expect.objectContaining({ event, wallet, details: { gateId: 'gate_holders', version, by: 'owner', ...more } })
    expect(seenHere).toEqual([
      line('gate_created', 1, { status: 'draft' }),
      line('gate_changed', 2),
      line('gate_published', 2),
      line('gate_paused', 2),
      line('gate_rolled_back', 3, { restored: 1 }),
      line('gate_archived', 3),
      line('gate_unarchived', 3),
      line('gate_deleted', 3),
    ])
  })

  test('a change of a gate that is refused leaves no line', async () => {
    const { app, operator } = await openStage()
    await apply(app, definitionOf())
    await apply(app, definitionOf({ name: 'Mine' }), { wallet: bob })
    await apply(app, definitionOf({ name: 'Late' }), { expectedVersion: 7 })
    const lines = (await events(app, operator.headers)).filter(({ event }) => event.startsWith('gate_'))
    expect(lines.map(({ event }) => event)).toEqual(['gate_published', 'gate_created'])
  })

  test('erasing a wallet, once, without its contents', async () => {
    const { app, operator } = await openStage()
    await app.prove(mallory)
    const erase = async () => {
      app.wait(1)
      const action = { action: 'erase_all_proofs', walletAddress: mallory.address.toLowerCase() }
      return app.post('/api/v1/proofs/erase-all', await app.ownerBody(mallory, action))
    }
    expect((await erase()).body).toMatchObject({ success: true })
    await erase()
    expect(await events(app, operator.headers, '?event=proofs_erased')).toMatchObject([{ wallet: null, details: {} }])
  })
})

describe('GET /api/v1/operator/numbers', () => {
  test('has ninety days, gates and surfaces, including those of now', async () => {
    const { app, operator } = await openStage()
    await app.prove(bob, { privacyLevel: 'public' })
    await apply(app, definitionOf({ gateId: 'gate_a', requirements: [{ verifierId: 'ownership-basic' }] }))
    for (const wallet of [bob, mallory, mallory])
      await app.get(`/api/v1/proofs/check?address=${wallet.address}&gateId=gate_a`)
    const { data } = (await app.get(`${api}/numbers`, operator.headers)).body
    expect(data).toMatchObject({ range: '90d', stepMs: 86_400_000 })
    expect(data.firstAt + 89 * 86_400_000).toBe(startOfTime)
    expect(data.proofs.total).toHaveLength(90)
    expect(data.proofs.total.at(-1)).toBe(1)
    expect(data.proofs.byVerifier).toEqual([{ verifier: 'ownership-basic', counts: data.proofs.total }])
    expect(data.gates.top).toEqual([{ gateId: 'gate_a', passes: 1, refusals: 2, fulfillments: 0 }])
    expect(data.gates.refusals.at(-1)).toBe(2)
    const checks = data.latency.hour.find(({ surface }: { surface: string }) => surface === 'checks')
    expect(checks).toMatchObject({ count: 3, label: 'Gate checks', p50: expect.any(Number), p99: expect.any(Number) })
    app.wait(7_200_000)
    const later = (await app.get(`${api}/numbers`, operator.headers)).body.data
    expect(later.latency.hour).toEqual([])
    expect(later.latency.day.length).toBeGreaterThan(0)
  })

  test.each([
    ['24h', 24, 3_600_000],
    ['7d', 7, 86_400_000],
  ])('has the period that was asked for: %s', async (range, length, stepMs) => {
    const { app, operator } = await openStage()
    await apply(app, definitionOf({ gateId: 'gate_a', requirements: [{ verifierId: 'ownership-basic' }] }))
    const check = () => app.get(`/api/v1/proofs/check?address=${mallory.address}&gateId=gate_a`)
    await check()
    app.wait((length - 1) * stepMs)
    await check()
    await check()
    const { data } = (await app.get(`${api}/numbers?range=${range}`, operator.headers)).body
    expect(data).toMatchObject({ range, stepMs, firstAt: startOfTime })
    expect(data.gates.refusals).toEqual([1, ...new Array(length - 2).fill(0), 2])
    expect(data.gates.top).toMatchObject([{ gateId: 'gate_a', refusals: 3 }])
    app.wait(stepMs)
    const later = (await app.get(`${api}/numbers?range=${range}`, operator.headers)).body.data
    expect(later.gates.top).toMatchObject([{ gateId: 'gate_a', refusals: 2 }])
  })

  test('names the periods when another one was asked for', async () => {
    const { app, operator } = await openStage()
    const { status, body } = await app.get(`${api}/numbers?range=1y`, operator.headers)
    expect(status).toBe(400)
    expect(JSON.stringify(body.error)).toContain('90d')
  })

  test('are zeros on a server without activity', async () => {
    const { app, operator } = await openStage()
    const { data } = (await app.get(`${api}/numbers`, operator.headers)).body
    expect(new Set(data.proofs.total)).toEqual(new Set([0]))
    expect(data.gates.top).toEqual([])
  })
})
