import { type Caller, type OwnerCredentials, requireSigner } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import { eraseAction } from './actions.ts'
import { deleteAccount } from './store.ts'

/**
 * Deletes every record of the signing wallet from the database: proofs, kept contents, grants, names, counters. What
 * others hold as a portable proof stays theirs. A signature erases once: replayed, it reaches nothing that was made
 * after. A contract wallet erases what was signed on its chain. Errors: those of requireSigner.
 */
export async function eraseAll(parts: Parts, credentials: OwnerCredentials) {
  const caller = await requireSigner(credentials, eraseAction, parts)
  const now = parts.now()
  const { maxAgeMs, maxAheadMs } = parts.freshness
  const erased = await deleteAccount(
    parts.db,
    caller,
    spentUntil(caller, credentials, parts),
    now - maxAgeMs,
    now + maxAgeMs + maxAheadMs,
  )
  // The database file is overwritten where it held them (secure_delete); the log beside it is emptied as well.
  if (erased !== 'spent' && erased > 0) await parts.db.emptyLog()
  return erased === 'spent'
    ? { erasedCount: 0, alreadyRevoked: true }
    : { erasedCount: erased, alreadyRevoked: erased === 0 }
}

/** The signature as spent, remembered for as long as its timestamp is accepted. */
export const spentUntil = (caller: Caller, { signedTimestamp }: OwnerCredentials, { freshness }: Parts) => ({
  digest: caller.signedDigest,
  expiresAt: signedTimestamp + freshness.maxAgeMs + 1,
})
