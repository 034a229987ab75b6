/**
 * The erasure of an account: SQL and nothing else. One write begins it: from then on nobody finds anything of the account.
 * Its rows are deleted afterwards (erase-stages.ts).
 */
import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../audit/log.ts'
import type { Db, Statement } from '../db/db.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import { type SpentSignature, spendSignature, trySpendSignature } from '../db/spent-signature.ts'
import { noteTrace } from '../db/traces.ts'
import { type Account, writeAccount } from '../wallet/account.ts'
import { findOwnRows } from './account-store.ts'
import { closeReceipt, openReceipt } from './receipt-store.ts'

export interface ErasureTimes {
  readonly erasedAt: number
  /** Requests that were signed before it are refused anyway. */
  readonly acceptedSince: number
  readonly forgetAt: number
}

/** One that has begun. Its rows are bounded, so that what is made afterwards stays. */
export interface Erasure extends ErasureTimes {
  readonly handle: string
  /** accounts.id: of the account that lost its name. */
  readonly accountId: number
  /** The name it had: accounts.address. */
  readonly wallet: string
  readonly proofsUpTo: number
  readonly fulfillmentsUpTo: number
  /** Null for one of an older build. */
  readonly receipt: string | null
}

/** The audit log says that something was erased, where there was something, and not what. */
const auditErasure = (account: Account, names: readonly string[], at: number): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        SELECT ?1, ?2, (SELECT id FROM profiles WHERE account = ?3), '{}'
        WHERE EXISTS (
          SELECT 1 FROM accounts WHERE address IN (SELECT value FROM json_each(?4)) AND all_count > 0)`,
  params: [at, 'proofs_erased' satisfies AuditEvent, writeAccount(account), JSON.stringify(names)],
})

/**
 * The account keeps its rows and loses its name: O(1), however many proofs it has. The wallet gets a new account with its
 * next proof.
 */
const parkAccount = (name: string, parked: string): Statement[] => [
  { sql: 'UPDATE accounts SET address = ?2 WHERE address = ?1', params: [name, parked] },
  { sql: 'INSERT INTO accounts (address) VALUES (?1) ON CONFLICT (address) DO NOTHING', params: [parked] },
]

const insertErasure = `
  INSERT INTO erasures (handle, account_id, wallet, proofs_up_to, fulfillments_up_to, erased_at, accepted_since, forget_at,
    receipt)
  SELECT ?1, coalesce((SELECT id FROM accounts WHERE address = ?2), 0), ?3,
    (SELECT coalesce(max(id), 0) FROM proofs), (SELECT coalesce(max(id), 0) FROM fulfillments), ?4, ?5, ?6, ?7`

const selectAnything = `
  SELECT 1 AS found FROM fulfillments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM access_grants WHERE viewer = ?1
  UNION ALL SELECT 1 FROM unmatched_payments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM reservations WHERE wallet = ?1
  UNION ALL SELECT 1 FROM unpaid_places WHERE wallet = ?1
  UNION ALL SELECT 1 FROM offered_transfers WHERE wallet = ?1
  UNION ALL SELECT 1 FROM settlements WHERE wallet = ?1 LIMIT 1`

const hasAnything = (db: Db, account: Account): boolean =>
  findOwnRows(db, account).length > 0 ||
  db.prepare<object, [string]>(selectAnything).get(writeAccount(account)) !== null

/**
 * Begins the erasure of an account, and of each that it may be (account-store.ts), durably. 'spent' when the signature was
 * used before.
 */
export async function beginErasure(
  db: Db,
  account: Account,
  spent: SpentSignature | undefined,
  { erasedAt, acceptedSince, forgetAt }: ErasureTimes,
): Promise<readonly Erasure[] | 'spent' | 'nothing'> {
  // Whoever has no account leaves nothing but the mark that the text was used.
  if (!hasAnything(db, account)) return (await trySpendSignature(db, spent, { purpose: 'mark' })) ? 'nothing' : 'spent'
  const names = [...new Set([writeAccount(account), ...findOwnRows(db, account).map(({ address }) => address)])]
  const begins = names.map((name) => ({ name, handle: randomBytes(16).toString('hex') }))
  const receipt = randomBytes(16).toString('hex')
  const result = await db.write(
    [
      ...spendSignature(spent),
      auditErasure(account, names, erasedAt),
      ...begins.flatMap(({ name, handle }) => [
        ...parkAccount(name, makeParkedName(handle)),
        {
          sql: insertErasure,
          params: [handle, makeParkedName(handle), name, erasedAt, acceptedSince, forgetAt, receipt],
        },
      ]),
      openReceipt(receipt, spent, erasedAt),
    ],
    'mark',
  )
  if ('refusedAt' in result) return 'spent'
  return begins.map(({ handle }) => {
    const begun = db.prepare<Erasure, [string]>(`SELECT ${columns} FROM erasures WHERE handle = ?1`).get(handle)
    if (!begun) throw new Error('an erasure that was begun is not there')
    return begun
  })
}

const makeParkedName = (handle: string): string => `erased:${handle}`

const columns = `handle, account_id AS accountId, wallet, proofs_up_to AS proofsUpTo,
  fulfillments_up_to AS fulfillmentsUpTo, erased_at AS erasedAt, accepted_since AS acceptedSince, forget_at AS forgetAt, receipt`

/** The next one that has begun and is not finished, by handle. */
export const findNextErasure = (db: Db, handle: string): Erasure | undefined =>
  db
    .prepare<Erasure, [string]>(`SELECT ${columns} FROM erasures WHERE handle > ?1 ORDER BY handle LIMIT 1`)
    .get(handle) ?? undefined

/** Changes no row when another call did it. A parked account goes, unless a proof was being stored for it. */
export const endErasure = async (db: Db, { handle, accountId, receipt }: Erasure, at: number): Promise<boolean> => {
  const result = await db.write(
    [
      { sql: 'DELETE FROM erasures WHERE handle = ?1', params: [handle] },
      { sql: 'DELETE FROM proof_facts WHERE account_id = ?1', params: [accountId] },
      {
        sql: 'DELETE FROM accounts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM proofs WHERE account_id = ?1)',
        params: [accountId],
      },
      noteTrace(at),
      ...(receipt === null ? [] : [closeReceipt(receipt, at)]),
    ],
    'free',
  )
  return countRowsChanged(result) > 0
}
