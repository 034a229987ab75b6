/**
 * Signed-in people: browser sessions, access keys of programs, and the profile behind both. This folder owns signing in
 * and out, the rights of a credential, and the accounts of one person. Grants to OAuth clients are in oauth/; pages are
 * in pages/. A session id is 256 random bits in a cookie; the database stores its SHA-256.
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { Parts } from '../../parts.ts'
import { linkStands } from '../../profiles/store.ts'
import { leaveScope, noteCaller, noteOwner } from '../../request-scope.ts'
import { findSession, markSeen, type Session } from './store.ts'

const oneDayMs = 86_400_000
/** Recording each use would cost a write for each click. */
const notedEveryMs = 3_600_000

export const nameSessionCookie = (brand: string): string => `${brand}_session`

export const hashSha256Hex = (text: string): string => Bun.SHA256.hash(text, 'hex')

const idForm = /^[A-Za-z0-9_-]{43}$/

/**
 * The session id in the cookies of a request. Undefined if there are two. A sibling host can set a second cookie of
 * this name, and the right one cannot be told.
 */
export function readSessionId(headers: Headers, brand: string): string | undefined {
  const cookies = [...new Bun.CookieMap(headers.get('cookie') ?? '')].filter(
    ([name]) => name === nameSessionCookie(brand),
  )
  const id = cookies.length === 1 ? cookies[0]?.[1] : undefined
  return id && idForm.test(id) ? id : undefined
}

/** Undefined for an unknown or expired session, or one of a wallet that is no longer linked. */
export async function findLiveSession(db: Db, id: string | undefined, now: number): Promise<Session | undefined> {
  const session = id === undefined ? undefined : await findSession(db, hashSha256Hex(id))
  if (!session || session.expiresAt <= now) return undefined
  return (await linkStands(db, session, now)) ? session : undefined
}

/** The session of a request, as pages and the authorization endpoint ask for it. */
export async function readSession({ db, config, now }: Parts, headers: Headers): Promise<Session | undefined> {
  const session = await findLiveSession(db, readSessionId(headers, config.brand), now())
  if (!session) return undefined
  noteCaller('session')
  noteOwner(session.profile.primary)
  return session
}

/** Records at most once an hour that the session is used, without waiting for the write. */
export function noteUse({ db, log }: Pick<Parts, 'db' | 'log'>, { hash, seenAt }: Session, now: number): void {
  if (now - seenAt < notedEveryMs) return
  leaveScope(() => markSeen(db, hash, now)).catch((error) =>
    log.count({
      level: 'warn',
      event: 'session-use-unstored',
      message: 'the use of a session was not noted',
      error,
      fields: { mend: 'look at the disk of the data folder; the session itself goes on' },
    }),
  )
}

/** Identifies a session to its owner and in requests, without revealing its id. */
export const shortenSessionHash = ({ hash }: Pick<Session, 'hash'>): string => hash.slice(0, 16)

export interface StartedSession {
  readonly hash: string
  readonly createdAt: number
  readonly expiresAt: number
  /** A Set-Cookie header. */
  readonly setCookie: string
}

/** Makes a session id and its cookie; the session exists once it is written. */
export function makeSession({ config, now, addresses }: Parts): StartedSession {
  const id = randomBytes(32).toString('base64url')
  const createdAt = now()
  const expiresAt = createdAt + config.auth.sessionDays * oneDayMs
  return {
    hash: hashSha256Hex(id),
    createdAt,
    expiresAt,
    setCookie: makeCookie(id, expiresAt, config.brand, addresses().authUrl),
  }
}

/** A Set-Cookie header that takes the cookie away. */
export const makeClearedCookie = ({ config, addresses }: Parts): string =>
  makeCookie('', 0, config.brand, addresses().authUrl)

const makeCookie = (id: string, expiresAt: number, brand: string, authUrl: string): string =>
  new Bun.Cookie({
    name: nameSessionCookie(brand),
    value: id,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    // A browser would not return a secure cookie over plain http, which is allowed on loopback only.
    secure: authUrl.startsWith('https:'),
    expires: new Date(expiresAt),
  }).toString()

/** The token that a page of this session sends with every change: a page of another origin cannot know it. */
export const computeCsrfToken = ({ sealer }: Pick<Parts, 'sealer'>, { hash }: Pick<Session, 'hash'>): string =>
  sealer.mac(hash, 'csrf')
