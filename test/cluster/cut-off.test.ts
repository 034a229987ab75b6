/** One of three servers is cut off from the database, or stands still, while the others go on. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SQL } from 'bun'
import { claimSigned, makeFastWalletAt, ownerSigned } from '../parts/fast-wallet.ts'
import { haproxy } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { startTcpRelay, type TcpRelay } from '../parts/tcp-relay.ts'
import { post } from './client.ts'
import { askReady, type Cluster, findBrokenRules, openSql, startCluster, waitForReady } from './cluster.ts'
import { type Book, compareBooks, noDifference, startLoad } from './load.ts'
import { choose } from './long.ts'
import type { Proofgate } from './proofgate.ts'

setDefaultTimeout(choose(180_000, 1_800_000))

const skips = isMissing(haproxy, 'HAProxy: apt-get install haproxy')
const clients = choose(8, 32)

let database: string
let relay: TcpRelay
let cluster: Cluster
let sql: SQL
/** Reaches the database through the relay alone. */
let first: Proofgate
let second: Proofgate
if (!skips) {
  beforeAll(async () => {
    database = await (await startPostgres({ version: 15 })).createDatabase()
    relay = startTcpRelay({ host: '127.0.0.1', port: Number(new URL(database).port) })
    const way = new URL(database)
    way.port = String(relay.port)
    cluster = await startCluster({ database, ways: [way.href, database, database] })
    ;[first, second] = cluster.servers as [Proofgate, Proofgate]
    await cluster.putGates([{ gateId: 'open' }])
    sql = openSql(database)
  })
  afterAll(async () => {
    await sql.close()
    await cluster.stop()
    relay.stop()
  })
}

const waitForMore = async ({ acknowledged }: Book, more: number): Promise<void> => {
  const wanted = acknowledged.length + more
  while (acknowledged.length < wanted) await Bun.sleep(5)
}
const books = new Map<string, Book>()
/** All that was told since the beginning of this file. */
function mergeBooks(): Book {
  const all = [...books.values()]
  return {
    proofs: new Map(all.flatMap(({ proofs }) => [...proofs])),
    grants: new Map(all.flatMap(({ grants }) => [...grants])),
    surprises: all.flatMap(({ surprises }) => surprises),
    acknowledged: [],
    retried: 0,
    slowest: { ms: 0, reasons: [] },
  }
}

async function runThrough(name: string, fault: (book: Book) => Promise<void>): Promise<Book> {
  const load = startLoad({ url: cluster.url, clients, gateId: 'open' })
  books.set(name, load.book)
  await waitForMore(load.book, 50)
  await fault(load.book)
  await waitForMore(load.book, 50)
  await load.stop()
  const merged = mergeBooks()
  expect(merged.surprises).toEqual([])
  expect(await compareBooks(database, merged, 'open')).toEqual(noDifference)
  expect(await findBrokenRules(database)).toEqual({})
  return load.book
}

test.skipIf(skips)(
  'a server that is cut off says so, the others do its work, and it comes back by itself',
  async () => {
    let told = 0
    const book = await runThrough('cut', async ({ acknowledged }) => {
      relay.cut()
      told = await waitForReady(first.url, false)
      const before = acknowledged.length
      while (acknowledged.length < before + 100) await Bun.sleep(5)
      expect(await askReady(second.url)).toEqual({ isReady: true })
      relay.mend()
      await waitForReady(first.url, true)
    })
    console.log(
      `a server that is cut off: told after ${Math.round(told)} ms, ${book.acknowledged.length} changes, ${book.retried} asked again, slowest ${Math.round(book.slowest.ms)} ms`,
    )
  },
)

const stoodStillMs = choose(1, 60_000)

test.skipIf(skips)(
  'a server that stood still until others took its work does not take it back, and serves again',
  async () => {
    const listLive = async (): Promise<string[]> =>
      [...(await sql.unsafe('SELECT id FROM live_processes'))].map(({ id }) => String(id))
    const listHolders = async (): Promise<string[]> =>
      [...(await sql.unsafe('SELECT DISTINCT holder FROM leases WHERE holder IS NOT NULL'))].map(({ holder }) => holder)
    const runOf = async (server: Proofgate): Promise<string> => {
      const before = await listLive()
      server.freeze()
      let gone: string | undefined
      while (!gone) {
        const now = await listLive()
        gone = before.find((id) => !now.includes(id))
        await Bun.sleep(50)
      }
      return gone
    }
    await runThrough('still', async () => {
      const run = await runOf(first)
      while ((await listHolders()).includes(run)) await Bun.sleep(50)
      await Bun.sleep(stoodStillMs)
      const holders = await listHolders()
      first.thaw()
      await waitForReady(first.url, true)
      while (!(await listLive()).includes(run)) await Bun.sleep(50)
      expect(holders).not.toContain(run)
      expect(await listHolders()).toEqual(holders)
    })
  },
)

test.skipIf(skips)(
  'a server that stood still before its commit gives no place that another one gave meanwhile',
  async () => {
    await cluster.putGates([{ gateId: 'single', supply: 1 }])
    const [late, quick] = [makeFastWalletAt(5_000_001), makeFastWalletAt(5_000_002)]
    const ask = async (wallet: typeof late) => {
      const data = { owner: wallet.address, content: 'for a place' }
      const { body } = await post(second.url, '/api/v1/verification', await claimSigned(wallet, { data }))
      const { qHash } = body.data
      const action = { action: 'fulfill_gate', gateId: 'single', qHash }
      return { qHash, ...(await ownerSigned(wallet, action)) }
    }
    const [asked, other] = [await ask(late), await ask(quick)]
    const take = async (server: Proofgate, body: object): Promise<string> => {
      const { status, body: answer } = await post(server.url, '/api/v1/profile/gates/single/fulfill', body)
      return `${status} ${answer.error?.code ?? ''}`.trim()
    }
    const countSessions = async (which: string): Promise<number> => {
      const [row] = await sql.unsafe(
        `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND ${which}`,
      )
      return row.n
    }

    // The statements of the write wait, so that it is frozen before it can send its commit.
    const holder = openSql(database)
    await holder.unsafe('BEGIN')
    await holder.unsafe('LOCK TABLE fulfillments IN SHARE MODE')
    const answer = take(first, asked)
    while ((await countSessions("wait_event_type = 'Lock'")) === 0) await Bun.sleep(5)
    first.freeze()
    await holder.unsafe('COMMIT')
    await holder.close()
    while ((await countSessions("state = 'idle in transaction'")) === 0) await Bun.sleep(5)
    // The server of the database gives it up.
    while ((await countSessions("state = 'idle in transaction'")) > 0) await Bun.sleep(50)
    expect(await take(second, other)).toBe('200')
    first.thaw()
    expect(await answer).toBe('409 GATE_SOLD_OUT')
    expect([...(await sql.unsafe("SELECT fulfilled_count::integer AS n FROM gates WHERE gate_id = 'single'"))]).toEqual(
      [{ n: 1 }],
    )
  },
)
