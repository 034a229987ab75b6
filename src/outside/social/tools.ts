/** The values that every call at one provider needs. */
import type { AuthorizationServer, Client, JWKSCacheInput } from 'oauth4webapi'
import type { Library } from './metadata.ts'
import type { ProviderPlan } from './plan.ts'
import type { RootCall, RootFetch } from './root-fetch.ts'

/** The tolerated difference between the providers' clocks and ours. */
const toleranceSeconds = 60

export interface Tools {
  readonly library: Library
  readonly plan: ProviderPlan
  readonly server: AuthorizationServer
  readonly client: Client
  readonly rootFetch: RootFetch
  /** The options of every library call. */
  readonly calling: object
  /** Signing keys of the provider, kept by the library between sign-ins. */
  readonly keys: JWKSCacheInput
}

export function makeTools(
  library: Library,
  plan: ProviderPlan,
  rootFetch: RootFetch,
  server: AuthorizationServer,
  keys: JWKSCacheInput,
): Tools {
  const isPlain = plan.trusted.some((address) => address.startsWith('http:'))
  return {
    library,
    plan,
    server,
    client: { client_id: plan.clientId, [library.clockTolerance]: toleranceSeconds },
    rootFetch,
    calling: {
      [library.customFetch]: (url: string, call: RootCall) => rootFetch(url, call),
      // Plain http only where the configuration allows it, which is on loopback.
      [library.allowInsecureRequests]: isPlain,
    },
    keys,
  }
}
