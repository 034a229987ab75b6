/** Two servers on one PostgreSQL, as processes of their own: one stops, dies, or stands still. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { SQL } from 'bun'
import { firstLine } from '../db/child.ts'
import { type FakeClock, missingFaketime, openFakeClock } from '../parts/faketime.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { startPostgres } from '../parts/postgres.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'

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

/** `ports` gets the port. */
async function startServer(env: Readonly<Record<string, string>> = {}, ports: number[] = []) {
  const folder = newFolder()
  const child = Bun.spawn([...endsWithUs, ...program, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_DATABASE_URL: url,
      PROOFGATE_MASTER_KEY: 'a1'.repeat(32),
      ...env,
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const line = await firstLine(child.stdout)
  expect(line).toContain('"port":')
  ports.push(JSON.parse(line).port)
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

const lacksFaketime = isMissing(missingFaketime.length === 0, 'libfaketime: apt-get install faketime')

test.skipIf(lacksFaketime)(
  'a server whose machine is an hour ahead goes by the clock of the database, and says so',
  async () => {
    const clock: FakeClock = openFakeClock(newFolder())
    clock.set(3_600_000)
    const ports: number[] = []
    const servers = [await startServer({}, ports), await startServer(clock.env, ports)]
    const [right, ahead] = ports.map((port) => `http://127.0.0.1:${port}/api/v1`) as [string, string]
    const post = async (url: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: answer.status, data: ((await answer.json()) as any).data }
    }
    for (const [asks, proves] of [
      [right, ahead],
      [ahead, right],
    ] as const) {
      const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: `By ${asks}` } }
      const body = { walletAddress: alice.address, signedTimestamp: Date.now(), ...claim }
      const { data } = await post(`${asks}/verification/standardize`, body)
      const signature = await alice.sign(data.signerString)
      expect((await post(`${proves}/verification`, { ...body, signature })).status).toBe(200)
    }
    const listConditions = async (url: string): Promise<string[]> => {
      const { data } = (await (await fetch(`${url}/health`)).json()) as { data: { conditions?: { name: string }[] } }
      return (data.conditions ?? []).map(({ name }) => name)
    }
    while (!(await listConditions(ahead)).includes('clock-differs')) await Bun.sleep(100)
    expect(await listConditions(right)).not.toContain('clock-differs')
    clock.set(0)
    while ((await listConditions(ahead)).includes('clock-differs')) await Bun.sleep(100)
    for (const server of servers) {
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
    }
  },
)
