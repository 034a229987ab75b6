/** A row that is due is looked at by one of the processes that share the database. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type Db, locateDatabaseFile } from '../../src/db/db.ts'
import { claimCheckout } from '../../src/payments/checkout-store.ts'
import { claimSettlement } from '../../src/payments/settlement-store.ts'
import { claimPayment } from '../../src/payments/store.ts'
import { claimUnmatched } from '../../src/payments/unmatched-store.ts'
import { claimFollowed } from '../../src/proofs/follow-store.ts'
import { select } from '../parts/select.ts'
import { listBoundaries } from './schemas/history.ts'
import { openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const until = 5_000

/** A row of each table, as its list reads it, and the claim of it. */
const claims: readonly (readonly [
  table: string,
  time: string,
  columns: string,
  claim: (db: Db, row: never) => Promise<object | undefined>,
])[] = [
  ['payments', 'watch_at', 'id, watch_at AS watchAt', (db, row) => claimPayment(db, row, until)],
  ['settlements', 'watch_at', 'identity, watch_at AS watchAt', (db, row) => claimSettlement(db, row, until)],
  ['unmatched_payments', 'next_at', 'id, next_at AS nextAt', (db, row) => claimUnmatched(db, row, until)],
  [
    'checkouts',
    'watch_at',
    'session_id AS sessionId, watch_at AS watchAt, wallet AS buyer',
    (db, row) => claimCheckout(db, row, until),
  ],
  [
    'followed_blocks',
    'look_at',
    "proof_id AS proofId, place, state, look_at AS lookAt, '0x' || lower(hex(block_hash)) AS blockHash",
    (db, row) => claimFollowed(db, row, until),
  ],
]

describe.each(claims)('a row of %s', (table, time, columns, claim) => {
  async function openRow(isShared: boolean) {
    const folder = newFolder()
    writeFileSync(locateDatabaseFile(folder), listBoundaries().at(-1)!.image)
    const db = { ...(await openStore(folder, 'inline')), isShared }
    await db.write([{ sql: `UPDATE ${table} SET ${time} = 1000`, params: [] }])
    const row = (await select<object>(db, `SELECT ${columns} FROM ${table} LIMIT 1`).get())! as never
    const listTimes = async () =>
      (await select<{ at: number }>(db, `SELECT ${time} AS at FROM ${table} ORDER BY at DESC`).all()).map(
        ({ at }) => at,
      )
    return { db, row, listTimes }
  }

  test('is given to one of two processes, with its new time', async () => {
    const { db, row, listTimes } = await openRow(true)
    const given = (await Promise.all([claim(db, row), claim(db, row)])).filter((one) => one !== undefined)
    expect(given).toHaveLength(1)
    expect(Object.values(given[0]!)).toContain(until)
    expect((await listTimes()).filter((at) => at === until)).toHaveLength(1)
    await db.close()
  })

  test('stays as it is where there is one process', async () => {
    const { db, row, listTimes } = await openRow(false)
    expect(await claim(db, row)).toBe(row)
    expect(new Set(await listTimes())).toEqual(new Set([1000]))
    await db.close()
  })
})
