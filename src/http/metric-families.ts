/** Metrics of HTTP: answers by route, and what the rate limits refused. */
import type { Family } from '../metric-family.ts'
import type { Parts } from '../parts.ts'

export const httpFamilies: readonly Family<Pick<Parts, 'traffic' | 'limiter'>>[] = [
  {
    name: 'proofgate_http_requests_total',
    type: 'counter',
    help: 'Answers by pattern of the route, method and class of status.',
    read: ({ traffic }) => (traffic?.listCounts() ?? []).map(({ count, ...labels }) => ({ labels, value: count })),
  },
  {
    name: 'proofgate_http_request_seconds',
    type: 'histogram',
    help: 'Time until an answer began, by pattern of the route and method.',
    read: ({ traffic }) =>
      (traffic?.listTimes() ?? []).map(({ seconds, ...labels }) => ({ labels, distribution: seconds })),
  },
  {
    name: 'proofgate_rate_limit_refusals_total',
    type: 'counter',
    help: 'Requests and writes that a rate limit refused, by its policy (limits.rates, limits.bytes).',
    read: ({ limiter }) => [...limiter.countRefused()].map(([policy, value]) => ({ labels: { policy }, value })),
  },
]
