/** `proofgate backup`, `drill` and `restore` on PostgreSQL. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SQL } from 'bun'
import { backup } from '../../src/commands/backup.ts'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { drill } from '../../src/commands/drill.ts'
import { restore } from '../../src/commands/restore.ts'
import { isOpenedByKey } from '../../src/gates/master-key-check.ts'
import { startApp, startOfTime } from '../app.ts'
import { startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { alice, bob } from '../wallets.ts'
import { run } from './terminal.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()
/** As the clocks of the apps. */
const now = () => startOfTime
const PATH = `/usr/lib/postgresql/15/bin:${process.env.PATH}`

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ version: 15 })
})

const use = async <T>(url: string, work: (sql: SQL) => Promise<T>): Promise<T> => {
  const sql = new SQL({ url, max: 1, connection: { search_path: 'proofgate,pg_catalog' } })
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}

/** A database with two proofs, one of them sealed, and a dump of it. */
async function makeStage() {
  const url = await server.createDatabase()
  const folder = newFolder()
  const env = {
    PATH,
    PROOFGATE_DATABASE_URL: url,
    PROOFGATE_DATABASE_TRIAL_URL: await server.createEmptyDatabase(),
    PROOFGATE_MASTER_KEY: randomBytes(32).toString('hex'),
  }
  const app = await startApp(env)
  const kept = { privacyLevel: 'private', storeOriginalContent: true } as const
  await app.prove(alice, kept, { content: 'kept and sealed' })
  await app.prove(bob)
  const made = await run(backup, [folder, '--json'], { env, now })
  expect([made.err, made.code]).toEqual(['', 0])
  return { app, env, folder, url, file: made.json.file as string }
}

const tryDump = (env: Record<string, string>, ...args: readonly string[]) => run(drill, [...args, '--json'], { env })

test('a dump is made beside the running server, and holds what every table holds', async () => {
  const { app, env, folder, file } = await makeStage()
  const manifest = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
  expect(manifest.tables.proofs.rows).toBe(2)
  expect(readdirSync(folder).length).toBe(2)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const drilled = await tryDump(env, folder)
  expect(drilled.json).toMatchObject({ ok: true, faults: [], counts: { proofs: 2, contents: 1 } })
  // The trial leaves nothing behind.
  const there = await use(env.PROOFGATE_DATABASE_TRIAL_URL, (sql) =>
    sql.unsafe("SELECT 1 FROM pg_namespace WHERE nspname = 'proofgate'"),
  )
  expect(there.length).toBe(0)
  const runs = await use(env.PROOFGATE_DATABASE_URL, (sql) =>
    sql.unsafe('SELECT job, is_good::integer AS good, says FROM job_runs ORDER BY job'),
  )
  const name = basename(file)
  expect(runs.map(({ job, good, says }: { job: string; good: number; says: string }) => [job, good, says])).toEqual([
    ['backup', 1, `${name}, 2 proofs`],
    ['drill', 1, `${name} can be used, with 2 proofs`],
  ])
  await app.close()
})

describe('a drill says no to', () => {
  test('a dump that was cut off', async () => {
    const { app, env, file } = await makeStage()
    writeFileSync(file, readFileSync(file).subarray(0, -2_000))
    const { code, json } = await tryDump(env, file)
    expect([code, json.ok]).toEqual([1, false])
    expect(json.faults[0]).toStartWith('pg_restore failed')
    await app.close()
  })

  test('a dump of other rows than its manifest says', async () => {
    const { app, env, file, folder } = await makeStage()
    await app.prove(alice, {}, { content: 'later' })
    const later = await run(backup, [join(folder, 'later.dump'), '--json'], { env })
    writeFileSync(`${file}.json`, readFileSync(`${later.json.file}.json`))
    const { code, json } = await tryDump(env, file)
    expect(code).toBe(1)
    expect(json.faults.join()).toContain('table proofs has 2 rows')
    await app.close()
  })

  test('another master key', async () => {
    const { app, env, file } = await makeStage()
    const { code, json } = await tryDump({ ...env, PROOFGATE_MASTER_KEY: 'ab'.repeat(32) }, file)
    expect(code).toBe(1)
    expect(json.faults).toEqual([
      'the configured master key is not the one that it is used with: give that of the servers',
    ])
    await app.close()
  })
})

