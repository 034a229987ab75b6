/**
 * The erasure of an account: SQL only. One write begins it: from then on no query finds the account. Its rows are
 * deleted afterwards (stages.ts).
 */

import { randomBytes } from 'node:crypto'
import { makeFoundAuditStatement } from '../audit/log-store.ts'
import type { Db, Write } from '../db/db.ts'
import type { ErasureBounds } from '../db/erasing.ts'
import { label, pick, query } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import { type SpentSignature, spendSignature, trySpendSignature } from '../db/spent-signature.ts'
import { noteTrace } from '../db/traces.ts'
import { nameTurn } from '../db/turns.ts'
import { mapInOrder } from '../in-order.ts'
import { erasedContext, noteErased } from '../journal/store.ts'
import type { Parts } from '../parts.ts'
import { findOwnRows } from '../proofs/account-store.ts'
import { dropParkedAccount, parkAccount, selectAccountsWithProofs } from '../proofs/erase-store.ts'
import { type Account, writeAccount } from '../wallet/account.ts'
import { closeReceipt, openReceipt } from './receipt-store.ts'

export type ErasureTimes = Pick<ErasureBounds, 'erasedAt' | 'acceptedSince' | 'forgetAt'>

export interface Erasure extends ErasureBounds {
  readonly handle: string
  /** Null for an erasure of an older build. */
  readonly receipt: string | null
  /** The process that deletes the rows (processes/processes.ts). */
  readonly erasedBy: string | null
}

const insertErasure = `
  INSERT INTO erasures (handle, account_id, wallet, proofs_up_to, fulfillments_up_to, erased_at, accepted_since, forget_at,
    receipt, erased_by)
  SELECT ?1, coalesce((SELECT id FROM accounts WHERE address = ?2), 0), ?3,
    (SELECT coalesce(max(id), 0) FROM proofs), (SELECT coalesce(max(id), 0) FROM fulfillments), ?4, ?5, ?6, ?7, ?8`

