/** The disk of the database is full. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { haproxy } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { mountSmallDisk } from '../parts/small-disk.ts'
import { askReady, findBrokenRules, startCluster, waitForReady } from './cluster.ts'
import { compareBooks, noDifference, startLoad } from './load.ts'

setDefaultTimeout(180_000)

const disk = haproxy ? mountSmallDisk(220) : undefined
const skips = isMissing(disk, 'HAProxy and a disk of a few MB: apt-get install haproxy, and run as root')

afterAll(() => disk?.end())

test.skipIf(skips)(
  'a full disk of the database is told, nothing acknowledged is lost, and writes go on when there is room',
  async () => {
    chmodSync(disk!.folder, 0o755)
    const postgres = await startPostgres({ version: 15, isOwn: true, folder: disk!.folder })
    const database = await postgres.createDatabase()
    const cluster = await startCluster({ database })
    await cluster.putGates([{ gateId: 'open' }])
    const load = startLoad({ url: cluster.url, clients: 8, gateId: 'open' })
    const { book } = load
    while (book.acknowledged.length < 50) await Bun.sleep(5)

    const filler = join(disk!.folder, 'filler')
    const [server] = cluster.servers
    // Again and again, because the database removes files of its log meanwhile.
    const filling = setInterval(() => {
      Bun.spawnSync(['sh', '-c', `cat /dev/zero >> "${filler}"`], { stderr: 'ignore' })
    }, 200)
    const told = await waitForReady(server!.url, false)
    const { condition } = await askReady(server!.url)
    clearInterval(filling)
    // It ends where it has no room for its log.
    expect(['writes-fail', 'database-unreachable']).toContain(condition!)
    rmSync(filler)
    if (!postgres.isRunning()) await postgres.restart()
    await Promise.all(cluster.servers.map(({ url }) => waitForReady(url, true)))
    console.log(`a full disk of the database: told after ${Math.round(told)} ms`)
    const before = book.acknowledged.length
    while (book.acknowledged.length < before + 50) await Bun.sleep(5)
    await load.stop()
    expect(book.surprises).toEqual([])
    expect(await compareBooks(database, book, 'open')).toEqual(noDifference)
    expect(await findBrokenRules(database)).toEqual({})
    await cluster.stop()
    await postgres.stop()
  },
)
