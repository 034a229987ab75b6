/**
 * How a person takes everything back: signing out everywhere, and deleting the profile. Each is one write that gathers
 * the statements of the folders that own the rows.
 */
import { anonymizeAudit, anonymizeOldestAudit, makeAuditStatement } from '../audit/log-store.ts'
import { revokeProfileKeys } from '../auth/access-keys/store.ts'
import { dropProfileSessions, type Session } from '../auth/sessions/store.ts'
import type { Db } from '../db/db.ts'
import { leaveNoTrace, noteTrace, type Traces } from '../db/traces.ts'
import { dropOpenCodes } from '../oauth/code-store.ts'
import { endProfileGrants, revokeProfileGrants } from '../oauth/family-store.ts'
import type { Parts } from '../parts.ts'
import { dropProfile } from '../profiles/store.ts'
import { dropRevokedSecrets } from '../secrets/store.ts'

/** All sessions, and whatever was allowed to clients. Access keys stay: they are taken back one by one. */
export async function signOutEverywhere({ db, now }: Parts, { profile }: Session): Promise<void> {
  const at = now()
  await db.write(
    [
      dropProfileSessions(profile.id),
      dropOpenCodes(profile.id),
      revokeProfileGrants(profile.id, at, 'signed out everywhere'),
      makeAuditStatement('signed_out_everywhere', { profile: profile.id, at }),
    ],
    'free',
  )
}

/** Rows of one write: a few milliseconds. */
const historySlice = 500

/**
 * What may be tens of thousands of rows goes in slices, so that other writes go in between. It goes before the profile:
 * after it, the id could be somebody else's. The person who is interrupted still has the profile, and deletes it again.
 */
async function clearHistory(db: Db, profile: number): Promise<void> {
  for (;;) {
    const slice = [dropRevokedSecrets(profile, historySlice), anonymizeOldestAudit(profile, historySlice)]
    const result = await db.write(slice, 'free')
    if (!('changes' in result) || result.changes.every((count) => count < historySlice)) return
    // A timer, not a microtask: sockets are read in between.
    await Bun.sleep(1)
  }
}

/**
 * The profile, and with it sessions, access keys, grants, consents and secrets. Proofs are the wallets', and stay. Returns
 * what stands in the log of the database still: what was sealed for the person must not stay there either.
 */
export async function deleteProfile({ db, now }: Parts, { profile }: Session): Promise<Traces | undefined> {
  await clearHistory(db, profile.id)
  const at = now()
  await db.write(
    [
      revokeProfileKeys(profile.id, at),
      endProfileGrants(profile.id, at),
      dropProfile(profile.id),
      anonymizeAudit(profile.id),
      makeAuditStatement('profile_deleted', { profile: null, at }),
      noteTrace(at),
    ],
    'free',
  )
  return leaveNoTrace({ db, now })
}
