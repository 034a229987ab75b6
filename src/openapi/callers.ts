/**
 * Who may call an operation: told from its shape where that says it, and by name where it does not. For tools as
 * `security` of OpenAPI, which knows no signature in a body; for readers as `x-callers`, which does.
 */
import type { Operation, Schema } from './clean.ts'

/** Each is a way that is enough. */
export type Caller = 'anyone' | 'signature' | 'session' | 'access-key'

/** A wallet signs, in the five headers or in the body. */
export const takesSignature = ({ parameters = [], requestBody }: Operation): boolean =>
  parameters.some(({ name }) => name === 'x-signature') || signsInBody(requestBody)

const signsInBody = (body: Operation['requestBody']): boolean => {
  const { signature, signedTimestamp } = body?.content['application/json']?.schema.properties ?? {}
  return signature !== undefined && signedTimestamp !== undefined
}

const byName: Readonly<Record<string, readonly Caller[]>> = {
  // What is public is for everybody, and the owner sees more.
  getProof: ['anyone', 'signature', 'session', 'access-key'],
  getStatus: ['anyone', 'signature', 'session', 'access-key'],
  listProofs: ['anyone', 'signature', 'session', 'access-key'],
  listProofsOlder: ['anyone', 'signature', 'session', 'access-key'],
  checkProofs: ['anyone', 'signature', 'session', 'access-key'],
  checkManyProofs: ['anyone', 'signature', 'session', 'access-key'],
  getGate: ['anyone', 'signature', 'session', 'access-key'],
  getGateOlder: ['anyone', 'signature', 'session', 'access-key'],
  // The message that is sent is the credential.
  signIn: ['anyone'],
  // The code is the credential; whose key comes along is noted.
  exchangeSiteCode: ['anyone', 'access-key'],
  hearStripeEvent: ['anyone'],
  // It cannot be undone: no program does it with a key.
  eraseAll: ['signature', 'session'],
  listApps: ['session', 'access-key'],
  listWallets: ['session', 'access-key'],
  listSecrets: ['session', 'access-key'],
  createSecret: ['session', 'access-key'],
  revokeSecret: ['session', 'access-key'],
  disconnectApp: ['session', 'access-key'],
  revokeThisAccessKey: ['access-key'],
}

export function callersOf(operation: Operation): readonly Caller[] {
  const named = byName[operation.operationId]
  if (named) return named
  if (!operation.responses['401']) return ['anyone']
  return takesSignature(operation) ? ['signature', 'session', 'access-key'] : ['session']
}

type Requirement = Readonly<Record<string, readonly string[]>>

export function securityOf(operation: Operation, method: string): readonly Requirement[] {
  const inHeaders = operation.parameters?.some(({ name }) => name === 'x-signature')
  const isChange = method !== 'get'
  const requirements: Readonly<Record<Caller, Requirement>> = {
    anyone: {},
    signature: inHeaders ? { walletAddress: [], signature: [], signedTimestamp: [] } : {},
    session: isChange ? { session: [], csrfToken: [] } : { session: [] },
    'access-key': { accessKey: [] },
  }
  const all = callersOf(operation).map((caller) => requirements[caller])
  // Nothing in the headers is one way, however many reasons there are for it.
  const isNothing = (one: Requirement): boolean => Object.keys(one).length === 0
  return all.filter((one, index) => !isNothing(one) || all.findIndex(isNothing) === index)
}

const inHeader = (name: string, description: string): Schema => ({ type: 'apiKey', in: 'header', name, description })

/** By the names that securityOf uses. */
export const securitySchemes = (brand: string, authUrl: string | undefined): Readonly<Record<string, Schema>> => ({
  walletAddress: inHeader('x-wallet-address', 'The wallet that signs, one of three headers that belong together.'),
  signature: inHeader('x-signature', 'Its signature over the six lines of the action.'),
  signedTimestamp: inHeader('x-signed-timestamp', 'Unix milliseconds of that signature.'),
  session: { type: 'apiKey', in: 'cookie', name: `${brand}_session`, description: 'A browser that is signed in.' },
  csrfToken: inHeader('X-CSRF-Token', 'csrfToken of GET /api/v1/auth/me, with every change by cookie.'),
  accessKey: { type: 'http', scheme: 'bearer', description: 'npk_…, made by POST /api/v1/auth/profile-keys.' },
  ...(authUrl === undefined ? {} : { accessToken: oauthScheme(brand, authUrl) }),
})

const oauthScheme = (brand: string, authUrl: string): Schema => ({
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
