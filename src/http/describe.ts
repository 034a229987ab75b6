/** The part of a route that the API description alone needs: words, the answer, its example and its refusals. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { type ErrorCode, errorKinds } from '../errors.ts'
import { defineChoice } from '../shape.ts'
import type { Example } from './example.ts'

export const Success = Type.Literal(true)
export const IsoTimestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })

/** An answer may gain members, so clients must ignore the ones they do not know. */
export const describeAnswer = (members: TProperties) => Type.Object({ success: Success, ...members })

export const ErrorAnswer = Type.Object({
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.String({ description: `One of ${Object.keys(errorKinds).join(', ')}.` }),
    message: Type.String({ description: 'What happened, which input caused it, what to do.' }),
    type: Type.String({
      description: `One of ${[...new Set(Object.values(errorKinds).map(({ type }) => type))].join(', ')}.`,
    }),
    details: Type.Object({}, { description: 'What programs may want to know; depends on the code.' }),
  }),
  timestamp: IsoTimestamp,
  requestId: Type.String({ description: 'Also in the header X-Request-Id, and in the log of the server.' }),
})

export const refusalWords: Readonly<Record<number, string>> = {
  400: 'The request must change.',
  401: 'A signature or credential is missing, stale or wrong.',
  402: 'A payment is asked for: details say which.',
  403: 'Not allowed for this caller.',
  404: 'Not here.',
  409: 'Does not fit the present state.',
  413: 'The body is too large.',
  415: 'The body is not JSON, or is compressed.',
  429: 'Too many requests; Retry-After says when to come back.',
  431: 'The headers are too large.',
  500: 'A fault of the server; requestId finds it in the log.',
  503: 'Cannot be done or looked up now; Retry-After says when to try again.',
}

/**
 * Statuses of every route: wrong Host, foreign page, too many requests, large headers, server fault, full disk.
 */
export const everyRoute = [400, 403, 429, 431, 500, 503]

export const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
}

export const describeTextHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

export interface OperationDescription {
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly operationId: string
  readonly answer: TSchema
  readonly example: Example | ((baseUrl: string) => Example)
  /** Headers of the answer that matter to callers, each with its meaning. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that the handler reads and no shape checks. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The body, for a handler that checks it itself. */
  readonly requestBody?: DocumentDecoration['requestBody']
  /** Whether the member `data` of the body holds the data of verifiers. */
  readonly takesVerifierData?: boolean
  /** An older path that is kept for clients that know it. */
  readonly deprecated?: boolean
  /** Statuses of refusals, besides those that every route can give. Each stands for its usual error codes. */
  readonly refusals: readonly number[]
  /** Error codes besides the usual ones and those that follow from the shapes (openapi/refusal-codes.ts). */
  readonly codes?: readonly ErrorCode[]
  /** Other answers that are no refusal, such as 202 and 304. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly answer?: TSchema }>>
}

/** The operation in the form of OpenAPI, for the generator. */
export function writeDetail({
  summary,
  description,
  tag,
  operationId,
  answer,
  headers,
  requestBody,
  deprecated,
  refusals,
  others = {},
}: OperationDescription): DocumentDecoration {
  const describeJson = (text: string, schema: unknown) => ({
    description: text,
    content: { 'application/json': { schema } },
  })
  const responses: Record<string, unknown> = {
    200: { ...describeJson('Done.', answer), ...(headers ? { headers: describeTextHeaders(headers) } : {}) },
  }
  for (const [status, other] of Object.entries(others))
    responses[status] = other.answer
      ? describeJson(other.description, other.answer)
      : { description: other.description }
  for (const status of new Set([...everyRoute, ...refusals].sort((a, b) => a - b)))
    responses[status] = {
      ...describeJson(refusalWords[status] ?? 'Refused.', { $ref: '#/components/schemas/ErrorAnswer' }),
      ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
    }
  return {
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    operationId,
    ...(deprecated ? { deprecated } : {}),
    responses: responses as NonNullable<DocumentDecoration['responses']>,
    ...(requestBody ? { requestBody } : {}),
  }
}

/** How clients of this interface spell flags in a query. The API description says boolean (openapi/query-types.ts). */
export const flagWords = ['1', 'true', 'yes', '0', 'false', 'no'] as const
export const Flag = (description: string) => Type.Optional(defineChoice(flagWords, description))

export const isSet = (flag: string | undefined): boolean => flag === '1' || flag === 'true' || flag === 'yes'

/** Whether a flag is given as false. An absent flag may mean something else. */
export const isUnset = (flag: string | undefined): boolean => flag !== undefined && !isSet(flag)
