/** Brings the lines of an export into the database, all or nothing: SQL and nothing else. */
import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { selectNewestEvent } from '../audit/import-store.ts'
import type { SqlValue } from '../db/db.ts'
import type { Line } from '../db/exporting.ts'
import {
  ImportedLineError,
  type Importer,
  type ImportTools,
  type Named,
  type NewAfter,
  writeFields,
} from '../db/importing.ts'
import type { StoreRule } from '../db/store-rule.ts'
import { selectNewestGate, settleGates } from '../gates/import-store.ts'
import { selectNewestProfile } from '../profiles/import-store.ts'
import { selectMakingTriggers, selectNewestAccount, selectNewestProof, settleProofs } from '../proofs/import-store.ts'
import { copyAgain, ImportError } from './fault.ts'
import { filesNotImported } from './importers.ts'
import type { ReadExport } from './read-export.ts'
import { type ReadLine, readLines, UnreadableLineError } from './read-lines.ts'

export interface ImportedFile {
  readonly file: string
  readonly added: number
  /** Lines whose row is here already. It stays as it is. */
  readonly alreadyHere: number
  /** Lines that belong to something that is not here, and proofs that were erased here. */
  readonly leftOut: number
}

export interface Imported {
  readonly files: readonly ImportedFile[]
  /** Files of which nothing is made, and why. */
  readonly notImported: readonly { readonly file: string; readonly lines: number; readonly why: string }[]
}

/** Rows that are here under the name of another one. Each is named as people know it. */
export class ImportConflictError extends Error {
  override readonly name = 'ImportConflictError'

  constructor(
    readonly conflicts: readonly string[],
    readonly count: number,
  ) {
    super(`${count} ${count === 1 ? 'row' : 'rows'} of the export cannot be brought in`)
  }
}

const mostNamedConflicts = 20

