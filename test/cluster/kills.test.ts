/** Servers are killed behind the balancer, and clients that ask again notice nothing. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { haproxy } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { findBrokenRules, startCluster, waitForReady } from './cluster.ts'
import { compareBooks, noDifference, startLoad } from './load.ts'
import { choose } from './long.ts'

setDefaultTimeout(choose(120_000, 3_600_000))

const kills = choose(3, 100)
const skips = isMissing(haproxy, 'HAProxy: apt-get install haproxy')

test.skipIf(skips)(
  `${kills} kills of servers behind a balancer: no answer is lost, and nothing happens twice`,
  async () => {
    const postgres = await startPostgres({ version: 15 })
    const database = await postgres.createDatabase()
    const cluster = await startCluster({ database })
    await cluster.putGates([{ gateId: 'open' }])
    const load = startLoad({ url: cluster.url, clients: choose(8, 32), gateId: 'open' })
    const { book } = load
    for (let kill = 0; kill < kills; kill++) {
      const before = book.acknowledged.length
      while (book.acknowledged.length < before + 40) await Bun.sleep(5)
      const server = cluster.servers[kill % cluster.servers.length]!
      await server.kill()
      await server.start()
      await waitForReady(server.url, true)
    }
    await load.stop()
    expect(book.surprises).toEqual([])
    expect(await compareBooks(database, book, 'open')).toEqual(noDifference)
    expect(await findBrokenRules(database)).toEqual({})
    console.log(
      `${kills} kills: ${book.acknowledged.length} changes acknowledged, ${book.retried} asked again, slowest ${Math.round(book.slowest.ms)} ms ${JSON.stringify(book.slowest.reasons)}`,
    )
    await cluster.stop()
  },
)
