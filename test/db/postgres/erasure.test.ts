/** What an erasure leaves of a text on PostgreSQL: in rows, in dead rows, in the bytes of files, and in the WAL. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { compactCommand } from '../../../src/commands/compact.ts'
import { examineDatabaseServers } from '../../../src/doctor/database-server.ts'
import { openUpkeep } from '../../../src/upkeep.ts'
import { startApp, type TestApp } from '../../app.ts'
import { run } from '../../commands/terminal.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { alice, bob } from '../../wallets.ts'
import { startApps } from './several-apps.ts'

setDefaultTimeout(120_000)

let server: PostgresServer
let files: string
beforeAll(async () => {
  server = await startPostgres({
    version: 15,
    isOwn: true,
    settings: [
      'autovacuum=off',
      'max_prepared_transactions=5',
      'hot_standby_feedback=on',
      'wal_recycle=off',
      'full_page_writes=on',
    ],
  })
  const admin = new SQL({ url: server.url, max: 1 })
  files = (await admin.unsafe('SHOW data_directory'))[0].data_directory
  await admin.close()
})
afterAll(() => server.stop())

interface Stage {
  readonly app: TestApp
  readonly sql: SQL
  readonly env: Readonly<Record<string, string>>
  /** One look of the upkeep. */
  look(): Promise<void>
  close(): Promise<void>
}

async function openStage(more: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const url = await server.createDatabase()
  const env = {
    PROOFGATE_DATABASE_URL: url,
    PROOFGATE_DATABASE_CONNECTIONS: '5',
    PROOFGATE_MASTER_KEY: randomBytes(32).toString('hex'),
    PROOFGATE_LIMITS_ENABLED: 'false',
    ...more,
  }
  const app = await startApp(env)
  const sql = new SQL({ url, max: 1 })
  await sql.unsafe('CREATE EXTENSION pageinspect SCHEMA public')
  return {
    app,
    sql,
    env,
    // Anew each time: its pauses are for a server that runs.
    look: () => openUpkeep(app.parts)(),
    async close() {
      await app.close()
      await sql.close()
    },
  }
}

/** A short text among those of another person, and a long one that has pages of its own. */
async function fill({ app }: Stage): Promise<readonly string[]> {
  const words: string[] = []
  for (let round = 0; round < 12; round++)
    for (const [wallet, name] of [
      [alice, 'hers'],
      [bob, 'his'],
    ] as const) {
      const word = `<${name} ${round} ${randomBytes(4).toString('hex')}>`
      if (name === 'hers') words.push(word)
      const content = word + (round % 3 === 0 ? randomBytes(8_000).toString('base64') : 'x'.repeat(round))
      await app.prove(wallet, { privacyLevel: 'public', storeOriginalContent: true }, { content })
    }
  return words
}

async function eraseAll({ app }: Stage) {
  const walletAddress = alice.address.toLowerCase()
  const { body } = await app.post(
    '/api/v1/proofs/erase-all',
    await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress }),
  )
  return body
}

const readReceipt = async ({ app }: Stage, { erasure }: { erasure: { status: string } }) =>
  (await app.get(erasure.status)).body

/** Every item of every page of tables and of what holds their long values, dead ones too. */
async function findItems({ sql }: Stage, text: string): Promise<readonly string[]> {
  const rows = await sql.unsafe(
    `SELECT DISTINCT c.relname AS name FROM pg_class c LEFT JOIN pg_class o ON o.reltoastrelid = c.oid,
       generate_series(0, pg_relation_size(c.oid) / 8192 - 1) block,
       public.heap_page_items(public.get_raw_page(c.oid::regclass::text, block::integer))
     WHERE 'proofgate'::regnamespace IN (c.relnamespace, o.relnamespace) AND c.relkind IN ('r', 't')
       AND position(convert_to($1, 'UTF8') IN t_data) > 0`,
    [text],
  )
  return rows.map(({ name }: { name: string }) => name)
}

/** Names of files of the server that hold a text anywhere. */
const findFiles = (below: string, text: string): readonly string[] =>
  readdirSync(join(files, below), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text))

const countHeld = (below: string, words: readonly string[]): number =>
  words.filter((word) => findFiles(below, word).length > 0).length

