/** Puts the routes together over the given parts. Tests call exactly this, and so does the server. */
import { type AnyElysia, Elysia } from 'elysia'
import { agentRoutes } from './agents/routes.ts'
import { accessKeyRoutes } from './auth/access-keys/routes.ts'
import { explainUnreadAuthorization } from './auth/identify.ts'
import { sessionRoutes, takesNoBody } from './auth/sessions/routes.ts'
import { StorageError } from './db/db.ts'
import { eraseAll, mostPatienceMs, readErasure } from './erasure/erase.ts'
import { AppError } from './errors.ts'
import { gateCheckRoutes } from './gates/check/routes.ts'
import { makePurchaseFinder } from './gates/fulfill/purchase.ts'
import { quoteRoutes } from './gates/fulfill/quote-routes.ts'
import { fulfilCacheControl, fulfillRoutes, isFulfilPath } from './gates/fulfill/routes.ts'
import { gateBuilderRoutes } from './gates/manage/builder-routes.ts'
import { gateOwnerRoutes } from './gates/manage/routes.ts'
import { salesRoutes } from './gates/manage/sales-routes.ts'
import { gateRoutes } from './gates/routes.ts'
import { handoverRoutes } from './handover/routes.ts'
import { healthRoutes, isHealthPath } from './health/routes.ts'
import { makeErrorBody, readStatus, requestIds } from './http/answer.ts'
import { type BodyLimits, readFormBody, readJsonBody, readJsonBytes, tightenLimits } from './http/body.ts'
import { requireBodyShape } from './http/body-shape.ts'
import { endConnection } from './http/connection.ts'
import { requireSmallHeaders } from './http/header-size.ts'
import { apiHeaders, writeCorsHeaders, writePreflightHeaders } from './http/headers.ts'
import { isMonitor, readAddress } from './http/limits.ts'
import { makePageAccess } from './http/page-access.ts'
import type { PolicyName } from './http/rate-policies.ts'
import { isDoubtfulAbsence, makeDoubtfulAbsenceError, makeRefusal } from './http/refusal.ts'
import { routeTable } from './http/route-table.ts'
import { requireSafeAddress } from './http/safe-text.ts'
import { agentCardRoutes } from './mcp/agent-card-routes.ts'
import { findOriginError } from './mcp/origin.ts'
import { listEndpointPaths, mcpRoutes, readsItsBody } from './mcp/routes.ts'
import { startClock, stopClock } from './metrics/clock.ts'
import { openAccessTokens } from './oauth/access-token.ts'
import { appRoutes } from './oauth/app-routes.ts'
import { consentPath, registerPath, revokePath, tokenPath } from './oauth/metadata.ts'
import { isOAuthPath, makeOAuthErrorBody } from './oauth/refusal.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { docsRoutes } from './openapi/routes.ts'
import { operatorClaimRoutes } from './operator/claim-routes.ts'
import { detailedHealthRoutes } from './operator/detailed-health.ts'
import { openHealth } from './operator/health.ts'
import { isHiddenPath } from './operator/hidden.ts'
import { operatorRoutes } from './operator/routes.ts'
import { guideRoutes } from './pages/guide-routes.ts'
import { publicRoutes } from './pages/public-routes.ts'
import { isForPeople, refusalPage } from './pages/refusal.ts'
import { pageRoutes } from './pages/routes.ts'
import { sendPage } from './pages/shell.ts'
import type { Parts } from './parts.ts'
import { cardRoutes, stripeWebhookPath } from './payments/card/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { deleteProfile, signOutEverywhere } from './people/leave.ts'
import { profileRoutes } from './people/routes.ts'
import { walletRoutes } from './people/wallet-routes.ts'
import { proofRoutes } from './proofs/routes.ts'
import { findScope, noteRequestId, readNetwork, runInScope } from './request-scope.ts'
import { secretRoutes } from './secrets/routes.ts'
import { socialRoutes } from './social/routes.ts'
import { sponsorRoutes } from './sponsor/routes.ts'
import { verificationRoutes } from './verification/routes.ts'