const selectAnything = query<[string]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM fulfillments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM guest_passes WHERE wallet = ?1
  UNION ALL SELECT 1 FROM gate_appearances WHERE wallet = ?1
  UNION ALL SELECT 1 FROM wallet_labels WHERE wallet = ?1
  UNION ALL SELECT 1 FROM access_grants WHERE viewer = ?1
  UNION ALL SELECT 1 FROM unmatched_payments WHERE wallet = ?1
  UNION ALL SELECT 1 FROM reservations WHERE wallet = ?1
  UNION ALL SELECT 1 FROM unpaid_places WHERE wallet = ?1
  UNION ALL SELECT 1 FROM offered_transfers WHERE wallet = ?1
  UNION ALL SELECT 1 FROM settlements WHERE wallet = ?1 LIMIT 1`

const hasAnything = async (db: Db, account: Account): Promise<boolean> =>
  (await findOwnRows(db, account)).length > 0 || (await db.read(selectAnything).get(writeAccount(account))) !== null

/** Every name that an erasure would find something of. */
const selectNames = query<[]>()`
  SELECT address AS ${label('name', 'text')} FROM accounts WHERE address NOT LIKE 'erased:%'
  UNION SELECT wallet FROM fulfillments
  UNION SELECT wallet FROM guest_passes
  UNION SELECT wallet FROM gate_appearances
  UNION SELECT wallet FROM wallet_labels
  UNION SELECT viewer FROM access_grants
  UNION SELECT wallet FROM unmatched_payments WHERE wallet IS NOT NULL
  UNION SELECT wallet FROM reservations
  UNION SELECT wallet FROM unpaid_places
  UNION SELECT wallet FROM offered_transfers
  UNION SELECT wallet FROM settlements`

export const visitNames = (db: Db, visit: (name: string) => void): Promise<void> =>
  db.read(selectNames).scan(({ name }) => {
    if (name !== '') visit(name)
    return true
  })

const columns = pick(
  'erasures',
  'handle',
  'accountId',
  'wallet',
  'proofsUpTo',
  'fulfillmentsUpTo',
  'erasedAt',
  'acceptedSince',
  'forgetAt',
  'receipt',
  'erasedBy',
)
const selectErasure = query<[string]>()`SELECT ${columns} FROM erasures WHERE handle = ?1`

/**
 * Durably begins the erasure of an account and its aliases (proofs/account-store.ts). 'spent' when the signature was
 * used before.
 */
export async function beginErasure(
  { db, processes, sealer }: Pick<Parts, 'db' | 'processes' | 'sealer'>,
  account: Account,
  spent: SpentSignature | undefined,
  { erasedAt, acceptedSince, forgetAt }: ErasureTimes,
): Promise<readonly Erasure[] | 'spent' | 'nothing'> {
  // Without an account, only the mark of the used text is kept.
  if (!(await hasAnything(db, account)))
    return (await trySpendSignature(db, spent, { purpose: 'mark' })) ? 'nothing' : 'spent'
  const names = [...new Set([writeAccount(account), ...(await findOwnRows(db, account)).map(({ address }) => address)])]
  const begins = names.map((name) => ({ name, handle: randomBytes(16).toString('hex') }))
  const receipt = randomBytes(16).toString('hex')
  const result = await db.write(
    [
      ...spendSignature(spent),
      // If something was erased, the log records the erasure, but not its content.
      makeFoundAuditStatement('proofs_erased', writeAccount(account), erasedAt, selectAccountsWithProofs(names)),
      ...begins.flatMap(({ name, handle }) => [
        ...parkAccount(name, makeParkedName(handle)),
        {
          sql: insertErasure,
          params: [handle, makeParkedName(handle), name, erasedAt, acceptedSince, forgetAt, receipt, processes.mark],
          turns: [nameTurn('account', name)],
        },
      ]),
      // A restore of an older state erases it again.
      ...names.map((name) => noteErased(sealer.mac(name, erasedContext), erasedAt)),
      openReceipt(receipt, spent, erasedAt),
    ],
    'mark',
  )
  if ('refusedAt' in result) return 'spent'
  return mapInOrder(begins, async ({ handle }) => {
    const begun = await db.read(selectErasure).get(handle)
    if (!begun) throw new Error('an erasure that was begun is not there')
    return begun
  })
}

const makeParkedName = (handle: string): string => `erased:${handle}`

const selectNextErasure = query<[string]>()`SELECT ${columns} FROM erasures WHERE handle > ?1 ORDER BY handle LIMIT 1`

/** The next unfinished erasure, by handle. */
export const findNextErasure = async (db: Db, handle: string): Promise<Erasure | undefined> =>
  (await db.read(selectNextErasure).get(handle)) ?? undefined

/** Takes an erasure over from the process that it names. False when another one was faster. */
export async function takeErasure(db: Db, { handle, erasedBy }: Erasure, mark: string): Promise<boolean> {
  const sql = 'UPDATE erasures SET erased_by = ?3 WHERE handle = ?1 AND erased_by IS NOT DISTINCT FROM ?2'
  return countRowsChanged(await db.write([{ sql, params: [handle, erasedBy, mark] }], 'free')) > 0
}

/** Each statement of a slice chooses its rows anew: two slices at once would take each other's. */
export const takeTurn = ({ receipt, handle }: Erasure, [first, ...others]: Write): Write =>
  first ? [{ ...first, turns: [nameTurn('erasure', receipt ?? handle)] }, ...others] : []

/** Changes no row when another call did it. */
export const endErasure = async (db: Db, erasure: Erasure, at: number): Promise<boolean> => {
  const { handle, accountId, receipt } = erasure
  const result = await db.write(
    takeTurn(erasure, [
      { sql: 'DELETE FROM erasures WHERE handle = ?1', params: [handle] },
      ...dropParkedAccount(accountId),
      noteTrace(at, receipt),
      ...(receipt === null ? [] : [closeReceipt(receipt, at)]),
    ]),
    'free',
  )
  return countRowsChanged(result) > 0
}
