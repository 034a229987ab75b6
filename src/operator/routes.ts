/** /api/v1/operator: health, limits, catalog, audit and numbers for operators. Others are answered as at an unknown address. */
import { type Static, Type } from '@sinclair/typebox'
import { auditFile, auditPage } from '../audit/read.ts'
import { preferReplica } from '../db/prefer-replica.ts'
import { cursorMaxLength } from '../http/cursor.ts'
import { type PolicyName, policies } from '../http/rate-policies.ts'
import { type Route, route } from '../http/route.ts'
import { ranges } from '../metrics/periods.ts'
import type { Parts } from '../parts.ts'
import { defineChoice } from '../shape.ts'
import { buildCatalog } from './catalog.ts'
import type { OwnHealth } from './health.ts'
import { requireOperator } from './hidden.ts'
import { readMetrics } from './metrics.ts'

const describeDigits = (most: number) => Type.Optional(Type.String({ pattern: `^[0-9]{1,${most}}$` }))

const AuditFilter = {
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** A wallet or a did:pkh. */
  person: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
  /** Unix milliseconds. */
  until: describeDigits(15),
}
/** An unknown filter is refused: without it, more would be shown or forgotten than was meant. */
const closed = { additionalProperties: false }

const AuditQuery = Type.Object(
  {
    ...AuditFilter,
    limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|[1-4][0-9]{2}|500)$', description: '1 to 500' })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: cursorMaxLength })),
  },
  closed,
)

const parseNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const BucketQuery = Type.Object(
  {
    policy: defineChoice(Object.keys(policies) as [PolicyName, ...PolicyName[]]),
    key: Type.String({ minLength: 1, maxLength: 200 }),
  },
  closed,
)

const readQuery = ({ until, limit = '100', ...rest }: Static<typeof AuditQuery>) => ({
  ...rest,
  until: parseNumber(until),
  limit: Number(limit),
})

/** Converts times to the clock of the machine, because the limiter counts by the uptime. */
const NumbersQuery = Type.Object({ range: Type.Optional(defineChoice(ranges)) }, closed)

function viewLimits({ limiter, now, readUptime }: Parts) {
  const sinceMs = now() - readUptime()
  const convertUptime = (uptime: number): number => Math.round(sinceMs + uptime)
  return limiter.view().map((policy) => ({
    ...policy,
    busiest: policy.busiest.map((bucket) => ({ ...bucket, fullAt: convertUptime(bucket.fullAt) })),
    refused: policy.refused.map((refusal) => ({ ...refusal, lastAt: convertUptime(refusal.lastAt) })),
  }))
}

export function operatorRoutes(parts: Parts, health: OwnHealth): readonly Route[] {
  const shared = {
    callers: ['session'],
    rate: 'api',
    surface: 'untimed',
    operation: 'hidden',
    // Runs before the shapes are checked: a refusal of the shape would tell a stranger that the address exists.
    prepare: async ({ request }: { readonly request: Request }): Promise<void> => {
      await requireOperator(parts, request)
    },
  } as const

  return [
    route({ ...shared, method: 'GET', path: '/api/v1/operator/health' }, async () => ({
      success: true,
      data: await health.tell(),
    })),
    route({ ...shared, method: 'POST', path: '/api/v1/operator/health/probe' }, async () => ({
      success: true,
      data: await health.examine(),
    })),
    route({ ...shared, method: 'GET', path: '/api/v1/operator/limits' }, () => ({
      success: true,
      data: { enabled: parts.config.limits.enabled, policies: viewLimits(parts) },
    })),
    route(
      { ...shared, method: 'DELETE', path: '/api/v1/operator/limits', query: BucketQuery },
      ({ query: { policy, key } }) => ({ success: true, data: { forgotten: parts.limiter.forget(policy, key) } }),
    ),
    route({ ...shared, method: 'GET', path: '/api/v1/operator/catalog' }, () => ({
      success: true,
      data: buildCatalog(parts),
    })),
    route({ ...shared, method: 'GET', path: '/api/v1/operator/audit', query: AuditQuery }, async ({ query }) => ({
      success: true,
      data: await auditPage(preferReplica(parts, 'audit log'), readQuery(query)),
    })),
    route(
      { ...shared, method: 'GET', path: '/api/v1/operator/audit/export', query: Type.Object(AuditFilter, closed) },
      async ({ query, set }) => {
        set.headers['content-type'] = 'application/x-ndjson'
        set.headers['content-disposition'] = 'attachment; filename="proofgate-audit.ndjson"'
        return new Response(
          await auditFile(preferReplica(parts, 'audit log'), { ...query, until: parseNumber(query.until) }),
        )
      },
    ),
    route({ ...shared, method: 'GET', path: '/api/v1/operator/numbers', query: NumbersQuery }, async ({ query }) => ({
      success: true,
      data: await readMetrics(parts, query.range ?? '90d'),
    })),
  ]
}