export function createApp(parts: Parts) {
  const { config, log } = parts
  const nextRequestId = requestIds()
  const preflight = writePreflightHeaders(config.brand)
  const access = makePageAccess(config, parts.addresses)
  const mcpPaths = config.mcp.enabled ? listEndpointPaths(config) : new Set<string>()
  const accessTokens = openAccessTokens(parts)
  const operatorHealth = openHealth(parts)

  /** Errors: FORBIDDEN, and those of `count`, which is called for a request that is refused. */
  function requireKnownCaller(request: Request, path: string, count: () => void): void {
    try {
      access.requireOwnName(request)
      access.requireKnownPage(request, path)
    } catch (refusal) {
      count()
      throw refusal
    }
  }

  const app = new Elysia({
    name: 'proofgate',
    // Unknown members stay: `data` was signed as it came, and stripping would change what was signed.
    normalize: false,
    // Short host names shift Elysia's search for the path (elysiajs/elysia#748).
    handler: { standardHostname: false },
  })
    .wrap(
      (serve) =>
        (...input: unknown[]) =>
          // A request that another one makes of this server has no connection of its own.
          findScope() ? serve(...input) : runInScope(() => answerOnWire(serve, input)),
    )
    .onRequest(({ request, server, set }) => {
      startClock(set)
      const requestId = nextRequestId()
      Object.assign(set.headers, apiHeaders)
      if (isFulfilPath(request.url)) set.headers['cache-control'] = fulfilCacheControl
      set.headers['x-request-id'] = requestId
      noteRequestId(requestId)
      const isPreflight = request.method === 'OPTIONS'
      const path = readPath(request)
      const origin = request.headers.get('origin')
      if (origin !== null) Object.assign(set.headers, writeCorsHeaders(access.findReader(origin, path)))
      const address = readAddress(parts, { request, server })
      const scope = findScope()
      if (scope) scope.network = readNetwork(address)
      const count = (policy: PolicyName) => parts.limiter.take(policy, address)
      const isNamedOnce = URL.canParse(request.url) && !request.headers.get('host')?.includes(',')
      // The MCP endpoint checks Host and Origin itself, and refuses in the form of its protocol.
      const checksItself = mcpPaths.has(path) && !isPreflight
      if (checksItself && findOriginError(request, parts) !== undefined) count('foreign')
      else {
        if (isNamedOnce && !checksItself) requireKnownCaller(request, path, () => count('foreign'))
        // Before the refusals that follow, so that they count too.
        if (!(isHealthPath(path) && isMonitor(parts, { request, server }))) count(isPreflight ? 'preflight' : 'api')
      }
      // A Host that makes no URL would be routed by a shifted path (oven-sh/bun#17348).
      // Two of them (RFC 9112 §3.2) arrive joined by a comma.
      if (!isNamedOnce) throw new AppError('VALIDATION_ERROR', 'the Host header is not one host name')
      requireSmallHeaders(request)
      requireSafeAddress(request.url)
      if (!isPreflight) return
      Object.assign(set.headers, preflight)
      set.status = 204
      return new Response(null, { status: 204, headers: set.headers as Record<string, string> })
    })
    .onParse(({ request, route }) => {
      // A DELETE has no body that means anything (RFC 9110 §9.3.5): its owner signs in the headers.
      if (request.method === 'DELETE' || takesNoBody(route) || readsItsBody(route) || isHiddenPath(route)) return null
      return readerAt(route)(request, config.limits)
    })
    .onTransform(requireBodyShape(() => whole().routes))
    .onAfterHandle((context) => stopClock(parts.numbers, context))
    .onError(({ error, code, request, set, route }) => {
      stopClock(parts.numbers, { set, route })
      const refusal =
        isDoubtfulAbsence(error, request) && parts.db.writerState().isUncertain
          ? makeDoubtfulAbsenceError()
          : makeRefusal(error, code, { request, methodsAt: (path) => routes().methodsAt(path) })
      const requestId = String(set.headers['x-request-id'] ?? nextRequestId())
      if (refusal.code === 'INTERNAL_ERROR' || error instanceof StorageError)
        log.count({
          level: 'error',
          message: error instanceof StorageError ? 'a change could not be stored' : 'a request failed',
          error,
          requestId,
          fields: {
            method: request.method,
            path: readPath(request),
            mend:
              error instanceof StorageError
                ? 'look at the disk of the data folder and at the lines before this one'
                : 'a fault of the program or of its database: compare with the lines before, and report it with the stack',
          },
        })
      set.status = readStatus(refusal)
      Object.assign(set.headers, refusal.headers)
      if (isForPeople(request)) {
        const path = readPath(request)
        return refusalPage(refusal, { path, requestId }).then((page) =>
          sendPage(set, page, { status: readStatus(refusal) }),
        )
      }
      set.headers['content-type'] = 'application/json;charset=utf-8'
      return isOAuthPath(readPath(request))
        ? makeOAuthErrorBody(refusal, requestId, parts.now())
        : makeErrorBody(explainUnreadAuthorization(refusal, request), requestId, parts.now())
    })

  // One by one: in a chain the type of each is part of the type of the next, which grows too deep for the compiler.
  const groups: readonly AnyElysia[] = [
    healthRoutes(parts),
    verificationRoutes(parts),
    sponsorRoutes(parts),
    gateCheckRoutes(parts),
    proofRoutes(parts, { mostPatienceMs, eraseAll, readErasure }),
    agentRoutes(parts),
    profileRoutes(parts),
    walletRoutes(parts),
    secretRoutes(parts),
    gateRoutes(parts),
    gateOwnerRoutes(parts),
    gateBuilderRoutes(parts),
    fulfillRoutes(parts),
    salesRoutes(parts),
    paymentRoutes(parts),
    cardRoutes(parts, makePurchaseFinder(parts)),
    quoteRoutes(parts),
    sessionRoutes(parts, { signOutEverywhere, deleteProfile }),
    accessKeyRoutes(parts),
    socialRoutes(parts),
    handoverRoutes(parts),
    oauthRoutes(parts, accessTokens),
    appRoutes(parts),
    operatorClaimRoutes(parts),
    operatorRoutes(parts, operatorHealth),
    detailedHealthRoutes(parts, operatorHealth),
    pageRoutes(parts),
    guideRoutes(parts),
    publicRoutes(),
    mcpRoutes(parts, accessTokens),
    agentCardRoutes(parts),
    docsRoutes(parts, () => whole()),
  ]
  for (const group of groups) app.use(group)

  let table: ReturnType<typeof routeTable> | undefined
  const routes = () => (table ??= routeTable(app.routes.filter(({ path }) => !isHiddenPath(path))))
  const whole = (): AnyElysia => app
  return app
}

type Serve = (...input: unknown[]) => Response | Promise<Response>

function answerOnWire(serve: unknown, input: readonly unknown[]): Response | Promise<Response> {
  const request = input[0] as Request
  const answer = (serve as Serve)(...input)
  return answer instanceof Promise
    ? answer.then((response) => endConnection(request, response))
    : endConnection(request, answer)
}

/** A registration says little, and anybody may send one. */
const readSmallJsonBody = (request: Request, limits: BodyLimits): Promise<unknown> =>
  readJsonBody(request, tightenLimits(limits, 65_536))

const formRoutes = new Set([tokenPath, revokePath, consentPath])

const readerAt = (route: string): ((request: Request, limits: BodyLimits) => Promise<unknown>) => {
  if (route === stripeWebhookPath) return readJsonBytes
  if (route === registerPath) return readSmallJsonBody
  return formRoutes.has(route) ? readFormBody : readJsonBody
}

export type App = ReturnType<typeof createApp>

const readPath = (request: Request): string => (URL.canParse(request.url) ? new URL(request.url).pathname : '?')
