/** A2A cards under /.well-known: of this server, and with agentId of an agent that has proofs here. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { readAgentCard } from '../agents/card.ts'
import { AgentId, AgentWallet, agentHeaders } from '../agents/routes.ts'
import { AppError } from '../errors.ts'
import { describeOperation } from '../http/describe.ts'
import { limitRate } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { buildA2aAgentCard, buildServerAgentCard } from './a2a.ts'
import { A2aCard } from './description.ts'
import { makeToolbox } from './tool.ts'
import { tools } from './tools/index.ts'

const serverHeaders = { ...agentHeaders, 'cache-control': 'public, max-age=3600' }
const query = open({ agentId: Type.Optional(AgentId), agentWallet: AgentWallet })

const firstPath = '/.well-known/agent-card.json'
const hidden = { detail: { hide: true } } as const
const description = describeOperation({
  tag: 'proofs',
  operationId: 'getA2aCard',
  summary: 'A card in the form of A2A: of this server, or of an agent that has proofs here',
  description: `The same at /.well-known/a2a/agent-card.json. With agentId of one agent: GET /api/v1/agents/card/{agentId} tells the same in our own form. Neither this server nor the card runs an agent.`,
  answer: A2aCard,
  refusals: [400, 404, 409],
})

export function agentCardRoutes(parts: Parts) {
  const beforeHandle = limitRate(parts, 'reads')
  const offered = parts.config.mcp.enabled ? makeToolbox(tools, parts).offered : undefined
  const routes = new Elysia({ name: 'agent cards' })
  for (const path of [firstPath, '/.well-known/a2a/agent-card.json'])
    routes.get(
      path,
      ({ query: { agentId, agentWallet }, set }) => {
        if (agentId !== undefined) {
          const card = readAgentCard(parts, { agentId, agentWallet })
          Object.assign(set.headers, agentHeaders)
          return buildA2aAgentCard(card, parts)
        }
        if (!offered)
          throw new AppError(
            'NOT_FOUND',
            'this server offers no MCP (mcp.enabled), so it has no card: name an agent with agentId',
          )
        Object.assign(set.headers, serverHeaders)
        return buildServerAgentCard(parts, offered)
      },
      { beforeHandle, query, ...(path === firstPath ? description : hidden) },
    )
  return routes
}
