/** Builds the executable from a copy of the sources that is deleted afterwards, also as a version that comes after this one. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nameFile } from '../../src/build/targets.ts'

const project = join(import.meta.dir, '../..')

export function buildFromCopy(file: string, change: (copy: string) => void = () => {}): void {
  mkdirSync(dirname(file), { recursive: true })
  const copy = mkdtempSync(join(tmpdir(), 'proofgate-copy-'))
  try {
    for (const name of ['src', 'migrations', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(project, name), join(copy, name), { recursive: true })
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
    change(copy)
    const built = Bun.spawnSync([process.execPath, 'src/build/build.ts'], { cwd: copy })
    if (!built.success) throw new Error(built.stderr.toString())
    const aside = `${file}.${process.pid}`
    cpSync(join(copy, 'dist', nameFile(undefined)), aside)
    renameSync(aside, file)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

let current = process.env.EXECUTABLE && resolve(process.env.EXECUTABLE)

/** The executable of this version. */
export function findCurrent(): string {
  if (current === undefined) {
    current = join(project, 'dist', nameFile(undefined))
    buildFromCopy(current)
  }
  return current
}

/** A version that comes after this one, with a migration of its own. */
export const next = {
  version: '999.0.0',
  migration: '0999_next',
  rows: 150_000,
  /** Rows of daily_numbers of this kind make its migration fail. */
  refusedKind: 'refused-by-next',
} as const

const nextSql = `
  CREATE TABLE next_marks (mark TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE next_rows (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;
  WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${next.rows})
    INSERT INTO next_rows SELECT number, 'row ' || number FROM numbers;
  INSERT INTO next_marks SELECT kind FROM daily_numbers WHERE kind = '${next.refusedKind}';
`

/** On PostgreSQL it only adds, so that this version goes on beside the next one. */
const nextPostgresSql = `
  CREATE TABLE next_marks (mark TEXT COLLATE "C" NOT NULL UNIQUE);
  ALTER TABLE proofs ADD COLUMN next_note TEXT COLLATE "C";
  CREATE INDEX proofs_next_note ON proofs (next_note) WHERE next_note IS NOT NULL;
`

function makeNext(copy: string): void {
  rewrite(join(copy, 'package.json'), (text) => JSON.stringify({ ...JSON.parse(text), version: next.version }))
  writeFileSync(join(copy, `migrations/${next.migration}.sql`), nextSql)
  writeFileSync(join(copy, `migrations/postgres/${next.migration}.sql`), nextPostgresSql)
  rewrite(join(copy, 'src/db/postgres/migrate.ts'), (text) =>
    `import next from '../../../migrations/postgres/${next.migration}.sql' with { type: 'text' }\n${text}`.replace(
      / = \[\n( {2}\{ name: '[\s\S]*?)\n\]/,
      ` = [\n$1\n  { name: '${next.migration}', sql: next, olderMayRun: true },\n]`,
    ),
  )
  rewrite(
    join(copy, 'src/db/migrations.ts'),
    (text) =>
      `import next from '../../migrations/${next.migration}.sql' with { type: 'text' }\n${text.replace(/\]\s*$/, `  { name: '${next.migration}', sql: next },\n]\n`)}`,
  )
}

const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Built once for all tests of a run. */
export function buildNext(): string {
  const file = join(project, 'dist/next', nameFile(undefined))
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (made < statSync(findCurrent()).mtimeMs) buildFromCopy(file, makeNext)
  return file
}
