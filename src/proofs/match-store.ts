/**
 * The SQL of gate checks. It finds the proofs of one wallet that could meet the criteria, newest first.
 */

import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { label, pick, query } from '../db/query.ts'
import { mapInOrder } from '../in-order.ts'
import { findAccounts, type Holder } from './account-store.ts'
import { CheckWork, workPrices } from './check-work.ts'
import { type ProofRow, readFirst52Bits } from './proof.ts'
import { headColumns, makeProofRow, type RawRow } from './store.ts'
import type { Visibility } from './visibility.ts'

/** The columns of a candidate that are known before its record is read. */
export type CandidateState = Pick<
  ProofRow,
  'status' | 'createdAt' | 'revokedAt' | 'expiresAt' | 'isSuperseded' | 'finality'
>

export interface CandidateQuery {
  readonly holder: Holder
  /**
   * Proofs with one of these facts. Private and public proofs have different facts, so nobody walks past hidden proofs.
   */
  readonly facts: readonly number[]
  /** The lowest visibility that is included. */
  readonly visibility: Visibility
  /** The test of proofs that are returned and count. */
  readonly accepts: (row: CandidateState) => boolean
  /** How many are handed on at most. */
  readonly limit: number
  /** How many the caller needs. Decides how many are read at first, and not how many are found. */
  readonly enough: number
  /** Bounds the search, and keeps the records that were read. */
  readonly work?: CheckWork | undefined
}

/** Rows that do not count are walked past, such as earlier runs of a claim, but not for ever. */
const walkedPerCounted = 5
/** How many proofs are read at a time: the first eight mostly suffice. */
const chunkSizes = [8, 64, 512] as const

/** Longer records are read one by one, so that a chunk has a bounded size. */
const shortRecordBytes = 4_096

/** With the records: reading each by itself costs three times as much. */
const selectByFact = query<[account: number, fact: number, before: number, limit: number]>()`
  SELECT ${headColumns},
    CASE WHEN octet_length(p.record) <= ${shortRecordBytes} THEN p.record END AS ${label('record', 'text or null')}
  FROM (SELECT proof_id FROM proof_facts WHERE account_id = ?1 AND fact52 = ?2 AND proof_id < ?3
        ORDER BY proof_id DESC LIMIT ?4) f
  CROSS JOIN proofs p ON p.id = f.proof_id AND p.account_id = ?1
  CROSS JOIN accounts a ON a.id = p.account_id`

const selectHead = query<[number, string]>()`
  SELECT ${headColumns} FROM proofs p JOIN accounts a ON a.id = p.account_id
  WHERE p.q52 = ?1 AND p.q_hash = unhex(?2) AND ${standsProof('p')}`

const selectRecord = query<[number]>()`SELECT ${pick('proofs', 'record')} FROM proofs WHERE id = ?1`

/**
 * Proofs that match the criteria, the newest first, each once. They are read on demand: a caller stops when it has
 * enough. The generator returns whether it reached the end.
 */
export async function* iterateCandidates(db: Db, query: CandidateQuery): AsyncGenerator<ProofRow, boolean> {
  const { holder, limit, visibility, accepts, work = new CheckWork() } = query
  const accounts = await work.remember(`accounts ${holder.either} ${holder.besides}`, () => findAccounts(db, holder))
  if (accounts.length === 0) return true
  let walked = 0
  let counted = 0
  for await (const rows of iterateNewest(listStreams(db, accounts, query, work)))
    for (const raw of rows) {
      if (work.isSpent()) return false
      if (walked++ >= limit * walkedPerCounted) return false
      if (raw.visibility < visibility || !accepts({ ...raw, isSuperseded: raw.superseded === 1 })) continue
      if (counted++ >= limit) return false
      const proof = work.proofs.get(raw.id) ?? (await readProof(db, raw, work))
      if (proof) yield proof
    }
  return !work.isSpent()
}

/** The proof of an id, in either case of its hexadecimal digits, read once in a request. */
export const findCandidate = (db: Db, qHash: string, work: CheckWork): Promise<ProofRow | undefined> =>
  work.remember(`proof ${qHash.toLowerCase()}`, async () => {
    work.spent += workPrices.query
    const head = await db.read(selectHead).get(readFirst52Bits(qHash), qHash.slice(2))
    return head ? (work.proofs.get(head.id) ?? (await readProof(db, head, work))) : undefined
  })

/** The whole proof. Undefined when it was erased in between. */
async function readProof(db: Db, head: HeadRow, work: CheckWork): Promise<ProofRow | undefined> {
  const record = head.record ?? (await db.read(selectRecord).get(head.id))?.record
  if (record === undefined) return undefined
  work.spent += workPrices.record + Math.ceil(record.length * workPrices.recordCharacter)
  const proof = makeProofRow({ ...head, record })
  work.proofs.set(head.id, proof)
  return proof
}

/** A row whose record is read when it is needed, unless it came along. */
interface HeadRow extends Omit<RawRow, 'record'> {
  readonly record?: string | null
}

/** Rows as they are read, some at a time: handing on each of them by itself costs as much as reading it. */
type Rows = AsyncGenerator<readonly HeadRow[], void>

function listStreams(
  db: Db,
  accounts: readonly number[],
  { facts, limit, enough }: CandidateQuery,
  work: CheckWork,
): Rows[] {
  // One more than needed, in case the newest does not count.
  const least = enough + 1
  const sizes = [...(least < chunkSizes[0] ? [least] : []), ...chunkSizes].map((size) => Math.min(size, limit + 1))
  return accounts.flatMap((account) =>
    facts.map((fact) =>
      iterateChunks(sizes, work, (before, size) => db.read(selectByFact).all(account, fact, before, size)),
    ),
  )
}

async function* iterateChunks(
  sizes: readonly number[],
  work: CheckWork,
  read: (before: number, size: number) => Promise<HeadRow[]>,
): Rows {
  let before = Number.MAX_SAFE_INTEGER
  for (let chunk = 0; !work.isSpent(); chunk++) {
    const size = sizes[Math.min(chunk, sizes.length - 1)]!
    const rows = (await read(before, size)).sort((a, b) => b.id - a.id)
    work.spent += workPrices.query + rows.length * workPrices.row
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < size) return
    before = last.id
  }
}

/** Several ordered streams as one. */
function iterateNewest(streams: readonly Rows[]): Rows {
  const [only, ...more] = streams
  return only && more.length === 0 ? only : mergeStreams(streams)
}

async function* mergeStreams(streams: readonly Rows[]): Rows {
  const heads = await mapInOrder(streams, async (stream) => {
    const rows = iterateRows(stream)
    return { rows, next: await rows.next() }
  })
  let last: number | undefined
  for (;;) {
    let newest: (typeof heads)[number] | undefined
    for (const head of heads)
      if (!head.next.done && (!newest || newest.next.done || head.next.value.id > newest.next.value.id)) newest = head
    if (!newest || newest.next.done) return
    const row = newest.next.value
    newest.next = await newest.rows.next()
    // The same proof may have several of the facts.
    if (row.id !== last) yield [row]
    last = row.id
  }
}

async function* iterateRows(stream: Rows): AsyncGenerator<HeadRow, void> {
  for await (const rows of stream) yield* rows
}
