/** The pages, and the files they are made of. They are no part of the API. */
import { Elysia } from 'elysia'
import { readSession } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { pageHeaders } from '../http/headers.ts'
import { limitRate, type RequestContext } from '../http/limits.ts'
import { type ServedContext, serve } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { agentPage } from './agent.ts'
import { loadAssets } from './assets.ts'
import { claimPage, claimPlace } from './claim.ts'
import { type Dashboard, dashboardPage, signInAddress } from './dashboard.ts'
import { operatorPlaces, ownPlaces, placeOfTab, profilePath } from './dashboard-places.ts'
import { proofPage } from './proof.ts'
import { referencePage } from './reference.ts'
import { rootPage } from './root.ts'
import { endsWithSlash, leaveOutSlash, servePage } from './serve-page.ts'
import { rootFrom, sendPage } from './shell.ts'
import { signInPage } from './sign-in.ts'
import { isOfAView } from './vault-question.ts'
import { verifyPage } from './verify.ts'
import { doorOf } from './way-in.ts'
import { widgetPage } from './widget.ts'

const hidden = { hide: true } as const

export function pageRoutes(parts: Parts) {
  const beforeHandle = limitRate(parts, 'reads')
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
  const welcome = servePage(() => rootPage({ withReference, door: doorOf(parts, '') }))
  // An address that asks for something of somebody's leads there by signing in.
  const root = (context: ServedContext) =>
    readSession(parts, context.request.headers) || isOfAView(new URL(context.request.url).searchParams)
      ? dashboard(context)
      : welcome(context)
  const dashboard = async ({ request, set }: ServedContext) => sendDashboard(set, await dashboardPage(parts, request))
  const operators = async (context: ServedContext & RequestContext) => {
    const page = await dashboardPage(parts, context.request, { forOperators: true })
    // Counted late, because the headers of counting would tell strangers that there is something.
    beforeHandle(context)
    return sendDashboard(context.set, page)
  }
  const profile = ({ request, set }: ServedContext): string => {
    const { pathname, searchParams } = new URL(request.url)
    const root = rootFrom(pathname)
    const place = placeOfTab(searchParams.get('tab'))
    const isSignedIn = readSession(parts, request.headers) !== undefined
    set.headers.location = isSignedIn ? `${root}${place.slice(1)}` || './' : signInAddress(parts, root, place)
    return sendPage(set, '', { status: 303 })
  }

  const routes = new Elysia({ name: 'pages' })
    .get('/', root, { beforeHandle, detail: hidden })
    .get('/login', signIn, { beforeHandle, detail: hidden })
    .get('/verify', verify, { beforeHandle, detail: hidden })
    .get(profilePath, profile, { beforeHandle, detail: hidden })
    .get(
      '/proof/:qHash',
      async ({ params, request, set }) => {
        const { status, page } = await proofPage(parts, request, params.qHash)
        return sendPage(set, page, { status })
      },
      { beforeHandle, detail: hidden },
    )
    .get(
      '/agent/:agentId',
      async ({ params, request, set }) => {
        const { status, page } = await agentPage(parts, request, params.agentId)
        return sendPage(set, page, { status })
      },
      { beforeHandle, detail: hidden },
    )
    .get(
      '/assets/:name',
      async ({ params, request, set }) => {
        const asset = (await loadAssets()).served.get(params.name)
        if (!asset) throw new AppError('NOT_FOUND', 'there is no such file: reload the page that wanted it')
        Object.assign(set.headers, pageHeaders)
        return serve(asset, { request, set })
      },
      { detail: hidden },
    )
  for (const place of ownPlaces) if (place !== '/') routes.get(place, dashboard, { beforeHandle, detail: hidden })
  for (const place of operatorPlaces) routes.get(place, operators, { detail: hidden })
  routes.get(
    claimPlace,
    async (context) => {
      const page = await claimPage(parts, context.request)
      beforeHandle(context)
      return sendPage(context.set, page)
    },
    { detail: hidden },
  )
  if (!withReference) return routes
  const reference = servePage(referencePage)
  routes.get(
    '/widget',
    async ({ request, set }) => {
      const { status, page } = await widgetPage(parts, request)
      // It opens a window that has something to tell it.
      return sendPage(set, page, { status, keepsOpener: true })
    },
    { beforeHandle, detail: hidden },
  )
  return routes.get('/docs', (context) => (endsWithSlash(context) ? leaveOutSlash(context) : reference(context)), {
    beforeHandle,
    detail: hidden,
  })
}

function sendDashboard(set: ServedContext['set'], answer: Dashboard): string {
  if ('page' in answer) return sendPage(set, answer.page)
  set.headers.location = answer.signInAt
  return sendPage(set, '', { status: 303 })
}
