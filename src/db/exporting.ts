/**
 * An export of rows: what each owner of a table gives to `proofgate export`. A line has the columns under their keys in
 * schema.ts; values of JSON are written as JSON, and what is sealed names its context.
 */
import type { Reader } from './db.ts'
import { query, type Selected } from './query.ts'
import type { Sealer } from './seal.ts'

/** Whose rows are exported. */
export interface Person {
  /** Texts of accounts (wallet/account.ts), those of older rows included. */
  readonly accounts: readonly string[]
  /** accounts.id */
  readonly accountIds: readonly number[]
  /** profiles.id */
  readonly profiles: readonly number[]
}

export type Line = Readonly<Record<string, unknown>>

export interface Exporter {
  /** The name of its file, without `.jsonl`. */
  readonly name: string
  /** The tables whose rows it writes. */
  readonly tables: readonly string[]
  /** Whether an export of the person, or of the whole server, has its file. */
  isIn(person: Person | undefined): boolean
  /** Visits every line, of a person or of the whole server. With a sealer, sealed text is opened. */
  scan(
    reader: Reader,
    person: Person | undefined,
    sealer: Sealer | undefined,
    visit: (line: Line) => void,
  ): Promise<void>
}

interface Parts<Row> {
  readonly name: string
  readonly tables: readonly string[]
  /** `SELECT … FROM …`, without a condition. */
  readonly select: Selected<Row>
  /** Which rows there are. Undefined: all. */
  readonly stands?: string
  /** Which of them are a person's. Undefined: they belong to the server. */
  readonly own?: string
  /** The columns that order the lines: an import makes the rows in this order. */
  readonly order: string
  /** 'person': the rows are in another file of an export of the whole server. */
  readonly only?: 'person'
  /** Columns that hold JSON. */
  readonly json?: readonly (keyof Row & string)[]
  /** For rows with a column `sealed`: what it is bound to, and the field of the opened text. */
  readonly opens?: {
    readonly field: string
    readonly isJson?: boolean
    readonly writeContext: (row: Row) => string
  }
}

/** For conditions: `account IN (${ownAccounts})`. */
export const ownAccounts = 'SELECT value FROM json_each((SELECT accounts FROM person))'
export const ownAccountIds = 'SELECT CAST(value AS BIGINT) FROM json_each((SELECT account_ids FROM person))'
export const ownProfiles = 'SELECT CAST(value AS BIGINT) FROM json_each((SELECT profiles FROM person))'

/** A hash of a row that may be missing, as pickHash writes it. */
export const writeHashOrNull = (column: string): string =>
  `CASE WHEN ${column} IS NULL THEN NULL ELSE '0x' || lower(hex(${column})) END`

export function makeExporter<Row extends object>(parts: Parts<Row>): Exporter {
  const { name, tables, select, stands = '1 = 1', own, only, order } = parts
  const all = query<[]>()`${select} WHERE ${stands} ORDER BY ${order}`
  const ofPerson = query<[accounts: string, accountIds: string, profiles: string]>()`
    WITH person (accounts, account_ids, profiles) AS (VALUES (?1, ?2, ?3))
    ${select} WHERE ${stands} AND (${own ?? '1 = 0'}) ORDER BY ${order}`
  return {
    name,
    tables,
    isIn: (person) => (person ? own !== undefined : only !== 'person'),
    async scan(reader, person, sealer, visit) {
      const each = (row: object): boolean => {
        visit(writeLine(row as Row, parts, sealer))
        return true
      }
      if (!person) return reader.read(all).scan(each)
      const { accounts, accountIds, profiles } = person
      return reader
        .read(ofPerson)
        .scan(each, JSON.stringify(accounts), JSON.stringify(accountIds), JSON.stringify(profiles))
    },
  }
}

function writeLine<Row extends object>(row: Row, { json = [], opens }: Parts<Row>, sealer: Sealer | undefined): Line {
  const line = { ...row } as Record<string, unknown>
  for (const column of json) line[column] = readJson(line[column])
  if (!opens) return line
  const { sealed } = line
  line[opens.field] ??= null
  if (typeof sealed !== 'string') return line
  const context = opens.writeContext(row)
  if (!sealer) return { ...line, sealed: { text: sealed, context } }
  const opened = sealer.open(sealed, context)
  return { ...line, [opens.field]: opens.isJson ? JSON.parse(opened) : opened, sealed: null }
}

const readJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)
