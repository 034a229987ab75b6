/** The right by which a proof that delegates authority was made, as its owner sees it. */
import type { Static } from '@sinclair/typebox'
import type { Db } from '../db/db.ts'
import { agentVerifierIds } from '../verifiers/roles.ts'
import type { ProofRow } from './proof.ts'
import { findSources } from './source-store.ts'
import type { SourceView } from './source-view.ts'

export interface SourceMember {
  readonly source?: Static<typeof SourceView>
}

const isSourced = ({ record }: ProofRow): boolean =>
  record.rows.some(({ verifierId, verified }) => verified && agentVerifierIds.includes(verifierId))

/** The member `source` of each of these proofs; none for proofs that hand nothing on. */
export async function readSources(db: Db, proofs: readonly ProofRow[]): Promise<(proof: ProofRow) => SourceMember> {
  const sources = await findSources(
    db,
    proofs.filter(isSourced).map(({ id }) => id),
  )
  return (proof) => {
    if (!isSourced(proof)) return {}
    const { kind = 'unknown', id = '', endReason = null } = sources.get(proof.id) ?? {}
    return { source: { kind, id: id === '' ? null : id, ended: endReason } }
  }
}
