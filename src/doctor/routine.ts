/** What has to be done now and then: rotating the key that signs access tokens, and making backups. */
import type { Config } from '../config/schema.ts'
import type { Reader } from '../db/db.ts'
import type { Found } from './found.ts'
import { findSigningKeyTime } from './store.ts'

const dayMs = 86_400_000
const oldFromMs = 365 * dayMs

export async function examineSigningKeys(db: Reader, now: () => number): Promise<readonly Found[]> {
  const at = now()
  const madeAt = await findSigningKeyTime(db, at)
  if (madeAt === undefined || at - madeAt < oldFromMs) return []
  return [
    {
      setting: 'oauth',
      level: 'warn',
      says: `the key that signs access tokens is ${Math.floor((at - madeAt) / dayMs)} days old`,
      mend: 'run "proofgate keys rotate": tokens that are out stay valid until they expire',
    },
  ]
}

export function examineBackups({ backup }: Pick<Config, 'backup'>): readonly Found[] {
  if (backup.to !== undefined) return []
  return [
    {
      setting: 'backup.to',
      level: 'warn',
      says: 'no backup is made on a schedule: what is stored here is lost with this disk',
      mend: 'set backup.to and backup.passphrase, or make backups by other means and try to restore one',
    },
  ]
}
