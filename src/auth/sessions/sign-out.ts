/** Signing out: here, everywhere, for good. */

import { anonymizeAudit, anonymizeOldestAudit, makeAuditStatement } from '../../audit/log.ts'
import type { Db, Statement } from '../../db/db.ts'
import { leaveNoTrace, noteTrace, type Traces } from '../../db/traces.ts'
import type { Parts } from '../../parts.ts'
import type { Profile } from '../../profiles/store.ts'
import { dropProfile, linkStands } from '../../profiles/store.ts'
import { shortenSessionHash } from './session.ts'
import {
  dropCodesByLink,
  dropOpenCodes,
  dropRevokedSecrets,
  dropSessionsByLink,
  endProfileGrants,
  revokeGrantsByLink,
  revokeProfileGrants,
  revokeProfileKeys,
} from './sign-out-store.ts'
import { dropProfileSessions, dropSession, listSessions, type Session } from './store.ts'

export async function signOut({ db, now }: Parts, session: Session): Promise<void> {
  await db.write(
    [
      dropSession(session.hash),
      makeAuditStatement('signed_out', {
        profile: session.profile.id,
        at: now(),
        session: shortenSessionHash(session),
      }),
    ],
    'free',
  )
}

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

/** End what a wallet opened and allowed by one link: its sessions first, then its grants to apps. */
export const listLinkEndings = ({ id }: Pick<Profile, 'id'>, link: number, at: number): readonly Statement[] => [
  dropSessionsByLink(id, link),
  revokeGrantsByLink(id, link, at),
  dropCodesByLink(id, link),
]

export const openSessions = ({ db, now }: Parts, { profile }: Session): Session[] =>
  listSessions(db, profile.id, now()).filter((session) => linkStands(db, session, now()))

/** False when the person has no such session. */
export async function endSession({ db, now }: Parts, { profile }: Session, handle: string): Promise<boolean> {
  const ending = listSessions(db, profile.id, now()).filter((session) => shortenSessionHash(session) === handle)
  if (ending.length === 0) return false
  await db.write(
    [
      ...ending.map(({ hash }) => dropSession(hash)),
      makeAuditStatement('session_ended', { profile: profile.id, at: now(), session: handle }),
    ],
    'free',
  )
  return true
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
