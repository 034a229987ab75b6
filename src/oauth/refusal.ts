/**
 * Refusals of the authorization server: a code of RFC 6749, together with the members of our envelope. So OAuth clients
 * and ours both find their members.
 */
import { AppError, type ErrorCode } from '../errors.ts'
import { isUncertainRefusal } from '../http/refusal.ts'
import type { OAuthErrorCode } from './vocabulary.ts'

export class OAuthError extends AppError {
  constructor(
    readonly oauthCode: OAuthErrorCode,
    description: string,
    code: ErrorCode = 'VALIDATION_ERROR',
  ) {
    super(code, description)
  }
}

export interface OAuthErrorBody {
  readonly error: OAuthErrorCode
  readonly error_description: string
  readonly success: false
  /** ISO 8601. */
  readonly timestamp: string
  readonly requestId: string
  /** Present when it is not known whether the change was stored. */
  readonly uncertain?: true
}

export const makeOAuthErrorBody = (error: AppError, requestId: string, now: number): OAuthErrorBody => ({
  error: error instanceof OAuthError ? error.oauthCode : chooseOAuthCode(error.code),
  error_description: writeDescription(error),
  success: false,
  timestamp: new Date(now).toISOString(),
  requestId,
  ...(isUncertainRefusal(error) ? { uncertain: true } : {}),
})

function chooseOAuthCode(code: ErrorCode): OAuthErrorCode {
  if (code === 'INTERNAL_ERROR') return 'server_error'
  if (code === 'RATE_LIMIT_EXCEEDED' || code === 'SERVICE_UNAVAILABLE' || code === 'STORAGE_FULL')
    return 'temporarily_unavailable'
  return 'invalid_request'
}

/** RFC 6749 section 5.2 allows printable ASCII without quotation marks and backslashes. */
export const writeDescription = ({ message }: AppError): string =>
  message
    .replaceAll('"', "'")
    .replaceAll('…', '...')
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?')
