/** Maps errors of the OAuth library: the person declined, the operator must act, or the result is unknown. */
import { OutsideError } from '../failure.ts'
import { type Library, readErrorText } from './metadata.ts'
import { SignInRefused } from './social.ts'
import { findTokenFault, makeTokenRefusal } from './wrong-token.ts'

/** RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, and LinkedIn's own codes. */
const declined = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'user_cancelled_login',
  'user_cancelled_authorize',
])

/** The code was used, is too old, or is another client's: RFC 6749 section 5.2, and GitHub. */
const codeRefused = new Set(['invalid_grant', 'bad_verification_code'])

export function makeRefusal(error: unknown, setting: string, library: Library): unknown {
  const fault = findTokenFault(error, library)
  if (fault) return makeTokenRefusal(fault)
  if (error instanceof library.AuthorizationResponseError) return makeAnswerError(error.error, setting)
  if (error instanceof library.ResponseBodyError)
    return makeTokenAnswerError(error.error, error.error_description ?? '', setting)
  if (error instanceof library.WWWAuthenticateChallengeError)
    return new OutsideError(
      'credentials',
      setting,
      `refused what it was sent (${error.status})`,
      'see whether client_id, client_secret and client_auth are right',
    )
  if (error instanceof library.OperationProcessingError || error instanceof library.UnsupportedOperationError)
    return new OutsideError(
      'malformed',
      setting,
      `does not answer as OAuth 2.0 and OpenID Connect have it (${readErrorText(error)})`,
      'see whether issuer, token_endpoint and jwks_uri are those of the provider',
    )
  return error
}

function makeAnswerError(error: string, setting: string): Error {
  if (declined.has(error)) return new SignInRefused('access_denied', 'the sign-in was not agreed to at the provider')
  if (error === 'server_error' || error === 'temporarily_unavailable')
    return new OutsideError('unreachable', setting, `says that it cannot do this now (${error})`, 'try later')
  return new SignInRefused('provider_refused', `the provider refused the sign-in${quoteError(error)}`)
}

/** X and LinkedIn call a bad code a bad request, and mention the code only in their text. */
const isAboutCode = (error: string, description: string): boolean =>
  error === 'invalid_request' && /\bcode\b/i.test(description) && !/verifier|challenge/i.test(description)

function makeTokenAnswerError(error: string, description: string, setting: string): Error {
  if (codeRefused.has(error) || isAboutCode(error, description))
    return new SignInRefused(
      'provider_refused',
      'the provider did not accept the code that came back with the person: it is too old, was used, or was made for somebody else',
    )
  return new OutsideError(
    'credentials',
    setting,
    `refused what it was sent${quoteError(error)}`,
    'see whether client_id, client_secret, client_auth and the redirect address that is registered there are right',
  )
}

/** An error code is a word of the protocol; any other text in its place is not repeated. */
const quoteError = (error: string): string => (/^[a-z_]{1,64}$/.test(error) ? ` (${error})` : '')
