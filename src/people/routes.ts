/** /api/v1/profile: who a wallet is. */
import { Type } from '@sinclair/typebox'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { peopleExamples } from './examples.ts'
import { resolveDid } from './resolve-did.ts'

const ResolveBody = open({
  walletAddress: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Address, did:pkh or CAIP-10 account; the latter two name their chain.',
  }),
  chainId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  chain: Type.Optional(Type.String({ maxLength: 80 })),
})

export const profileRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/profile/did/resolve',
      callers: ['anyone'],
      surface: 'sessions',
      body: ResolveBody,
      rate: 'reads',
      operation: {
        tag: 'profile',
        operationId: 'resolveDid',
        summary: 'The decentralized identifier of a wallet',
        answer: describeAnswer({
          data: Type.Object({
            did: Type.String(),
            walletAddress: Type.String(),
            chainId: Type.Optional(Type.Integer()),
            chain: Type.Optional(Type.String()),
          }),
        }),
        refusals: [400, 413, 415],
        example: peopleExamples.resolveDid,
      },
    },
    ({ body }) => ({ success: true, data: resolveDid(parts, body) }),
  ),
]
