/** The status of many proofs: /api/v1/verification/status-batch. */
import { type Static, Type } from '@sinclair/typebox'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { answerJson } from '../http/answer.ts'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { defineChoice, open } from '../shape.ts'
import { accessExamples } from './access-examples.ts'
import { readStatuses, type StatusLine } from './read.ts'

const QHash = Type.String({ pattern: qHashPattern })

/** Clients are known to try each of these names (src/guides/wire.md, "Status of many proofs"). */
const BatchBody = open({
  qHashes: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  qhashes: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  ids: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  proofIds: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
})

const nullableString = Type.Union([Type.String(), Type.Null()])
const StatusShape = Type.Object({
  qHash: Type.String(),
  status: Type.String(),
  createdAt: nullableString,
  completedAt: nullableString,
  lastUpdated: Type.Union([Type.Integer(), Type.Null()]),
  privacyLevel: defineChoice(
    ['private', 'public', 'unknown'],
    'unknown: there is no proof with this id here. One that is private is told to be so.',
  ),
  cached: Type.Boolean(),
  cachedAt: Type.Union([Type.Integer(), Type.Null()]),
})

export const statusRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/status-batch',
      callers: ['anyone'],
      surface: 'proofs',
      body: BatchBody,
      rate: 'reads',
      operation: {
        tag: 'verification',
        operationId: 'statusBatch',
        summary: 'The status of up to 100 proofs',
        answer: describeAnswer({ ok: Type.Boolean(), results: Type.Record(Type.String(), StatusShape) }),
        refusals: [400, 413, 415],
        example: accessExamples.statusBatch,
      },
    },
    async ({ body, set }) => {
      const lines = await readStatuses(parts, listIds(body))
      return answerJson(set, `{"success":true,"ok":true,"results":${writeResults(lines)}}`)
    },
  ),
]

/**
 * The lines by id, each once. An object of a hundred new names costs 60 µs more: JavaScriptCore keeps every name of a
 * member in a table.
 */
const writeResults = (lines: readonly StatusLine[]): string =>
  `{${[...new Set(lines.map((line) => `"${line.qHash}":${JSON.stringify(line)}`))].join(',')}}`

function listIds({ qHashes, qhashes, ids, proofIds }: Static<typeof BatchBody>): readonly string[] {
  const found = qHashes ?? qhashes ?? ids ?? proofIds
  if (!found)
    throw new AppError('VALIDATION_ERROR', 'the body needs qHashes: an array of 1 to 100 proof ids', {
      path: '/qHashes',
    })
  return found
}
