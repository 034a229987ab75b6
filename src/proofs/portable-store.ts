/** Kept portable forms in the database: SQL and nothing else. */

import type { Db, Statement } from '../db/db.ts'
import { label, pick, query } from '../db/query.ts'
import type { Sealer } from '../db/seal.ts'
import { type ProofRow, readFirst52Bits } from './proof.ts'

export const writePortableContext = (qHash: string): string => `envelope:${qHash}`

/** Goes into the same write as the proof. */
export const keepEnvelope = (sealer: Sealer, qHash: string, text: string): Statement => ({
  sql: 'INSERT INTO envelopes (proof_id, sealed) SELECT id, ?1 FROM proofs WHERE q52 = ?2 AND q_hash = unhex(?3)',
  must: true,
  params: [sealer.seal(text, writePortableContext(qHash)), readFirst52Bits(qHash), qHash.slice(2)],
})

const selectEnvelope = query<[number]>()`SELECT ${pick('envelopes', 'sealed')} FROM envelopes WHERE proof_id = ?1`

export async function findEnvelope(
  db: Db,
  sealer: Sealer,
  { id, qHash }: Pick<ProofRow, 'id' | 'qHash'>,
): Promise<string | undefined> {
  const row = await db.read(selectEnvelope).get(id)
  return row ? sealer.open(row.sealed, writePortableContext(qHash)) : undefined
}

const selectEnvelopeSizes = query<[string]>()`
  SELECT ${pick('envelopes e', { id: 'proofId' })},
    octet_length(e.sealed) AS ${label('bytes', 'number')}
  FROM json_each(?1) asked CROSS JOIN envelopes e ON e.proof_id = CAST(asked.value AS BIGINT)`

/** Bytes of the sealed forms, by the id of the proof's row, where there is one. */
export async function findEnvelopeSizes(db: Db, proofIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.read(selectEnvelopeSizes).all(JSON.stringify(proofIds))
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}
