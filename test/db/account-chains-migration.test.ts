/** Older secrets and links get the chain of their contract wallet, and with it the right account. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { startOfTime } from '../app.ts'

const at = migrations.findIndex(({ name }) => name === '0017_account_chains')
const [x, y, z, w] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string, string]

interface Link {
  readonly wallet: string
  readonly chain: string
  readonly method?: string
  readonly createdAt: number
  readonly revokedAt?: number
}

/** Wallets that one person has linked, in the order of the proofs. */
const links: readonly Link[] = [
  { wallet: y, chain: 'eip155:10', method: 'eip1271', createdAt: 100 },
  { wallet: y, chain: 'eip155:1', method: 'eip1271', createdAt: 300 },
  { wallet: z, chain: 'eip155:1', method: 'eip191', createdAt: 100 },
  { wallet: w, chain: 'eip155:5', method: 'eip6492', createdAt: 100, revokedAt: 200 },
  { wallet: w, chain: 'eip155:10', createdAt: 100 },
]

function openOldDatabase(): Database {
  const file = new Database(':memory:', { strict: true })
  migrate(file, migrations.slice(0, at), startOfTime)
  for (const [id, account] of [
    [1, x],
    [2, `eip155:10:${x}`],
    [3, `eip155:1:${x}`],
    [4, 'So11111111111111111111111111111111111111112'],
  ] as const) {
    file.run('INSERT INTO profiles (id, subject, account, did, created_at) VALUES (?1, ?2, ?3, ?2, 0)', [
      id,
      `s${id}`,
      account,
    ])
    file.run('INSERT INTO accounts (id, address) VALUES (?, ?)', [id, account])
  }
  for (const [position, { wallet, chain, method, createdAt, revokedAt }] of links.entries()) {
    const data = {
      primaryWalletAddress: x,
      primaryAccountId: `eip155:84532:${x}`,
      secondaryWalletAddress: wallet,
      secondaryAccountId: `${chain}:${wallet}`,
      chain,
      ...(method === undefined ? {} : { signatureMethod: method }),
    }
    const record = JSON.stringify({ rows: [{ verifierId: 'wallet-link', verified: true, data }] })
    file.run(
      `INSERT INTO proofs (id, q_hash, account_id, chain_id, created_at, revoked_at, record,
         visibility, q52, scope52, status, signed_timestamp, updated_at)
       VALUES (?1, unhex(?2), 1, 84532, ?3, ?4, ?5, 0, ?1, ?1, 'verified', 0, 0)`,
      [position + 1, String(position + 1).padStart(64, '0'), createdAt, revokedAt ?? null, record],
    )
  }
  return file
}

const secrets: readonly (readonly [profile: number, wallet: string, createdAt: number, expected: string])[] = [
  // A key that signed in.
  [1, x, 500, x],
  // The contracts at its address that signed in.
  [2, x, 500, `eip155:10:${x}`],
  [3, x, 500, `eip155:1:${x}`],
  // Linked: the older link decided, and the one that stood when the secret was made.
  [1, y, 500, `eip155:10:${y}`],
  [1, z, 500, z],
  [1, w, 150, `eip155:5:${w}`],
  [1, w, 500, `eip155:10:${w}`],
  // These secrets match no link that is still known.
  [2, y, 500, y],
  [1, w, 50, w],
  [4, 'So11111111111111111111111111111111111111112', 500, 'So11111111111111111111111111111111111111112'],
]

test('secrets of every kind get the account of their vault, and links stay', () => {
  const file = openOldDatabase()
  for (const [position, [profile, wallet, createdAt]] of secrets.entries())
    file.run(
      `INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at)
       VALUES (unhex(?), ?, ?, ?, 'single', 'x', ?)`,
      [String(position).padStart(64, '0'), profile, wallet, `S${position}`, createdAt],
    )
  const listLinks = () =>
    file.query('SELECT wallet, other, proof_id, chain FROM wallet_links ORDER BY 1, 2, 3, 4').all()
  const before = listLinks()
  expect(before).toHaveLength(2 * links.length)

  migrate(file, migrations.slice(0, at + 1), startOfTime)

  const after = file.query<{ wallet: string }, []>('SELECT wallet FROM secrets ORDER BY id').all()
  expect(after.map(({ wallet }) => wallet)).toEqual(secrets.map(([, , , expected]) => expected))
  expect(listLinks()).toEqual(before)
})