/** The database has no other writer. Errors: ImportError, ImportConflictError, SQLiteError. Nothing is changed then. */
export function importRows(
  db: Database,
  { folder, manifest }: ReadExport,
  importers: readonly Importer[],
  tools: ImportTools,
  rules: readonly StoreRule[],
): Imported {
  db.run('BEGIN IMMEDIATE')
  try {
    const newAfter: NewAfter = {
      newAccounts: readNewest(db, selectNewestAccount),
      newProofs: readNewest(db, selectNewestProof),
      newGates: readNewest(db, selectNewestGate),
      newProfiles: readNewest(db, selectNewestProfile),
      newEvents: readNewest(db, selectNewestEvent),
    }
    const triggers = db.query<{ name: string; sql: string }, []>(selectMakingTriggers).all()
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`)
    const conflicts = new Conflicts()
    const files = importers.flatMap((importer) => {
      const { name, isOfServer } = importer
      const listed = manifest.files.find(({ file }) => file === `${name}.jsonl`)
      if (!listed || (isOfServer && manifest.wallets !== null)) return []
      return [{ file: listed.file, ...importFile(db, join(folder, listed.file), importer, newAfter, tools, conflicts) }]
    })
    conflicts.throwIfAny()
    for (const sql of [...settleProofs, ...settleGates]) db.prepare(sql).run({ ...newAfter })
    for (const { sql } of triggers) db.run(sql)
    requireRules(db, rules)
    db.run('COMMIT')
    return { files, notImported: listNotImported(manifest, new Set(files.map(({ file }) => file))) }
  } catch (error) {
    // A full disk has rolled it back already.
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  }
}

/** A server whose rows contradict each other stops writing. Errors: ImportError. */
function requireRules(db: Database, rules: readonly StoreRule[]): void {
  for (const { sql } of rules) {
    const broken = db.query<{ says: string }, []>(sql).get()
    if (broken)
      throw new ImportError(
        `with the export, the rows of this server would contradict each other (${broken.says})`,
        'export again, from a server whose checks are good',
      )
  }
}

const readNewest = (db: Database, sql: string): number => db.query<{ id: number }, []>(sql).get()!.id

const listNotImported = ({ files }: ReadExport['manifest'], imported: ReadonlySet<string>) =>
  files
    .filter(({ file, lines }) => lines > 0 && !imported.has(file))
    .map(({ file, lines }) => ({
      file,
      lines,
      why: filesNotImported[file.replace('.jsonl', '')] ?? 'Only an export of the whole server brings it.',
    }))

class Conflicts {
  readonly #named: string[] = []
  #count = 0

  add(says: string): void {
    this.#count++
    if (this.#named.length < mostNamedConflicts) this.#named.push(says)
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new ImportConflictError(this.#named, this.#count)
  }
}

type Bound = Record<string, SqlValue>

function importFile(
  db: Database,
  path: string,
  { name, find, insert, holder, derive }: Importer,
  newAfter: NewAfter,
  tools: ImportTools,
  conflicts: Conflicts,
): Omit<ImportedFile, 'file'> {
  const prepare = (sql: string) => db.prepare<Readonly<Record<string, unknown>>, Bound>(sql)
  const finding = find && prepare(find.sql)
  const holding = holder === undefined ? undefined : prepare(holder)
  const inserting = insert.map(prepare)
  const counts = { added: 0, alreadyHere: 0, leftOut: 0 }
  for (const { number, line } of readParsedLines(path, name)) {
    try {
      const named: Named = { ...writeFields(line), ...newAfter }
      const found = finding?.get(named as Bound)
      if (found) {
        const other = Object.keys(found).find((member) => found[member] !== named[member])
        if (other !== undefined)
          conflicts.add(
            `${name}.jsonl, line ${number}: ${find?.describe(line)} is here already, and is another one: ${other} is ${found[other]} here and ${named[other]} in the export`,
          )
        counts.alreadyHere++
        continue
      }
      const bound = { ...named, ...derive?.(line, tools) } as Bound
      const [first, ...others] = inserting
      if (first!.run(bound).changes > 0) {
        for (const one of others) one.run(bound)
        counts.added++
      } else if (finding || (holding && !holding.get(bound))) counts.leftOut++
      else counts.alreadyHere++
    } catch (error) {
      throw explainLineFault(error, name, number)
    }
  }
  for (const one of [finding, holding, ...inserting]) one?.finalize()
  return counts
}

function* readParsedLines(path: string, name: string): Generator<{ readonly number: number; readonly line: Line }> {
  try {
    for (const read of readLines(path)) yield { number: read.number, line: parseLine(read, name) }
  } catch (error) {
    throw error instanceof UnreadableLineError ? explainLineFault(error, name, error.number) : error
  }
}

function parseLine({ number, text }: ReadLine, name: string): Line {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null && !Array.isArray(line)) return line as Line
  } catch {
    // Told below.
  }
  throw new ImportError(`${name}.jsonl, line ${number}: it is no JSON object`, copyAgain)
}

/** A fault of the disk stays what it is. */
function explainLineFault(error: unknown, name: string, number: number): unknown {
  if (!(error instanceof Error) || error instanceof ImportError) return error
  const place = `${name}.jsonl, line ${number}`
  const missing = /^Missing parameter "(\w+)"/.exec(error.message)?.[1]
  if (missing !== undefined) return new ImportError(`${place}: the field "${missing}" is missing`, copyAgain)
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && !code.startsWith('SQLITE_CONSTRAINT')) return error
  if (typeof code === 'string')
    return new ImportError(
      `${place}: the database refuses it (${error.message})`,
      'a row of that name is here, or the line was changed: export again, or import into a fresh server',
    )
  if (error instanceof RangeError) return new ImportError(`${place}: it is nested too deeply`, copyAgain)
  return error instanceof ImportedLineError || error instanceof UnreadableLineError || error instanceof TypeError
    ? new ImportError(`${place}: ${error.message}`, copyAgain)
    : error
}
