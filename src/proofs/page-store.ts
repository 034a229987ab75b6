/** Reads the rows of a page: SQL and nothing else. A page's reads are bounded in bytes, however large its records. */

import type { Db, SqlValue } from '../db/db.ts'
import { label, query } from '../db/query.ts'
import type { ProofRow } from './proof.ts'
import type { ProofRecord } from './record.ts'
import { largestListedBytes } from './record-summary.ts'
import { shareBytes } from './share-bytes.ts'
import { headColumns, makeProofRow, type RawRow } from './store.ts'

/** The limit of records in one page. */
const mostReadBytes = 2_000_000
/** This number of rows always stays below the limit. */
const fewRows = Math.floor(mostReadBytes / largestListedBytes)

/** The record as lists read it; `p` is proofs. */
export const listedRecord = `
  CASE WHEN octet_length(p.record) <= ${largestListedBytes} THEN p.record
    ELSE coalesce((SELECT summary FROM record_summaries WHERE proof_id = p.id), p.record) END`

const emptyRecord: ProofRecord = { verifierIds: [], rows: [], meta: {}, storeOriginalContent: false, isShortened: true }

const selectSizes = (record: string) => query<[ids: string]>()`
  SELECT octet_length(${record}) AS ${label('bytes', 'number')}
  FROM json_each(?1) asked CROSS JOIN proofs p ON p.id = CAST(asked.value AS BIGINT)`

const selectPage = <Params extends readonly SqlValue[]>(record: string) => query<Params>()`
  SELECT ${headColumns}, ${record} AS ${label('record', 'text')}
  FROM json_each(?1) asked CROSS JOIN proofs p ON p.id = CAST(asked.value AS BIGINT) CROSS JOIN accounts a ON a.id = p.account_id`

const selectListedSizes = selectSizes(listedRecord)
const selectWholeSizes = selectSizes('p.record')
const selectFewListed = selectPage<[ids: string]>(listedRecord)
const selectListed = selectPage<[ids: string, most: number, instead: string]>(
  `CASE WHEN octet_length(${listedRecord}) <= ?2 THEN ${listedRecord} ELSE ?3 END`,
)
const selectWhole = selectPage<[ids: string, most: number]>(
  `CASE WHEN octet_length(p.record) <= ?2 THEN p.record ELSE ${listedRecord} END`,
)

/** The proofs of these rows, in this order, as lists show them: large records in their short form (record-summary.ts). */
export async function readPage(db: Db, ids: readonly number[]): Promise<ProofRow[]> {
  const asked = JSON.stringify(ids)
  if (ids.length <= fewRows) return sortRows(await db.read(selectFewListed).all(asked), ids)
  const most = await findShare(db, selectListedSizes, asked, mostReadBytes)
  const rows = await db.read(selectListed).all(asked, most, JSON.stringify(emptyRecord))
  return sortRows(rows, ids)
}

/** The same with whole records, as far as the bytes of a page go. */
export async function readWholePage(db: Db, ids: readonly number[], mostBytes = mostReadBytes): Promise<ProofRow[]> {
  const asked = JSON.stringify(ids)
  const most = await findShare(db, selectWholeSizes, asked, mostBytes)
  return sortRows(await db.read(selectWhole).all(asked, most), ids)
}

async function findShare(db: Db, select: typeof selectListedSizes, asked: string, mostBytes: number): Promise<number> {
  const sizes = await db.read(select).all(asked)
  return shareBytes(
    sizes.map(({ bytes }) => bytes),
    mostBytes,
  )
}

function sortRows(rows: readonly RawRow[], ids: readonly number[]): ProofRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [makeProofRow(row)] : []
  })
}
