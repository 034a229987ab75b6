/** /api/v1/sponsor: grants by which an app says who pays for what people make through it. */
import { Type } from '@sinclair/typebox'
import { describeAnswer } from '../http/describe.ts'
import { story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { defineChoice, open } from '../shape.ts'
import { endBounds, issueGrant } from './grant.ts'
import { describeAppHeaders } from './headers.ts'

const GrantBody = open({
  orgWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'The EVM wallet that sponsors, 0x and 40 hexadecimal digits: a claim.',
  }),
  scope: Type.Optional(defineChoice(['sponsored-verification'], 'What the grant is for. There is nothing else.')),
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: endBounds.minimum,
      maximum: endBounds.maximum,
      description: `How long it may be used: ${endBounds.minimum} to ${endBounds.maximum}, ${endBounds.default} by default.`,
    }),
  ),
  verifierIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      maxItems: 25,
      description: 'The only verifiers that it may be used for. Any, where it is left out or empty.',
    }),
  ),
  targetChains: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 25,
      description: 'The only chains that it may be used for publishing to. Any, where it is left out or empty.',
    }),
  ),
})

const grantAnswer = describeAnswer({
  data: Type.Object({
    sponsorGrant: Type.String({ description: 'Send it as X-Sponsor-Grant. This server keeps no copy.' }),
    exp: Type.Integer({ description: 'When it ends. Unix seconds.' }),
    orgWallet: Type.String({ description: 'In lower case.' }),
    appId: Type.String(),
    origin: Type.Optional(Type.String({ description: 'The page that may use it alone, where the request named one.' })),
  }),
})

export const sponsorRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/sponsor/grant',
      callers: ['anyone'],
      surface: 'untimed',
      body: GrantBody,
      headers: Type.Object(describeAppHeaders(parts.config.brand)),
      rate: 'prepare',
      operation: {
        tag: 'verification',
        operationId: 'createSponsorGrant',
        summary: 'A grant that names the app and the wallet that pays',
        description:
          'Free, and for anybody: this server charges nothing, so a grant only has the app and the sponsoring wallet recorded with the proofs that are made with it. Both, and the page, are claims of the client. Where the operator lists pages of the app (apps.<id>.origins), others are refused. Sent as X-Sponsor-Grant with POST /api/v1/verification and with gate checks.',
        answer: grantAnswer,
        refusals: [400, 403, 413, 415],
        codes: ['INVALID_WALLET_ADDRESS'],
        example: {
          request: { orgWallet: story.address, scope: 'sponsored-verification', expiresInSeconds: 900 },
          response: {
            success: true,
            data: {
              sponsorGrant:
                'sg1.eyJhcHBJZCI6InNob3AiLCJvcmdXYWxsZXQiOiIweDI2ODIifQ.dqJ1mSAkHkLmOyEnUU1Ynu2P8bMcZ3pPDgtt3gq2Zps',
              exp: story.time / 1000 + 900,
              orgWallet: story.address,
              appId: 'shop',
              origin: 'https://shop.example',
            },
          },
        },
      },
    },
    ({ body, request }) => {
      const { token, grant } = issueGrant(parts, request.headers, body)
      const { exp, orgWallet, appId, origin } = grant
      return {
        success: true,
        data: { sponsorGrant: token, exp, orgWallet, appId, ...(origin === undefined ? {} : { origin }) },
      }
    },
  ),
]
