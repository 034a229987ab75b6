/** Gives proofs the facts that they were made without (migrations 0003 and 0025), at the start and before anybody is answered. */
import type { Db } from '../db/db.ts'
import type { Catalog } from '../verifiers/index.ts'
import { listFacts } from './facts.ts'
import type { ProofRecord } from './record.ts'
import { type Visibility, visibilities } from './visibility.ts'

interface OldProof {
  readonly id: number
  readonly accountId: number
  readonly visibility: Visibility
  readonly record: string
}

/**
 * In batches, each with its progress in one write: a process that is killed goes on where it stood. Returns how many
 * proofs were given facts. Throws when the store cannot be written.
 */
export async function backfillFacts(
  { db, catalog }: { readonly db: Db; readonly catalog: Pick<Catalog, 'known'> },
  batch = 500,
): Promise<number> {
  let count = 0
  for (;;) {
    const old = db.prepare<OldProof, [number]>(selectBatch).all(batch)
    const last = old.at(-1)
    if (!last) return count
    const facts = old.flatMap(({ id, accountId, visibility, record }) =>
      listFacts(JSON.parse(record) as ProofRecord, visibility === visibilities.private, catalog.known).map((fact52) => [
        accountId,
        fact52,
        id,
      ]),
    )
    const result = await db.write([
      { sql: insertBatch, params: [JSON.stringify(facts)] },
      { sql: 'UPDATE proof_facts_progress SET done_up_to = ?1 WHERE id = 1', params: [last.id], must: true },
    ])
    if (!('changes' in result)) throw new Error('the progress of the facts is missing from the database')
    count += old.length
  }
}

const selectBatch = `
  SELECT p.id, p.account_id AS accountId, p.visibility, p.record
  FROM proof_facts_progress done JOIN proofs p ON p.id > done.done_up_to AND p.id <= done.last_id
  WHERE done.id = 1 ORDER BY p.id LIMIT ?1`

const insertBatch = `
  INSERT OR IGNORE INTO proof_facts (account_id, fact52, proof_id)
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?1)`
