/** The parts of the server that are timed, by the route of a request. Files, health and the operator's own are not. */

export const surfaces = {
  prepare: 'Prepare a claim',
  create: 'Make a proof',
  proofs: 'Read proofs',
  checks: 'Gate checks',
  gates: 'Gates',
  fulfill: 'Fulfil',
  payments: 'Payments',
  sessions: 'Sign-in and account',
  oauth: 'OAuth',
  mcp: 'MCP',
  pages: 'Pages',
} as const

export type Surface = keyof typeof surfaces

/** The first that fits. */
const places: readonly (readonly [RegExp, Surface | undefined])[] = [
  [
    /^\/api\/v1\/(operator|health)(\/|$)|^\/(health(\/|$)|assets|operator|docs|openapi\.json|client\.|widget\.)|\/openapi\.json$/,
    undefined,
  ],
  [/^\/api\/v1\/verification\/(standardize|diagnose)$/, 'prepare'],
  [/^\/api\/v1\/verification\/?$/, 'create'],
  [/^\/api\/v1\/proofs\/(gate\/)?check$/, 'checks'],
  [/^\/api\/v1\/(proofs|verification)\//, 'proofs'],
  [/\/fulfill$/, 'fulfill'],
  [/^\/api\/v1\/(profile\/)?gates(\/|$)/, 'gates'],
  [/^\/api\/v1\/payments\//, 'payments'],
  [/^(\/api\/v1\/auth\/mcp|\/oauth|\/\.well-known\/(oauth-authorization|jwks))/, 'oauth'],
  [/^\/api\/v1\/(auth|profile)\//, 'sessions'],
  [/^\/mcp|^\/\.well-known\//, 'mcp'],
  [/^\/api\//, undefined],
  [/^\//, 'pages'],
]

const known = new Map<string, Surface | undefined>()

/** Of a route as it is registered (`/proof/:qHash`), of which there are so many and no more. */
export function findSurface(route: string): Surface | undefined {
  if (known.has(route)) return known.get(route)
  const surface = places.find(([pattern]) => pattern.test(route))?.[1]
  known.set(route, surface)
  return surface
}
