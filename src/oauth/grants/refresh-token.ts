/**
 * Exchanges a refresh token for the next one and an access token. Each works for one exchange. A later reuse means
 * theft, and ends the grant (RFC 9700 section 4.14.2).
 *
 * The valid generation of a grant is in one row, and its tokens follow from it under the master key. So the same
 * request can get the same answer again, and the database holds no token. A repeated answer is right
 *  - while the first exchange is still under way: two processes of one client refresh at the same moment. At another
 *    process of the server, a moment later counts as the same one, because nothing tells whether the answer has left;
 *  - for oauth.refresh_grace_seconds;
 *  - when a run of the server that has ended made the exchange moments ago, and perhaps ended before its answer left; and
 *    always only while the next token is unused.
 */

import { makeAuditStatement } from '../../audit/log-store.ts'
import type { Parts } from '../../parts.ts'
import type { AccessTokens, MintedToken } from '../access-token.ts'
import { openExchangeAges } from '../exchange-ages.ts'
import { type Family, findFamily, raiseGeneration, revokeFamily } from '../family-store.ts'
import { grantStands } from '../grant-condition.ts'
import { type Lineage, readRefreshToken, writeRefreshToken } from '../lineage.ts'
import { narrowScope, readValue, requireValue } from '../parameters.ts'
import { OAuthError } from '../refusal.ts'
import type { Issued, TokenRequest } from '../token-request.ts'

export interface RefreshGrant {
  exchange(request: TokenRequest): Promise<Issued>
}

const oneDayMs = 86_400_000
/** A client asks again within its own time limit. */
const lostAnswerMs = 120_000
/** For which an exchange at another process counts as under way: longer than a commit takes and clocks are apart. */
const sameMomentMs = 2_000

interface Presented {
  readonly token: string
  readonly generation: number
  readonly family: Family
  /** As on the wire. */
  readonly scope: string
}

