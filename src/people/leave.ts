/**
 * A person withdraws: signing out everywhere, or deleting the profile. Each is one write with the statements of the
 * folders that own the rows.
 */
import { anonymizeAudit, anonymizeOldestAudit, makeAuditStatement } from '../audit/log-store.ts'
import { revokeProfileKeys } from '../auth/access-keys/store.ts'
import { dropProfileSessions, type Session } from '../auth/sessions/store.ts'
import type { Db } from '../db/db.ts'
import { leaveNoTrace, noteTrace, type Traces } from '../db/traces.ts'
import { dropOpenCodes } from '../oauth/code-store.ts'
import { deleteAllConsents } from '../oauth/consent-store.ts'
import { endProfileGrants, revokeProfileGrants } from '../oauth/family-store.ts'
import type { Parts } from '../parts.ts'
import { dropProfile, type Profile, requireProfile } from '../profiles/store.ts'
import { dropShareLinks } from '../proofs/share-link-store.ts'
import { dropRevokedSecrets } from '../secrets/store.ts'

/**
 * Ends all sessions and grants, and forgets the remembered consents: each client must ask again. Access keys and share
 * links stay: they are revoked one by one.
 */
export async function signOutEverywhere({ db, now }: Parts, { profile }: Session): Promise<void> {
  const at = now()
  await db.write(
    [
      requireProfile(profile),
      dropProfileSessions(profile.id),
      deleteAllConsents(profile.id),
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
 * Tens of thousands of rows are deleted in slices, so that other writes are not blocked. This precedes deleting the
 * profile, because its id could be reused after that. After an interruption, the person still has the profile, and can
 * delete it again.
 */
async function clearHistory(db: Db, profile: Profile): Promise<void> {
  for (;;) {
    const slice = [
      requireProfile(profile),
      dropRevokedSecrets(profile.id, historySlice),
      dropShareLinks(profile.id, historySlice),
      anonymizeOldestAudit(profile.id, historySlice),
    ]
    const result = await db.write(slice, 'free')
    if (!('changes' in result) || result.changes.every((count) => count < historySlice)) return
    // A timer, not a microtask, so that sockets are read in between.
    await Bun.sleep(1)
  }
}

/**
 * Deletes the profile with its sessions, access keys, grants, consents, share links and secrets. Proofs belong to
 * wallets, and stay. Changes nothing when another request did it first. Returns the traces left in the database log,
 * which must not keep sealed data either.
 */
export async function deleteProfile(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { profile }: Pick<Session, 'profile'>,
): Promise<Traces | undefined> {
  await clearHistory(db, profile)
  const at = now()
  await db.write(
    [
      requireProfile(profile),
      revokeProfileKeys(profile.id, at),
      endProfileGrants(profile.id, at),
      dropProfile(profile.id),
      anonymizeAudit(profile.id),
      makeAuditStatement('profile_deleted', { profile: null, at }),
      noteTrace(at),
    ],
    'free',
  )
  return leaveNoTrace({ db })
}
