/**
 * The MCP endpoint and its metadata. Each request passes these checks in order: origin, caller, method, body, scopes,
 * rate. Only then the protocol starts, so the checks are the same for both of its eras.
 */
import { type GrantScope, grantScopes, type Identity } from '../auth/identity.ts'
import { readJsonBody, tightenLimits } from '../http/body.ts'
import { readAppId } from '../http/client-app.ts'
import { standsStill } from '../http/grounds.ts'
import { type RequestContext, writeRate } from '../http/limits.ts'
import { makeRefusal } from '../http/refusal.ts'
import { type Route, route } from '../http/route.ts'
import type { AccessTokens } from '../oauth/access-token.ts'
import { metadataMaxAgeSeconds, offlineAccess, writeScopeWord } from '../oauth/vocabulary.ts'
import type { Parts } from '../parts.ts'
import { noteOwner } from '../request-scope.ts'
import { version } from '../version.ts'
import { type Bearer, identifyBearer } from './bearer.ts'
import { endpointDescription, ResourceMetadata, ServerCard } from './description.ts'
import { mcpExamples } from './examples.ts'
import {
  about,
  buildResourceMetadata,
  buildResourceMetadataUrl,
  buildServerCard,
  listAdvertisedScopes,
} from './metadata.ts'
import { findOriginError } from './origin.ts'
import { tellPlainly } from './plain-fault.ts'
import { answerChallenge, answerError, answerRefused, invalidRequestCode } from './refused.ts'
import { type Asker, makeToolbox, type Toolbox } from './tool.ts'
import { tools, writeInstructions } from './tools/index.ts'
import { makeServerFactory, openTransport, type Transport } from './transport.ts'

const bodyLimit = 262_144

export function mcpRoutes(parts: Parts, tokens: Pick<AccessTokens, 'verify'>): readonly Route[] {
  const { brand } = parts.config
  const toolbox = makeToolbox(tools, parts)
  let transport: Transport<Asker> | undefined
  const openOnce = (): Transport<Asker> =>
    (transport ??= openTransport(
      makeServerFactory<Asker>({
        name: brand,
        title: about.title,
        version,
        websiteUrl: `${parts.addresses().baseUrl}/`,
        instructions: writeInstructions(brand),
        tools: toolbox.listOffered(),
        call: toolbox.call,
      }),
      {
        onFault: (error) =>
          parts.log.debug('an MCP request was refused', { event: 'mcp-request-refused', reason: error.message }),
      },
    ))
  const answerRequest = async ({ request, set }: Answering): Promise<Response> => {
    try {
      return await answerEndpoint(request, set.headers, { parts, tokens, toolbox, opened: openOnce })
    } catch (error) {
      const refusal = makeRefusal(error, '', { request, listMethods: () => [] })
      if (refusal.code === 'INTERNAL_ERROR') logFault(parts, set.headers, error)
      return answerError(refusal)
    }
  }
  const answer = async (context: Answering) => readAsString(await answerRequest(context), context.set)
  const serveDocument = (write: () => object) => () =>
    Response.json(write(), { headers: { 'cache-control': `public, max-age=${metadataMaxAgeSeconds}` } })
  const aboutResource = serveDocument(() => buildResourceMetadata(parts))
  const card = serveDocument(() => buildServerCard(parts, toolbox.listOffered()))

  // A proxy in front may leave the path of mcp_url on what it passes on.
  const prefix = readPath(parts.config.mcpUrl ?? parts.config.baseUrl)
  const shared = { surface: 'mcp', readers: 'mcp hosts', isOffered: parts.config.mcp.enabled } as const
  const endpoint = {
    ...shared,
    method: 'ALL',
    callers: ['access-key'],
    rate: 'mcp',
    rateTakenIn: 'handler',
    // The handler identifies the caller before it reads the body.
    bodyFormat: 'handler',
    checksOrigin: true,
  } as const
  const document = { ...shared, method: 'GET', callers: ['anyone'], rate: 'api' } as const
  const resourcePath = '/.well-known/oauth-protected-resource'
  const cardPath = '/.well-known/mcp.json'
  const otherCardPath = '/.well-known/mcp/server-card.json'

  return [
    route({ ...endpoint, path: '/mcp', operation: endpointDescription }, answer),
    ...listOthers('/mcp', [`${prefix}/mcp`]).map((path) => route({ ...endpoint, path, operation: 'unlisted' }, answer)),
    route(
      {
        ...document,
        path: resourcePath,
        operation: {
          tag: 'mcp',
          operationId: 'getProtectedResource',
          summary: 'Metadata of the MCP endpoint as a protected resource (RFC 9728)',
          description: 'The same at other paths at which clients look for it.',
          answer: ResourceMetadata,
          refusals: [],
          example: mcpExamples.getProtectedResource,
        },
      },
      aboutResource,
    ),
    ...listOthers(resourcePath, [
      `${resourcePath}/mcp`,
      `/mcp${resourcePath}`,
      `${resourcePath}${prefix}/mcp`,
      `${prefix}${resourcePath}`,
      `${prefix}${resourcePath}/mcp`,
      `${prefix}/mcp${resourcePath}`,
    ]).map((path) => route({ ...document, path, operation: 'unlisted' }, aboutResource)),
    route(
      {
        ...document,
        path: cardPath,
        operation: {
          tag: 'mcp',
          operationId: 'getServerCard',
          summary: 'What the MCP endpoint is, for registries',
          description: 'The same at /.well-known/mcp/server-card.json.',
          answer: ServerCard,
          refusals: [],
          example: mcpExamples.getServerCard,
        },
      },
      card,
    ),
    ...listOthers(cardPath, [`${prefix}${cardPath}`, otherCardPath, `${prefix}${otherCardPath}`]).map((path) =>
      route({ ...document, path, operation: 'unlisted' }, card),
    ),
  ]
}

