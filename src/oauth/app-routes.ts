/** /api/v1/auth/apps: what a person has connected, for the person. */
import { Type } from '@sinclair/typebox'
import { EndsWithView } from '../auth/ends-with.ts'
import { requirePerson } from '../auth/identify.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { disconnectApp, mostApps, readAppPage } from './apps.ts'
import { longestClientId } from './client.ts'
import { oauthExamples } from './examples.ts'

const tag = 'sessions'

const AppParams = Type.Object({
  clientId: Type.String({
    minLength: 1,
    maxLength: longestClientId,
    description: 'client_id of the app, percent-encoded where it is an address.',
  }),
})

const AppsQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: `1 to ${mostApps}, which is the default.` }),
    ),
    offset: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,5})$', description: 'How many to leave out.' })),
  },
  { additionalProperties: true },
)

const appsAnswer = describeAnswer({
  data: Type.Object({
    apps: Type.Array(
      Type.Object({
        clientId: Type.String(),
        name: Type.String({ description: 'As the client calls itself; nobody checked it.' }),
        firstParty: Type.Boolean({ description: 'True for the command-line client of this server.' }),
        hasTokens: Type.Boolean({ description: 'False where only its consent is remembered, or what it made.' }),
        scopes: Type.Array(Type.String(), { description: 'What its tokens may do. Empty without a token.' }),
        returnsTo: Type.Array(Type.String(), {
          description: 'The hosts and programs that it was allowed to return to, 20 at most.',
        }),
        remembered: Type.Array(
          Type.Object({
            returnsTo: Type.String(),
            scopes: Type.Array(Type.String()),
            allowedAt: Type.Integer({ description: 'Unix milliseconds.' }),
          }),
          { description: 'What it gets without asking again, by the place that it returns to, 20 at most.' },
        ),
        connectedAt: Type.Integer({
          description: 'When it got its oldest grant, or else the consent. Unix milliseconds.',
        }),
        lastUsedAt: Type.Integer({
          description: 'When it last got an access token, or else the consent. Unix milliseconds.',
        }),
        endsWith: EndsWithView,
      }),
    ),
    truncated: Type.Boolean({ description: 'True where there are more: ask for them with offset.' }),
  }),
  timestamp: IsoTimestamp,
})

const disconnectedAnswer = describeAnswer({
  data: Type.Object({ clientId: Type.String(), connected: Type.Literal(false) }),
  timestamp: IsoTimestamp,
})

export function appRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/apps',
        readers: 'own pages',
        callers: ['session', 'access-key'],
        needs: 'profile',
        surface: 'sessions',
        query: AppsQuery,
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listApps',
          summary: 'Apps that a person has connected',
          description:
            'OAuth clients whose tokens still work, whose consent is remembered, or that made something that still stands, the last connected first. For the session or an access key with the scope profile.',
          answer: appsAnswer,
          refusals: [400, 401, 403],
          example: oauthExamples.listApps,
        },
      },
      async ({ query: { limit = mostApps, offset = 0 }, request }) => ({
        success: true,
        data: await readAppPage(parts, await requirePerson(parts, request), {
          limit: Number(limit),
          offset: Number(offset),
        }),
        timestamp: formatNow(),
      }),
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/auth/apps/:clientId',
        readers: 'own pages',
        callers: ['session', 'access-key'],
        needs: 'profile',
        surface: 'sessions',
        params: AppParams,
        rate: 'sessions',
        operation: {
          tag,
          operationId: 'disconnectApp',
          summary: 'Disconnect an app',
          description:
            'All its tokens end at once, and with them the delegations, agents and access grants that it made. Remembered consents are forgotten, so it must be allowed anew.',
          answer: disconnectedAnswer,
          refusals: [400, 401, 403, 404, 503],
          example: oauthExamples.disconnectApp,
        },
      },
      async ({ params, request }) => {
        const { clientId } = params
        await disconnectApp(parts, await requirePerson(parts, request), clientId)
        return { success: true, data: { clientId, connected: false }, timestamp: formatNow() }
      },
    ),
  ]
}
