/** A value for each column of a table that the story does not fill: of the right kind, and within its constraints. */
import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { alice, bob } from '../../wallets.ts'
import type { Row } from './story.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

export const listColumns = (db: Database, table: string): readonly Column[] =>
  db.query<Column, []>(`SELECT name, type, "notnull", pk FROM pragma_table_info('${table}')`).all()

const madeAt = 1_767_225_600_000
/** The sweep of a later server leaves what has not ended: the year 2100. */
const endsAt = 4_102_444_800_000
const wallets = [alice, bob].map(({ address }) => address.toLowerCase())
const nameWallet = (number: number): string =>
  wallets[number - 1] ?? `0x${new Bun.CryptoHasher('sha1').update(String(number)).digest('hex')}`

/** By row: the first, the second. The constraints of these tables leave no column free from the others. */
const chosen: Readonly<Record<string, readonly SQLQueryBindings[]>> = {
  'publications.state': ['confirmed', 'waiting'],
  'publications.finished_at': [madeAt, null],
  'secrets.revoked_at': [null, madeAt],
  'secrets.sealed': ['v1.sealed.secret', null],
  'gates.status': ['deleted'],
  'proofs.visibility': [0],
  'erased_proofs.q52': [7, 8],
  'proof_facts_progress.id': [1],
  // Of nobody in the story: a server goes on with erasures that were interrupted.
  'erasures.account_id': [999],
  'erasures.wallet': [`0x${'e'.repeat(40)}`],
  'erasures.proofs_up_to': [0],
  'erasures.fulfillments_up_to': [0],
}

export const isChosen = (table: string, column: string): boolean => `${table}.${column}` in chosen

/** By name. The first that fits. */
const byName: readonly (readonly [RegExp, (number: number) => SQLQueryBindings])[] = [
  [/^(expires|ends|refresh_ends|access_ends|forget|look|watch|next|read_again)_at$/, () => endsAt],
  [/_at$|^since$|^accepted_since$|^followed_since$|^at$|_timestamp$/, (number) => madeAt + number],
  [/^(gate|version|profile|account_id|generation|proof_id|link_proof|proofs_up_to|fulfillments_up_to)$/, () => 1],
  [/^(day|slot|hour)$/, (number) => 20_454 + number],
  [/^(wallet|owner|account|viewer|payer|author|other|sponsor_wallet|recipient|granted_to)$/, nameWallet],
  [/^(details?|params|buckets|summary|definition|public_jwk)$/, () => '{}'],
  [/^(q_hashes|tx_hashes)$/, () => '[]'],
  [/^redirect_uris$/, () => '["http://127.0.0.1/callback"]'],
  [/^(chain|contract_on)$/, () => 'eip155:1'],
  [/^method$/, () => 'card'],
  [/^network$/, () => '203.0.113.7'],
  [/^(amount|gas_used|refunded)$/, (number) => String(number * 1000)],
]

/** `number` counts the rows of the table, from 1. */
export function makeRow(db: Database, table: string, number: number): Row {
  const { sql } = db
    .query<{ sql: string }, []>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`)
    .get()!
  const parents = db
    .query<{ from: string; table: string; to: string | null }, []>(
      `SELECT "from", "table", "to" FROM pragma_foreign_key_list('${table}')`,
    )
    .all()
  return Object.fromEntries(
    listColumns(db, table).map(({ name, type }) => {
      const parent = parents.find(({ from }) => from === name)
      const value = parent
        ? readParent(db, parent.table, parent.to ?? 'id', number)
        : makeValue({ table, name, type, sql, number })
      return [name, value]
    }),
  )
}

/** Another parent for each row, as far as there are several. */
function readParent(db: Database, table: string, column: string, number: number): SQLQueryBindings {
  const values = db
    .query<{ value: SQLQueryBindings }, []>(`SELECT "${column}" AS value FROM "${table}" ORDER BY 1`)
    .all()
  return values[(number - 1) % values.length]?.value ?? null
}

interface Place {
  readonly table: string
  readonly name: string
  readonly type: string
  /** The statement that makes the table. */
  readonly sql: string
  readonly number: number
}

function makeValue({ table, name, type, sql, number }: Place): SQLQueryBindings {
  const own = chosen[`${table}.${name}`]
  if (own) return own[(number - 1) % own.length]!
  const allowed = new RegExp(`\\b${name} [^,]*?CHECK \\(${name} IN \\(([^)]*)\\)`).exec(sql)?.[1]
  if (allowed) {
    const words = [...allowed.matchAll(/'([^']*)'/g)].map(([, word]) => word!)
    return words[(number - 1) % words.length]!
  }
  if (type === 'BLOB') return new Bun.CryptoHasher('sha256').update(`${table}.${name}.${number}`).digest()
  const rule = byName.find(([names]) => names.test(name))?.[1](number)
  if (rule !== undefined && (typeof rule === 'number') === (type === 'INTEGER')) return rule
  return type === 'INTEGER' ? number : `${table} ${name} ${number}`
}
