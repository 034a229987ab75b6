/** Many writers at once: the triggers keep counters right, and nobody waits for a shared counter. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { startPostgres } from '../../parts/postgres.ts'

const opened: SQL[] = []
let url: string
let writers: readonly SQL[]

async function open(): Promise<SQL> {
  const client = new SQL({ url, max: 1, bigint: true })
  opened.push(client)
  await client.unsafe('SET search_path = proofgate, pg_catalog')
  return client
}

beforeEach(async () => {
  url = await (await startPostgres({ version: 15 })).createDatabase()
  writers = await Promise.all(Array.from({ length: 12 }, open))
  await writers[0]!.unsafe("INSERT INTO accounts (address) VALUES ('a'), ('b')")
})
afterAll(() => Promise.all(opened.map((client) => client.close())))

const readAll = async (sql: string): Promise<unknown[]> =>
  [...(await writers[0]!.unsafe(sql))].map((row) =>
    Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, Number(value)])),
  )

/** As the store writes it: unless the same proof is there. */
const insertProof = `
  INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, signed_timestamp, created_at, updated_at, record)
  SELECT $1, decode($2, 'hex'), $3, $4, 'verified', $5, 1, 1, 1, '{"rows":[]}'
  WHERE NOT EXISTS (SELECT 1 FROM proofs WHERE q52 = $1 AND q_hash = decode($2, 'hex'))
  ON CONFLICT DO NOTHING`
const insert = (writer: SQL, number: number, account: number, scope: number, visibility: number) =>
  writer.unsafe(insertProof, [number, number.toString(16).padStart(64, '0'), account, scope, visibility])

describe('writers at once', () => {
  test('store one proof once', async () => {
    const counts = await Promise.all(writers.map(async (writer) => (await insert(writer, 5, 1, 7, 2)).count))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await readAll('SELECT all_count FROM accounts WHERE id = 1')).toEqual([{ all_count: 1 }])
    expect(await readAll('SELECT sum(proofs) AS proofs FROM totals')).toEqual([{ proofs: 1 }])
  })

  test('are all in the totals', async () => {
    await Promise.all(
      writers.map(async (writer, place) => {
        for (let round = 0; round < 5; round++) {
          await writer.unsafe('INSERT INTO accounts (address) VALUES ($1)', [`${place} ${round}`])
          await insert(writer, 1 + place * 5 + round, 1 + (place % 2), place, 0)
        }
      }),
    )
    expect(await readAll('SELECT sum(accounts) AS accounts, sum(proofs) AS proofs FROM totals')).toEqual([
      { accounts: 62, proofs: 60 },
    ])
  })

  test('of two accounts do not wait for each other', async () => {
    const [one, other] = await pickApart()
    await one.unsafe('BEGIN')
    await insert(one, 1, 1, 7, 2)
    await other.unsafe("SET lock_timeout = '5s'")
    await insert(other, 2, 2, 7, 2)
    await one.unsafe('COMMIT')
    expect(await readAll('SELECT sum(proofs) AS proofs FROM totals')).toEqual([{ proofs: 2 }])
  })
})

/** Two writers with a row of the totals each. */
async function pickApart(): Promise<readonly [SQL, SQL]> {
  const rows = await Promise.all(
    writers.map(async (writer) => (await writer.unsafe('SELECT pg_backend_pid() % 16 AS row'))[0].row as bigint),
  )
  const place = rows.findIndex((row) => row !== rows[0])
  return [writers[0]!, writers[place]!]
}
