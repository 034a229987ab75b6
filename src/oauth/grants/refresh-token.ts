/**
 * A refresh token becomes the next one, with an access token. Each is good for one exchange; one that comes again after
 * that has been stolen, or was stolen from, and ends the grant (RFC 9700 section 4.14.2).
 *
 * The next token is computed from the one that is presented, under the master key: so the same question can have the
 * same answer again where that is right, and the database holds nothing that could be used. It is right
 *  - while the first exchange is still under way: two processes of one client refresh at the same moment;
 *  - for oauth.refresh_grace_seconds;
 *  - when another run of the server made the exchange moments ago: it ended, perhaps before its answer had left;
 * and always only as long as nobody has used the next token.
 */
import type { Parts } from '../../parts.ts'
import { audited } from '../../sessions/audit.ts'
import { sha256Hex } from '../../sessions/session.ts'
import type { AccessTokens } from '../access-token.ts'
import { revokeFamily } from '../family-store.ts'
import { grantStands } from '../grant-stands.ts'
import { narrowedScope, valueIn } from '../parameters.ts'
import { findRefresh, insertAccessBeside, type RefreshRow, rotate } from '../refresh-store.ts'
import { OAuthError } from '../refusal.ts'
import type { Issued, TokenRequest } from '../token.ts'

export interface RefreshGrant {
  exchange(request: TokenRequest): Promise<Issued>
}

const oneDayMs = 86_400_000
/** A client asks again within its own time limit. */
const lostAnswerMs = 120_000

interface Presented {
  readonly hash: string
  readonly successor: string
  readonly row: RefreshRow
  /** As on the wire. */
  readonly scope: string
}

export function openRefreshGrant(parts: Parts, tokens: AccessTokens): RefreshGrant {
  const { db, now, config } = parts
  /** Exchanges under way, by token and scope, and by token alone. */
  const sameQuestion = new Map<string, Promise<Issued>>()
  const sameToken = new Map<string, Promise<Issued>>()

  function read({ client, fields }: TokenRequest): Presented {
    const token = valueIn(fields, 'refresh_token')
    if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing')
    const hash = sha256Hex(token)
    const row = findRefresh(db, hash)
    if (!row || row.client !== client.id || row.familyRevokedAt !== null || row.familyEndsAt <= now()) throw unusable()
    if (!grantStands(db, row, now())) throw unusable()
    const scope = narrowedScope(valueIn(fields, 'scope'), row.scope)
    return { hash, row, scope, successor: successorOf(token) }
  }

  const successorOf = (token: string): string =>
    `rt_${Buffer.from(parts.sealer.mac(token, 'refresh'), 'hex').toString('base64url')}`

  async function exchange({ hash, row, scope, successor }: Presented): Promise<Issued> {
    if (row.expiresAt <= now()) throw unusable()
    const minted = await tokens.mint({ ...row, clientId: row.client, scope })
    const at = now()
    const expiresAt = Math.min(row.familyEndsAt, at + config.oauth.refreshIdleDays * oneDayMs)
    const result = await db.write(
      rotate({
        hash,
        row,
        successor: { hash: sha256Hex(successor), expiresAt },
        access: minted.access,
        now: at,
        run: parts.run,
      }),
    )
    if ('refusedAt' in result) throw unusable()
    return { accessToken: minted.token, refreshToken: successor, scope }
  }

  /** The same next token again, with an access token of its own. Undefined when somebody has used it. */
  async function repeat({ row, scope, successor }: Presented): Promise<Issued | undefined> {
    const minted = await tokens.mint({ ...row, clientId: row.client, scope })
    const result = await db.write([insertAccessBeside(sha256Hex(successor), row.family, minted.access, now())])
    return 'refusedAt' in result ? undefined : { accessToken: minted.token, refreshToken: successor, scope }
  }

  function mayRepeat({ usedAt, usedBy }: RefreshRow): boolean {
    if (usedAt === null) return false
    // Either way: a clock that was set back makes nothing young.
    const ageMs = Math.abs(now() - usedAt)
    if (ageMs < config.oauth.refreshGraceSeconds * 1000) return true
    return usedBy !== parts.run && ageMs < lostAnswerMs
  }

  async function endFamily({ family, profile, client, seq }: RefreshRow): Promise<never> {
    const at = now()
    await db.write([
      revokeFamily(family, 'refresh_reused', at),
      audited('refresh_reused', { profile, at, client, seq }),
    ])
    throw unusable()
  }

  async function answer(presented: Presented): Promise<Issued> {
    const { hash, row } = presented
    const underWay = sameToken.get(hash)
    if (underWay) {
      await underWay
      return (await repeat(presented)) ?? endFamily(row)
    }
    if (row.usedAt === null) {
      const first = exchange(presented)
      return during(sameToken, hash, first)
    }
    return (mayRepeat(row) ? await repeat(presented) : undefined) ?? endFamily(row)
  }

  return {
    async exchange(request) {
      const presented = read(request)
      const question = `${presented.hash} ${presented.scope}`
      return sameQuestion.get(question) ?? during(sameQuestion, question, answer(presented))
    },
  }
}

/** Others find the work while it is under way. */
function during<T>(map: Map<string, Promise<T>>, key: string, work: Promise<T>): Promise<T> {
  map.set(key, work)
  const done = (): void => {
    map.delete(key)
  }
  work.then(done, done)
  return work
}

/** One refusal for all that is wrong with a token. Clients sign in again on exactly this code. */
const unusable = (): OAuthError =>
  new OAuthError('invalid_grant', 'the refresh token is not valid: it was used, revoked, or is too old. Sign in again')