describe('an erasure', () => {
  test('is done when no dead row of it is left, neither in tables nor in what holds their long values', async () => {
    const stage = await openStage()
    const words = await fill(stage)
    for (const word of words) expect(await findItems(stage, word)).not.toEqual([])
    const body = await eraseAll(stage)
    expect(body).toMatchObject({
      erasedCount: 12,
      erasure: { state: 'traces-left', left: 0 },
      traces: { pending: true },
    })
    const left = await Promise.all(words.map((word) => findItems(stage, word)))
    expect(left.flat()).not.toEqual([])

    await stage.look()
    expect(await readReceipt(stage, body)).toMatchObject({ erasure: { state: 'done' }, traces: { pending: false } })
    for (const word of words) expect(await findItems(stage, word)).toEqual([])
    expect(stage.app.parts.conditions.list()).toEqual([])
    await stage.close()
  })

  test('can leave bytes in unused space of the files: compact leaves none, and later checkpoints remove them from the WAL', async () => {
    const stage = await openStage()
    const words = await fill(stage)
    await eraseAll(stage)
    await stage.look()
    await stage.sql.unsafe('CHECKPOINT')
    // What the guide warns of.
    expect(countHeld('base', words)).toBeGreaterThan(0)

    const compacted = await run(compactCommand, [], { env: stage.env })
    expect(compacted.err).toBe('')
    expect(compacted.code).toBe(0)
    expect(compacted.out).toContain('The WAL was brought to a new file.')
    await stage.sql.unsafe('CHECKPOINT')
    expect(countHeld('base', words)).toBe(0)
    expect(countHeld('pg_wal', words)).toBe(0)
    await stage.close()
  })
})

const readPending = ({ app }: Stage) => app.parts.conditions.list().find(({ name }) => name === 'erasure-pending')

/** Looks until it is told that something keeps the erasure from its end. */
async function lookUntilTold(stage: Stage) {
  stage.app.wait(2_000)
  while (!readPending(stage)) await stage.look()
  return readPending(stage)!
}

async function expectDone(stage: Stage, body: { erasure: { status: string } }): Promise<void> {
  while ((await readReceipt(stage, body)).erasure.state !== 'done') await stage.look()
  expect(readPending(stage)).toBeUndefined()
}

/** A session of another program, as a person has it open. */
async function openSession(url: string, ...statements: readonly string[]): Promise<SQL> {
  const session = new SQL({ url, max: 1 })
  for (const statement of statements) await session.unsafe(statement)
  return session
}

