/** A provider's metadata (OpenID Connect Discovery), overridden by the operator's settings. */
import type { AuthorizationServer } from 'oauth4webapi'
import { OutsideError } from '../failure.ts'
import type { ProviderPlan } from './plan.ts'
import type { RootFetch } from './root-fetch.ts'

export type Library = typeof import('oauth4webapi')

const keptMs = 3_600_000

/** Kept for an hour; a failure is not kept. */
export function makeMetadataReader(plan: ProviderPlan, rootFetch: RootFetch, now: () => number) {
  let found: { readonly metadata: Promise<AuthorizationServer>; readonly until: number } | undefined

  return function metadata(library: Library): Promise<AuthorizationServer> {
    if (found && now() < found.until) return found.metadata
    const asked =
      plan.issuer === undefined
        ? Promise.resolve(describePlainServer(plan))
        : discoverServer(plan, plan.issuer, rootFetch, library)
    const looking = { metadata: asked, until: now() + keptMs }
    found = looking
    asked.catch(() => {
      if (found === looking) found = undefined
    })
    return asked
  }
}

/** A plain OAuth provider has no metadata to look up. Its issuer here is a placeholder, and compared with nothing. */
const describePlainServer = (plan: ProviderPlan): AuthorizationServer => ({
  issuer: new URL(plan.authorizationEndpoint ?? plan.tokenEndpoint ?? 'https://invalid').origin,
  ...listEndpoints(plan),
})

/** Errors: OutsideError. */
async function discoverServer(
  plan: ProviderPlan,
  issuer: string,
  rootFetch: RootFetch,
  library: Library,
): Promise<AuthorizationServer> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await rootFetch(address, { method: 'GET', headers: { accept: 'application/json' } })
  // The tenant in the template stands for every tenant; the ID token names the actual one.
  const expected = new URL(plan.issuerTemplate ?? issuer)
  try {
    const found = { ...(await library.processDiscoveryResponse(expected, response)), ...listEndpoints(plan) }
    if (!found.authorization_endpoint || !found.token_endpoint || !found.jwks_uri)
      throw new Error('it names too little')
    requireAddress(found.authorization_endpoint, issuer)
    return found
  } catch (error) {
    throw new OutsideError(
      'malformed',
      plan.setting,
      `does not describe itself as ${expected.host} (${readErrorText(error)})`,
      'see whether issuer is written exactly as the provider writes it',
    )
  }
}

/** People are redirected there. */
function requireAddress(address: string, issuer: string): void {
  const { protocol } = new URL(address)
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return
  throw new Error('its authorization_endpoint is no https address')
}

const listEndpoints = (plan: ProviderPlan) =>
  Object.fromEntries(
    Object.entries({
      authorization_endpoint: plan.authorizationEndpoint,
      token_endpoint: plan.tokenEndpoint,
      userinfo_endpoint: plan.userinfoEndpoint,
      jwks_uri: plan.jwksUri,
      revocation_endpoint: plan.revocationEndpoint,
    }).filter(([, address]) => address !== undefined),
  )

/** Messages of the library name members, but never their values. */
export const readErrorText = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 160) : 'unknown'
