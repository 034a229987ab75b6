/** /api/v1/profile/names: the public names of wallets, to show beside addresses. */
import { Type } from '@sinclair/typebox'
import { requireSession } from '../auth/identify.ts'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import { mostAddresses } from '../outside/names/ens.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { peopleExamples } from './examples.ts'

const addressLength = 42

const NamesQuery = open({
  addresses: Type.String({
    pattern: `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${mostAddresses - 1}}$`,
    maxLength: (addressLength + 1) * mostAddresses,
    description: `At most ${mostAddresses} EVM addresses, with commas between them.`,
  }),
})

export const nameRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'GET',
      path: '/api/v1/profile/names',
      callers: ['session'],
      readers: 'own pages',
      surface: 'sessions',
      query: NamesQuery,
      rate: 'reads',
      cacheControl: 'private, no-store',
      operation: {
        tag: 'profile',
        operationId: 'listNames',
        summary: 'The ENS names of wallets',
        description:
          'For a signed-in browser, to show beside addresses. Nothing is decided by a name. A name is told if it leads back to the address, on the chain alone, and is in its normalized form. Addresses without one are left out, and all are where this server has no endpoint of Ethereum.',
        answer: describeAnswer({
          data: Type.Object({
            names: Type.Array(
              Type.Object({ address: Type.String({ description: 'In lower case.' }), name: Type.String() }),
            ),
          }),
        }),
        refusals: [400, 401, 403],
        example: peopleExamples.listNames,
      },
    },
    async ({ query, request }) => {
      await requireSession(parts, request)
      const found = await parts.outside.names?.find(query.addresses.toLowerCase().split(','))
      const names = [...(found ?? [])].flatMap(([address, name]) => (name === null ? [] : [{ address, name }]))
      return { success: true, data: { names } }
    },
  ),
]
