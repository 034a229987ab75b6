/**
 * The return from the provider. Before anything is used up, it checks the sign-in, its provider, and its browser. Then
 * it asks the provider, once.
 */

import { hashSha256Hex } from '../auth/sessions/session.ts'
import { StorageError } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { OutsideError } from '../outside/failure.ts'
import { SignInRefused } from '../outside/social/social.ts'
import type { Parts } from '../parts.ts'
import { findScope } from '../request-scope.ts'
import { readBrowserSecret } from './browser.ts'
import {
  buildRedirectUri,
  type Failure,
  type Finished,
  hashBrowserSecret,
  isSameSecret,
  type Pending,
  sealContext,
  stateForm,
} from './sign-in.ts'
import { findSignIn, markFailed, markReturned, markSignedIn } from './sign-in-store.ts'

export type Return =
  | { readonly outcome: 'done'; readonly state: string; readonly returnTo: string }
  | {
      readonly outcome: 'failed'
      readonly failure: Failure
      readonly state: string
      readonly returnTo: string
      readonly retryAfterSeconds?: number
    }
  /** The sign-in is unknown, so nothing was used up and no page is told. */
  | { readonly outcome: 'unusable'; readonly why: 'malformed' | 'unknown' | 'another-browser' | 'repeated' }

/** Longer than any code of a provider. */
const longestQuery = 8192

export async function finishSignIn(parts: Parts, id: string, request: Request): Promise<Return> {
  const { db, sealer, outside } = parts
  const provider = outside.social.provider(id)
  const { search, searchParams } = new URL(request.url)
  const state = searchParams.get('state') ?? ''
  if (!provider || !isWellFormed(search, searchParams)) return makeUnusable('malformed')

  const hash = hashSha256Hex(state)
  const row = await findSignIn(db, hash)
  if (!row || row.expiresAt <= parts.now()) return makeUnusable('unknown')
  if (row.stage !== 'started' || row.sealed === null) return makeUnusable('repeated')
  const pending: Pending = JSON.parse(sealer.open(row.sealed, sealContext('started', hash)))
  if (pending.provider !== id) return makeUnusable('unknown')
  const browser = readBrowserSecret(parts, request.headers)
  if (browser === undefined || !isSameSecret(hashBrowserSecret(browser), pending.browser))
    return makeUnusable('another-browser')
  if (!(await markReturned(db, hash, parts.now()))) return makeUnusable('repeated')

  const { returnTo } = pending
  try {
    const asked = { ...pending, state, redirectUri: buildRedirectUri(parts, id) }
    const signedIn = await provider.complete(searchParams, asked)
    const finished: Finished = {
      provider: id,
      wallet: pending.wallet,
      browser: pending.browser,
      signedIn,
      at: parts.now(),
    }
    await markSignedIn(db, hash, sealer.seal(JSON.stringify(finished), sealContext('signed-in', hash)))
    return { outcome: 'done', state, returnTo }
  } catch (error) {
    // The provider's code is used up, so loading the address again could not succeed.
    if (error instanceof StorageError) throw makeLostError()
    const { failure, ...more } = readFailure(error, id, parts)
    await markFailed(db, hash, failure).catch((fault) => {
      throw fault instanceof StorageError ? makeLostError() : fault
    })
    return { outcome: 'failed', failure, state, returnTo, ...more }
  }
}

const makeLostError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'what the provider said could not be stored, and cannot be asked of it again: begin this sign-in anew. Ask the operator to look at the log and the disk',
    {},
    { 'retry-after': '5' },
  )

const makeUnusable = (why: Extract<Return, { outcome: 'unusable' }>['why']): Return => ({ outcome: 'unusable', why })

/** One state of this server, and either a code or an error; none of them twice. */
function isWellFormed(search: string, parameters: URLSearchParams): boolean {
  if (search.length > longestQuery || !stateForm.test(parameters.get('state') ?? '')) return false
  if (['state', 'code', 'error', 'iss'].some((name) => parameters.getAll(name).length > 1)) return false
  return Boolean(parameters.get('code')) !== Boolean(parameters.get('error'))
}

/** Rethrows errors that are neither a refusal nor a failed look-up. */
function readFailure(
  error: unknown,
  id: string,
  { log }: Pick<Parts, 'log'>,
): { readonly failure: Failure; readonly retryAfterSeconds?: number } {
  if (error instanceof SignInRefused) {
    const { reason, message, mend } = error
    if (mend !== undefined)
      log.count({
        level: 'warn',
        event: 'social-sign-in-refused',
        message: 'a sign-in was refused',
        kind: `${id} ${reason}`,
        fields: { provider: id, reason, happened: message, mend },
        requestId: findScope()?.requestId,
      })
    return { failure: reason }
  }
  if (!(error instanceof OutsideError)) throw error
  const { source, fault, happened, mend, retryAfterSeconds } = error
  log.count({
    level: 'warn',
    event: 'social-sign-in-failed',
    message: 'a sign-in could not be finished',
    kind: `${source} ${fault}`,
    fields: { source, fault, happened, mend },
    requestId: findScope()?.requestId,
  })
  return { failure: 'provider_unavailable', retryAfterSeconds }
}
