/** Whether the master key at hand is the one that this database is sealed with. */
import type { Parts } from '../parts.ts'
import { findContent } from '../proofs/store.ts'
import { findGateById, readRewards } from './store.ts'

/** True also when nothing is sealed yet. Looks at one sealed text. */
export function isOpenedByKey(parts: Pick<Parts, 'db' | 'sealer'>): boolean {
  const { db, sealer } = parts
  const sealedVersion = db
    .prepare<{ gate: number; version: number }, []>(
      'SELECT gate, version FROM gate_versions WHERE rewards IS NOT NULL ORDER BY gate DESC, version DESC LIMIT 1',
    )
    .get()
  const sealedContent = db
    .prepare<{ id: number; qHash: string }, []>(
      "SELECT p.id, '0x' || lower(hex(p.q_hash)) AS qHash FROM contents c JOIN proofs p ON p.id = c.proof_id WHERE c.sealed IS NOT NULL LIMIT 1",
    )
    .get()
  try {
    const gate = sealedVersion && findGateById(parts, sealedVersion.gate)
    if (gate) readRewards(parts, gate, sealedVersion.version)
    else if (sealedContent) findContent(db, sealer, sealedContent)
    return true
  } catch {
    return false
  }
}
