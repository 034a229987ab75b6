/** The link by which the first operator is made, where several servers start and stop. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { loadConfig } from '../../../src/config/load.ts'
import { type RunningServer, startServer } from '../../../src/start.ts'
import { openSharedDatabase } from '../../parts/test-database.ts'

setDefaultTimeout(120_000)

async function openDatabase() {
  const database = await openSharedDatabase()
  const env = { PROOFGATE_HOST: '127.0.0.1', PROOFGATE_PORT: '0', ...database.env }
  const config = await loadConfig({ env, cwd: '/nonexistent' })
  const start = (): Promise<RunningServer> => startServer(config, { folder: undefined })
  return {
    url: database.url,
    start,
    startTogether: (count: number): Promise<RunningServer[]> => Promise.all(Array.from({ length: count }, start)),
    drop: () => database.drop(),
  }
}
const listLinks = (servers: readonly RunningServer[]): string[] =>
  servers.flatMap(({ operatorLink }) => operatorLink ?? [])
const stopAll = (servers: readonly RunningServer[]): Promise<unknown> => Promise.all(servers.map(({ stop }) => stop()))

test('of servers that start together one shows a link, and of those that start later none', async () => {
  const { startTogether, start, drop } = await openDatabase()
  const servers = await startTogether(3)
  expect(listLinks(servers)).toHaveLength(1)
  const later = await start()
  expect(later.operatorLink).toBeUndefined()
  await stopAll([...servers, later])
  await drop()
})

test('when all have stopped, the link that nobody used makes room for one that is shown', async () => {
  const { startTogether, drop } = await openDatabase()
  const first = await startTogether(2)
  const [shown] = listLinks(first)
  await stopAll(first)
  const second = await startTogether(3)
  expect(listLinks(second)).toHaveLength(1)
  expect(listLinks(second)[0]!.split('#')[1]).not.toBe(shown!.split('#')[1])
  await stopAll(second)
  await drop()
})

test('processes that were killed are waited for until they are known to be dead', async () => {
  const { url, startTogether, drop } = await openDatabase()
  await stopAll(await startTogether(2))
  const sql = new SQL({ url, max: 1 })
  await sql.unsafe(
    `INSERT INTO proofgate.live_processes (id, started_at, version, host, beats) VALUES ('killed', 1, '1', 'h', 7)`,
  )
  await sql.close()
  const restarted = await startTogether(2)
  expect(listLinks(restarted)).toHaveLength(1)
  await stopAll(restarted)
  await drop()
})
