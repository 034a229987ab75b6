/** /api/v1/profile: who a wallet is. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { describeAnswer, describeOperation } from '../http/describe.ts'
import { limitRate } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
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

export const profileRoutes = (parts: Parts) =>
  new Elysia({ name: 'profile', prefix: '/api/v1/profile' }).post(
    '/did/resolve',
    ({ body }) => ({ success: true, data: resolveDid(parts, body) }),
    {
      body: ResolveBody,
      beforeHandle: limitRate(parts, 'reads'),
      ...describeOperation({
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
      }),
    },
  )
