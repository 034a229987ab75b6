/**
 * The authorization endpoint (RFC 6749 section 4.1, 7636, 8707, 9207). It leads from a client's request to a code,
 * through sign-in and the person's consent.
 *
 * Before the client and its redirect URI are known to match, nothing is sent there. Afterwards errors go to the client.
 * The exception is a URI that would make this server an open redirector to any registered place.
 */
import { randomBytes } from 'node:crypto'
import { hashSha256Hex, noteUse, readSession } from '../auth/sessions/session.ts'
import { requireSession, type Session } from '../auth/sessions/store.ts'
import type { Statement } from '../db/db.ts'
import { isChallenge } from '../http/pkce.ts'
import type { Parts } from '../parts.ts'
import { type Client, canReturnTo, findClient, usedClientTtlMs } from './client.ts'
import { type ClientDocuments, isDocumentAddress } from './client-document.ts'
import { markClientUsed, putDocumentClient } from './client-store.ts'
import { insertCode } from './code-store.ts'
import { type ConsentKey, findConsent, insertRequest, requireConsent } from './consent-store.ts'
import { findDuplicate, readScopes, readValue, requireResource } from './parameters.ts'
import { buildRedirect, judgeRedirectUri, leadsToComputer, readPlace } from './redirect-uri.ts'
import { OAuthError, writeDescription } from './refusal.ts'
import { buildResource, codeTtlMs, requestTtlMs } from './vocabulary.ts'

/** A request that was checked: what a person is asked to allow. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  /** As on the wire. */
  readonly scope: string
  /** False for the default scopes of a request that names none. */
  readonly isScopeNamed: boolean
  readonly challenge: string
  readonly state: string
  readonly resource: string
}

export type Outcome =
  /** 303: to the client, or to sign in. */
  | { readonly redirect: string }
  | { readonly ask: AuthorizationRequest; readonly handle: string; readonly session: Session }

/** Errors: OAuthError, to be shown here. */
export async function authorize(
  parts: Parts,
  documents: ClientDocuments | undefined,
  { url, headers }: Pick<Request, 'url' | 'headers'>,
): Promise<Outcome> {
  const { search, searchParams: parameters } = new URL(url)
  const { client, redirectUri } = await requireReturn(parts, documents, parameters)
  const session = await readSession(parts, headers)
  try {
    const asked = requireRequest(parts, client, redirectUri, parameters)
    if (!session) return { redirect: signInAddress(parts, search) }
    noteUse(parts, session, parts.now())
    if (await isAllowed(parts, session, asked, asksAgain(parameters))) {
      const consent =
        client.kind === 'first-party' ? undefined : requireConsent(makeConsentKey(session, asked), asked.scope)
      const { code, statements } = issueCode(parts, session, asked, consent ? [consent] : [])
      const result = await parts.db.write(statements)
      if ('changes' in result) return { redirect: buildSuccessAddress(parts, asked, code) }
      // The person may have signed out everywhere at this very moment, or have disconnected the client.
      if (statements[result.refusedAt] !== consent) return { redirect: signInAddress(parts, search) }
    }
    const handle = randomBytes(32).toString('base64url')
    await insertRequest(parts.db, {
      hash: hashSha256Hex(handle),
      sessionHash: session.hash,
      client: client.id,
      params: JSON.stringify(asked),
      expiresAt: parts.now() + requestTtlMs,
    })
    return { ask: asked, handle, session }
  } catch (error) {
    if (!(error instanceof OAuthError) || !(await isTrusted(parts, session, client, redirectUri))) throw error
    const state = findDuplicate(parameters, ['state']) ? undefined : readValue(parameters, 'state')
    return { redirect: buildErrorAddress(parts, redirectUri, error, state) }
  }
}