describe('an erasure is pending, and the condition says why, while', () => {
  test('a transaction of before is open', async () => {
    const stage = await openStage()
    const [word] = await fill(stage)
    const url = stage.env.PROOFGATE_DATABASE_URL!
    const session = await openSession(
      url,
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
      'SELECT count(*) FROM proofgate.proofs',
    )
    const body = await eraseAll(stage)
    const told = await lookUntilTold(stage)
    expect(told.says).toEndWith(
      'what was erased may stand in dead rows of the database still, because a transaction that began before is still open in the database',
    )
    expect(await readReceipt(stage, body)).toMatchObject({
      erasure: { state: 'traces-left' },
      traces: { pending: true },
    })
    expect(await findItems(stage, word!)).not.toEqual([])
    const refused = await run(compactCommand, [], { env: stage.env }).catch((error) => error)
    expect(refused.message).toStartWith(
      'rows that were erased cannot be removed, because a transaction that began before is still open in the database (session',
    )

    await session.unsafe('COMMIT')
    await expectDone(stage, body)
    expect(await findItems(stage, word!)).toEqual([])
    await session.close()
    await stage.close()
  })

  test('a prepared transaction is there', async () => {
    const stage = await openStage()
    await fill(stage)
    const url = stage.env.PROOFGATE_DATABASE_URL!
    const session = await openSession(url, 'BEGIN', 'CREATE TABLE public.other (id int)', "PREPARE TRANSACTION 'left'")
    const body = await eraseAll(stage)
    expect((await lookUntilTold(stage)).says).toEndWith('because a prepared transaction keeps the state of before')
    await session.unsafe("ROLLBACK PREPARED 'left'")
    await expectDone(stage, body)
    await session.close()
    await stage.close()
  })

  test('a query on a standby reads the state of before, and a slot keeps it', async () => {
    const stage = await openStage()
    await fill(stage)
    const standby = await server.startStandby()
    const name = stage.env.PROOFGATE_DATABASE_URL!.split('/').at(-1)
    const reader = await openSession(`${standby.url.replace(/postgres$/, '')}${name}`)
    // The standby may still be behind.
    const holds = 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM proofgate.proofs'
    await reader.unsafe(holds).simple()
    const asked = 'SELECT 1 FROM pg_stat_replication WHERE backend_xmin IS NOT NULL'
    while ((await stage.sql.unsafe(asked)).length === 0) await Bun.sleep(50)
    const body = await eraseAll(stage)
    expect((await lookUntilTold(stage)).says).toEndWith(
      'because a query on a standby still reads the state of before (hot_standby_feedback)',
    )
    await reader.unsafe('COMMIT')
    await expectDone(stage, body)
    await reader.close()
    await standby.stop()
    await stage.close()
  })

  test('a table belongs to another user', async () => {
    const stage = await openStage()
    const url = stage.env.PROOFGATE_DATABASE_URL!
    await stage.sql
      .unsafe(
        `CREATE ROLE plain LOGIN; CREATE ROLE other;
         GRANT CREATE ON DATABASE ${url.split('/').at(-1)} TO plain;
         ALTER SCHEMA proofgate OWNER TO plain;
         DO $$ DECLARE t text; BEGIN
           FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'proofgate' LOOP
             EXECUTE format('ALTER TABLE proofgate.%I OWNER TO plain', t);
           END LOOP; END $$;
         ALTER TABLE proofgate.heartbeat OWNER TO other; GRANT ALL ON proofgate.heartbeat TO plain`,
      )
      .simple()
    const app = await startApp({ ...stage.env, PROOFGATE_DATABASE_URL: url.replace('proofgate@', 'plain@') })
    const plain = { ...stage, app, look: () => openUpkeep(app.parts)() }
    await fill(plain)
    const body = await eraseAll(plain)
    expect((await lookUntilTold(plain)).says).toEndWith(
      'because the user of the database does not own its tables, and may not vacuum them',
    )
    await stage.sql.unsafe('ALTER TABLE proofgate.heartbeat OWNER TO plain')
    await expectDone(plain, body)
    await app.close()
    await stage.close()
  })
})

test('writes that go on do not keep an erasure from its end', async () => {
  const stage = await openStage()
  const words = await fill(stage)
  let isOver = false
  const writing = Promise.all(
    [1, 2, 3].map(async (writer) => {
      for (let each = 0; !isOver; each++)
        await stage.app.prove(
          bob,
          { privacyLevel: 'public', storeOriginalContent: true },
          { content: `${writer} ${each}` },
        )
    }),
  )
  const body = await eraseAll(stage)
  await expectDone(stage, body)
  isOver = true
  await writing
  for (const word of words) expect(await findItems(stage, word)).toEqual([])
  await stage.close()
})

test('one of several processes vacuums, and all receipts say the same', async () => {
  const stage = await openStage()
  await fill(stage)
  const other = await startApp(stage.env)
  const body = await eraseAll(stage)
  expect(await other.parts.processes.openLease('traces').hold()).toBe(true)
  await stage.look()
  expect(await readReceipt(stage, body)).toMatchObject({ erasure: { state: 'traces-left' } })
  await openUpkeep(other.parts)()
  expect(await readReceipt(stage, body)).toMatchObject({ erasure: { state: 'done' } })
  await other.close()
  await stage.close()
})

