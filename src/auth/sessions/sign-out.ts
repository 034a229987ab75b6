/** Signing out of one browser, and which browsers are signed in. */

import { makeAuditStatement } from '../../audit/log-store.ts'
import { filterInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { linkStands } from '../../profiles/store.ts'
import { shortenSessionHash } from './session.ts'
import { dropSession, listSessions, type Session } from './store.ts'

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

export const openSessions = async ({ db, now }: Parts, { profile }: Session): Promise<Session[]> =>
  filterInOrder(await listSessions(db, profile.id, now()), (session) => linkStands(db, session, now()))

/** False when the person has no such session. */
export async function endSession({ db, now }: Parts, { profile }: Session, handle: string): Promise<boolean> {
  const ending = (await listSessions(db, profile.id, now())).filter((session) => shortenSessionHash(session) === handle)
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
