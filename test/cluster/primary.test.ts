/** The database fails under load: its primary is killed, it restarts, or it hangs. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { makeCounters, writeThrough } from '../db/postgres/counters.ts'
import { claimSigned, makeFastWalletAt } from '../parts/fast-wallet.ts'
import { haproxy } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { askReady, type Cluster, findBrokenRules, openSql, startCluster, waitForReady } from './cluster.ts'
import { type Book, compareBooks, type Load, noDifference, startLoad } from './load.ts'
import { choose } from './long.ts'
import { startPair } from './pair.ts'
import { masterKey } from './proofgate.ts'

setDefaultTimeout(choose(180_000, 3_600_000))

const skips = isMissing(haproxy, 'HAProxy: apt-get install haproxy')
const clients = choose(8, 32)

/** Whose proof is not in the book of the load: it is refused. */
const stranger = makeFastWalletAt(1_000_000)

const waitForMore = async ({ acknowledged }: Book, more: number): Promise<void> => {
  const wanted = acknowledged.length + more
  while (acknowledged.length < wanted) await Bun.sleep(5)
}

/** When the first change was acknowledged that was asked for after a moment. */
async function waitForFirst({ acknowledged }: Book, after: number): Promise<number> {
  for (;;) {
    const first = acknowledged.find(({ at, ms }) => at - ms >= after || at >= after)
    if (first) return first.at
    await Bun.sleep(2)
  }
}

const tell = (values: readonly number[]): string => {
  const sorted = values.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)]!
  return `median ${Math.round(median)} ms, most ${Math.round(sorted.at(-1)!)} ms`
}

async function expectSame(load: Load, database: string): Promise<void> {
  await load.stop()
  expect(load.book.surprises).toEqual([])
  expect(await compareBooks(database, load.book, 'open')).toEqual(noDifference)
  expect(await findBrokenRules(database)).toEqual({})
}

const failures = choose(2, 20)

test.skipIf(skips)(
  `${failures} kills of the primary under load: the standby goes on, and nothing is lost or happens twice`,
  async () => {
    const pair = await startPair()
    const { database } = pair
    await makeCounters(pair.urlOfPrimary)
    const cluster = await startCluster({ database })
    await cluster.putGates([{ gateId: 'open' }])
    const load = startLoad({ url: cluster.url, clients, gateId: 'open' })
    const [sincePromotion, sinceKill]: [number[], number[]] = [[], []]
    // Straight at the engine, where a write that happens twice counts twice.
    const { wrong, acknowledged, uncertain } = await writeThrough(
      database,
      async () => {
        for (let failure = 0; failure < failures; failure++) {
          await waitForMore(load.book, 100)
          const { killedAt, promotedAt } = await pair.fail()
          const at = await waitForFirst(load.book, promotedAt)
          sincePromotion.push(at - promotedAt)
          sinceKill.push(at - killedAt)
          if (failure < failures - 1) await pair.repair()
        }
      },
      Buffer.from(masterKey, 'hex'),
    )
    expect(wrong).toEqual([])
    await expectSame(load, pair.urlOfPrimary)
    const { book } = load
    console.log(
      `${failures} kills of the primary: ${book.acknowledged.length} changes over HTTP (${book.retried} asked again) and ${acknowledged} at the engine (${uncertain} uncertain) acknowledged; writes again ${tell(sincePromotion)} after the promotion, ${tell(sinceKill)} after the kill`,
    )
    await cluster.stop()
    await pair.stop()
  },
)

const restarts = choose(2, 10)

describe.skipIf(skips)('one database for three servers under load', () => {
  let postgres: PostgresServer
  let database: string
  let cluster: Cluster
  let load: Load
  beforeAll(async () => {
    // As in service: a stop and a start wait for the disk.
    postgres = await startPostgres({ version: 15, isOwn: true, fsync: true })
    database = await postgres.createDatabase()
    cluster = await startCluster({ database })
    await cluster.putGates([{ gateId: 'open' }])
    load = startLoad({ url: cluster.url, clients, gateId: 'open' })
  })
  afterAll(async () => {
    await expectSame(load, database)
    await cluster.stop()
    await postgres.stop()
  })

  test(`${restarts} restarts leave no query stuck, and servers write again`, async () => {
    const recovery: number[] = []
    for (let restart = 0; restart < restarts; restart++) {
      await waitForMore(load.book, 100)
      await postgres.restart()
      const readyAt = performance.now()
      recovery.push((await waitForFirst(load.book, readyAt)) - readyAt)
    }
    await waitForMore(load.book, 50)
    const sql = openSql(database)
    // Longer than the servers wait for an answer themselves.
    const stuck = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND state <> 'idle' AND now() - state_change > interval '10 seconds'`
    expect([...(await sql.unsafe(stuck))]).toEqual([])
    await sql.close()
    console.log(
      `${restarts} restarts: ${load.book.acknowledged.length} changes; writes again ${tell(recovery)} after the start`,
    )
  })

  test('when it hangs, callers get an answer, and health tells it', async () => {
    await waitForMore(load.book, 50)
    const body = JSON.stringify(await claimSigned(stranger, { data: { owner: stranger.address, content: 'x' } }))
    postgres.freeze()
    const [server] = cluster.servers
    const ask = async (path: string, init?: RequestInit): Promise<{ status: number; code: string; ms: number }> => {
      const since = performance.now()
      const response = await fetch(server!.url + path, init)
      const { error } = (await response.json()) as { error?: { code: string } }
      return { status: response.status, code: error?.code ?? '', ms: performance.now() - since }
    }
    const [told, proof, gates, write] = await Promise.all([
      waitForReady(server!.url, false),
      ask(`/api/v1/proofs/0x${'0'.repeat(64)}`),
      ask('/api/v1/profile/gates/discover'),
      ask('/api/v1/verification', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    ])
    expect([proof, gates, write].map(({ status, code }) => [status, code])).toEqual(
      Array.from({ length: 3 }, () => [503, 'SERVICE_UNAVAILABLE']),
    )
    // The write that waits is noticed first.
    while ((await askReady(server!.url)).condition === 'writes-wait') await Bun.sleep(50)
    expect(await askReady(server!.url)).toEqual({ isReady: false, condition: 'database-unreachable' })
    postgres.thaw()
    const back = await Promise.all(cluster.servers.map(({ url }) => waitForReady(url, true)))
    await waitForMore(load.book, 50)
    console.log(
      `a database that hangs: told after ${Math.round(told)} ms, callers answered ${tell([proof.ms, gates.ms, write.ms])}, ready again ${tell(back)} after it goes on`,
    )
  })
})
