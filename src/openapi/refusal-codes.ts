/**
 * The error codes that a route may give with a status. They come from all routes, the route's shapes, and its
 * description. Tests hold every refusal they see against this.
 */
import type { TSchema } from '@sinclair/typebox'
import { type ErrorCode, errorKinds } from '../errors.ts'
import type { OperationDescription } from '../http/describe.ts'
import type { Route } from '../http/route.ts'

const usualCodes: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ['VALIDATION_ERROR'],
  401: ['WALLET_AUTH_REQUIRED'],
  402: ['PAYMENT_REQUIRED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: ['RATE_LIMIT_EXCEEDED'],
  431: ['HEADERS_TOO_LARGE'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE', 'STORAGE_FULL'],
}

/** For routes with a wallet signature. A contract wallet is asked on its chain, which may not answer. */
const signatureCodes: readonly ErrorCode[] = [
  'INVALID_WALLET_ADDRESS',
  'EXPIRED_SIGNATURE',
  'SIGNATURE_INVALID',
  'VERIFIER_UNAVAILABLE',
]

/** For routes that name an object: a wallet must be valid, a gate must exist, a definition must be sound. */
const memberCodes: Readonly<Record<string, readonly ErrorCode[]>> = {
  'path gateId': ['GATE_NOT_FOUND'],
  'body definition': ['GATE_MISCONFIGURED'],
  'body walletAddress': ['INVALID_WALLET_ADDRESS'],
  'query walletAddress': ['INVALID_WALLET_ADDRESS'],
  'query agentWallet': ['INVALID_WALLET_ADDRESS'],
}

const listNames = (shape: TSchema | undefined): readonly string[] => Object.keys(shape?.properties ?? {})

const listMembers = ({ params, query, body }: Route['shapes']): readonly string[] => [
  ...listNames(params).map((name) => `path ${name}`),
  ...listNames(query).map((name) => `query ${name}`),
  ...listNames(body).map((name) => `body ${name}`),
]

const takesSignature = ({ headers, body }: Route['shapes']): boolean => {
  const inBody = listNames(body)
  return (
    listNames(headers).includes('x-signature') || (inBody.includes('signature') && inBody.includes('signedTimestamp'))
  )
}

export function listCodes(
  { shapes }: Route,
  { codes = [] }: OperationDescription,
  status: number,
): readonly ErrorCode[] {
  const all = [
    ...(usualCodes[status] ?? []),
    ...(takesSignature(shapes) ? signatureCodes : []),
    ...listMembers(shapes).flatMap((member) => memberCodes[member] ?? []),
    ...codes,
  ]
  return [...new Set(all)].filter((code) => errorKinds[code].status === status)
}