/** The client, and the redirect URI of the answer. Errors: OAuthError, which must not be sent to that URI. */
async function requireReturn(
  parts: Parts,
  documents: ClientDocuments | undefined,
  parameters: URLSearchParams,
): Promise<Pick<AuthorizationRequest, 'client' | 'redirectUri'>> {
  const twice = findDuplicate(parameters, ['client_id', 'redirect_uri'])
  if (twice) throw new OAuthError('invalid_request', `${twice} is given twice`)
  const clientId = readValue(parameters, 'client_id')
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing')
  const client =
    documents && isDocumentAddress(clientId) ? await documents.find(clientId) : await findClient(parts, clientId)
  // With documents switched off, those that were read before may end what they have, and begin nothing.
  if (client?.kind === 'cimd' && !documents) throw new UnknownClientError()
  if (!client) throw new UnknownClientError()
  const redirectUri = readValue(parameters, 'redirect_uri')
  if (redirectUri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is missing')
  // Earlier registrations may hold an address that is refused today.
  const isRefused = judgeRedirectUri(redirectUri, parts.config.oauth.redirectSchemes) === 'refused'
  if (isRefused || !canReturnTo(client, redirectUri))
    throw new OAuthError(
      'invalid_request',
      'redirect_uri is not registered for this client: send one that is, or register it',
    )
  return { client, redirectUri }
}

/**
 * An unknown client: it was registered elsewhere, or was forgotten after a long time. The page explains how to start
 * anew.
 */
export class UnknownClientError extends OAuthError {
  constructor() {
    super('invalid_client', 'this client_id is not known here: remove the server from your MCP host and add it again')
  }
}

/** Errors: OAuthError. */
function requireRequest(
  { config, addresses }: Parts,
  client: Client,
  redirectUri: string,
  parameters: URLSearchParams,
): AuthorizationRequest {
  const twice = findDuplicate(parameters, onlyOnce)
  if (twice) throw new OAuthError('invalid_request', `${twice} is given twice`)
  const state = readValue(parameters, 'state')
  if (state === undefined) throw new OAuthError('invalid_request', 'state is missing')
  if (state.length > longestState)
    throw new OAuthError('invalid_request', `state has more than ${longestState} characters`)
  const responseType = readValue(parameters, 'response_type')
  if (responseType === undefined) throw new OAuthError('invalid_request', 'response_type is missing: send code')
  if (responseType !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code')
  const challenge = readValue(parameters, 'code_challenge')
  if (challenge === undefined)
    throw new OAuthError('invalid_request', 'code_challenge is missing: this server needs PKCE (RFC 7636)')
  if (readValue(parameters, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  if (!isChallenge(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be the base64url of a SHA-256 digest: 43 characters')
  const resource = buildResource(addresses().mcpUrl)
  requireResource(parameters, resource)
  const named = (readValue(parameters, 'scope') ?? '').trim()
  const scope = readScopes(named, config.brand).join(' ')
  return { client, redirectUri, scope, isScopeNamed: named !== '', challenge, state, resource }
}

const onlyOnce = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const
const longestState = 4096

/** `prompt=consent` (OpenID Connect Core section 3.1.2.1). Other values are not known here. */
const asksAgain = (parameters: URLSearchParams): boolean =>
  (parameters.get('prompt') ?? '').split(' ').includes('consent')

export const makeConsentKey = (
  { profile, linkProof }: Session,
  { client, redirectUri }: Pick<AuthorizationRequest, 'client' | 'redirectUri'>,
): ConsentKey => ({
  profile: profile.id,
  client: client.id,
  place: readPlace(redirectUri),
  linkProof,
})

/**
 * Whether this person need not be asked: our own client, or no more than what was allowed before. Any program on the
 * person's computer can ask in the name of a client that runs there (RFC 8252 section 8.6), so that is always asked.
 */
async function isAllowed(
  { db }: Parts,
  session: Session,
  request: AuthorizationRequest,
  asksAgain: boolean,
): Promise<boolean> {
  if (request.client.kind === 'first-party') return true
  if (asksAgain || leadsToComputer(request.redirectUri)) return false
  const allowed = (await findConsent(db, makeConsentKey(session, request)))?.split(' ') ?? []
  return request.scope.split(' ').every((word) => allowed.includes(word))
}

/**
 * Whether an error may be sent to the client's redirect URI. A program on the person's computer reaches no
 * one else. Any other place must be one that this person has allowed before.
 */
async function isTrusted(
  { db }: Parts,
  session: Session | undefined,
  client: Client,
  redirectUri: string,
): Promise<boolean> {
  if (client.kind === 'first-party' || leadsToComputer(redirectUri)) return true
  const key = session && makeConsentKey(session, { client, redirectUri })
  return key !== undefined && (await findConsent(db, key)) !== undefined
}

const signInAddress = ({ addresses }: Parts, search: string): string =>
  `${addresses().authUrl}/verify?intent=login&returnTo=${encodeURIComponent(`/oauth/authorize${search}`)}`

/**
 * A code, and what stores it after `consent`. Sessions, clients and consents come in the order of the writes that end
 * them, and before the code, so that those find it.
 */
export function issueCode(
  { now, readLatest }: Parts,
  session: Session,
  { client, redirectUri, scope, challenge, resource }: AuthorizationRequest,
  consent: readonly Statement[],
): { readonly code: string; readonly statements: readonly Statement[] } {
  const code = `ac_${randomBytes(32).toString('base64url')}`
  const at = now()
  return {
    code,
    statements: [
      requireSession(session.hash),
      ...noteClientUse(client, readLatest()),
      ...consent,
      insertCode({
        hash: hashSha256Hex(code),
        profile: session.profile.id,
        client: client.id,
        account: session.account,
        linkProof: session.linkProof,
        redirectUri,
        challenge,
        scope,
        resource,
        signedInAt: session.createdAt,
        expiresAt: at + codeTtlMs,
      }),
    ],
  }
}

function noteClientUse({ id, kind, name, redirectUris }: Client, at: number): Statement[] {
  if (kind === 'first-party') return []
  const expiresAt = at + usedClientTtlMs
  return kind === 'dcr'
    ? markClientUsed(id, at, expiresAt)
    : putDocumentClient({
        id,
        name: name ?? null,
        redirectUris: JSON.stringify(redirectUris),
        createdAt: at,
        expiresAt,
      })
}

export const buildSuccessAddress = (
  { addresses }: Parts,
  { redirectUri, state }: AuthorizationRequest,
  code: string,
): string => buildRedirect(redirectUri, { code, state, iss: addresses().authUrl })

export const buildErrorAddress = (
  { addresses }: Parts,
  redirectUri: string,
  error: OAuthError,
  state: string | undefined,
): string =>
  buildRedirect(redirectUri, {
    error: error.oauthCode,
    error_description: writeDescription(error),
    state,
    iss: addresses().authUrl,
  })
