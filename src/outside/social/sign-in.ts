/**
 * Signs in at one provider: makes the redirect address, and reads the answer. The file redeem.ts checks its state and
 * `iss` (RFC 9207).
 */
import type { AuthorizationServer, JWKSCacheInput } from 'oauth4webapi'
import { OutsideError } from '../failure.ts'
import { parseJson } from '../http/endpoint.ts'
import { type Claims, readAccount } from './account.ts'
import { type Library, makeMetadataReader } from './metadata.ts'
import { readClaimedMembership, readGoogleMembership, readMicrosoftMembership } from './organization.ts'
import type { ProviderPlan } from './plan.ts'
import { chooseAuthentication, redeem } from './redeem.ts'
import { makeRefusal } from './refusals.ts'
import type { RootFetch } from './root-fetch.ts'
import { type Asked, type Membership, type SignedIn, SignInRefused, type SocialProvider } from './social.ts'
import { makeTools, type Tools } from './tools.ts'
import { describeTokenFault, makeTokenRefusal } from './wrong-token.ts'

/** On demand: most starts need none of it. */
const loadLibrary = (): Promise<Library> => import('oauth4webapi')

export interface Connected extends SocialProvider {
  /** Sends an invented code: the provider's error shows whether it knows this server. */
  tryCode(redirectUri: string): Promise<'refused' | 'accepted'>
}

export function openSignIn(plan: ProviderPlan, rootFetch: RootFetch, now: () => number): Connected {
  const metadata = makeMetadataReader(plan, rootFetch, now)
  const keys: JWKSCacheInput = {}

  async function runWithTools<Answer>(work: (tools: Tools) => Promise<Answer>): Promise<Answer> {
    const library = await loadLibrary()
    try {
      return await work(makeTools(library, plan, rootFetch, await metadata(library), keys))
    } catch (error) {
      throw makeRefusal(error, plan.setting, library)
    }
  }

  return {
    id: plan.id,
    label: plan.label,
    kinds: plan.kinds,
    authorizationUrl: (asked) =>
      runWithTools(({ library, server }) => buildSignInAddress(plan, library, server, asked)),
    complete: (parameters, asked) =>
      runWithTools(async (tools) => {
        const { claims, accessToken } = await redeem(tools, parameters, asked)
        const whole = await addUserinfo(tools, claims, accessToken)
        const membership = await readMembership(tools, claims, whole, accessToken)
        await revokeToken(tools, accessToken)
        return { account: readAccount(plan.setting, whole, plan), ...membership } satisfies SignedIn
      }),
    async tryCode(redirectUri) {
      try {
        await runWithTools(async (tools) => {
          const { library, server } = tools
          const asked = {
            state: 'none',
            nonce: 'none',
            codeVerifier: library.generateRandomCodeVerifier(),
            redirectUri,
          }
          const iss = server.authorization_response_iss_parameter_supported ? { iss: server.issuer } : {}
          await redeem(tools, new URLSearchParams({ code: 'none', state: 'none', ...iss }), asked)
        })
        return 'accepted'
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error
        // Even a wrong token was issued for that code.
        return describeTokenFault(error.reason) === undefined ? 'refused' : 'accepted'
      }
    },
  }
}

async function buildSignInAddress(
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

/** The account as the provider describes it. An ID token must name the same person. */
async function addUserinfo(tools: Tools, claims: Claims | undefined, accessToken: string): Promise<Claims> {
  const { plan, server } = tools
  const address = plan.issuer === undefined || plan.asksUserinfo ? server.userinfo_endpoint : undefined
  if (address === undefined) return claims ?? {}
  const said = (await read(tools, address, accessToken)) as Claims
  if (claims === undefined) return said
  if (said.sub !== claims.sub) throw makeTokenRefusal('wrong_account')
  // Signed claims take precedence.
  return { ...said, ...claims }
}

/** Errors: OutsideError. */
async function read({ library, plan, calling }: Tools, address: string, accessToken: string): Promise<object> {
  const headers = new Headers({ accept: 'application/json' })
  const response = await library.protectedResourceRequest(accessToken, 'GET', new URL(address), headers, null, calling)
  const { status } = response
  const said = parseJson(plan.setting, { status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) })
  if (status === 200 && typeof said === 'object' && said !== null && !Array.isArray(said)) return said
  throw new OutsideError(
    'malformed',
    plan.setting,
    `answered ${status} when asked about the account`,
    'see whether userinfo_endpoint, and organization_endpoint where it is set, are right',
  )
}

async function readMembership(
  tools: Tools,
  claims: Claims | undefined,
  whole: Claims,
  accessToken: string,
): Promise<{ readonly membership?: Membership }> {
  const { plan } = tools
  if (plan.organization === 'google') return { membership: readGoogleMembership(claims ?? {}) }
  if (plan.organization === 'microsoft') {
    const { organizationEndpoint: address } = plan
    const graph = address === undefined ? undefined : () => read(tools, address, accessToken)
    return { membership: await readMicrosoftMembership(claims ?? {}, graph) }
  }
  return plan.orgClaim === undefined ? {} : { membership: readClaimedMembership(whole, plan.orgClaim) }
}

/** Optional: the token is dropped here even if the provider's revocation fails. */
async function revokeToken({ library, plan, server, client, calling }: Tools, accessToken: string): Promise<void> {
  if (plan.revocationEndpoint === undefined) return
  try {
    await library.revocationRequest(server, client, chooseAuthentication(library, plan), accessToken, calling)
  } catch {
    // It expires by itself.
  }
}
