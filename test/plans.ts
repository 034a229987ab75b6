/**
 * Looks at the plans of recorded statements on a PostgreSQL whose tables are full: none may walk through a large table.
 *
 *   bun test/plans.ts 15 FILE    one statement a line, as JSON
 */
import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { Filled } from '../src/db/postgres/dialect.ts'
import { startPostgres } from './parts/postgres.ts'

const [version, file] = process.argv.slice(2)
const rows = 1_000
/** What several rows refer to. The planner takes it for two rows each, but for hundreds of an account, gate or wallet. */
const referred = 500
/** The files are so many times larger than their rows need: the planner takes the tables for 100,000 rows long. */
const growth = 100

/** Unix milliseconds. Nothing has expired at the times of the tests: a sweep that finds nothing must not walk either. */
const afterTests = Date.UTC(2036, 0)

/** Few rows at any time, so that walking through them is right. */
const smallTables: Readonly<Record<string, string>> = {
  operator_link: 'one',
  migrations: 'one for each version that changed the data model',
  operators: 'a handful, ever',
  totals: 'sixteen',
  erasures: 'under way, gone within minutes',
  erased_proofs: 'kept for minutes',
  leases: 'one for each kind of work',
  live_processes: 'one for each process',
  job_runs: 'one for each job',
  clock_jumps: 'as often as somebody moves the clock',
  oauth_keys: 'a handful, ever',
  settlements: 'payments under way, gone within minutes',
}

