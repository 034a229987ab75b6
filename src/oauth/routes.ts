/**
 * The authorization server: /oauth, /api/v1/auth/mcp and its well-known documents. This folder owns clients, consents,
 * and the tokens that follow from them. auth/ identifies the person.
 *
 * description.ts describes them for the API description, in the shapes of RFC 6749, 7009, 7591, 7636, 8414 and 8707.
 */
import { AppError } from '../errors.ts'
import { type Route, route } from '../http/route.ts'
import { sendPage } from '../pages/shell.ts'
import { readLanguage } from '../pages/words/read-language.ts'
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
import { oauthExamples } from './examples.ts'
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
import { OAuthError } from './refusal.ts'
import { register } from './register.ts'
import { revokeToken } from './revoke.ts'
import { answerToken } from './token.ts'
import { metadataMaxAgeSeconds } from './vocabulary.ts'

interface Answering {
  readonly request: Request
  readonly set: { status?: number | string; readonly headers: Record<string, string | number> }
}

export function oauthRoutes(parts: Parts, tokens: AccessTokens): readonly Route[] {
  const refresh = openRefreshGrant(parts, tokens)
  const documents = openClientDocuments(parts)

  /** A browser gets a page; a program gets the refusal in the form of OAuth. */
  async function answerPage({ request, set }: Answering, answer: () => Promise<string>): Promise<string> {
    try {
      return await answer()
    } catch (error) {
      if (!(error instanceof AppError) || !wantsPage(request.headers)) throw error
      return sendPage(set, await renderErrorPage(parts, error, readLanguage(request.headers)), {
        status: error.kind.status,
      })
    }
  }
  /** 303, so that no browser sends the form on to the new address (RFC 9700 section 4.12). */
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

  // The tokens are for the MCP endpoint alone.
  const shared = { callers: ['anyone'], surface: 'oauth', isOffered: parts.config.mcp.enabled } as const
  const document = { ...shared, method: 'GET', rate: 'api', readers: 'mcp hosts' } as const
  const call = { ...shared, method: 'POST', refusalFormat: 'oauth', readers: 'mcp hosts' } as const
  const ownPage = { ...call, rate: 'reads', readers: 'own pages' } as const

  return [
    route(
      {
        ...document,
        path: metadataPath,
        operation: {
          tag: 'oauth',
          operationId: 'getAuthorizationServer',
          summary: 'Metadata of the authorization server (RFC 8414)',
          description: 'The same below this path, with the path of the issuer or of the resource behind it.',
          answer: ServerMetadata,
          refusals: [],
          example: oauthExamples.getAuthorizationServer,
        },
      },
      answerMetadata,
    ),
    route({ ...document, path: `${metadataPath}/*`, operation: 'unlisted' }, (context) => {
      if (!isMetadataSuffix(context.params['*'], parts.addresses()))
        throw new AppError('NOT_FOUND', 'there is no authorization server at this address')
      return answerMetadata(context)
    }),
    route(
      {
        ...document,
        path: jwksPath,
        operation: {
          tag: 'oauth',
          operationId: 'getSigningKeys',
          summary: 'The keys that access tokens are signed with (RFC 7517)',
          answer: PublishedKeys,
          refusals: [],
          example: oauthExamples.getSigningKeys,
        },
      },
      async ({ set }) => {
        set.headers['cache-control'] = kept
        return { keys: await tokens.keys.published() }
      },
    ),
    route(
      { ...ownPage, method: 'GET', path: authorizePath, otherSites: 'links', operation: authorizeDescription },
      (context) =>
        answerPage(context, async () => {
          const outcome = await authorize(parts, documents, context.request)
          if ('redirect' in outcome) return redirect(context, outcome.redirect)
          const { ask, handle, session } = outcome
          const page = await renderConsentPage(parts, {
            language: readLanguage(context.request.headers),
            request: ask,
            handle,
            session,
          })
          return sendPage(context.set, page, { formTargets: [writeFormTarget(ask.redirectUri)] })
        }),
    ),
    route({ ...ownPage, path: consentPath, bodyFormat: 'form', operation: 'unlisted' }, (context) =>
      answerPage(context, async () => {
        const { headers } = context.request
        const outcome = await answerConsent(parts, headers, context.body as URLSearchParams)
        if ('redirect' in outcome) return redirect(context, outcome.redirect)
        if (!wantsPage(headers)) throw makeUntickedError()
        const { askAgain: request, handle, session } = outcome
        const page = await renderConsentPage(parts, {
          language: readLanguage(headers),
          request,
          handle,
          session,
          isUnticked: true,
        })
        return sendPage(context.set, page, { status: 400, formTargets: [writeFormTarget(request.redirectUri)] })
      }),
    ),
    route(
      {
        ...call,
        path: registerPath,
        rate: 'register',
        // A registration is short, and anybody may send one.
        bodyFormat: 'small json',
        operation: registerDescription,
      },
      async ({ body, set }) => {
        const registered = await register(parts, body)
        set.status = 201
        return registered
      },
    ),
    route(
      { ...call, path: tokenPath, rate: 'token', bodyFormat: 'form', operation: tokenDescription },
      ({ body, request, set }) => {
        set.headers.pragma = 'no-cache'
        return answerToken({ parts, tokens, refresh }, request.headers, body as URLSearchParams)
      },
    ),
    route(
      { ...call, path: revokePath, rate: 'token', bodyFormat: 'form', operation: revokeDescription },
      async ({ body, request }) => {
        await revokeToken(parts, tokens, request.headers, body as URLSearchParams)
        return { success: true }
      },
    ),
  ]
}

const makeUntickedError = (): OAuthError =>
  new OAuthError('invalid_request', 'no permission is chosen: send at least one scope of the page, or deny')

const kept = `public, max-age=${metadataMaxAgeSeconds}`
