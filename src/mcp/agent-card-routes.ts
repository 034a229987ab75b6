/** A2A cards under /.well-known: of this server, and with agentId of an agent that has proofs here. */
import { type Static, Type } from '@sinclair/typebox'
import { readAgentCard } from '../agents/card.ts'
import { AgentId, AgentWallet, agentHeaders } from '../agents/routes.ts'
import { AppError } from '../errors.ts'
import type { OperationDescription } from '../http/describe.ts'
import { type Route, type RouteContext, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { buildA2aAgentCard, buildServerAgentCard } from './a2a.ts'
import { A2aCard } from './description.ts'
import { mcpExamples } from './examples.ts'
import { makeToolbox } from './tool.ts'
import { tools } from './tools/index.ts'

const serverHeaders = { ...agentHeaders, 'cache-control': 'public, max-age=3600' }
const query = open({ agentId: Type.Optional(AgentId), agentWallet: AgentWallet })

const operation: OperationDescription = {
  tag: 'proofs',
  operationId: 'getA2aCard',
  summary: 'A card in the form of A2A: of this server, or of an agent that has proofs here',
  description: `The same at /.well-known/a2a/agent-card.json. With agentId of one agent: GET /api/v1/agents/card/{agentId} tells the same in our own form. Neither this server nor the card runs an agent.`,
  answer: A2aCard,
  refusals: [400, 404, 409],
  example: mcpExamples.getA2aCard,
}

export function agentCardRoutes(parts: Parts): readonly Route[] {
  const toolbox = parts.config.mcp.enabled ? makeToolbox(tools, parts) : undefined
  const shared = {
    method: 'GET',
    callers: ['anyone'],
    rate: 'reads',
    surface: 'mcp',
    readers: 'mcp hosts',
    query,
  } as const
  const answer = async ({
    query: { agentId, agentWallet },
    set,
  }: RouteContext<unknown, Static<typeof query>>): Promise<object> => {
    if (agentId !== undefined) {
      const card = await readAgentCard(parts, { agentId, agentWallet })
      Object.assign(set.headers, agentHeaders)
      return buildA2aAgentCard(card, parts)
    }
    if (agentWallet !== undefined)
      throw new AppError(
        'VALIDATION_ERROR',
        'agentWallet tells agents of one agentId apart: give agentId as well, or leave agentWallet out for the card of the server',
        { path: '/agentId' },
      )
    if (!toolbox)
      throw new AppError(
        'NOT_FOUND',
        'this server offers no MCP (mcp.enabled), so it has no card of its own: name an agent with agentId',
      )
    Object.assign(set.headers, serverHeaders)
    return buildServerAgentCard(parts, toolbox.listOffered())
  }

  return [
    route({ ...shared, path: '/.well-known/agent-card.json', operation }, answer),
    route({ ...shared, path: '/.well-known/a2a/agent-card.json', operation: 'unlisted' }, answer),
  ]
}
