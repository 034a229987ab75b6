/**
 * Refusals of the MCP endpoint before the protocol starts. Clients act on the status and the header; the body is a
 * JSON-RPC error for display. Codes of -32000 to -32019 are free for servers.
 */
import type { AppError } from '../errors.ts'
import { readStatus } from '../http/answer.ts'
import { isUncertainRefusal } from '../http/refusal.ts'

const refusedCode = -32000
const parseErrorCode = -32700
const invalidParamsCode = -32602
export const invalidRequestCode = -32600

export function answerRefused(
  status: number,
  message: string,
  {
    headers = {},
    code = refusedCode,
    data,
  }: {
    readonly headers?: Readonly<Record<string, string>>
    readonly code?: number
    readonly data?: Readonly<Record<string, unknown>> | undefined
  } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message, ...(data ? { data } : {}) } }, { status, headers })
}

export const answerError = (error: AppError): Response =>
  answerRefused(readStatus(error), error.message, {
    headers: error.headers,
    code: chooseCode(error),
    ...(hasPath(error) || isUncertainRefusal(error) ? { data: error.details } : {}),
  })

/** A refusal of one value says where it stands; the JSON around it was readable. */
const hasPath = ({ details }: AppError): boolean => typeof details.path === 'string'

function chooseCode(error: AppError): number {
  if (error.code !== 'VALIDATION_ERROR') return refusedCode
  return hasPath(error) ? invalidParamsCode : parseErrorCode
}

export interface Challenge {
  readonly metadataUrl: string
  /** Absent where the client shall take what the metadata lists. */
  readonly scopes?: readonly string[] | undefined
  /** Absent where the request carried no credential (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope'
}

/** RFC 6750 section 3, RFC 9728 section 5.1. */
export function answerChallenge(message: string, { metadataUrl, scopes, error }: Challenge): Response {
  const members = [
    ...(error ? [`error="${error}"`] : []),
    ...(scopes ? [`scope="${scopes.join(' ')}"`] : []),
    `resource_metadata="${metadataUrl}"`,
  ]
  return answerRefused(error === 'insufficient_scope' ? 403 : 401, message, {
    headers: { 'www-authenticate': `Bearer ${members.join(', ')}` },
  })
}
