/** Finds the person behind the credentials of an unsigned request. */
import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { makeProofGround } from '../db/erasing.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { joinSentences } from '../pattern-words.ts'
import { listLinked, type Profile } from '../profiles/store.ts'
import { leaveScope, noteCaller, noteGround, noteOwner, noteRefusedCredential } from '../request-scope.ts'
import { parseAccount } from '../wallet/account.ts'
import { findUsableKey, makeAccessKeyGround, markKeyUsed, type UsableKey } from './access-keys/store.ts'
import {
  type Account,
  bySession as bySessionItself,
  type GrantScope,
  grantScopes,
  type Identity,
  type OwnAccount,
  type Source,
  type Via,
} from './identity.ts'
import { computeCsrfToken, hashSha256Hex, noteUse, readSession } from './sessions/session.ts'
import { makeSessionGround, type Session } from './sessions/store.ts'

export const keyPrefix = 'npk_'
const keyForm = /^npk_[A-Za-z0-9_-]{43}$/
/** Last use is told to the minute. */
const notedEveryMs = 60_000

export const listAccounts = async (db: Db, { primary }: Profile, now: number): Promise<OwnAccount[]> => [
  primary,
  ...(await listLinked(db, primary, now)).map(({ wallet, contractOn, linkProof }) => ({
    wallet,
    contractOn,
    ground: makeProofGround(linkProof),
  })),
]

interface KnownBy {
  readonly scopes: readonly GrantScope[]
  readonly via: Via
  readonly source: Source
  readonly signedInAs?: Account
}

/** The accounts are looked up lazily, because most requests do not need them. */
export function makeIdentity(db: Db, profile: Profile, by: KnownBy, now: number): Identity {
  let accounts: Promise<readonly OwnAccount[]> | undefined
  return {
    profile,
    listAccounts() {
      accounts ??= listAccounts(db, profile, now)
      return accounts
    },
    scopes: new Set(by.scopes),
    via: by.via,
    source: by.source,
    ...(by.signedInAs === undefined ? {} : { signedInAs: by.signedInAs }),
  }
}

/** The person as a signed-in browser knows them. */
export function makeSessionIdentity(db: Db, { profile, account, linkProof }: Session, now: number): Identity {
  const by: KnownBy =
    linkProof === null
      ? { scopes: grantScopes, via: 'session', source: bySessionItself }
      : {
          scopes: grantScopes,
          via: 'linked-session',
          source: { kind: 'linked-session', id: `link:${linkProof}`, linkProof },
          signedInAs: parseAccount(account),
        }
  return makeIdentity(db, profile, by, now)
}

/** Drops scopes that this build does not know. */
export const parseScopes = (text: string): GrantScope[] =>
  grantScopes.filter((scope) => text.split(' ').includes(scope))