/** These walk on SQLite, too. */
const rightWalks: readonly (readonly [RegExp, string])[] = [
  [/^DELETE FROM (oauth_clients|social_sign_ins) WHERE \w+ = /, 'ten thousand at most, when a flood fills them'],
  [/^DELETE FROM oauth_(consents|codes) WHERE client/, 'when a client is removed or has expired'],
  [/^UPDATE oauth_families SET revoked_at = \$2, reason = \$3 WHERE/, 'when a client is removed'],
  [/^UPDATE oauth_families SET revoked_at = \$1, reason = \$2 WHERE/, 'when all clients are signed out at once'],
  [/^DELETE FROM oauth_codes WHERE consumed_at IS NULL$/, 'when all clients are signed out at once'],
  [/^SELECT count\(\*\) FILTER \(WHERE s\.verifier/, 'when a client is removed'],
  [/^UPDATE oauth_clients SET expires_at = \$3 WHERE id IN \(SELECT value/, 'once for all clients that have expired'],
  [
    /^UPDATE \w+ SET created_at = created_at \+|^UPDATE sessions SET seen_at = \$1 WHERE/,
    'when the clock is put right',
  ],
]

interface Plan {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

const server = await startPostgres({
  version: version === '18' ? 18 : 15,
  isOwn: true,
  settings: ['maintenance_work_mem=64MB'],
})
const client = new SQL({ url: await server.createDatabase(), max: 1 })
const ask = async <Row>(text: string): Promise<Row[]> => [...(await client.unsafe(text))]

interface Column {
  readonly relation: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly isKey: boolean
  /** Its index goes on with another column: it has many rows of one value. */
  readonly isShared: boolean
  /** It has an index of the rows that have a value. */
  readonly isSeldom: boolean
  readonly words: readonly string[] | undefined
}

/** The values are no true ones: for a plan, only their number matters and how often one comes again. */
async function fillTables(): Promise<void> {
  await ask("SET session_replication_role = 'replica'")
  const checks = await ask<{ relation: string; name: string; text: string }>(`
    SELECT conrelid::regclass::text AS relation, conname AS name, pg_get_constraintdef(oid) AS text
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'proofgate'::regnamespace`)
  const columns = await ask<Omit<Column, 'words'>>(`
    SELECT c.relname AS relation, a.attname AS name, a.atttypid::regtype::text AS type, NOT a.attnotnull AS nullable,
      EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
      ) AS "isKey",
      EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indnkeyatts > 1 AND i.indkey[0] = a.attnum
      ) AS "isShared",
      EXISTS (
        SELECT FROM pg_index i
        WHERE i.indrelid = c.oid AND pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)
      ) AS "isSeldom"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'proofgate'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`)
  const listWords = ({ relation, name }: Omit<Column, 'words'>): string[] | undefined => {
    const check = checks.find((one) => one.relation === relation && one.text.startsWith(`CHECK ((${name} = ANY (`))
    return check && [...check.text.matchAll(/'([^']+)'/g)].map(([, word]) => word!)
  }
  for (const { relation, name } of checks) await ask(`ALTER TABLE ${relation} DROP CONSTRAINT ${name}`)
  for (const table of new Set(columns.map(({ relation }) => relation))) {
    if (table in smallTables) continue
    const own = columns.filter(({ relation }) => relation === table)
    const values = own.map((column) => writeValue({ ...column, words: listWords(column) }))
    await ask(`
      INSERT INTO ${table} (${own.map(({ name }) => `"${name}"`).join(', ')}) OVERRIDING SYSTEM VALUE
      SELECT ${values.join(', ')} FROM generate_series(1, ${rows}) i ON CONFLICT DO NOTHING`)
  }
  await ask('ANALYZE')
  const [place] = await ask<{ folder: string }>("SELECT current_setting('data_directory') AS folder")
  const files = await ask<{ path: string }>(`
    SELECT pg_relation_filepath(oid) AS path FROM pg_class
    WHERE relnamespace = 'proofgate'::regnamespace AND relkind IN ('r', 'i')`)
  for (const { path } of files) {
    const file = join(place!.folder, path)
    truncateSync(file, statSync(file).size * growth)
  }
}

function writeValue({ name, type, nullable, isKey, isShared, isSeldom, words }: Column): string {
  const isManyOfOne = isShared && !isKey && !/52$/.test(name)
  const number = isManyOfOne ? `1 + i % ${referred}` : 'i'
  const value = (): string => {
    if (words) return `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[1 + i % ${words.length}]`
    if (name === 'visibility') return 'i % 3'
    if (name === 'superseded') return 'i % 2'
    if (/^(day|hour|slot)$/.test(name)) return `${afterTests} + i`
    if (/(^|_)at$/.test(name)) return `${afterTests} + 1000 * i::bigint`
    if (type === 'text') return `'0x' || (${number})`
    return type === 'bytea' ? `sha256(int8send(${number}))` : number
  }
  if (!nullable) return value()
  // Work to do is found by an index of the few rows that wait for it.
  const hasValue = isSeldom ? 'i % 50 = 0' : name === 'finished_at' ? 'i % 500 > 0' : 'i % 2 = 0'
  return `CASE WHEN ${hasValue} THEN ${value()} END`
}

async function explainAll(lines: readonly string[]): Promise<{ count: number; walks: string[] }> {
  const large = new Set(
    (
      await ask<{ name: string }>(`
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'proofgate'::regnamespace AND relkind = 'r' AND reltuples >= ${rows / 10}`)
    )
      .map(({ name }) => name)
      .filter((name) => !(name in smallTables)),
  )
  const walks: string[] = []
  const seen = new Set<string>()
  for (const line of lines) {
    const { sql, params }: Filled = JSON.parse(line)
    if (seen.has(sql)) continue
    seen.add(sql)
    const text = sql.replace(/\s+/g, ' ').trim()
    if (rightWalks.some(([form]) => form.test(text))) continue
    try {
      await ask(`PREPARE asked AS ${sql}`)
    } catch (error) {
      walks.push(`${(error as Error).message}: ${text}`)
      continue
    }
    const values = params.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')
    let plan: Plan | undefined
    // From the sixth time on, the server may keep one plan for all values.
    for (let time = 1; time <= 6; time++) {
      const [row] = await ask<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE asked${params.length > 0 ? `(${values})` : ''}`,
      )
      plan = row!['QUERY PLAN'][0]!.Plan
    }
    await ask('DEALLOCATE asked')
    for (const table of new Set([...listWalked(plan!), ...listSorted(plan!)].filter((name) => large.has(name))))
      walks.push(`${table}: ${text}`)
  }
  return { count: seen.size, walks }
}

/** Tables that are read from their first row to the last. */
const listWalked = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(listWalked),
]

/** Tables of a UNION whose rows are all read and sorted before the first one is given. */
const listSorted = (plan: Plan): readonly string[] => {
  const inner = plan.Plans ?? []
  return plan['Node Type'] === 'Sort' && inner[0]?.['Node Type'] === 'Append' && plan['Plan Rows'] > 50
    ? listRead(plan)
    : inner.flatMap(listSorted)
}

const listRead = (plan: Plan): readonly string[] => [
  ...(plan['Relation Name'] === undefined ? [] : [plan['Relation Name']]),
  ...(plan.Plans ?? []).flatMap(listRead),
]

try {
  await ask('SET search_path = proofgate, pg_catalog')
  await fillTables()
  const found = await explainAll([...new Set(readFileSync(file!, 'utf8').trim().split('\n'))])
  for (const line of found.walks) process.stderr.write(`${line}\n`)
  process.stdout.write(
    `${found.count} statements of stores were explained, ${found.walks.length} walk through a large table or sort one\n`,
  )
  process.exitCode = found.walks.length > 0 || found.count === 0 ? 1 : 0
} finally {
  await client.close()
  await server.stop()
}
