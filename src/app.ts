/**
 * The whole application in two lists: the steps that every request passes, and the routes. Tests call exactly this, and
 * so does the server.
 */
import { Elysia } from 'elysia'
import { agentRoutes } from './agents/routes.ts'
import { accessKeyRoutes } from './auth/access-keys/routes.ts'
import { explainUnreadAuthorization } from './auth/identify.ts'
import { requireKnownCaller } from './auth/known-caller.ts'
import { sessionRoutes } from './auth/sessions/routes.ts'
import { erasureRoutes } from './erasure/routes.ts'
import { appearanceRoutes } from './gates/appearance/routes.ts'
import { gateCheckRoutes } from './gates/check/routes.ts'
import { openPaymentGates } from './gates/fulfill/payment-gates.ts'
import { quoteRoutes } from './gates/fulfill/quote-routes.ts'
import { fulfillRoutes } from './gates/fulfill/routes.ts'
import { guestRoutes } from './gates/guests/routes.ts'
import { gateBuilderRoutes } from './gates/manage/builder-routes.ts'
import { gateOwnerRoutes } from './gates/manage/routes.ts'
import { salesRoutes } from './gates/manage/sales-routes.ts'
import { gateTotalsRoutes } from './gates/manage/totals-routes.ts'
import { unmatchedRoutes } from './gates/manage/unmatched-routes.ts'
import { gateRoutes } from './gates/routes.ts'
import { handoverRoutes } from './handover/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { selfRoutes } from './health/self-routes.ts'
import { requestIds } from './http/answer.ts'
import { answerRefusal } from './http/answer-refusal.ts'
import {
  admitRequest,
  allowReader,
  answerPreflight,
  nameRequest,
  noteNetwork,
  readArrival,
  requireOneHost,
  writeCommonHeaders,
} from './http/arrival.ts'
import { serveOnWire } from './http/connection.ts'
import { requireSmallHeaders } from './http/header-size.ts'
import { writePreflightHeaders } from './http/headers.ts'
import { hearAnswers } from './http/hear-answers.ts'
import { mountRoutes } from './http/mount-routes.ts'
import { makePageAccess } from './http/page-access.ts'
import type { Route } from './http/route.ts'
import { makeRouteTable } from './http/route-table.ts'
import { requireSafeAddress } from './http/safe-text.ts'
import { agentCardRoutes } from './mcp/agent-card-routes.ts'
import { findOriginError } from './mcp/origin.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { openAccessTokens } from './oauth/access-token.ts'
import { appRoutes } from './oauth/app-routes.ts'
import { makeOAuthErrorBody } from './oauth/refusal.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { docsRoutes } from './openapi/routes.ts'
import { operatorClaimRoutes } from './operator/claim-routes.ts'
import { detailedHealthRoutes } from './operator/detailed-health.ts'
import { openHealth } from './operator/health.ts'
import { operatorRoutes } from './operator/routes.ts'
import { guideRoutes } from './pages/guide-routes.ts'
import { languageRoutes } from './pages/language-routes.ts'
import { previewRoutes } from './pages/preview/routes.ts'
import { publicRoutes } from './pages/public-routes.ts'
import { isForPeople, writeRefusalPage } from './pages/refusal.ts'
import { pageRoutes } from './pages/routes.ts'
import { pairingRoutes } from './pairing/routes.ts'
import type { Parts } from './parts.ts'
import { paymentMethods } from './payments/index.ts'
import { paymentRoutes } from './payments/routes.ts'
import { labelRoutes } from './people/label-routes.ts'
import { leaveRoutes } from './people/leave-routes.ts'
import { nameRoutes } from './people/name-routes.ts'
import { profileRoutes } from './people/routes.ts'
import { walletRoutes } from './people/wallet-routes.ts'
import { accessRoutes } from './proofs/access-routes.ts'
import { proofRoutes } from './proofs/routes.ts'
import { shareLinkRoutes } from './proofs/share-link-routes.ts'
import { sharedRoutes } from './proofs/shared-routes.ts'
import { statusRoutes } from './proofs/status-routes.ts'
import { noteRoute } from './request-scope.ts'
import { secretRoutes } from './secrets/routes.ts'
import { socialRoutes } from './social/routes.ts'
import { sponsorRoutes } from './sponsor/routes.ts'
import { verificationRoutes } from './verification/routes.ts'

