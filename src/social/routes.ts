/** /api/v1/auth/oauth: signing in at other providers. */
import { Type } from '@sinclair/typebox'
import { requireOwnOrigin } from '../auth/identify.ts'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import { sendPage } from '../pages/shell.ts'
import { readLanguage } from '../pages/words/read-language.ts'
import type { Parts } from '../parts.ts'
import { defineChoice, open } from '../shape.ts'
import { renderCallbackPage } from './callback-page.ts'
import { socialExamples } from './examples.ts'
import { exchangeSignIn } from './exchange.ts'
import { finishSignIn } from './finish.ts'
import { signInTtlMs } from './sign-in.ts'
import { startSignIn } from './start.ts'

const tag = 'social'

const ProviderParams = Type.Object({
  provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'Id of a provider.' }),
})
const walletAddress = Type.String({ minLength: 1, maxLength: 160, description: 'The wallet that will sign the proof.' })

const StartBody = open({
  walletAddress,
  returnTo: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description:
        'Page of this server that a browser goes on to where no other window waits: /verify and its query. It gets oauthState, or oauthError, added.',
    }),
  ),
})
const ExchangeBody = open({
  state: Type.String({ minLength: 1, maxLength: 64, description: 'As start gave it.' }),
  walletAddress,
})

const providersAnswer = describeAnswer({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String({ description: 'What people call it.' }),
      kinds: Type.Array(defineChoice(['social', 'org']), {
        description: 'social: for ownership-social. org: for ownership-org-oauth.',
      }),
    }),
  ),
})
const startedAnswer = describeAnswer({
  data: Type.Object({
    authorizationUrl: Type.String({ description: 'Where to send the person.' }),
    state: Type.String({ description: 'Names this sign-in.' }),
    expiresAt: Type.Integer({ description: 'Unix milliseconds.' }),
  }),
})
const exchangedAnswer = describeAnswer({
  data: Type.Object({
    internalSocialToken: Type.String({ description: 'For the data of one proof of the wallet, within a minute.' }),
    provider: Type.String(),
    handle: Type.Optional(Type.String({ description: 'Where the provider has handles.' })),
    expiresAt: Type.Integer({ description: 'Unix milliseconds.' }),
  }),
})

const oneBrowser = 'For a person in a browser, who starts, comes back and exchanges in the same one.'

export function socialRoutes(parts: Parts): readonly Route[] {
  const steps = { rate: 'sessions' as const }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/oauth/providers',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listSocialProviders',
          summary: 'Providers that people can sign in to',
          answer: providersAnswer,
          refusals: [],
          example: socialExamples.listSocialProviders,
        },
      },
      () => ({
        success: true,
        data: parts.outside.social.providers.map(({ id, label, kinds }) => ({ id, label, kinds })),
      }),
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/oauth/start/:provider',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        params: ProviderParams,
        body: StartBody,
        ...steps,
        operation: {
          tag,
          operationId: 'startSocialSignIn',
          summary: 'Where to send a person to sign in',
          description: `${oneBrowser} Good for ${signInTtlMs / 60_000} minutes. Sets a cookie that ties the sign-in to the browser.`,
          answer: startedAnswer,
          headers: { 'Set-Cookie': 'What the browser is known by when the person comes back.' },
          refusals: [400, 403, 404, 413, 415, 503],
          codes: ['VERIFIER_UNAVAILABLE'],
          example: socialExamples.startSocialSignIn,
        },
      },
      async ({ params, body, request, set }) => {
        requireOwnOrigin(parts, request.headers)
        const { setCookie, ...data } = await startSignIn(parts, params.provider, body, request.headers)
        set.headers['set-cookie'] = setCookie
        return { success: true, data }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/oauth/callback/:provider',
        readers: 'own pages',
        otherSites: 'links',
        callers: ['anyone'],
        surface: 'sessions',
        params: ProviderParams,
        ...steps,
        operation: 'unlisted',
      },
      async ({ params, request, set }) => {
        const returned = await finishSignIn(parts, params.provider, request)
        const { page, status, retryAfterSeconds } = await renderCallbackPage(parts, {
          id: params.provider,
          returned,
          language: readLanguage(request.headers),
        })
        const sent = sendPage(set, page, { status })
        // The window that waits for this one is another page of ours. Cut off from it, this page could not tell it.
        set.headers['cross-origin-opener-policy'] = 'unsafe-none'
        if (retryAfterSeconds !== undefined) set.headers['retry-after'] = String(retryAfterSeconds)
        return sent
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/oauth/:provider/exchange',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        params: ProviderParams,
        body: ExchangeBody,
        ...steps,
        operation: {
          tag,
          operationId: 'exchangeSocialSignIn',
          summary: 'A finished sign-in becomes a token for one proof',
          description: `${oneBrowser} Once for each sign-in.`,
          answer: exchangedAnswer,
          refusals: [400, 403, 404, 409, 413, 415, 503],
          codes: ['VERIFICATION_FAILED'],
          example: socialExamples.exchangeSocialSignIn,
        },
      },
      async ({ params, body, request }) => {
        requireOwnOrigin(parts, request.headers)
        return { success: true, data: await exchangeSignIn(parts, params.provider, body, request.headers) }
      },
    ),
  ]
}
