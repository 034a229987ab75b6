/** Payments that were taken after the restored state: none buys or is refunded a second time. SQL and nothing else. */
import type { SqlValue, Statement } from '../db/db.ts'

const paymentColumns = [
  'id',
  'identity',
  'method',
  'gate',
  'q_hash',
  'state',
  'payer',
  'amount',
  'details',
  'paid_at',
  'claimed_at',
  'updated_at',
  'watch_at',
  'refunded',
  'suspended_for',
] as const

const unmatchedColumns = [
  'id',
  'identity',
  'method',
  'gate',
  'owner',
  'q_hash',
  'wallet',
  'payer',
  'amount',
  'usd_micros',
  'details',
  'transaction_hash',
  'reason',
  'state',
  'paid_at',
  'created_at',
  'updated_at',
  'next_at',
] as const

export type PaymentCopy = Readonly<Record<(typeof paymentColumns)[number], SqlValue>>
export type UnmatchedCopy = Readonly<Record<(typeof unmatchedColumns)[number], SqlValue>>

/** By its identity, and under the id that other rows name. */
export const takePaymentAgain = (copy: PaymentCopy): Statement => ({
  sql: `INSERT INTO payments (${paymentColumns.join(', ')}) SELECT ${writeValues(paymentColumns)} WHERE true
        ON CONFLICT (identity) DO UPDATE SET ${writeChanges(paymentColumns)}`,
  params: paymentColumns.map((column) => copy[column]),
})

export const oweAgain = (copy: UnmatchedCopy): Statement => ({
  sql: `INSERT INTO unmatched_payments (${unmatchedColumns.join(', ')}) SELECT ${writeValues(unmatchedColumns)} WHERE true
        ON CONFLICT (identity) DO UPDATE SET ${writeChanges(unmatchedColumns)}`,
  params: unmatchedColumns.map((column) => copy[column]),
})

/**
 * A gate that was made after the restored state is lost, and its id is given again. So the payment names one that no gate
 * has.
 */
const writeGate = (value: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM gates WHERE id = ${value}) THEN ${value} ELSE -${value} END`

const writeValue = (column: string, value: string): string =>
  column === 'q_hash' ? `unhex(${value})` : column === 'gate' ? writeGate(value) : value

const writeValues = (columns: readonly string[]): string =>
  columns.map((column, at) => writeValue(column, `?${at + 1}`)).join(', ')

const writeChanges = (columns: readonly string[]): string =>
  columns
    .filter((column) => column !== 'id' && column !== 'identity')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')
