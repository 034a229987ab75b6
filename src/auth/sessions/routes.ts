/** Signing in and out: /api/v1/auth. Access keys and leaving (people/leave-routes.ts) have routes of their own. */
import { AppError } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { requireOwnOrigin, requireSession } from '../identify.ts'
import type { Identity } from '../identity.ts'
import { makeNonce } from '../sign-in/nonce.ts'
import { readPastedToken, type SignedMessage } from '../sign-in/pasted-token.ts'
import { prepareSignIn, signIn, signInPlace } from '../sign-in/sign-in.ts'
import { sessionExamples } from './examples.ts'
import { computeCsrfToken, makeClearedCookie, readSession } from './session.ts'
import { endSession, openSessions, signOut } from './sign-out.ts'
import {
  buildMeView,
  buildPersonView,
  buildSessionView,
  endedAnswer,
  meAnswer,
  NonceBody,
  nonceAnswer,
  preparedAnswer,
  SessionParams,
  sessionsAnswer,
  signedInAnswer,
  signedOutAnswer,
  VerifyBody,
} from './wire.ts'

const tag = 'sessions'
const byCookie = 'For a signed-in browser.'
const ownPage = `${byCookie} Needs the header X-CSRF-Token.`

export function sessionRoutes(parts: Parts): readonly Route[] {
  const steps = { rate: 'sessions' as const }
  const reads = { rate: 'reads' as const }
  const signedOut = { success: true, data: { authenticated: false } }

  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/nonce',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        body: NonceBody,
        ...steps,
        operation: {
          tag,
          operationId: 'prepareSignIn',
          summary: 'The message a wallet signs to sign in',
          description: 'EIP-4361 for EVM wallets, CAIP-122 for Solana wallets. Good for one sign-in within 10 minutes.',
          answer: preparedAnswer,
          refusals: [400, 413, 415],
          example: sessionExamples.prepareSignIn,
        },
      },
      ({ body }) => {
        const { nonce, message, expiresAt, chain } = prepareSignIn(parts, body)
        return { success: true, data: { nonce, message, expiresAt, chain } }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/nonce',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        ...steps,
        operation: {
          tag,
          operationId: 'getNonce',
          summary: 'A nonce for clients that write the message themselves',
          answer: nonceAnswer,
          refusals: [],
          example: sessionExamples.getNonce,
        },
      },
      () => {
        const { nonce, expiresAt } = makeNonce(parts)
        return { success: true, data: { nonce, ...signInPlace(parts), expiresAt } }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/verify',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        body: VerifyBody,
        ...steps,
        operation: {
          tag,
          operationId: 'signIn',
          summary: 'Sign in with a signed message',
          description:
            'Sets the session cookie. A wallet that another one has linked to itself signs in to the profile of that one. A message is used up by the sign-in that succeeds.',
          answer: signedInAnswer,
          headers: { 'Set-Cookie': 'The session.' },
          refusals: [400, 401, 403, 409, 413, 415, 503],
          codes: ['INVALID_WALLET_ADDRESS', 'EXPIRED_SIGNATURE', 'SIGNATURE_INVALID', 'VERIFIER_UNAVAILABLE'],
          example: sessionExamples.signIn,
        },
      },
      async ({ body, request, set }) => {
        requireOwnOrigin(parts, request.headers)
        const signed = requireSignedMessage(body)
        const before = (await readSession(parts, request.headers))?.hash
        const { profile, csrfToken, expiresAt, setCookie } = await signIn(parts, signed, {
          agent: request.headers.get('user-agent'),
          before,
        })
        set.headers['set-cookie'] = setCookie
        return { success: true, data: { authenticated: true, ...buildPersonView(profile), csrfToken, expiresAt } }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/me',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        ...reads,
        operation: {
          tag,
          operationId: 'getMe',
          summary: 'Who is signed in',
          description: 'By the session cookie or an access key. authenticated is false for nobody; this is no refusal.',
          answer: meAnswer,
          refusals: [],
          example: sessionExamples.getMe,
        },
      },
      async ({ request }) => {
        const identity = await identifyOrNone(parts, request)
        if (!identity) return { success: true, data: { authenticated: false, needsOnboarding: false } }
        const session = identity.via === 'access-key' ? undefined : await readSession(parts, request.headers)
        return {
          success: true,
          data: await buildMeView(identity, session && computeCsrfToken(parts, session), parts.config.brand),
        }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/auth/logout',
        readers: 'own pages',
        callers: ['anyone'],
        surface: 'sessions',
        ...steps,
        operation: {
          tag,
          operationId: 'signOut',
          summary: 'Sign this browser out',
          description: `${ownPage} Harmless for one that is signed out.`,
          answer: signedOutAnswer,
          refusals: [403, 503],
          example: sessionExamples.signOut,
        },
      },
      async ({ request, set }) => {
        // A page elsewhere, whose request comes without the cookie, must not have it taken away.
        requireOwnOrigin(parts, request.headers)
        if (await readSession(parts, request.headers)) await signOut(parts, await requireSession(parts, request))
        set.headers['set-cookie'] = makeClearedCookie(parts)
        return signedOut
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/auth/sessions',
        readers: 'own pages',
        callers: ['session'],
        surface: 'sessions',
        ...reads,
        operation: {
          tag,
          operationId: 'listSessions',
          summary: 'Browsers that are signed in',
          description: `${byCookie} The one used last first.`,
          answer: sessionsAnswer,
          refusals: [401, 403],
          example: sessionExamples.listSessions,
        },
      },
      async ({ request }) => {
        const current = await requireSession(parts, request)
        const sessions = (await openSessions(parts, current)).map((session) => buildSessionView(session, current))
        return { success: true, data: { sessions } }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/auth/sessions/:id',
        readers: 'own pages',
        callers: ['session'],
        surface: 'sessions',
        params: SessionParams,
        ...steps,
        operation: {
          tag,
          operationId: 'endSession',
          summary: 'Sign one browser out',
          description: ownPage,
          answer: endedAnswer,
          refusals: [400, 401, 403, 404, 503],
          example: sessionExamples.endSession,
        },
      },
      async ({ params, request, set }) => {
        const current = await requireSession(parts, request)
        if (!(await endSession(parts, current, params.id)))
          throw new AppError('NOT_FOUND', 'this session does not exist: GET /api/v1/auth/sessions lists yours')
        if (current.hash.startsWith(params.id)) set.headers['set-cookie'] = makeClearedCookie(parts)
        return { success: true, data: { id: params.id, ended: true } }
      },
    ),
  ]
}

/** A key that is not known is nobody. */
async function identifyOrNone(parts: Parts, request: Request): Promise<Identity | undefined> {
  try {
    return await parts.identify(request)
  } catch (error) {
    if (error instanceof AppError && error.code === 'WALLET_AUTH_REQUIRED') return undefined
    throw error
  }
}

/** Errors: VALIDATION_ERROR. */
function requireSignedMessage({
  message,
  signature,
  signatureMethod,
  token,
}: Partial<SignedMessage> & { readonly token?: string | undefined }): SignedMessage {
  if (token !== undefined && message === undefined && signature === undefined) return readPastedToken(token)
  if (token === undefined && message !== undefined && signature !== undefined)
    return { message, signature, signatureMethod }
  throw new AppError('VALIDATION_ERROR', 'send message and signature, or a token of proofgate sign in place of both', {
    path: '/',
  })
}
