/** The disk of the database is full. */
import { expect, setDefaultTimeout, test } from 'bun:test'
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
    Bun.spawnSync(['sh', '-c', `cat /dev/zero > "${filler}"`], { stderr: 'ignore' })
    const [server] = cluster.servers
    const told = await waitForReady(server!.url, false)
    expect(await askReady(server!.url)).toEqual({ isReady: false, condition: 'writes-fail' })
    rmSync(filler)
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
    disk!.end()
  },
)
