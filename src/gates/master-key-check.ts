/** Whether the master key at hand is the one that this database is sealed with. */
import type { Parts } from '../parts.ts'
import { findContent, findSealedContent } from '../proofs/store.ts'
import { findGateById, findSealedVersion, readRewards } from './store.ts'

/** True also when nothing is sealed yet. Looks at one sealed text. */
export function isOpenedByKey(parts: Pick<Parts, 'db' | 'sealer'>): boolean {
  const { db, sealer } = parts
  const sealedVersion = findSealedVersion(db)
  const sealedContent = findSealedContent(db)
  try {
    const gate = sealedVersion && findGateById(parts, sealedVersion.gate)
    if (gate) readRewards(parts, gate, sealedVersion.version)
    else if (sealedContent) findContent(db, sealer, sealedContent)
    return true
  } catch {
    return false
  }
}
