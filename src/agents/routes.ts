/** /api/v1/agents/card/{agentId}: cards of agents, for programs. */
import { Type } from '@sinclair/typebox'
import { describeAnswer } from '../http/describe.ts'
import { story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { buildAgentPageUrl, readAgentCard } from './card.ts'

/** The parameter of every address of a card. */
export const AgentWallet = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Which wallet, where several call their agent so. Address, did:pkh or CAIP-10.',
  }),
)
export const AgentId = Type.String({ minLength: 1, maxLength: 128, description: 'As its agent-identity says.' })

const describeNullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Card = Type.Object({
  agentId: Type.String(),
  wallet: Type.String({ description: 'The wallet that signed the agent-identity.' }),
  label: Type.String({ description: 'agentLabel, or agentId where it has none.' }),
  description: describeNullableText('What the agent says of itself, or null.'),
  capabilities: Type.Array(Type.String()),
  skills: Type.Array(
    Type.Object({}, { description: 'As agent-identity has it: id, label, kind, version and others.' }),
  ),
  services: Type.Array(
    Type.Object({ name: Type.String(), endpoint: Type.String(), version: Type.Optional(Type.String()) }),
  ),
  identityQHash: Type.String({ description: 'Id of its agent-identity.' }),
  controllerWallet: describeNullableText(
    'Who lets it act, where the side of the agent agreed: its own wallet, else the one wallet that does so and is joined to it by a listed wallet-link, which both signed. null where there is none, or several linked ones.',
  ),
  scope: describeNullableText('For what controllerWallet lets it act.'),
  delegations: Type.Array(
    Type.Object({
      controllerWallet: Type.String({ description: 'Who signed the delegation.' }),
      agentAgreed: Type.Boolean({
        description: 'Whether that is the wallet of the agent, or one that a listed wallet-link joins to it.',
      }),
      scope: Type.String(),
      expiresAt: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix milliseconds, or null.' }),
      qHash: Type.String(),
    }),
    {
      description:
        'Listed delegations that count now, one of each controller: first those to which the agent agreed, at most eleven, then at most ten of others. Anybody may let any agent act: what others say makes nobody its controller.',
    },
  ),
  moreDelegations: Type.Boolean({ description: 'Whether there may be more than delegations lists.' }),
  pageUrl: Type.String({ description: 'The same for people.' }),
})

/** A card is public, and a cookie reveals no more of it. */
export const agentHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' } as const

export function agentRoutes(parts: Parts): readonly Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/agents/card/:agentId',
        callers: ['anyone'],
        surface: 'untimed',
        rate: 'reads',
        params: Type.Object({ agentId: AgentId }),
        query: open({ agentWallet: AgentWallet }),
        operation: {
          summary: 'The card of an agent',
          description:
            'What everybody may know of an agent, from its listed agent-identity and the listed delegations to its wallet that count now. Anybody may let any agent act: controllerWallet is named only where the agent itself agreed, by its own delegation or by a listed wallet-link. Anybody may call an agent by any id: where several wallets do, the answer is 409 and names them, and agentWallet says which is meant. An agent whose proofs are private or not listed is answered as one that is not there.',
          tag: 'proofs',
          operationId: 'getAgentCard',
          answer: describeAnswer({ data: Card }),
          headers: { 'Cache-Control': 'Good for five minutes, also in shared caches.' },
          refusals: [404, 409],
          example: (baseUrl) => ({
            params: { agentId: 'writer-1' },
            response: {
              success: true,
              data: {
                agentId: 'writer-1',
                wallet: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
                label: 'Writer',
                description: 'Writes about walks in the park.',
                capabilities: ['publishing'],
                skills: [],
                services: [],
                identityQHash: story.qHash,
                controllerWallet: null,
                scope: null,
                delegations: [],
                moreDelegations: false,
                pageUrl: `${baseUrl}/agent/writer-1?agentWallet=0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a`,
              },
            },
          }),
        },
      },
      async ({ params, query, set }) => {
        const card = await readAgentCard(parts, { agentId: params.agentId, agentWallet: query.agentWallet })
        Object.assign(set.headers, agentHeaders)
        return { success: true, data: { ...card, pageUrl: buildAgentPageUrl(parts, card) } }
      },
    ),
  ]
}
