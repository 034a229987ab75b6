/** /api/v1/operator: what only operators are told. For everybody else there is no such address. */
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { auditFile, auditPage } from '../audit/read.ts'
import { cursorMaxLength } from '../http/cursor.ts'
import { type PolicyName, policies } from '../http/rate-policies.ts'
import type { Parts } from '../parts.ts'
import { defineChoice } from '../shape.ts'
import { buildCatalog } from './catalog.ts'
import type { OwnHealth } from './health.ts'
import { requireOperator } from './hidden.ts'
import { readNumbers } from './numbers.ts'

const describeDigits = (most: number) => Type.Optional(Type.String({ pattern: `^[0-9]{1,${most}}$` }))

const AuditFilter = {
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** A wallet or a did:pkh. */
  person: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
  /** Unix milliseconds. */
  until: describeDigits(15),
}
const AuditQuery = Type.Object({
  ...AuditFilter,
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|[1-4][0-9]{2}|500)$', description: '1 to 500' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: cursorMaxLength })),
})

const parseNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const BucketQuery = Type.Object({
  policy: defineChoice(Object.keys(policies) as [PolicyName, ...PolicyName[]]),
  key: Type.String({ minLength: 1, maxLength: 200 }),
})

const readQuery = ({ until, limit = '100', ...rest }: Static<typeof AuditQuery>) => ({
  ...rest,
  until: parseNumber(until),
  limit: Number(limit),
})

/** With times as the clock of the machine has them: the limiter counts by the uptime. */
function viewLimits({ limiter, now, readUptime }: Parts) {
  const sinceMs = now() - readUptime()
  const convertUptime = (uptime: number): number => Math.round(sinceMs + uptime)
  return limiter.view().map((policy) => ({
    ...policy,
    busiest: policy.busiest.map((bucket) => ({ ...bucket, fullAt: convertUptime(bucket.fullAt) })),
    refused: policy.refused.map((refusal) => ({ ...refusal, lastAt: convertUptime(refusal.lastAt) })),
  }))
}

export function operatorRoutes(parts: Parts, health: OwnHealth) {
  const hidden = { detail: { hide: true } } as const

  return (
    new Elysia({ name: 'operator', prefix: '/api/v1/operator' })
      // Before anything of the request is looked at: what is wrong with it must not tell that this is an address.
      .onTransform(({ request }) => void requireOperator(parts, request))
      .get('/health', async () => ({ success: true, data: await health.tell() }), hidden)
      .post('/health/probe', async () => ({ success: true, data: await health.examine() }), hidden)
      .get(
        '/limits',
        () => ({
          success: true,
          data: { enabled: parts.config.limits.enabled, policies: viewLimits(parts) },
        }),
        hidden,
      )
      .delete(
        '/limits',
        ({ query: { policy, key } }) => ({ success: true, data: { forgotten: parts.limiter.forget(policy, key) } }),
        { query: BucketQuery, ...hidden },
      )
      .get('/catalog', () => ({ success: true, data: buildCatalog(parts) }), hidden)
      .get('/audit', ({ query }) => ({ success: true, data: auditPage(parts, readQuery(query)) }), {
        query: AuditQuery,
        ...hidden,
      })
      .get(
        '/audit/export',
        ({ query, set }) => {
          set.headers['content-type'] = 'application/x-ndjson'
          set.headers['content-disposition'] = 'attachment; filename="proofgate-audit.ndjson"'
          return new Response(auditFile(parts, { ...query, until: parseNumber(query.until) }))
        },
        { query: Type.Object(AuditFilter), ...hidden },
      )
      .get('/numbers', async () => ({ success: true, data: await readNumbers(parts) }), hidden)
  )
}
