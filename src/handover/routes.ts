/** Hand-over to a site: /api/v1/auth/code. This folder owns codes for sites; which sites there are is a setting. */
import { Elysia } from 'elysia'
import { requireSession } from '../auth/identify.ts'
import { describeOperation } from '../http/describe.ts'
import { limitRate } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { exchangeSiteCode } from './exchange.ts'
import { issueSiteCode } from './issue.ts'
import { AgreeBody, agreedAnswer, ExchangeBody, toldAnswer } from './wire.ts'

const tag = 'sessions'

export const handoverRoutes = (parts: Parts) =>
  new Elysia({ name: 'handover', prefix: '/api/v1/auth' })
    .post(
      '/code',
      async ({ body, request }) => ({
        success: true,
        data: await issueSiteCode(parts, requireSession(parts, request), body),
      }),
      {
        body: AgreeBody,
        beforeHandle: limitRate(parts, 'sessions'),
        ...describeOperation({
          tag,
          operationId: 'agreeToSite',
          summary: 'A code for the server of a site, once the person agrees',
          description:
            'For the pages of this server, which ask the person first. Needs the header X-CSRF-Token. Only for sites that the operator registered (pages.handover_sites). The code ends after a minute, and with the session.',
          answer: agreedAnswer,
          refusals: [400, 401, 403, 413, 415, 503],
        }),
      },
    )
    .post(
      '/code/exchange',
      async ({ body, request }) => ({ success: true, data: await exchangeSiteCode(parts, request.headers, body) }),
      {
        body: ExchangeBody,
        beforeHandle: limitRate(parts, 'token'),
        ...describeOperation({
          tag,
          operationId: 'exchangeSiteCode',
          summary: 'Who came from your site, for its server',
          description:
            'The code that a person brought from the hosted pages, once and within a minute. What is missing burns nothing; a wrong code_verifier or another origin burns the code. An access key is not needed; one that is sent must be good, and is noted.',
          answer: toldAnswer,
          refusals: [400, 401, 403, 413, 415, 503],
        }),
      },
    )
