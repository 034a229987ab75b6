/** The routes of the pages and of their files. They are no part of the API. */
import { readSession } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { limitRate, type RequestContext } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import { type ServedContext, serve } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { byLanguage } from '../web/languages.ts'
import { renderAgentPage } from './agent.ts'
import { findAsset } from './assets.ts'
import { claimPage, claimPlace } from './claim.ts'
import { type Dashboard, renderDashboardPage, signInAddress } from './dashboard.ts'
import { operatorPlaces, ownPlaces, placeOfTab, profilePath } from './dashboard-places.ts'
import { renderPairPage } from './pair.ts'
import { renderProofPage } from './proof.ts'
import { renderReceiptPage } from './receipt.ts'
import { renderReferencePage } from './reference.ts'
import { renderRootPage } from './root.ts'
import { endsWithSlash, leaveOutSlash, servePage } from './serve-page.ts'
import { renderSharedProof } from './shared-proof.ts'
import { sendPage, writeRoot } from './shell.ts'
import { signInPage } from './sign-in.ts'
import { writeSignInRoot } from './sign-in-root.ts'
import { isOfAView } from './vault-question.ts'
import { verifyPage } from './verify.ts'
import { renderWidgetPage } from './widget.ts'
import { readLanguage } from './words/read-language.ts'

export function pageRoutes(parts: Parts): readonly Route[] {
  const countRead = limitRate(parts, 'reads')
  const withReference = parts.config.docs.enabled
  const signIn = async ({ request, set }: ServedContext): Promise<string> => {
    const { status, page, keepsOpener } = await signInPage(parts, request)
    return sendPage(set, page, { status, keepsOpener })
  }
  const verify = async (context: ServedContext): Promise<string> => {
    if (new URL(context.request.url).searchParams.has('intent')) return signIn(context)
    const { status, page, keepsOpener } = await verifyPage(parts, context.request)
    return sendPage(context.set, page, { status, keepsOpener })
  }
  const serveStart = byLanguage((language) =>
    servePage(() =>
      renderRootPage({
        language,
        withReference,
        door: writeSignInRoot(parts, ''),
        operator: parts.config.pages,
      }),
    ),
  )
  const welcome = (context: ServedContext) => {
    context.set.headers.vary = 'Accept-Language, Cookie'
    return serveStart[readLanguage(context.request.headers)](context)
  }
  // The address of a private view leads to it by signing in.
  const serveRoot = async (context: ServedContext) =>
    (await readSession(parts, context.request.headers)) || isOfAView(new URL(context.request.url).searchParams)
      ? serveDashboard(context)
      : welcome(context)
  const serveDashboard = async ({ request, set }: ServedContext) =>
    sendDashboard(set, await renderDashboardPage(parts, request))
  const serveOperators = async (context: ServedContext & RequestContext) => {
    const page = await renderDashboardPage(parts, context.request, { forOperators: true })
    // Counted late, because the RateLimit headers would tell strangers that the page exists.
    countRead(context)
    return sendDashboard(context.set, page)
  }
  const serveProfile = async ({ request, set }: ServedContext): Promise<string> => {
    const { pathname, searchParams } = new URL(request.url)
    const root = writeRoot(pathname)
    const place = placeOfTab(searchParams.get('tab'))
    const isSignedIn = (await readSession(parts, request.headers)) !== undefined
    set.headers.location = isSignedIn ? `${root}${place.slice(1)}` || './' : signInAddress(parts, root, place)
    return sendPage(set, '', { status: 303 })
  }

  const references = byLanguage((language) => servePage(() => renderReferencePage(language)))
  const reference = (context: ServedContext) => {
    context.set.headers.vary = 'Accept-Language, Cookie'
    return references[readLanguage(context.request.headers)](context)
  }
  const referenceRoutes = [
    route({ ...pageRoute, path: '/widget' }, async ({ request, set }) => {
      const { status, page } = await renderWidgetPage(parts, request)
      // The page opens a window, which sends its result back.
      return sendPage(set, page, { status, keepsOpener: true })
    }),
    route({ ...pageRoute, path: '/docs', surface: 'untimed' }, (context) =>
      endsWithSlash(context) ? leaveOutSlash(context) : reference(context),
    ),
  ]

  return [
    route({ ...pageRoute, path: '/' }, serveRoot),
    route({ ...pageRoute, path: '/login', readers: 'own pages' }, signIn),
    route({ ...pageRoute, path: '/verify', readers: 'own pages' }, verify),
    route({ ...pageRoute, path: '/pair', readers: 'own pages' }, async ({ request, set }) =>
      sendPage(set, await renderPairPage(parts, request)),
    ),
    route({ ...pageRoute, path: '/g/:gateId', readers: 'own pages' }, ({ params, request, set }) => {
      const root = writeRoot(new URL(request.url).pathname)
      set.headers.location = `${root}verify?gateId=${encodeURIComponent(params.gateId)}`
      return sendPage(set, '', { status: 303 })
    }),
    route({ ...pageRoute, path: profilePath }, serveProfile),
    route({ ...pageRoute, path: '/proof/:qHash', readers: 'own pages' }, async ({ params, request, set }) => {
      const { status, page } = await renderProofPage(parts, request, params.qHash)
      return sendPage(set, page, { status })
    }),
    route({ ...pageRoute, path: '/shared', readers: 'own pages' }, async ({ request, set }) => {
      const { status, page } = await renderSharedProof(parts, request)
      set.headers['x-robots-tag'] = 'noindex, nofollow'
      return sendPage(set, page, { status })
    }),
    route({ ...pageRoute, path: '/receipts/:number', readers: 'own pages' }, async ({ params, request, set }) => {
      const answer = await renderReceiptPage(parts, request, params.number)
      if ('page' in answer) return sendPage(set, answer.page, { status: answer.status })
      set.headers.location = answer.signInAt
      return sendPage(set, '', { status: answer.status })
    }),
    route({ ...pageRoute, path: '/agent/:agentId', readers: 'own pages' }, async ({ params, request, set }) => {
      const { status, page } = await renderAgentPage(parts, request, params.agentId)
      return sendPage(set, page, { status })
    }),
    route(
      { ...pageRoute, path: '/assets/:name', rate: 'api', surface: 'untimed', refusalFormat: 'envelope' },
      async ({ params, request, set }) => {
        const asset = await findAsset(params.name)
        if (!asset) throw new AppError('NOT_FOUND', 'there is no such file: reload the page that wanted it')
        Object.assign(set.headers, pageHeaders)
        return serve(asset, { request, set })
      },
    ),
    ...ownPlaces.filter((place) => place !== '/').map((path) => route({ ...pageRoute, path }, serveDashboard)),
    ...operatorPlaces.map((path) => route({ ...forOperators, path }, serveOperators)),
    route({ ...forOperators, path: claimPlace }, async (context) => {
      const page = await claimPage(parts, context.request)
      countRead(context)
      return sendPage(context.set, page)
    }),
    ...(withReference ? referenceRoutes : []),
  ]
}

const pageRoute = {
  method: 'GET',
  callers: ['anyone'],
  rate: 'reads',
  surface: 'pages',
  refusalFormat: 'page',
  operation: 'unlisted',
} as const

const forOperators = {
  ...pageRoute,
  callers: ['session'],
  rateTakenIn: 'handler',
  surface: 'untimed',
  operation: 'hidden',
} as const

function sendDashboard(set: ServedContext['set'], answer: Dashboard): string {
  if ('page' in answer) return sendPage(set, answer.page)
  set.headers.location = answer.signInAt
  return sendPage(set, '', { status: 303 })
}
