/** Leaving: all browsers signed out, or the profile deleted. */
import { requirePrimarySession, requireSession } from '../auth/identify.ts'
import { makeClearedCookie } from '../auth/sessions/session.ts'
import { deletedAnswer, signedOutAnswer } from '../auth/sessions/wire.ts'
import { type Route, route } from '../http/route.ts'
import { buildTracesView } from '../http/traces-view.ts'
import type { Parts } from '../parts.ts'
import { peopleExamples } from './examples.ts'
import { deleteProfile, signOutEverywhere } from './leave.ts'

const ownPage = 'For a signed-in browser. Needs the header X-CSRF-Token.'

export const leaveRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/auth/logout-everywhere',
      readers: 'own pages',
      callers: ['session'],
      surface: 'sessions',
      rate: 'sessions',
      operation: {
        tag: 'sessions',
        operationId: 'signOutEverywhere',
        summary: 'Sign all browsers out, and all OAuth clients',
        description: `${ownPage} Access keys, and links that open private proofs, stay: they are revoked one by one.`,
        answer: signedOutAnswer,
        refusals: [401, 403, 503],
        example: peopleExamples.signOutEverywhere,
      },
    },
    async ({ request, set }) => {
      await signOutEverywhere(parts, await requireSession(parts, request))
      set.headers['set-cookie'] = makeClearedCookie(parts)
      return { success: true, data: { authenticated: false } }
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/api/v1/auth/me',
      readers: 'own pages',
      callers: ['session'],
      surface: 'sessions',
      rate: 'sessions',
      operation: {
        tag: 'sessions',
        operationId: 'deleteProfile',
        summary: 'Delete the profile of who is signed in',
        description: `${ownPage} Sessions, access keys, what was allowed to OAuth clients, links that open private proofs, and secrets go with it; proofs stay, which are erased by their own operation. A linked wallet may not do this.`,
        answer: deletedAnswer,
        refusals: [401, 403, 503],
        example: peopleExamples.deleteProfile,
      },
    },
    async ({ request, set }) => {
      const traces = await deleteProfile(parts, await requirePrimarySession(parts, request))
      set.headers['set-cookie'] = makeClearedCookie(parts)
      return { success: true, data: { deleted: true, traces: buildTracesView(traces) } }
    },
  ),
]