/** The credential after `Authorization: Bearer`. */
export const readBearer = (headers: Headers): string | undefined =>
  /^bearer +([^\s]+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The access key of a request, good or not. Undefined for other bearers. */
export function readSentKey(headers: Headers): string | undefined {
  const bearer = readBearer(headers)
  return bearer?.startsWith(keyPrefix) ? bearer : undefined
}

/**
 * The person whose access key or session the request carries, or undefined without one. Other bearers are ignored:
 * other deployments of the interface issue them, and public operations need none. Errors: WALLET_AUTH_REQUIRED for an
 * unknown key, FORBIDDEN for a change by cookie without its token.
 */
export function identify(parts: Parts, request: Request): Promise<Identity | undefined> {
  const key = readSentKey(request.headers)
  if (key === undefined) return identifySession(parts, request)
  return identifyKey(parts, key).catch((error) => refuseKey(parts, request.headers, error))
}

/**
 * The refusal of a key. Beside a session that would count without it, the refusal says that the key was judged. Errors:
 * the given one.
 */
export async function refuseKey(parts: Parts, headers: Headers, refusal: unknown): Promise<never> {
  if (!(refusal instanceof AppError) || !(await readSession(parts, headers))) throw refusal
  throw new AppError(
    refusal.code,
    joinSentences(
      refusal.message,
      'This request also carries the cookie of a session, and the access key was judged in its place: leave out the header Authorization to use the session',
    ),
    refusal.details,
    refusal.headers,
  )
}

/**
 * A refusal for a missing credential also reports a bearer that this server does not read. Other requests are
 * unaffected: other deployments of the interface issue other bearers.
 */
export function explainUnreadAuthorization(refusal: AppError, { headers }: Request): AppError {
  const isUnread = Boolean(headers.get('authorization')) && readSentKey(headers) === undefined
  if (refusal.code !== 'WALLET_AUTH_REQUIRED' || !isUnread) return refusal
  return new AppError(
    refusal.code,
    joinSentences(
      refusal.message,
      `The header Authorization of this request was not used: it is not "Bearer" with an access key (${keyPrefix}…)`,
    ),
    refusal.details,
    refusal.headers,
  )
}

/** Errors: WALLET_AUTH_REQUIRED. */
export async function requireKey({ db }: Pick<Parts, 'db'>, key: string): Promise<UsableKey> {
  const found = keyForm.test(key) ? await findUsableKey(db, hashSha256Hex(key)) : undefined
  if (found) return found
  noteRefusedCredential('access-key')
  throw new AppError(
    'WALLET_AUTH_REQUIRED',
    'the access key is unknown or revoked: create a new one, and send it as Authorization: Bearer npk_…',
  )
}

/** Errors: WALLET_AUTH_REQUIRED. */
export async function identifyKey(parts: Parts, key: string): Promise<Identity> {
  const { db, log } = parts
  const now = parts.now()
  const found = await requireKey(parts, key)
  if (found.lastUsedAt === null || now - found.lastUsedAt >= notedEveryMs)
    leaveScope(() => markKeyUsed(db, found.id, now)).catch((error) =>
      log.count({
        level: 'warn',
        event: 'access-key-use-unstored',
        message: 'the use of an access key was not noted',
        error,
        fields: { mend: 'look at the disk of the data folder; the key itself is good' },
      }),
    )
  noteCaller('access-key')
  noteOwner(found.profile.primary)
  noteGround(makeAccessKeyGround(found.keyId))
  return makeIdentity(
    db,
    found.profile,
    {
      scopes: parseScopes(found.scopes),
      via: 'access-key',
      source: { kind: 'access-key', id: found.keyId, linkProof: null },
    },
    now,
  )
}

/**
 * Whether a request with a cookie must carry the token of its session: each change, and a read that names one. So a page
 * of one person shows nothing of another who has signed in since, in another tab.
 */
export const needsOwnPage = (request: Request): boolean => !isRead(request) || request.headers.has('x-csrf-token')

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

async function identifySession(parts: Parts, request: Request): Promise<Identity | undefined> {
  const session = await readSession(parts, request.headers)
  if (!session) return undefined
  if (needsOwnPage(request)) requireOwnPage(parts, request, computeCsrfToken(parts, session))
  noteSessionGrounds(session)
  const now = parts.now()
  noteUse(parts, session, now)
  return makeSessionIdentity(parts.db, session, now)
}

/** A session may end while its request is under way, and its link as well. */
function noteSessionGrounds({ hash, linkProof }: Session): void {
  noteGround(makeSessionGround(hash))
  if (linkProof !== null) noteGround(makeProofGround(linkProof))
}

/**
 * A browser sends the cookie with requests of any page, so a change must come from this server's pages. Errors:
 * FORBIDDEN.
 */
export function requireOwnPage(parts: Parts, request: Request, csrfToken: string): void {
  const { headers } = request
  if (!isRead(request)) requireOwnOrigin(parts, headers)
  const sent = Buffer.from(headers.get('x-csrf-token') ?? '')
  const expected = Buffer.from(csrfToken)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new AppError(
      'FORBIDDEN',
      'a change by a signed-in browser needs the header X-CSRF-Token, and a read must name no other one: its value is csrfToken of GET /api/v1/auth/me',
    )
}

/** If a browser names the origin of a request, it must be one of this server. Errors: FORBIDDEN. */
export function requireOwnOrigin({ addresses }: Parts, headers: Headers): void {
  const origin = headers.get('origin')
  const { authUrl, baseUrl } = addresses()
  if (origin !== null && origin !== new URL(authUrl).origin && origin !== new URL(baseUrl).origin)
    throw new AppError(
      'FORBIDDEN',
      'pages of another origin may not act for a signed-in person: use a page of this server',
    )
}

/** For routes that no access key may use. Errors: FORBIDDEN, and WALLET_AUTH_REQUIRED for an unknown key. */
export async function forbidKey(parts: Parts, key: string): Promise<never> {
  await requireKey(parts, key)
  throw new AppError('FORBIDDEN', 'an access key may not do this: sign in with the wallet, in a browser')
}

export const makeSignedOutError = ({ addresses }: Pick<Parts, 'addresses'>): AppError =>
  new AppError('WALLET_AUTH_REQUIRED', `nobody is signed in: sign in at ${addresses().authUrl}/verify?intent=login`)

export const makeUnknownPersonError = (): AppError =>
  new AppError(
    'WALLET_AUTH_REQUIRED',
    'this needs a session or an access key, and no signature of an owner action does: sign in, or send an access key as Authorization: Bearer npk_...',
  )

/**
 * The session, for actions that need a person at a browser. Errors: WALLET_AUTH_REQUIRED without one, FORBIDDEN for an
 * access key, and for a change by cookie without its token.
 */
export async function requireSession(parts: Parts, request: Request): Promise<Session> {
  const key = readSentKey(request.headers)
  if (key !== undefined) await forbidKey(parts, key).catch((error) => refuseKey(parts, request.headers, error))
  const session = await readSession(parts, request.headers)
  if (!session) throw makeSignedOutError(parts)
  if (needsOwnPage(request)) requireOwnPage(parts, request, computeCsrfToken(parts, session))
  noteSessionGrounds(session)
  noteUse(parts, session, parts.now())
  return session
}

/**
 * Requires a session of the primary account, because a temporarily linked wallet must leave nothing that outlives its
 * session. Errors: those of requireSession, and FORBIDDEN.
 */
export async function requirePrimarySession(parts: Parts, request: Request): Promise<Session> {
  const session = await requireSession(parts, request)
  if (session.linkProof === null) return session
  throw new AppError('FORBIDDEN', `a linked wallet may not do this: sign in with ${session.profile.primary.wallet}`)
}

/**
 * The person, for actions of a session or an access key. The description of the route names the scope that a key needs
 * (known-caller.ts). Errors: WALLET_AUTH_REQUIRED, and those of identify.
 */
export async function requirePerson(parts: Parts, request: Request): Promise<Identity> {
  const identity = await parts.identify(request)
  if (!identity) throw makeUnknownPersonError()
  return identity
}
