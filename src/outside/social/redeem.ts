/**
 * Exchanges a code for tokens and a verified ID token. The OAuth library checks issuer, audience, nonce, times and
 * signature.
 */
import type { AuthorizationServer } from 'oauth4webapi'
import { OutsideError } from '../failure.ts'
import { parseJson } from '../http/endpoint.ts'
import { type Claims, readMember } from './account.ts'
import type { Library } from './metadata.ts'
import type { ProviderPlan } from './plan.ts'
import type { Asked } from './social.ts'
import type { Tools } from './tools.ts'
import { makeTokenRefusal } from './wrong-token.ts'

export interface Redeemed {
  /** The claims of the ID token; undefined without an issuer. */
  readonly claims: Claims | undefined
  readonly accessToken: string
}

/** To be called once for each code. Errors: those of the library, SignInRefused, OutsideError. */
export async function redeem(tools: Tools, parameters: URLSearchParams, asked: Asked): Promise<Redeemed> {
  const { library, plan, server, client, calling } = tools
  const answer = new URLSearchParams(parameters)
  const iss = answer.get('iss') ?? undefined
  // Without an issuer nothing can be compared: each provider's own redirect address keeps them apart (RFC 9700 section
  // 4.4.2.2).
  if (plan.issuer === undefined) answer.delete('iss')
  // One of many tenants: the check below requires the one of the ID token.
  const expected = plan.issuerTemplate === undefined ? server : { ...server, issuer: iss ?? server.issuer }
  const returned = library.validateAuthResponse(expected, client, answer, asked.state)
  const response = await library.authorizationCodeGrantRequest(
    server,
    client,
    chooseAuthentication(library, plan),
    returned,
    asked.redirectUri,
    plan.pkce ? asked.codeVerifier : library.nopkce,
    calling,
  )
  const { body, idToken } = await requireConforming(plan, response)
  const issuer = chooseIssuer(plan, server, idToken)
  if (plan.issuer === undefined) {
    const token = await library.processAuthorizationCodeResponse(issuer, client, body)
    return { claims: undefined, accessToken: token.access_token }
  }
  const token = await library.processAuthorizationCodeResponse(issuer, client, body, {
    expectedNonce: asked.nonce,
    requireIdToken: true,
  })
  if (iss !== undefined && iss !== issuer.issuer) throw makeTokenRefusal('wrong_issuer')
  await requireSignature(tools, issuer, body)
  return { claims: library.getValidatedIdTokenClaims(token), accessToken: token.access_token }
}

/** Errors: those of the library, SignInRefused, OutsideError. */
async function requireSignature({ library, plan, calling, keys }: Tools, issuer: AuthorizationServer, body: Response) {
  try {
    await library.validateApplicationLevelSignature(issuer, body, { ...calling, [library.jwksCache]: keys })
  } catch (error) {
    // The library cannot decode the token's bytes, or WebCrypto cannot read the key.
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE')
      throw makeTokenRefusal('no_token')
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    throw new OutsideError(
      'malformed',
      plan.setting,
      'publishes a signing key that cannot be read',
      'see whether jwks_uri is that of the provider, and tell the provider',
    )
  }
}

export function chooseAuthentication(library: Library, { clientSecret, clientAuth }: ProviderPlan) {
  if (clientSecret === undefined) return library.None()
  return clientAuth === 'basic' ? library.ClientSecretBasic(clientSecret) : library.ClientSecretPost(clientSecret)
}

/**
 * Brings a token endpoint's answer into the form of RFC 6749 section 5. Some providers return errors with status 200,
 * or omit token_type. Without a known issuer the ID token is not checked, so it is removed.
 */
async function requireConforming(
  { setting, issuer }: ProviderPlan,
  response: Response,
): Promise<{ readonly body: Response; readonly idToken: string | undefined }> {
  const { status, headers } = response
  if (status !== 200 && status !== 400) return { body: response, idToken: undefined }
  const told = parseJson(setting, { status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) })
  if (typeof told !== 'object' || told === null)
    throw new OutsideError('malformed', setting, 'answered with something that is no token', 'see token_endpoint')
  const { id_token: idToken, ...rest } = told as Record<string, unknown>
  const hasIdToken = issuer !== undefined && typeof idToken === 'string'
  const body = { token_type: 'bearer', ...rest, ...(hasIdToken ? { id_token: idToken } : {}) }
  const isError = 'error' in rest
  if (isError) Object.assign(body, { error: readErrorWord(rest.error) })
  return {
    body: new Response(JSON.stringify(body), {
      status: isError ? 400 : status,
      headers: { 'content-type': 'application/json', ...pick(headers, 'www-authenticate') },
    }),
    idToken: hasIdToken ? idToken : undefined,
  }
}

/** Facebook returns errors as an object; 100 is its code for an expired authorization code. */
function readErrorWord(error: unknown): string {
  if (typeof error === 'string') return error
  return readMember(error, 'code') === 100 ? 'invalid_grant' : 'server_error'
}

function pick(headers: Headers, name: string): Record<string, string> {
  const value = headers.get(name)
  return value === null ? {} : { [name]: value }
}

/**
 * For providers with an issuer for each tenant, returns the issuer that the ID token names. The library then checks the
 * whole token against it. The token is not trusted here: the signer of all tenants states the tenant in `iss`.
 */
function chooseIssuer({ issuerTemplate }: ProviderPlan, server: AuthorizationServer, idToken: string | undefined) {
  if (issuerTemplate === undefined) return server
  const tid = readTenant(idToken ?? '')
  return { ...server, issuer: issuerTemplate.replace('{tenantid}', tid ?? 'none') }
}

function readTenant(idToken: string): string | undefined {
  try {
    const { tid } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    return typeof tid === 'string' && /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(tid) ? tid : undefined
  } catch {
    return undefined
  }
}
