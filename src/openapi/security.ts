/**
 * The allowed callers of a route, as `security` of OpenAPI. It cannot express a signature in a body; `x-callers` does.
 */
import { type Caller, type Route, takesSignedBody } from '../http/route.ts'
import type { Schema } from './operation.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

export function listSecurity(route: Route): readonly Requirement[] {
  const { method, callers, shapes } = route
  const isChange = method !== 'GET'
  const signedHeaders = takesSignedHeaders(shapes) ? [{ walletAddress: [], signature: [], signedTimestamp: [] }] : []
  const requirements: Readonly<Record<Caller, readonly Requirement[]>> = {
    anyone: [{}],
    signature: [...(signedHeaders.length === 0 || takesSignedBody(route) ? [{}] : []), ...signedHeaders],
    session: [isChange ? { session: [], csrfToken: [] } : { session: [] }],
    'access-key': [{ accessKey: [] }],
  }
  const all = callers.flatMap((caller) => requirements[caller])
  // Several callers may need no header; that alternative is listed once.
  const isNothing = (one: Requirement): boolean => Object.keys(one).length === 0
  return all.filter((one, index) => !isNothing(one) || all.findIndex(isNothing) === index)
}

const takesSignedHeaders = ({ headers }: Route['shapes']): boolean => 'x-signature' in (headers?.properties ?? {})

const describeHeaderKey = (name: string, description: string): Schema => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

/** By the names that listSecurity uses. */
export const listSecuritySchemes = (brand: string, authUrl: string | undefined): Readonly<Record<string, Schema>> => ({
  walletAddress: describeHeaderKey(
    'x-wallet-address',
    'The wallet that signs, one of three headers that belong together.',
  ),
  signature: describeHeaderKey('x-signature', 'Its signature over the six lines of the action.'),
  signedTimestamp: describeHeaderKey('x-signed-timestamp', 'Unix milliseconds of that signature.'),
  session: { type: 'apiKey', in: 'cookie', name: `${brand}_session`, description: 'A browser that is signed in.' },
  csrfToken: describeHeaderKey('X-CSRF-Token', 'csrfToken of GET /api/v1/auth/me, with every change by cookie.'),
  accessKey: { type: 'http', scheme: 'bearer', description: 'npk_…, made by POST /api/v1/auth/profile-keys.' },
  ...(authUrl === undefined ? {} : { accessToken: describeOAuth(brand, authUrl) }),
})

const describeOAuth = (brand: string, authUrl: string): Schema => ({
  type: 'oauth2',
  description: 'For the MCP endpoint. Clients register, or are known by the address of a document; PKCE is needed.',
  flows: {
    authorizationCode: {
      authorizationUrl: `${authUrl}/oauth/authorize`,
      tokenUrl: `${authUrl}/api/v1/auth/mcp/token`,
      refreshUrl: `${authUrl}/api/v1/auth/mcp/token`,
      scopes: {
        [`${brand}:core`]: 'Check proofs, and make proofs in the name of the person.',
        [`${brand}:profile`]: 'Private proofs, linked wallets, agents, gates and what they give.',
        [`${brand}:secrets`]: 'Encrypted secrets, and sharing and delegating without an end.',
        offline_access: 'A refresh token.',
      },
    },
  },
})
