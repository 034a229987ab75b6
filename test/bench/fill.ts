import type { Database } from 'bun:sqlite'
import { type BodyKind, signBodies, walletAddresses } from './bodies.ts'
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
/** Those that the signed bodies come from are among them: each 39th. */
const signerSteps = 39

/** Proof number `index` of any filled store. */
export const filledQHash = (index: number): string =>
  `0x${Bun.CryptoHasher.hash('shake256', `bench proof ${index}`, 'hex')}`

function filledWallet(index: number): string {
  if (index % 2 === 0) return whale
  const other = ((index - 1) / 2) % otherWallets
  return (
    (other % signerSteps === 0 ? walletAddresses[other / signerSteps] : undefined) ??
    addressOf(keccak256(`bench wallet ${other}`))
  )
}

type Row = Record<string, string | number | null>

export async function fillStore(
  server: Launch,
  dataFolder: string,
  count: number,
  walletOf: (index: number) => string = filledWallet,
): Promise<void> {
  await storeTemplate(server, dataFolder, 'proof', { privacyLevel: 'public', publicDisplay: true })
  const db = openToFill(dataFolder)
  const rebuild = dropIndexesAndTriggers(db)
  db.transaction(() => copyTemplate(db, count, walletOf))()
  rebuild()
  // The counters that the triggers would have kept. Every row is current and listed, as the template is.
  db.run(`UPDATE accounts SET current_count = n, listed_count = n, all_count = n, all_listed_count = n
    FROM (SELECT account_id, count(*) AS n FROM proofs GROUP BY account_id) AS counted
    WHERE counted.account_id = accounts.id`)
  // Every run is the only one of its claim.
  db.run('DELETE FROM proof_facts')
  db.run(
    'INSERT INTO proof_facts (account_id, fact52, proof_id) SELECT account_id, scope52, id FROM proofs ORDER BY 1, 2, 3',
  )
  db.run('UPDATE totals SET proofs = (SELECT count(*) FROM proofs), accounts = (SELECT count(*) FROM accounts)')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Every proof has a content and a reference of its own. The server computes its facts at the next start. */
export async function fillDifferent(server: Launch, dataFolder: string, count: number): Promise<void> {
  await fillStore(server, dataFolder, count)
  const db = openToFill(dataFolder)
  const { hash, reference } = db
    .query<{ hash: string; reference: string }, []>(
      `SELECT record -> '$.rows[0].data.contentHash' AS hash, record -> '$.rows[0].data.reference.id' AS reference
       FROM proofs LIMIT 1`,
    )
    .get()!
  const digits = 'lower(hex(q_hash))'
  db.run(
    `UPDATE proofs SET record = replace(replace(record, ?, '"0x' || ${digits} || '"'), ?, '"https://notes.example/' || ${digits} || '"')`,
    [hash, reference],
  )
  db.run('UPDATE proof_facts_progress SET done_up_to = 0, last_id = (SELECT max(id) FROM proofs)')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** A peer's table has one row for each proof: its id, its wallet, and a record that names both. */
export async function fillPeer(server: Launch, dataFolder: string, count: number, body: BodyKind): Promise<void> {
  await storeTemplate(server, dataFolder, body)
  const db = openToFill(dataFolder)
  const template = db
    .query<{ id: string; wallet: string; created: number; status: string; record: string }, []>('SELECT * FROM proofs')
    .get()!
  const insert = db.prepare('INSERT INTO proofs (id, wallet, created, status, record) VALUES (?, ?, ?, ?, ?)')
  db.transaction(() => {
    for (let index = 1; index < count; index++) {
      const id = filledQHash(index)
      const wallet = walletAddresses[index % walletAddresses.length]!
      const record = template.record.replaceAll(template.id, id).replaceAll(template.wallet, wallet)
      insert.run(id, wallet, template.created + index, template.status, record)
    }
  })()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

function openToFill(dataFolder: string): Database {
  const db = openDatabase(dataFolder)
  db.run('PRAGMA synchronous = OFF')
  db.run('PRAGMA cache_size = -500000')
  return db
}

/** Also lets the server make the folder and its schema. */
async function storeTemplate(
  launchable: Launch,
  dataFolder: string,
  kind: BodyKind,
  options?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const server = launch(launchable, dataFolder)
  try {
    await listening(server)
    const [body = ''] = signBodies(kind, 1, 'template')
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: options ? JSON.stringify({ ...JSON.parse(body), options }) : body,
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
  const insert = db.prepare<{ id: number }, [string]>(
    'INSERT INTO accounts (address) VALUES (?) ON CONFLICT (address) DO UPDATE SET address = excluded.address RETURNING id',
  )
  const known = new Map<string, number>()
  return (address) => {
    const id = known.get(address) ?? insert.get(address)!.id
    known.set(address, id)
    return id
  }
}
