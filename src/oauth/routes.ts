/**
 * The authorization server: /oauth, /api/v1/auth/mcp and its well-known documents. This folder owns clients, what people
 * allow them, and the tokens that follow from it; who a person is, is sessions/.
 *
 * What the description of our API says of them is in description.ts, in the shapes of RFC 6749, 7009, 7591, 7636, 8414 and
 * 8707.
 */
import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import { describeOperation } from '../http/describe.ts'
import { limitRate } from '../http/limits.ts'
import { sendPage } from '../pages/shell.ts'
import type { Parts } from '../parts.ts'
import type { AccessTokens } from './access-token.ts'
import { authorize } from './authorize.ts'
import { openClientDocuments } from './client-document.ts'
import { answerConsent } from './consent.ts'
import { renderConsentPage } from './consent-page.ts'
import {
  authorizeDescription,
  PublishedKeys,
  registerDescription,
  revokeDescription,
  ServerMetadata,
  tokenDescription,
} from './description.ts'
import { renderErrorPage, wantsPage } from './error-page.ts'
import { openRefreshGrant } from './grants/refresh-token.ts'
import {
  authorizePath,
  buildServerMetadata,
  consentPath,
  isMetadataSuffix,
  jwksPath,
  metadataPath,
  registerPath,
  revokePath,
  tokenPath,
} from './metadata.ts'
import { writeFormTarget } from './redirect-uri.ts'
import { register } from './register.ts'
import { revokeToken } from './revoke.ts'
import { answerToken } from './token.ts'
import { metadataMaxAgeSeconds } from './vocabulary.ts'

const hidden = { hide: true } as const

interface Answering {
  readonly request: Request
  readonly set: { status?: number | string; readonly headers: Record<string, string | number> }
}

export function oauthRoutes(parts: Parts, tokens: AccessTokens) {
  const routes = new Elysia({ name: 'oauth' })
  // What it issues is for the MCP endpoint.
  if (!parts.config.mcp.enabled) return routes
  const refresh = openRefreshGrant(parts, tokens)
  const documents = openClientDocuments(parts)
  const tokenStep = { beforeHandle: limitRate(parts, 'token') }
  const pageStep = { beforeHandle: limitRate(parts, 'reads') }

  /** A person gets a page, a program what app.ts makes of the error. */
  async function answerPage({ request, set }: Answering, answer: () => Promise<string>): Promise<string> {
    try {
      return await answer()
    } catch (error) {
      if (!(error instanceof AppError) || !wantsPage(request.headers)) throw error
      return sendPage(set, await renderErrorPage(parts, error), { status: error.kind.status })
    }
  }
  /** 303, so that no browser sends a form on to where it leads (RFC 9700 section 4.12). */
  function redirect({ set }: Answering, location: string): string {
    set.status = 303
    set.headers.location = location
    set.headers['referrer-policy'] = 'no-referrer'
    return ''
  }
  const answerMetadata = ({ set }: Answering): object => {
    set.headers['cache-control'] = kept
    return buildServerMetadata(parts)
  }

  return routes
    .get(
      metadataPath,
      answerMetadata,
      describeOperation({
        tag: 'oauth',
        operationId: 'getAuthorizationServer',
        summary: 'Metadata of the authorization server (RFC 8414)',
        description: 'The same below this path, with the path of the issuer or of the resource behind it.',
        answer: ServerMetadata,
        refusals: [],
      }),
    )
    .get(
      `${metadataPath}/*`,
      (context) => {
        if (!isMetadataSuffix(context.params['*'], parts.addresses()))
          throw new AppError('NOT_FOUND', 'there is no authorization server of this name here')
        return answerMetadata(context)
      },
      { detail: hidden },
    )
    .get(
      jwksPath,
      async ({ set }) => {
        set.headers['cache-control'] = kept
        return { keys: await tokens.keys.published() }
      },
      describeOperation({
        tag: 'oauth',
        operationId: 'getSigningKeys',
        summary: 'The keys that access tokens are signed with (RFC 7517)',
        answer: PublishedKeys,
        refusals: [],
      }),
    )
    .get(
      authorizePath,
      (context) =>
        answerPage(context, async () => {
          const outcome = await authorize(parts, documents, context.request)
          if ('redirect' in outcome) return redirect(context, outcome.redirect)
          const { ask, handle, session } = outcome
          const page = await renderConsentPage(parts, { request: ask, handle, session })
          return sendPage(context.set, page, { formTargets: [writeFormTarget(ask.redirectUri)] })
        }),
      { ...pageStep, ...authorizeDescription },
    )
    .post(
      consentPath,
      (context) =>
        answerPage(context, async () =>
          redirect(context, await answerConsent(parts, context.request.headers, context.body as URLSearchParams)),
        ),
      { ...pageStep, detail: hidden },
    )
    .post(
      registerPath,
      async ({ body, set }) => {
        const registered = await register(parts, body)
        set.status = 201
        return registered
      },
      { beforeHandle: limitRate(parts, 'register'), ...registerDescription },
    )
    .post(
      tokenPath,
      ({ body, request, set }) => {
        set.headers.pragma = 'no-cache'
        return answerToken({ parts, tokens, refresh }, request.headers, body as URLSearchParams)
      },
      { ...tokenStep, ...tokenDescription },
    )
    .post(
      revokePath,
      async ({ body, request }) => {
        await revokeToken(parts, tokens, request.headers, body as URLSearchParams)
        return { success: true }
      },
      { ...tokenStep, ...revokeDescription },
    )
}

const kept = `public, max-age=${metadataMaxAgeSeconds}`