export function openRefreshGrant(parts: Parts, tokens: AccessTokens): RefreshGrant {
  const { db, now, readSteadyClock, config, sealer } = parts
  const graceMs = config.oauth.refreshGraceSeconds * 1000
  const ages = openExchangeAges(parts, graceMs)
  /** Exchanges under way, by token and scope, and by token alone. */
  const sameQuestion = new Map<string, Promise<Issued>>()
  const sameToken = new Map<string, Promise<Issued>>()

  async function read({ client, fields }: TokenRequest): Promise<Presented> {
    const token = requireValue(fields, 'refresh_token')
    const lineage = readRefreshToken(sealer, token)
    const family = lineage && (await findFamily(db, lineage.handle))
    if (!family || family.client !== client.id || family.revokedAt !== null || family.expiresAt <= now())
      throw makeUnusableError()
    // A newer generation than the stored one dates from before an old database copy was restored.
    if (lineage.generation > family.generation || !(await grantStands(db, family, now()))) throw makeUnusableError()
    const scope = narrowScope(readValue(fields, 'scope'), family.scope)
    return { token, generation: lineage.generation, family, scope }
  }

  const makeNextLineage = ({ family, generation }: Presented): Lineage => ({
    handle: family.handle,
    generation: generation + 1,
  })

  const mint = (presented: Presented): Promise<MintedToken> => {
    const { family, scope } = presented
    return tokens.mint({ ...family, clientId: family.client, scope }, makeNextLineage(presented))
  }

  const makeIssued = (presented: Presented, { token: accessToken }: MintedToken): Issued => ({
    accessToken,
    refreshToken: writeRefreshToken(sealer, makeNextLineage(presented)),
    scope: presented.scope,
  })

  async function exchange(presented: Presented): Promise<Issued> {
    const { family, generation } = presented
    if (family.refreshEndsAt <= now()) throw makeUnusableError()
    const minted = await mint(presented)
    const at = now()
    const refreshEndsAt = Math.min(family.expiresAt, at + config.oauth.refreshIdleDays * oneDayMs)
    const result = await db.write(
      [
        raiseGeneration({
          id: family.id,
          generation,
          now: at,
          refreshedAt: readSteadyClock(),
          run: parts.run,
          refreshEndsAt,
          accessEndsAt: minted.endsAt,
        }),
      ],
      'free',
    )
    // Another process exchanged the token after this one had read it.
    if ('refusedAt' in result) return (await repeat(presented)) ?? throwUnusable()
    ages.note(family.id, generation + 1)
    return makeIssued(presented, minted)
  }

  /** The same next token again, with an access token of its own. Undefined when it has been used. */
  async function repeat(presented: Presented): Promise<Issued | undefined> {
    const minted = await mint(presented)
    const family = await findFamily(db, presented.family.handle)
    const isUnused = family?.generation === presented.generation + 1 && family.refreshEndsAt > now()
    return isUnused && family.revokedAt === null ? makeIssued(presented, minted) : undefined
  }

  async function mayRepeat({ generation, family }: Presented): Promise<boolean> {
    if (family.generation !== generation + 1) return false
    const ageMs = ages.findAge(family)
    if (ageMs < graceMs || (db.isShared && family.refreshedBy !== parts.run && ageMs < sameMomentMs)) return true
    return family.refreshedBy !== null && ageMs < lostAnswerMs && parts.processes.hasEnded(family.refreshedBy)
  }

  async function endFamily({ family, generation }: Presented): Promise<never> {
    const { id, profile, client, refreshedAt } = family
    const at = now()
    // Seconds: more likely an answer that was lost on its way. Hours: more likely theft.
    const usedSecondsAgo =
      refreshedAt === null ? undefined : Math.max(0, Math.round((readSteadyClock() - refreshedAt) / 1000))
    const event = { profile, at, client, generation, usedSecondsAgo }
    const result = await db.write(
      [revokeFamily(id, 'refresh_reused', at), makeAuditStatement('refresh_reused', event)],
      'free',
    )
    if ('refusedAt' in result) throw makeUnusableError()
    parts.log.warn('a refresh token was used twice, and its grant ended', {
      event: 'refresh-token-reused',
      client,
      usedSecondsAgo,
      mend: lostAnswerMend,
    })
    throw makeReusedError()
  }

  async function answer(presented: Presented): Promise<Issued> {
    const { token, family, generation } = presented
    const underWay = sameToken.get(token)
    if (underWay) {
      await underWay
      return (await repeat(presented)) ?? endFamily(presented)
    }
    if (family.generation === generation) return rememberWork(sameToken, token, exchange(presented))
    return ((await mayRepeat(presented)) ? await repeat(presented) : undefined) ?? endFamily(presented)
  }

  return {
    async exchange(request) {
      const presented = await read(request)
      const question = `${presented.token} ${presented.scope}`
      return sameQuestion.get(question) ?? rememberWork(sameQuestion, question, answer(presented))
    },
  }
}

/** Others find the work while it is under way. */
function rememberWork<T>(map: Map<string, Promise<T>>, key: string, work: Promise<T>): Promise<T> {
  map.set(key, work)
  const forgetWork = (): void => {
    map.delete(key)
  }
  work.then(forgetWork, forgetWork)
  return work
}

const lostAnswerMend =
  'if clients lose answers on the way (mobile networks, proxies that cut connections), set oauth.refresh_grace_seconds = 30'

/**
 * Only for a caller with a token of this grant: it tells nothing that the ended tokens would not show. With this code
 * clients sign in again.
 */
const makeReusedError = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'this refresh token was used before, so all tokens of this sign-in ended. Sign in again. If the first answer was lost, the operator can allow a repetition with oauth.refresh_grace_seconds',
  )

function throwUnusable(): never {
  throw makeUnusableError()
}

/** One refusal for all else that is wrong with a token. Clients sign in again on exactly this code. */
const makeUnusableError = (): OAuthError =>
  new OAuthError('invalid_grant', 'the refresh token is not valid: it was used, revoked or expired. Sign in again')
