/** Hand-over to a site: /api/v1/auth/code. This folder owns codes for sites; which sites there are is a setting. */
import { requireSession } from '../auth/identify.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { handoverExamples } from './examples.ts'
import { exchangeSiteCode } from './exchange.ts'
import { issueSiteCode } from './issue.ts'
import { AgreeBody, agreedAnswer, ExchangeBody, exchangedAnswer } from './wire.ts'

const tag = 'sessions'

export const handoverRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/auth/code',
      readers: 'own pages',
      callers: ['session'],
      surface: 'sessions',
      body: AgreeBody,
      rate: 'sessions',
      operation: {
        tag,
        operationId: 'agreeToSite',
        summary: 'A code for the server of a site, once the person agrees',
        description:
          'For the pages of this server, which ask the person first. Needs the header X-CSRF-Token. Only for sites that the operator registered (pages.handover_sites). The code ends after a minute, and with the session.',
        answer: agreedAnswer,
        refusals: [400, 401, 403, 413, 415, 503],
        example: handoverExamples.agreeToSite,
      },
    },
    async ({ body, request }) => ({
      success: true,
      data: await issueSiteCode(parts, await requireSession(parts, request), body),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/auth/code/exchange',
      readers: 'own pages',
      callers: ['anyone', 'access-key'],
      surface: 'sessions',
      body: ExchangeBody,
      rate: 'token',
      operation: {
        tag,
        operationId: 'exchangeSiteCode',
        summary: 'Who came from your site, for its server',
        description:
          'The code that a person brought from the hosted pages, once and within a minute. What is missing burns nothing; a wrong code_verifier or another origin burns the code. An access key is not needed; one that is sent must be good, and is noted.',
        answer: exchangedAnswer,
        refusals: [400, 401, 403, 413, 415, 503],
        example: handoverExamples.exchangeSiteCode,
      },
    },
    async ({ body, request }) => ({ success: true, data: await exchangeSiteCode(parts, request.headers, body) }),
  ),
]
