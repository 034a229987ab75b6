/**
 * The one-time link: a person who opens it and signs in becomes an operator. At most one is valid. Its token stands in
 * the fragment of the address, which browsers do not send, so that no log holds it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { makeAuditStatement } from '../audit/log-store.ts'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import { StorageError } from '../db/db.ts'
import type { Parts } from '../parts.ts'
import { hasOperator } from './operator.ts'
import { dropOldLink, findLink, putLink, putStartLink, type StoredLink } from './store.ts'

/** A requested link is used soon. */
export const linkTtlMs = 86_400_000

const tokenForm = /^[A-Za-z0-9_-]{43}$/

type LinkTools = Pick<Parts, 'db' | 'now'>

const makeToken = (): string => randomBytes(32).toString('base64url')

export const buildClaimLink = (authUrl: string, token: string): string => `${authUrl}/operator/claim#${token}`

/** For an operator at the command line. The earlier link ends. */
export async function makeLink({ db, now }: LinkTools): Promise<{ token: string; expiresAt: number }> {
  const at = now()
  const token = makeToken()
  const expiresAt = at + linkTtlMs
  await db.write([
    putLink({ hash: hashSha256Hex(token), expiresAt, madeAt: at }),
    makeAuditStatement('operator_link_made', { profile: null, at, by: 'command line' }),
  ])
  return { token, expiresAt }
}

/** A full disk prevents the link, but not the start of the server. */
export async function linkAtStart(
  parts: LinkTools & Pick<Parts, 'config' | 'log' | 'processes' | 'run'>,
): Promise<string | undefined> {
  try {
    return await renewLink(parts)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    parts.log.error('no link for an operator could be stored', {
      event: 'operator-link-unstored',
      error: error.message,
      mend: 'free space on the disk of the data folder, then run proofgate operator link',
    })
    return undefined
  }
}

/**
 * At each start, the earlier link ends, unless a process lives that may have shown it. A new one is made while there is
 * no operator. Returns its token; undefined where another process made one at this moment.
 */
async function renewLink(parts: LinkTools & Pick<Parts, 'config' | 'processes' | 'run'>): Promise<string | undefined> {
  const { db, now } = parts
  const former = await findLink(db)
  const at = now()
  if (former && isOpen(former, at) && (await isKnown(former, parts))) return undefined
  if (await hasOperator(parts)) {
    if (former) await db.write([dropOldLink(at)], 'free')
    return undefined
  }
  const token = makeToken()
  const result = await db.write([
    putStartLink(hashSha256Hex(token), at, former),
    makeAuditStatement('operator_link_made', { profile: null, at, by: 'start' }),
  ])
  return 'changes' in result ? token : undefined
}

/** Whether another process has run since before the link was made. Those that all start again later know nothing of it. */
async function isKnown({ madeAt }: StoredLink, { processes, run }: Pick<Parts, 'processes' | 'run'>): Promise<boolean> {
  for (const { id, startedAt } of await processes.listLive())
    if (id !== run && startedAt <= (madeAt ?? 0) && !(await processes.hasEnded(id))) return true
  return false
}

const isOpen = ({ expiresAt }: StoredLink, at: number): boolean => expiresAt === null || expiresAt > at

/** Whether an unused, valid link exists. */
export async function isLinkOpen({ db, now }: LinkTools): Promise<boolean> {
  const link = await findLink(db)
  return link !== undefined && isOpen(link, now())
}

/** The SHA-256 of the token if it belongs to the link; undefined for any other text. */
export async function hashIfGood({ db, now }: LinkTools, token: unknown): Promise<string | undefined> {
  if (typeof token !== 'string' || !tokenForm.test(token) || !(await isLinkOpen({ db, now }))) return undefined
  const hash = hashSha256Hex(token)
  const link = await findLink(db)
  return link && timingSafeEqual(Buffer.from(hash), Buffer.from(link.hash)) ? hash : undefined
}
