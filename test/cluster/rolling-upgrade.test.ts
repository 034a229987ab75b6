/** Servers on one database are replaced by those of a newer version, one after another, under load. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../app.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { buildNext, findCurrent, next } from '../parts/build-copy.ts'
import { freePort } from '../parts/free-port.ts'
import { haproxy, startBalancer } from '../parts/haproxy.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { findBrokenRules, openSql, readyPath, waitForReady } from './cluster.ts'
import { compareBooks, noDifference, startLoad } from './load.ts'
import { masterKey, type Proofgate, startProofgate } from './proofgate.ts'

setDefaultTimeout(300_000)

const skips = isMissing(haproxy, 'HAProxy: apt-get install haproxy')

const readVersion = async ({ url }: Proofgate): Promise<string> =>
  ((await (await fetch(`${url}/api/v1/health`)).json()) as { data: { version: string } }).data.version

test.skipIf(skips)(
  'a rolling upgrade: both versions serve side by side, the older one may start again, and nothing is lost',
  async () => {
    const [older, newer] = [findCurrent(), buildNext()]
    const postgres = await startPostgres({ version: 15 })
    const database = await postgres.createDatabase()
    const port = await freePort()
    const folders: string[] = []
    const env = { PROOFGATE_BASE_URL: `http://127.0.0.1:${port}`, PROOFGATE_LOG_LEVEL: 'info' }
    const start = (executable: string, at: number) => {
      const folder = mkdtempSync(join(tmpdir(), 'proofgate-rolling-'))
      folders.push(folder)
      return startProofgate({ database, folder, port: at, env, executable })
    }
    let [one, other] = await Promise.all([start(older, await freePort()), start(older, await freePort())])
    const balancer = await startBalancer(port, [one.port, other.port], readyPath)
    const app = await startApp(
      { PROOFGATE_DATABASE_URL: database, PROOFGATE_MASTER_KEY: masterKey },
      undefined,
      Date.now(),
    )
    await putGate(app.parts, { gateId: 'open' })
    await app.close()

    const load = startLoad({ url: balancer.url, clients: 6, gateId: 'open' })
    const { book } = load
    const letSomePass = async (): Promise<void> => {
      const before = book.acknowledged.length
      while (book.acknowledged.length < before + 60) await Bun.sleep(5)
    }
    const replace = async (server: Proofgate, executable: string): Promise<Proofgate> => {
      await letSomePass()
      expect(await server.stop()).toBe(0)
      const started = await start(executable, server.port)
      await waitForReady(started.url, true)
      await letSomePass()
      return started
    }

    one = await replace(one, newer)
    expect([await readVersion(one), await readVersion(other)]).toEqual([
      next.version,
      expect.not.stringContaining('999'),
    ])
    const sql = openSql(database)
    expect((await sql.unsafe('SELECT name FROM migrations ORDER BY name DESC LIMIT 1'))[0].name).toBe(next.migration)

    other = await replace(other, older)
    expect(other.log.filter((line) => line.includes('database-newer'))).toHaveLength(1)
    expect(await readVersion(other)).not.toBe(next.version)

    other = await replace(other, newer)
    expect([await readVersion(one), await readVersion(other)]).toEqual([next.version, next.version])
    await load.stop()

    expect(book.surprises).toEqual([])
    expect(await compareBooks(database, book, 'open')).toEqual(noDifference)
    expect(await findBrokenRules(database)).toEqual({})
    expect(book.acknowledged.length).toBeGreaterThan(300)
    await sql.close()
    await balancer.stop()
    await Promise.all([one.stop(), other.stop()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  },
)