describe('a drill of what PostgreSQL restored itself says no where it lacks', () => {
  let env: Record<string, string>
  let restored: string
  beforeAll(async () => {
    const stage = await makeStage()
    await stage.app.close()
    restored = stage.url
    env = { ...stage.env, PROOFGATE_DATABASE_URL: server.url, PROOFGATE_DATABASE_TRIAL_URL: restored }
    expect((await tryDump(env)).json).toMatchObject({ ok: true, faults: [] })
  })

  test.each([
    ['a trigger', 'DROP TRIGGER proofs_replaced ON proofs', 'it lacks trigger CREATE TRIGGER proofs_replaced'],
    ['an index', 'DROP INDEX proofs_by_account', 'it lacks index CREATE INDEX proofs_by_account'],
    ['a column', 'ALTER TABLE sessions DROP COLUMN seen_at', 'it lacks column sessions.seen_at'],
    [
      'a reference',
      'ALTER TABLE contents DROP CONSTRAINT contents_proof_id_fkey',
      'it lacks condition contents_proof_id_fkey',
    ],
    ['a function', 'DROP FUNCTION json_each(text)', 'it lacks function'],
    ['the right number in a counter', 'UPDATE accounts SET all_count = all_count + 1', 'counts 2 proofs'],
    ['the right place of a sequence', 'ALTER SEQUENCE proofs_id_seq RESTART', 'the ids of proofs would be given twice'],
  ])('%s', async (_, sql, says) => {
    const damaged = await server.copyDatabase(restored)
    await use(damaged, (client) => client.unsafe(sql))
    const { code, json } = await tryDump({ ...env, PROOFGATE_DATABASE_TRIAL_URL: damaged })
    expect(code).toBe(1)
    expect(json.faults.join()).toContain(says)
  })
})

test('a drill touches no database that holds something', async () => {
  const { app, env, file, url } = await makeStage()
  const other = { ...env, PROOFGATE_DATABASE_TRIAL_URL: await server.createDatabase() }
  const refused = await tryDump(other, file).catch((error) => error)
  expect(refused).toBeInstanceOf(UnavailableError)
  expect(refused.message).toStartWith('the database of database.trial_url is not empty')
  expect(await tryDump({ ...env, PROOFGATE_DATABASE_TRIAL_URL: url }, file).catch((error) => error)).toBeInstanceOf(
    UsageError,
  )
  await app.close()
})

test('a dump is restored into an empty database, and a server on it opens what is sealed and goes on', async () => {
  const { app, env, file } = await makeStage()
  // After the dump: it is back, and the report says so.
  await app.post(
    '/api/v1/proofs/erase-all',
    await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: bob.address.toLowerCase() }),
  )
  await app.close()
  const empty = { ...env, PROOFGATE_DATABASE_URL: await server.createEmptyDatabase() }
  const restored = await run(restore, [file], { env: empty, now })
  expect(restored.code).toBe(0)
  expect(restored.out).toContain('with 2 proofs')
  expect(restored.out.replaceAll(/\s+/g, ' ')).toContain('accounts that were erased')
  const again = await startApp(empty, undefined, startOfTime + 60_000)
  expect(await isOpenedByKey(again.parts)).toBe(true)
  await again.prove(alice, {}, { content: 'after the restore' })
  const restores = await use(empty.PROOFGATE_DATABASE_URL, (sql) => sql.unsafe('SELECT journal FROM restores'))
  expect(restores.map(({ journal }: { journal: string }) => journal)).toEqual(['gone'])
  await again.close()
  const twice = await run(restore, [file], { env: empty }).catch((error) => error)
  expect(twice.message).toStartWith('the database of database.url is not empty')
})

test('a database that PostgreSQL restored itself is settled in its place, and not while a server runs on it', async () => {
  const { app, env } = await makeStage()
  await app.close()
  const { PATH: _, ...ofServer } = env
  const running = await startOnFiles(newFolder(), ofServer)
  const busy = await run(restore, ['database'], { env }).catch((error) => error)
  expect(busy.message).toStartWith('a server runs on the database')
  await running.stop()
  const restored = await run(restore, ['database', '--json'], { env })
  expect([restored.code, restored.json.counts.proofs]).toEqual([0, 2])
})

test('without pg_dump the command says what to install, and leaves nothing', async () => {
  const { app, env } = await makeStage()
  const folder = newFolder()
  const refused = await run(backup, [folder], { env: { ...env, PATH: folder } }).catch((error) => error)
  expect(refused.message).toStartWith('pg_dump is missing: install the client programs of PostgreSQL')
  expect(readdirSync(folder)).toEqual([])
  await app.close()
})

test('the commands of the guide make, try and restore a dump', async () => {
  const { app, env, folder } = await makeStage()
  await app.close()
  const guide = await Bun.file(new URL('../../src/guides/backups.md', import.meta.url)).text()
  const lines = [...guide.matchAll(/```sh postgres\n([\s\S]*?)```/g)].flatMap(([, text]) => text!.trim().split('\n'))
  const commands = { backup, drill, restore }
  const ran: string[] = []
  for (const line of lines) {
    const [, elsewhere, name, place] = /^(PROOFGATE_DATABASE_URL=\S+ )?proofgate (backup|drill|restore) (\S+)$/.exec(
      line,
    )!
    const url = elsewhere === undefined ? env.PROOFGATE_DATABASE_URL : await server.createEmptyDatabase()
    const { code } = await run(commands[name as keyof typeof commands], [place!], {
      cwd: folder,
      env: { ...env, PROOFGATE_DATABASE_URL: url },
      now,
    })
    ran.push(`${name} ${code}`)
  }
  expect(ran).toEqual(['backup 0', 'drill 0', 'restore 0'])
})
