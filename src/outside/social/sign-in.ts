/**
 * Signing in at one provider: the address the person is sent to, and what is made of the answer. Checked by the OAuth
 * library: state, `iss` (RFC 9207), and of an ID token issuer, audience, nonce, times and signature.
 */
import type { AuthorizationServer, Client, JWKSCacheInput } from 'oauth4webapi'
import { OutsideError } from '../failure.ts'
import { jsonOf } from '../http/endpoint.ts'
import { accountOf, type Claims } from './account.ts'
import type { Door, DoorCall } from './door.ts'
import { type Library, metadataOf } from './metadata.ts'
import { claimedMembership, googleMembership, microsoftMembership } from './organisation.ts'
import type { ProviderPlan } from './plan.ts'
import { refusalOf } from './refusals.ts'
import type { Asked, Membership, SignedIn, SocialProvider } from './social.ts'

/** Clocks of providers and ours. */
const toleranceSeconds = 60

/** On demand: most starts need none of it. */
const loadLibrary = (): Promise<Library> => import('oauth4webapi')

export interface Connected extends SocialProvider {
  /** Sends a code that nobody has: what the provider says to it tells whether it knows this server. */
  tryCode(redirectUri: string): Promise<'refused' | 'accepted'>
}

export function signInAt(plan: ProviderPlan, door: Door, now: () => number): Connected {
  const metadata = metadataOf(plan, door, now)
  const keys: JWKSCacheInput = {}

  async function told<Answer>(work: (tools: Tools) => Promise<Answer>): Promise<Answer> {
    const library = await loadLibrary()
    try {
      return await work(toolsOf(library, plan, door, await metadata(library), keys))
    } catch (error) {
      throw refusalOf(error, plan.setting, library)
    }
  }

  return {
    id: plan.id,
    label: plan.label,
    kinds: plan.kinds,
    authorizationUrl: (asked) => told(({ library, server }) => addressFor(plan, library, server, asked)),
    complete: (parameters, asked) =>
      told(async (tools) => {
        const { claims, accessToken } = await exchanged(tools, parameters, asked)
        const whole = await withUserinfo(tools, claims, accessToken)
        const membership = await membershipOf(tools, claims, whole, accessToken)
        await giveBack(tools, accessToken)
        return { account: accountOf(plan.setting, whole, plan), ...membership } satisfies SignedIn
      }),
    async tryCode(redirectUri) {
      try {
        await told(async (tools) => {
          const { library, server } = tools
          const asked = {
            state: 'none',
            nonce: 'none',
            codeVerifier: library.generateRandomCodeVerifier(),
            redirectUri,
          }
          const iss = server.authorization_response_iss_parameter_supported ? { iss: server.issuer } : {}
          await exchanged(tools, new URLSearchParams({ code: 'none', state: 'none', ...iss }), asked)
        })
        return 'accepted'
      } catch (error) {
        if (error instanceof Error && error.name === 'SignInRefused') return 'refused'
        throw error
      }
    },
  }
}

interface Tools {
  readonly library: Library
  readonly plan: ProviderPlan
  readonly server: AuthorizationServer
  readonly client: Client
  readonly door: Door
  /** What every call of the library is given. */
  readonly calling: object
  /** Signing keys of the provider, kept by the library between sign-ins. */
  readonly keys: JWKSCacheInput
}

function toolsOf(
  library: Library,
  plan: ProviderPlan,
  door: Door,
  server: AuthorizationServer,
  keys: JWKSCacheInput,
): Tools {
  const isPlain = plan.trusted.some((address) => address.startsWith('http:'))
  return {
    library,
    plan,
    server,
    client: { client_id: plan.clientId, [library.clockTolerance]: toleranceSeconds },
    door,
    calling: {
      [library.customFetch]: (url: string, call: DoorCall) => door(url, call),
      // Over plain http only where the configuration allows it, which is on loopback.
      [library.allowInsecureRequests]: isPlain,
    },
    keys,
  }
}

