/** Two servers on one PostgreSQL, as processes of their own: one stops, dies, or stands still. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SQL } from 'bun'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { startPostgres } from '../parts/postgres.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

let url: string
let sql: SQL
beforeAll(async () => {
  url = await (await startPostgres({ version: 15 })).createDatabase()
  sql = new SQL({ url, max: 1 })
})
afterAll(() => sql.close())

async function startServer() {
  const folder = newFolder()
  const child = Bun.spawn([...endsWithUs, ...program, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_DATABASE_URL: url,
      PROOFGATE_MASTER_KEY: 'a1'.repeat(32),
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  expect(await firstLine(child.stdout)).toContain('"port":')
  return child
}

const listLive = async (): Promise<string[]> =>
  [...(await sql.unsafe('SELECT id FROM live_processes ORDER BY started_at'))].map(({ id }) => id)
const findSender = async (): Promise<string | null> =>
  (await sql.unsafe("SELECT holder FROM leases WHERE name = 'publishing'"))[0]?.holder ?? null

/** Ends by the timeout of the test where it waits in vain. */
async function waitUntil(sender: string | null, live: readonly (string | undefined)[]): Promise<void> {
  const expected = JSON.stringify([sender, live.toSorted()])
  while (JSON.stringify([await findSender(), (await listLive()).toSorted()]) !== expected) await Bun.sleep(50)
}

test('the work of one goes on in the other, and comes to one that stood still only when it is free', async () => {
  const first = await startServer()
  const [a] = (await listLive()) as [string]
  await waitUntil(a, [a])
  const second = await startServer()
  const b = (await listLive()).find((id) => id !== a)!

  first.kill('SIGSTOP')
  await waitUntil(b, [b])
  first.kill('SIGCONT')
  await waitUntil(b, [a, b])

  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  await waitUntil(a, [a])

  const third = await startServer()
  const c = (await listLive()).find((id) => id !== a)!
  first.kill('SIGKILL')
  await first.exited
  await waitUntil(c, [c])
  third.kill('SIGTERM')
  expect(await third.exited).toBe(0)
  expect([await findSender(), await listLive()]).toEqual([null, []])
})
