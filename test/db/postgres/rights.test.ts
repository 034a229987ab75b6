/** The least rights with which the store works, and what a user without them is told. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { open, statement } from './counters.ts'

let server: PostgresServer
let url: string
let asOwner: SQL

/** Connects to the database as a user that owns nothing yet. */
const urlOf = (user: string): string => url.replace(/^postgres:\/\/[^@]*@/, `postgres://${user}@`)

beforeAll(async () => {
  server = await startPostgres({ version: 15 })
  url = await server.createEmptyDatabase()
  asOwner = new SQL({ url, max: 1 })
  const database = new URL(url).pathname.slice(1)
  await asOwner
    .unsafe(
      `CREATE ROLE with_schema LOGIN; CREATE ROLE without_schema LOGIN;
       REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO with_schema, without_schema`,
    )
    .simple()
})
afterAll(async () => {
  const database = new URL(url).pathname.slice(1)
  await asOwner
    .unsafe(
      `DROP OWNED BY with_schema CASCADE; DROP OWNED BY without_schema;
       REVOKE ALL ON DATABASE ${database} FROM with_schema, without_schema; DROP ROLE with_schema, without_schema`,
    )
    .simple()
  await asOwner.close()
})

test('a user that may create no schema is told what to grant', async () => {
  await expect(open(urlOf('without_schema'))).rejects.toThrow('GRANT CREATE ON DATABASE')
})

test('a user that owns the schema, and may only connect besides, is enough', async () => {
  await asOwner.unsafe('CREATE SCHEMA proofgate AUTHORIZATION with_schema')
  // Once to make the tables, and once to find them.
  for (let times = 0; times < 2; times++) {
    const db = await open(urlOf('with_schema'))
    await db.write([statement('INSERT INTO clock_jumps (at, size_ms) VALUES (?1, 1)', times)])
    await db.close()
  }
})