export function createApp(parts: Parts) {
  const list = listRoutes(parts)
  const routes = makeRouteTable(list)
  const nextRequestId = requestIds()
  const preflightHeaders = writePreflightHeaders(parts.config.brand)
  const access = makePageAccess(parts.config, parts.addresses, routes)
  const admission = { parts, routes, access, findOriginError }
  const hear = hearAnswers(parts, routes)
  const refusing = { parts, routes, nextRequestId }
  const writers = {
    explainCredential: explainUnreadAuthorization,
    isForPeople,
    writePage: writeRefusalPage,
    writeOAuthBody: makeOAuthErrorBody,
  }

  const app = new Elysia({
    name: 'proofgate',
    // Unknown members stay: `data` was signed as it came, and stripping would change what was signed.
    normalize: false,
    // Short host names shift Elysia's search for the path (elysiajs/elysia#748).
    handler: { standardHostname: false },
  })
  app
    .wrap((serve) => serveOnWire(serve as unknown as Parameters<typeof serveOnWire>[0], { hear, tracer: parts.tracer }))
    // A hook that names `server` would have Elysia define it anew for each request.
    .onRequest(({ request, set }) => {
      const arrival = readArrival(parts, { request, server: app.server, set })
      nameRequest(arrival, nextRequestId())
      writeCommonHeaders(arrival, routes)
      allowReader(arrival, access)
      noteNetwork(arrival)
      admitRequest(arrival, admission)
      requireOneHost(arrival)
      requireSmallHeaders(request)
      requireSafeAddress(request.url)
      return answerPreflight(arrival, preflightHeaders)
    })
    .onError(({ error, code, request, set, route }) => {
      noteRoute(route)
      return answerRefusal({ error, code, request, set }, refusing, writers)
    })
  mountRoutes(app, list, { ...parts, requireKnownCaller: (...asked) => requireKnownCaller(parts, ...asked) })
  return app
}

/** Every route of the server. A group is a file `routes.ts`; each route in it says everything about itself. */
export function listRoutes(parts: Parts): readonly Route[] {
  const accessTokens = openAccessTokens(parts)
  const operatorHealth = openHealth(parts)
  const list: readonly Route[] = [
    ...healthRoutes(parts),
    ...selfRoutes(parts),
    ...verificationRoutes(parts),
    ...statusRoutes(parts),
    ...accessRoutes(parts),
    ...sponsorRoutes(parts),
    ...gateCheckRoutes(parts),
    ...proofRoutes(parts),
    ...shareLinkRoutes(parts),
    ...sharedRoutes(parts),
    ...erasureRoutes(parts),
    ...agentRoutes(parts),
    ...profileRoutes(parts),
    ...walletRoutes(parts),
    ...labelRoutes(parts),
    ...nameRoutes(parts),
    ...secretRoutes(parts),
    ...gateRoutes(parts),
    ...gateOwnerRoutes(parts),
    ...appearanceRoutes(parts),
    ...guestRoutes(parts),
    ...gateBuilderRoutes(parts),
    ...fulfillRoutes(parts),
    ...salesRoutes(parts),
    ...gateTotalsRoutes(parts),
    ...unmatchedRoutes(parts),
    ...paymentRoutes(parts),
    ...paymentMethods.flatMap((method) => method.routes?.(parts, openPaymentGates(parts, method)) ?? []),
    ...quoteRoutes(parts),
    ...sessionRoutes(parts),
    ...leaveRoutes(parts),
    ...accessKeyRoutes(parts),
    ...socialRoutes(parts),
    ...handoverRoutes(parts),
    ...pairingRoutes(parts),
    ...oauthRoutes(parts, accessTokens),
    ...appRoutes(parts),
    ...operatorClaimRoutes(parts),
    ...operatorRoutes(parts, operatorHealth),
    ...detailedHealthRoutes(parts, operatorHealth),
    ...pageRoutes(parts),
    ...previewRoutes(parts),
    ...languageRoutes(parts),
    ...guideRoutes(parts),
    ...publicRoutes(),
    ...mcpRoutes(parts, accessTokens),
    ...agentCardRoutes(parts),
    ...docsRoutes(parts, () => list),
  ]
  return list
}

export type App = ReturnType<typeof createApp>