/** Lists each path once: without a path in mcp_url, several are the same. */
const listOthers = (first: string, paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => path !== first)

const readPath = (url: string | undefined): string =>
  url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '')

interface Answering {
  readonly request: Request
  readonly set: RequestContext['set'] & { status?: number | string }
}

/**
 * Elysia passes a Response on as a stream, to add its own headers. For a long list of tools that is most of the work.
 * It takes a text as it is.
 */
async function readAsString(response: Response, set: Answering['set']): Promise<Response | string> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response
  set.status = response.status
  for (const [name, value] of response.headers) set.headers[name] = value
  return tellPlainly(await response.text())
}

interface Endpoint {
  readonly parts: Parts
  readonly tokens: Pick<AccessTokens, 'verify'>
  readonly toolbox: Toolbox
  opened(): Transport<Asker>
}

/** Errors: AppError, for the body and for too many calls. */
async function answerEndpoint(
  request: Request,
  headers: RequestContext['set']['headers'],
  { parts, tokens, toolbox, opened }: Endpoint,
): Promise<Response> {
  const foreign = findOriginError(request, parts)
  if (foreign) return answerRefused(403, foreign)

  const bearer = await identifyBearer(request, parts, tokens)
  if (bearer === 'none' || bearer === 'invalid') return signInFirst(bearer, parts)
  const { identity } = bearer

  if (request.method !== 'POST')
    return answerRefused(
      405,
      `${request.method} is not possible here, because there are no sessions and no streams: use POST`,
      {
        headers: { allow: 'POST' },
      },
    )
  const appId = readAppId(request.headers, parts.config.brand)
  const body = await readJsonBody(request, tightenLimits(parts.config.limits, bodyLimit))
  // A body may be on its way for half a minute, in which the credential may have ended.
  if (!(await standsStill(parts.db))) return signInFirst('invalid', parts)
  if (Array.isArray(body))
    return answerRefused(400, 'batches are not supported: send one message at a time', { code: invalidRequestCode })
  const lacking = await listMissingScopes(body, identity, toolbox)
  if (lacking) return signInForMore(lacking, bearer, parts)
  noteOwner(identity.profile.primary)
  writeRate(headers, parts.limiter.take('mcp', identity.profile.subject))
  return opened().answer(request, body, { identity, appId })
}

const logFault = ({ log }: Parts, headers: RequestContext['set']['headers'], error: unknown): void =>
  log.count({
    level: 'error',
    event: 'mcp-request-failed',
    message: 'an MCP request failed',
    error,
    fields: { mend: 'a fault of the program or of its database: report it with the stack' },
    requestId: String(headers['x-request-id']),
  })

function signInFirst(why: 'none' | 'invalid', parts: Parts): Response {
  return answerChallenge(
    why === 'none'
      ? 'sign in first: the header WWW-Authenticate says where, or send an access key as Authorization: Bearer npk_…'
      : 'the access token or access key is not valid here, has expired or was revoked: sign in again',
    {
      metadataUrl: buildResourceMetadataUrl(parts),
      // Clients ask for exactly what a challenge names, and some would then get no refresh token.
      scopes: parts.config.mcp.advertiseOfflineAccess ? undefined : listAdvertisedScopes(parts),
      ...(why === 'invalid' ? { error: 'invalid_token' } : {}),
    },
  )
}

/** Everything that the message needs, when the person's credential is not good for all of it. */
async function listMissingScopes(
  body: unknown,
  identity: Identity,
  toolbox: Toolbox,
): Promise<readonly GrantScope[] | undefined> {
  const { method, params } = (body ?? {}) as {
    method?: unknown
    params?: { name?: unknown; arguments?: unknown } | null
  }
  const beyondCore =
    method === 'tools/call' && typeof params?.name === 'string'
      ? ((await toolbox.findNeeds(params.name, params.arguments, identity)) ?? [])
      : []
  const needed = grantScopes.filter((scope) => scope === 'core' || beyondCore.includes(scope))
  return needed.every((scope) => identity.scopes.has(scope)) ? undefined : needed
}

/** Scopes that the person has granted stay in the list: some clients replace theirs by the new list. */
function signInForMore(needed: readonly GrantScope[], { identity, isOffline }: Bearer, parts: Parts): Response {
  const { brand } = parts.config
  const scopes = grantScopes
    .filter((scope) => needed.includes(scope) || identity.scopes.has(scope))
    .map((scope) => writeScopeWord(brand, scope))
  return answerChallenge(
    `this needs ${needed
      .filter((scope) => !identity.scopes.has(scope))
      .map((scope) => writeScopeWord(brand, scope))
      .join(
        ' and ',
      )}, which ${identity.via === 'access-key' ? 'the access key was not given: use one that was' : 'was not granted: sign in again and grant it'}`,
    {
      error: 'insufficient_scope',
      scopes: isOffline ? [...scopes, offlineAccess] : scopes,
      metadataUrl: buildResourceMetadataUrl(parts),
    },
  )
}
