import type { Database } from 'bun:sqlite'
import { signBodies } from './bodies.ts'
import { addressOf, keccak256 } from './envelope.ts'
import { type Launch, launch, listening, openDatabase } from './server.ts'

/**
 * Fills a data folder with proofs, past the server: a million signatures would take an hour. One public proof goes in
 * through the server, so that the rows are what the server writes. It is then copied with other ids, wallets and times.
 *
 * HOOK: this file knows columns of `proofs` and `accounts` (src/db/schema.ts). Columns that it does not name are copied
 * as they are. Rows of a proof in other tables are not copied: add them here when a measured read uses them.
 */

/** This wallet owns every second proof. */
export const whale = '0x00000000000000000000000000000000000ba1e0'

const otherWallets = 10_000

/** Proof number `index` of any filled store. */
export const filledQHash = (index: number): string =>
  `0x${Bun.CryptoHasher.hash('shake256', `bench proof ${index}`, 'hex')}`

const filledWallet = (index: number): string =>
  index % 2 === 0 ? whale : addressOf(keccak256(`bench wallet ${((index - 1) / 2) % otherWallets}`))

type Row = Record<string, string | number | null>

export async function fillStore(
  server: Launch,
  dataFolder: string,
  count: number,
  walletOf: (index: number) => string = filledWallet,
): Promise<void> {
  await storeTemplate(server, dataFolder)
  const db = openDatabase(dataFolder)
  db.run('PRAGMA synchronous = OFF')
  db.run('PRAGMA cache_size = -500000')
  const rebuild = dropIndexesAndTriggers(db)
  db.transaction(() => copyTemplate(db, count, walletOf))()
  rebuild()
  // The counters that the triggers would have kept. Every row is current and listed, as the template is.
  db.run(`UPDATE accounts SET current_count = n, listed_count = n, all_count = n, all_listed_count = n
    FROM (SELECT account_id, count(*) AS n FROM proofs GROUP BY account_id) AS counted
    WHERE counted.account_id = accounts.id`)
  db.run('UPDATE totals SET proofs = (SELECT count(*) FROM proofs), accounts = (SELECT count(*) FROM accounts)')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Also lets the server make the folder and its schema. */
async function storeTemplate(launchable: Launch, dataFolder: string): Promise<void> {
  const server = launch(launchable, dataFolder)
  try {
    await listening(server)
    const [body = ''] = signBodies('proof', 1, 'template')
    const options = { privacyLevel: 'public', publicDisplay: true }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...JSON.parse(body), options }),
    })
    if (!answer.ok) throw new Error(`the template proof was answered ${answer.status}: ${await answer.text()}`)
  } finally {
    await server.stop('SIGTERM')
  }
}

/** A load followed by building each index once takes a tenth of the time. Returns a function that restores them. */
function dropIndexesAndTriggers(db: Database): () => void {
  const dropped = db
    .query<{ type: string; name: string; sql: string }, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'proofs' AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all()
  for (const { type, name } of dropped) db.run(`DROP ${type} ${name}`)
  return () => {
    for (const { sql } of dropped) db.run(sql)
  }
}

function copyTemplate(db: Database, count: number, walletOf: (index: number) => string): void {
  const template = db
    .query<Row & TemplateRow, []>(
      'SELECT proofs.*, lower(hex(q_hash)) AS q_hash, address FROM proofs JOIN accounts ON accounts.id = account_id LIMIT 1',
    )
    .get()!
  const { id: _, address: templateWallet, ...copied } = template
  const columns = Object.keys(copied)
  const places = columns.map((column) => (column === 'q_hash' ? 'unhex(?)' : '?'))
  const insert = db.prepare(`INSERT INTO proofs (${columns}) VALUES (${places})`)
  const accountId = accountIds(db)

  for (let index = 0; index < count; index++) {
    const digits = filledQHash(index).slice(2)
    const wallet = walletOf(index)
    const createdAt = template.created_at - (count - index) * 60
    const row: Row = {
      ...copied,
      q52: Number.parseInt(digits.slice(0, 13), 16),
      q_hash: digits,
      account_id: accountId(wallet),
      scope52: Number.parseInt(digits.slice(13, 26), 16),
      signed_timestamp: createdAt - 1000,
      created_at: createdAt,
      updated_at: createdAt,
      record: template.record
        .replaceAll(templateWallet, wallet)
        .replaceAll(template.q_hash, digits)
        .replaceAll(String(template.created_at), String(createdAt)),
    }
    insert.run(...columns.map((column) => row[column] ?? null))
  }
}

interface TemplateRow {
  id: number
  q_hash: string
  address: string
  created_at: number
  record: string
}

function accountIds(db: Database): (address: string) => number {
  const insert = db.prepare<{ id: number }, [string]>('INSERT INTO accounts (address) VALUES (?) RETURNING id')
  const known = new Map<string, number>()
  return (address) => {
    const id = known.get(address) ?? insert.get(address)!.id
    known.set(address, id)
    return id
  }
}