async function addressFor(
  plan: ProviderPlan,
  library: Library,
  server: AuthorizationServer,
  { state, nonce, codeVerifier, redirectUri }: Asked,
): Promise<string> {
  const address = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    response_type: 'code',
    client_id: plan.clientId,
    redirect_uri: redirectUri,
    ...(plan.scopes.length > 0 ? { scope: plan.scopes.join(' ') } : {}),
    state,
    ...(plan.issuer === undefined ? {} : { nonce }),
    ...(plan.pkce
      ? { code_challenge: await library.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' }
      : {}),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

interface Exchanged {
  /** Of the ID token; none without an issuer. */
  readonly claims: Claims | undefined
  readonly accessToken: string
}

async function exchanged(tools: Tools, parameters: URLSearchParams, asked: Asked): Promise<Exchanged> {
  const { library, plan, server, client, calling, keys } = tools
  const answer = new URLSearchParams(parameters)
  const iss = answer.get('iss') ?? undefined
  // Without an issuer there is nothing to compare with: the redirect address, one for each provider, keeps them apart
  // (RFC 9700 section 4.4.2.2).
  if (plan.issuer === undefined) answer.delete('iss')
  // One of many tenants: below it must be the one of the ID token.
  const expected = plan.issuerTemplate === undefined ? server : { ...server, issuer: iss ?? server.issuer }
  const returned = library.validateAuthResponse(expected, client, answer, asked.state)
  const response = await library.authorizationCodeGrantRequest(
    server,
    client,
    authenticationOf(library, plan),
    returned,
    asked.redirectUri,
    plan.pkce ? asked.codeVerifier : library.nopkce,
    calling,
  )
  const { body, idToken } = await conformed(plan, response)
  const issuer = issuerFor(plan, server, idToken)
  if (plan.issuer === undefined) {
    const token = await library.processAuthorizationCodeResponse(issuer, client, body)
    return { claims: undefined, accessToken: token.access_token }
  }
  const token = await library.processAuthorizationCodeResponse(issuer, client, body, {
    expectedNonce: asked.nonce,
    requireIdToken: true,
  })
  if (iss !== undefined && iss !== issuer.issuer)
    throw new OutsideError(
      'malformed',
      plan.setting,
      'sent the person back in the name of another issuer',
      'see issuer',
    )
  await library.validateApplicationLevelSignature(issuer, body, { ...calling, [library.jwksCache]: keys })
  return { claims: library.getValidatedIdTokenClaims(token), accessToken: token.access_token }
}

function authenticationOf(library: Library, { clientSecret, clientAuth }: ProviderPlan) {
  if (clientSecret === undefined) return library.None()
  return clientAuth === 'basic' ? library.ClientSecretBasic(clientSecret) : library.ClientSecretPost(clientSecret)
}

/**
 * The answer of a token endpoint in the form that RFC 6749 section 5 gives it: some tell of errors with status 200, or
 * leave out token_type. An ID token of a provider that is not known as an issuer is not looked at, so it is left out.
 */
async function conformed(
  { setting, issuer }: ProviderPlan,
  response: Response,
): Promise<{ readonly body: Response; readonly idToken: string | undefined }> {
  const { status, headers } = response
  if (status !== 200 && status !== 400) return { body: response, idToken: undefined }
  const told = jsonOf(setting, { status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) })
  if (typeof told !== 'object' || told === null)
    throw new OutsideError('malformed', setting, 'answered with something that is no token', 'see token_endpoint')
  const { id_token: idToken, ...rest } = told as Record<string, unknown>
  const hasIdToken = issuer !== undefined && typeof idToken === 'string'
  const body = { token_type: 'bearer', ...rest, ...(hasIdToken ? { id_token: idToken } : {}) }
  const isError = 'error' in rest
  return {
    body: new Response(JSON.stringify(body), {
      status: isError ? 400 : status,
      headers: { 'content-type': 'application/json', ...pick(headers, 'www-authenticate') },
    }),
    idToken: hasIdToken ? idToken : undefined,
  }
}

function pick(headers: Headers, name: string): Record<string, string> {
  const value = headers.get(name)
  return value === null ? {} : { [name]: value }
}

/**
 * Where each tenant is an issuer, the one that the ID token names: the library then holds the whole token against it. The
 * token is not believed here: whoever signs for all tenants says in `iss` which one it is.
 */
function issuerFor({ issuerTemplate }: ProviderPlan, server: AuthorizationServer, idToken: string | undefined) {
  if (issuerTemplate === undefined) return server
  const tid = tenantIn(idToken ?? '')
  return { ...server, issuer: issuerTemplate.replace('{tenantid}', tid ?? 'none') }
}

function tenantIn(idToken: string): string | undefined {
  try {
    const { tid } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    return typeof tid === 'string' && /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(tid) ? tid : undefined
  } catch {
    return undefined
  }
}

/** The account as the provider describes it. With an ID token it must be about the same person. */
async function withUserinfo(tools: Tools, claims: Claims | undefined, accessToken: string): Promise<Claims> {
  const { plan, server } = tools
  const address = plan.issuer === undefined || plan.asksUserinfo ? server.userinfo_endpoint : undefined
  if (address === undefined) return claims ?? {}
  const said = (await read(tools, address, accessToken)) as Claims
  if (claims === undefined) return said
  if (said.sub !== claims.sub)
    throw new OutsideError('malformed', plan.setting, 'described somebody else than it signed in', 'tell the provider')
  // What was signed weighs more.
  return { ...said, ...claims }
}

/** Errors: OutsideError. */
async function read({ library, plan, calling }: Tools, address: string, accessToken: string): Promise<object> {
  const headers = new Headers({ accept: 'application/json' })
  const response = await library.protectedResourceRequest(accessToken, 'GET', new URL(address), headers, null, calling)
  const { status } = response
  const said = jsonOf(plan.setting, { status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) })
  if (status === 200 && typeof said === 'object' && said !== null && !Array.isArray(said)) return said
  throw new OutsideError(
    'malformed',
    plan.setting,
    `answered ${status} when asked about the account`,
    'see its addresses',
  )
}

async function membershipOf(
  tools: Tools,
  claims: Claims | undefined,
  whole: Claims,
  accessToken: string,
): Promise<{ readonly membership?: Membership }> {
  const { plan } = tools
  if (plan.organisation === 'google') return { membership: googleMembership(claims ?? {}) }
  if (plan.organisation === 'microsoft') {
    const { organizationEndpoint: address } = plan
    const graph = address === undefined ? undefined : () => read(tools, address, accessToken)
    return { membership: await microsoftMembership(claims ?? {}, graph) }
  }
  return plan.orgClaim === undefined ? {} : { membership: claimedMembership(whole, plan.orgClaim) }
}

/** A kindness: the token is forgotten here whether or not the provider hears of it. */
async function giveBack({ library, plan, server, client, calling }: Tools, accessToken: string): Promise<void> {
  if (plan.revocationEndpoint === undefined) return
  try {
    await library.revocationRequest(server, client, authenticationOf(library, plan), accessToken, calling)
  } catch {
    // It expires by itself.
  }
}
