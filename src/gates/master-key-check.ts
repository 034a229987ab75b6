/** Whether the master key at hand is the one that this database is sealed with. */
import type { Parts } from '../parts.ts'
import { findContent, findSealedContent } from '../proofs/store.ts'
import { findGateById, findSealedVersion, readRewards } from './store.ts'

/** True also when nothing is sealed yet. Looks at one sealed text. */
export async function isOpenedByKey(parts: Pick<Parts, 'db' | 'sealer'>): Promise<boolean> {
  const { db, sealer } = parts
  const sealedVersion = await findSealedVersion(db)
  const sealedContent = await findSealedContent(db)
  try {
    const gate = sealedVersion && (await findGateById(parts, sealedVersion.gate))
    if (gate) await readRewards(parts, gate, sealedVersion.version)
    else if (sealedContent) await findContent(db, sealer, sealedContent)
    return true
  } catch {
    return false
  }
}