test('a deletion that must leave no trace does not wait for another one', async () => {
  const stage = await startApps(2)
  const [slow, quick] = stage.apps as [TestApp, TestApp]
  for (const wallet of [alice, bob]) await quick.prove(wallet)
  const erase = async (app: TestApp, wallet: typeof alice) => {
    const walletAddress = wallet.address.toLowerCase()
    return (
      await app.post(
        '/api/v1/proofs/erase-all',
        await app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress }),
      )
    ).body
  }
  stage.delayCommit(slow, 'INTO traces')
  let isSlowDone = false
  const slowly = erase(slow, alice).finally(() => {
    isSlowDone = true
  })
  await stage.waitForCommit()
  expect(await erase(quick, bob)).toMatchObject({ erasedCount: 1, erasure: { left: 0 } })
  expect(isSlowDone).toBe(false)
  expect(await slowly).toMatchObject({ erasedCount: 1, erasure: { left: 0 } })
  await stage.close()
})

test('compact says where something was erased meanwhile, and leaves nothing of it when it is run again', async () => {
  const stage = await openStage()
  const words = await fill(stage)
  const url = stage.env.PROOFGATE_DATABASE_URL!
  // A table that nothing but compact waits for.
  const session = await openSession(url, 'BEGIN', 'LOCK TABLE proofgate.clock_jumps IN ROW SHARE MODE')
  const compacting = run(compactCommand, ['--json'], { env: stage.env })
  while (
    (await stage.sql.unsafe("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")).length === 0
  )
    await Bun.sleep(20)
  const body = await eraseAll(stage)
  await session.unsafe('COMMIT')
  const first = await compacting
  expect([first.code, first.json.isErasedMeanwhile]).toEqual([1, true])
  await expectDone(stage, body)
  const again = await run(compactCommand, ['--json'], { env: stage.env })
  expect([again.code, again.json.isErasedMeanwhile]).toEqual([0, false])
  await stage.sql.unsafe('CHECKPOINT')
  expect(countHeld('base', words)).toBe(0)
  await session.close()
  await stage.close()
})

describe('the statements of the guide', () => {
  const readStatements = async (role: string): Promise<string> => {
    const guide = await Bun.file(new URL('../../../src/guides/stored.md', import.meta.url)).text()
    return /```sql\n([\s\S]*?)```/.exec(guide)![1]!.replaceAll(' proofgate', ` ${role}`)
  }

  test('leave contents out of the logs of PostgreSQL, and doctor tells where they are in', async () => {
    const loud = await startPostgres({ version: 15, isOwn: true, settings: ['log_statement=all'] })
    const admin = new SQL({ url: loud.url, max: 1 })
    await admin.unsafe('CREATE ROLE writer LOGIN')
    await admin.unsafe('CREATE DATABASE written OWNER writer')
    const env = {
      PROOFGATE_DATABASE_URL: `postgres://writer@127.0.0.1:${loud.port}/written`,
      PROOFGATE_MASTER_KEY: randomBytes(32).toString('hex'),
    }
    const prove = async (content: string): Promise<void> => {
      const app = await startApp(env)
      await app.prove(alice, { privacyLevel: 'public', storeOriginalContent: true }, { content })
      await app.close()
    }
    const warns = async (): Promise<boolean> =>
      (await examineDatabaseServers({ url: env.PROOFGATE_DATABASE_URL, replicaLagSeconds: 5 })).some(
        ({ level, says }) => level === 'warn' && says.startsWith('PostgreSQL writes what is stored into its log'),
      )
    const readWholeLog = async (mark: string): Promise<string> => {
      await admin.unsafe(`SELECT '${mark}'`)
      while (!loud.readLog().includes(mark)) await Bun.sleep(10)
      return loud.readLog()
    }
    await prove('<before the settings>')
    expect([(await readWholeLog('first')).includes('<before the settings>'), await warns()]).toEqual([true, true])

    const inside = new SQL({ url: loud.url.replace(/postgres$/, 'written'), max: 1 })
    for (const statement of (await readStatements('writer')).split(';\n').filter((one) => one.trim() !== ''))
      await inside.unsafe(statement)
    await prove('<after the settings>')
    const log = await readWholeLog('second')
    expect(log.slice(log.indexOf('first'))).toContain('INSERT INTO contents')
    expect([log.includes('<after the settings>'), await warns()]).toEqual([false, false])

    const compacted = await run(compactCommand, [], { env })
    expect([compacted.code, compacted.out.includes('The WAL was brought to a new file.')]).toEqual([0, true])
    await inside.close()
    await admin.close()
    await loud.stop()
  })
})
