/** Publications in the database: SQL and nothing else. */

import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, SqlValue, Statement } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { compose, label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import type { Hex } from '../outside/chains/chain.ts'
import type { Parts } from '../parts.ts'
import { listChains, type Publication, type PublishingPlan } from './publication.ts'

const insertPublication = `
  INSERT INTO publications (proof_id, chain_id, action, state, asked_at)
  SELECT id, ?1, 'timestamp', 'waiting', ${writeLatestSql('?2')} FROM proofs WHERE q52 = ?3 AND q_hash = unhex(?4)`

/** Run it in the same write as the proof: an acknowledged proof then has its order stored too. */
export const orderPublications = (plan: PublishingPlan, q52: number, qHash: string, askedAt: number): Statement[] =>
  listChains(plan).map((chainId) => ({
    sql: insertPublication,
    params: [chainId, askedAt, q52, qHash.slice(2)],
    must: true,
  }))

/**
 * Run it in the same write as the revocation of a proof. Unsent orders are given up. Every chain that holds the proof,
 * or may come to hold it, gets an order to revoke.
 */
export const orderRevocations = (proofId: number, askedAt: number): Statement[] => [
  {
    sql: `UPDATE publications SET state = 'failed', finished_at = ?2, reason = 'the proof was revoked before this was sent'
          WHERE proof_id = ?1 AND action = 'timestamp' AND state = 'waiting'`,
    params: [proofId, askedAt],
  },
  {
    sql: `INSERT INTO publications (proof_id, chain_id, action, state, asked_at)
          SELECT proof_id, chain_id, 'revoke', 'waiting', ${writeLatestSql('?2')} FROM publications
          WHERE proof_id = ?1 AND action = 'timestamp' AND (state <> 'failed' OR tx_hashes IS NOT NULL)
          ON CONFLICT (proof_id, chain_id, action) DO NOTHING`,
    params: [proofId, askedAt],
  },
]

/** `j` is publications, `p` is proofs. */
const columns = compose`
  ${pick('publications j', 'id', 'proofId')},
  ${pickHash('proofs p', 'qHash')},
  ${pick('publications j', 'chainId', 'action', 'state', 'askedAt', 'account', 'nonce', 'signed', 'signedAt')},
  ${pick('publications j', { hashes: 'txHashes' }, 'blockNumber', 'gasUsed', 'recordedAt', 'finishedAt')},
  ${pick('publications j', 'reason')}`

type RawPublication = RowOf<typeof columns>

const makePublication = ({ hashes, qHash, ...rest }: RawPublication): Publication => ({
  ...rest,
  qHash: qHash as Hex,
  hashes: (hashes?.split(' ') ?? []) as Hex[],
})

const selectOfProofs = query<[string]>()`
  SELECT ${columns} FROM json_each(?1) asked CROSS JOIN publications j ON j.proof_id = CAST(asked.value AS BIGINT)
  CROSS JOIN proofs p ON p.id = j.proof_id
  ORDER BY j.id`

/** The publications of proofs, by the id of the proof's row. One query, however many they are. */
export async function findPublications(
  db: Db,
  proofIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Publication[]>> {
  const found = new Map<number, Publication[]>()
  if (proofIds.length === 0) return found
  for (const raw of await db.read(selectOfProofs).all(JSON.stringify(proofIds)))
    found.set(raw.proofId, [...(found.get(raw.proofId) ?? []), makePublication(raw)])
  return found
}

const selectNextOpenChain = query<[number]>()`
  SELECT min(chain_id) AS ${label('chainId', 'number or null')}
  FROM publications WHERE finished_at IS NULL AND chain_id > ?1`

/** The lowest chain id above `after` on which something is left to do. */
export const findNextOpenChain = async (db: Db, after: number): Promise<number | undefined> =>
  (await db.read(selectNextOpenChain).get(after))?.chainId ?? undefined

const selectOpen = query<[number, string, number]>()`
  SELECT ${columns} FROM publications j CROSS JOIN proofs p ON p.id = j.proof_id
  WHERE j.finished_at IS NULL AND j.chain_id = ?1 AND j.state = ?2 AND ${standsProof('p')} ORDER BY j.id LIMIT ?3`

/** The oldest of a chain that are in a state. */
export const listOpen = async (
  db: Db,
  chainId: number,
  state: 'waiting' | 'sent' | 'mined',
  limit: number,
): Promise<readonly Publication[]> => (await db.read(selectOpen).all(chainId, state, limit)).map(makePublication)

const update = `
  UPDATE publications SET state = ?3, account = ?4, nonce = ?5, signed = ?6, signed_at = ?7, tx_hashes = ?8,
    block_number = ?9, gas_used = ?10, recorded_at = ?11, finished_at = ?12, reason = ?13
  WHERE id = ?1 AND state = ?2 AND proof_id = ?14`

/** Before the publication: of two that end at once, the second then sees the other. */
const holdProof = ({ proofId, qHash }: Pick<Publication, 'proofId' | 'qHash'>): Statement => ({
  sql: 'SELECT 1 FROM proofs WHERE id = ?1 AND q_hash = unhex(?2)',
  params: [proofId, qHash.slice(2)],
  mustFind: true,
  holds: 'update',
})

export type Step = Partial<Omit<Publication, 'id' | 'proofId' | 'qHash' | 'chainId' | 'action' | 'askedAt'>>

/** Brings the status word of a proof up to its publications, in the write that moves one (proofs/status-store.ts). */
export interface StatusWriter {
  readonly updateProofStatus: (proofId: number, now: number) => Statement
}

/**
 * Moves a publication from the state it was read in to `step`, together with its proof's status. Undefined when that
 * state has changed: its proof was revoked or erased in the meantime. Other rows may have the numbers of erased ones.
 */
export async function move(
  { db, updateProofStatus }: Pick<Parts, 'db'> & StatusWriter,
  from: Publication,
  step: Step,
  now: number,
): Promise<Publication | undefined> {
  const to: Publication = { ...from, ...step }
  const params: SqlValue[] = [to.id, from.state, to.state, to.account, to.nonce, to.signed, to.signedAt]
  params.push(to.hashes.length > 0 ? to.hashes.join(' ') : null, to.blockNumber, to.gasUsed, to.recordedAt)
  params.push(to.finishedAt, to.reason, to.proofId)
  const result = await db.write([
    holdProof(to),
    { sql: update, params, must: true },
    updateProofStatus(to.proofId, now),
  ])
  return 'changes' in result ? to : undefined
}
