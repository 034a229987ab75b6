/** The person's answer to the consent page: allowed or denied, once, by the browser that was asked. */

import { makeAuditStatement } from '../audit/log-store.ts'
import { hashSha256Hex, readSession } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import type { Statement } from '../db/db.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import {
  type AuthorizationRequest,
  buildErrorAddress,
  buildSuccessAddress,
  issueCode,
  makeConsentKey,
} from './authorize.ts'
import {
  type ConsentKey,
  consumeRequest,
  deleteConsent,
  findRequest,
  narrowConsent,
  putConsent,
} from './consent-store.ts'
import { findDuplicate, readValue } from './parameters.ts'
import { leadsToComputer } from './redirect-uri.ts'
import { OAuthError } from './refusal.ts'
import { readChosenScope } from './scope-choice.ts'

export type ConsentOutcome =
  /** 303: to the client. */
  | { readonly redirect: string }
  /** Nothing was ticked: the same question again. */
  | { readonly askAgain: AuthorizationRequest; readonly handle: string; readonly session: Session }

/** Errors: FORBIDDEN for another page's form, OAuthError for an expired question and for scopes that were not shown. */
export async function answerConsent(parts: Parts, headers: Headers, fields: URLSearchParams): Promise<ConsentOutcome> {
  requireOwnForm(parts, headers)
  const { db, now } = parts
  const at = now()
  const handle = readValue(fields, 'handle')
  const decision = readValue(fields, 'decision')
  if (findDuplicate(fields, ['handle', 'decision']) || (decision !== 'allow' && decision !== 'deny'))
    throw new OAuthError('invalid_request', 'the form is incomplete: go back and choose')
  const session = await readSession(parts, headers)
  const params = session && handle && (await findRequest(db, hashSha256Hex(handle), session.hash, at))
  if (!session || !handle || !params) throw makeOverError()
  // The checked and displayed request counts, whatever the form says.
  const asked = JSON.parse(params) as AuthorizationRequest
  const consumed = consumeRequest(hashSha256Hex(handle), session.hash, at)

  const key = makeConsentKey(session, asked)

  if (decision === 'deny') {
    // An earlier answer must not stand against this one: the next request would get a code without a question.
    if ('refusedAt' in (await db.write([consumed, deleteConsent(key)], 'free'))) throw makeOverError()
    const denied = new OAuthError('access_denied', 'the person refused access')
    return { redirect: buildErrorAddress(parts, asked.redirectUri, denied, asked.state) }
  }
  const scope = readChosenScope(fields, asked)
  if (scope === undefined) return { askAgain: asked, handle, session }
  const given = [consumed, ...rememberConsent(key, asked, scope, at)]
  const { code, statements } = issueCode(parts, session, { ...asked, scope }, given)
  const result = await db.write([
    ...statements,
    makeAuditStatement('consent_given', {
      profile: session.profile.id,
      at,
      client: asked.client.id,
      name: asked.client.name,
      place: key.place,
      scope,
    }),
  ])
  if ('refusedAt' in result) throw makeOverError()
  return { redirect: buildSuccessAddress(parts, asked, code) }
}

/** A client on the person's computer is asked about every time. What is unticked now is no longer remembered. */
function rememberConsent(key: ConsentKey, asked: AuthorizationRequest, granted: string, at: number): Statement[] {
  if (leadsToComputer(asked.redirectUri)) return []
  const kept = granted.split(' ')
  const unticked = asked.scope.split(' ').filter((word) => !kept.includes(word))
  return [...(unticked.length > 0 ? [narrowConsent(key, unticked)] : []), putConsent(key, granted, at)]
}

const makeOverError = (): OAuthError =>
  new OAuthError('invalid_request', 'this form was sent before, or expired: connect the client again')

/**
 * Only a page of this server may send the form. Our pages send no referrer, which makes browsers write `Origin: null`:
 * then Sec-Fetch-Site says whose page it was. Errors: FORBIDDEN.
 */
function requireOwnForm({ addresses }: Parts, headers: Headers): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwnOrigin = origin === null || origin === new URL(addresses().authUrl).origin
  const isOwnSite = site === null ? origin !== 'null' : site === 'same-origin'
  if ((isOwnOrigin || origin === 'null') && isOwnSite) return
  throw new AppError('FORBIDDEN', 'pages of this origin may not answer for a signed-in person')
}
