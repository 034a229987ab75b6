/** The worst known requests about people: sessions, keys, clients, secrets, the operator and pages. */
import { hardText } from '../fuzz/hard-text.ts'
import { byCookie, form, get, post, type Stage, type WorstCase } from './worst-case.ts'
import type { KnownWorst } from './worst-known-proofs.ts'
import { hashOf, type people, walletOf } from './worst-store.ts'

const auth = '/api/v1/auth'
const browserOf = (stage: Stage, person: keyof typeof people = 'owner') => byCookie(stage.credentials.browsers[person])

const reads =
  (...paths: readonly string[]) =>
  (stage: Stage): Omit<WorstCase, 'route'>[] =>
    paths.map((path) => ({
      name: path.includes('?') ? 'the longest page' : 'all of it',
      sender: 'signed in',
      request: () => get(path, browserOf(stage)),
    }))

const none = () => []

/** EIP-4361 messages hold up to 32 resources. */
const message = (more: string): string =>
  `127.0.0.1 wants you to sign in with your Ethereum account:\n${walletOf('owner')}\n\nSign in\n\nURI: http://127.0.0.1\nVersion: 1\nChain ID: 84532\nNonce: aaaaaaaaaaaaaaaa\nIssued At: ${new Date().toISOString()}\n${more}`

const authorizeQuery = (change: Record<string, string>): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: 'c_1',
    redirect_uri: `https://client-1.example/${'p'.repeat(1_900)}`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 's',
    ...change,
  }).toString()

const verifyPage: readonly (readonly [string, Record<string, string>])[] = [
  ['16 verifiers', { verifiers: Array.from({ length: 16 }, () => 'ownership-basic').join(',') }],
  ['every verifier', { verifiers: 'ownership-basic,wallet-link,agent-identity,agent-delegation,ownership-pseudonym' }],
  ['many commas', { verifiers: ','.repeat(14_000) }],
  [
    'JSON of 14 kB',
    { verifiers: 'agent-delegation', agentId: 'a', prefillAllowedActions: `[${'"a",'.repeat(3_400)}"a"]` },
  ],
  ['deep JSON', { verifiers: 'agent-delegation', prefillRuntimePolicy: '['.repeat(14_000) }],
  ['a long message', { message: hardText('30 marks in a row', 2_000) }],
  ['a run of marks', { message: hardText('a run of marks', 2_000) }],
  ['a long domain', { expectedOrgDomain: 'a-'.repeat(7_000) }],
  [
    'a long address to return to',
    { returnUrl: `https://${'a.'.repeat(6_000)}example`, mode: 'popup', origin: `https://${'a.'.repeat(900)}example` },
  ],
  ['a gate of long texts', { gateId: 'gate_texts' }],
]

const pageOf =
  (path: string) =>
  (stage: Stage): Omit<WorstCase, 'route'>[] => [
    {
      name: 'the page, signed in',
      sender: 'signed in',
      request: () => get(path, { ...browserOf(stage), accept: 'text/html' }),
    },
    { name: 'the page', sender: 'stranger', request: () => get(path, { accept: 'text/html' }) },
  ]

const pages = [
  '/',
  '/shared-with-me',
  '/gates',
  '/gates/new',
  '/payments',
  '/keys',
  '/apps',
  '/secrets',
  '/wallets',
  '/sessions',
  '/operator',
  '/operator/limits',
  '/operator/catalog',
  '/operator/audit',
  '/operator/numbers',
  '/operator/claim',
  '/pair',
  '/profile',
  '/shared',
  '/widget',
  '/docs',
  '/client.js',
  '/client.d.ts',
  '/widget.js',
  '/widget.d.ts',
  '/openapi.json',
  '/api/v1/openapi.json',
] as const

const documents = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/*',
  '/.well-known/jwks.json',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
  '/.well-known/mcp.json',
  '/.well-known/mcp/server-card.json',
  '/api/v1/health',
  '/api/v1/health/ready',
  '/api/v1/health/live',
  '/api/v1/health/self',
  '/assets/:name',
  '/health',
  '/health/ready',
  '/health/live',
  '/api/v1/health/detailed',
  '/docs/guides',
  '/docs/guides/search.json',
  '/docs/guides/:name',
  '/docs/guides/pictures/:name',
  '/docs/guides/decisions/:name',
  '/.well-known/agent-card.json',
  '/.well-known/a2a/agent-card.json',
] as const

const gone = (person: keyof typeof people, request: WorstCase['request'], name: string): Omit<WorstCase, 'route'>[] => [
  { name: `${name}, of ${person}`, sender: 'signed in', isSliced: true, isFinal: true, request },
]

export const knownPeople: KnownWorst = {
  ...Object.fromEntries(pages.map((path) => [`GET ${path}`, pageOf(path)])),
  ...Object.fromEntries(documents.map((path) => [`GET ${path}`, none])),
  'GET /gates/:gateId': pageOf('/gates/gate_texts'),
  'GET /proof/:qHash': pageOf(`/proof/${hashOf(`delegation 3 of ${walletOf('owner')}`)}`),
  'GET /login': (stage) => [
    ...pageOf('/login')(stage),
    {
      name: 'a long address to return to',
      sender: 'stranger',
      request: () => get(`/login?returnTo=${encodeURIComponent(`/${'../'.repeat(4_000)}`)}`),
    },
  ],
  'GET /verify': () =>
    verifyPage.map(([name, query]) => ({
      name,
      sender: 'stranger',
      request: () => get(`/verify?${new URLSearchParams(query)}`, { accept: 'text/html' }),
    })),

  'GET /proof/:qHash/preview.png': (stage) =>
    pageOf(`/proof/${hashOf(`taggedProof 3 of ${walletOf('owner')}`)}/preview.png`)(stage),
  'GET /agent/:agentId': () => [
    {
      name: 'a long id',
      sender: 'stranger',
      request: () => get(`/agent/${'a'.repeat(10_000)}`, { accept: 'text/html' }),
    },
  ],
  'GET /receipts/:number': pageOf(`/receipts/${hashOf('receipt 1')}`),
  'POST /language': none,
  'POST /api/v1/auth/code': none,
  'POST /api/v1/auth/code/exchange': none,
  'POST /api/v1/auth/pairings': none,
  'POST /api/v1/auth/pairings/look': none,
  'POST /api/v1/auth/pairings/take': none,
  'POST /api/v1/auth/pairings/computer': () => [
    {
      name: 'a text of the longest length with an unknown secret',
      sender: 'stranger',
      request: () =>
        post('/api/v1/auth/pairings/computer', { secret: 'x'.repeat(43), text: hardText('30 marks in a row', 60_000) }),
    },
  ],
  'POST /api/v1/auth/pairings/phone': none,

  'GET /api/v1/profile/labels': reads('/api/v1/profile/labels'),
  'POST /api/v1/profile/labels': (stage) => [
    {
      name: 'another name beside 499',
      sender: 'signed in',
      request: (round) =>
        post(
          '/api/v1/profile/labels',
          { account: `0x${'7'.padStart(40, '0')}`, label: `${round}`.padEnd(60, 'l') },
          browserOf(stage),
        ),
    },
  ],
  'DELETE /api/v1/profile/labels/:account': none,
  'GET /api/v1/profile/names': reads(
    `/api/v1/profile/names?addresses=${Array.from({ length: 20 }, (_, at) => `0x${String(at).padStart(40, '0')}`).join(',')}`,
  ),
  'GET /api/v1/profile/wallets': reads('/api/v1/profile/wallets'),
  'DELETE /api/v1/profile/wallets/:account': none,
  'GET /api/v1/profile/secrets': reads('/api/v1/profile/secrets', '/api/v1/profile/secrets?limit=200'),
  'POST /api/v1/profile/secrets': (stage) => [
    {
      name: 'a bundle of 16 kB',
      sender: 'signed in',
      request: (round) =>
        post(
          '/api/v1/profile/secrets',
          {
            alias: `W_${round}`,
            type: 'bundle',
            content: JSON.stringify(Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`k${at}`, '']))),
          },
          browserOf(stage),
        ),
    },
  ],
  'DELETE /api/v1/profile/secrets/:secretId': none,

  'POST /api/v1/auth/nonce': none,
  'GET /api/v1/auth/nonce': none,
  'POST /api/v1/auth/verify': () =>
    [
      ['a message of many resources', message(`Resources:\n${'- https://a.example\n'.repeat(400)}`)],
      ['a message of empty lines', message('\n'.repeat(8_000))],
      ['a message of marks', message(hardText('a run of marks', 3_000))],
      ['a message of colons', message('a: '.repeat(2_500))],
    ].flatMap(([name, text]) => [
      {
        name: name!,
        sender: 'stranger' as const,
        request: () => post(`${auth}/verify`, { message: text, signature: `0x${'11'.repeat(64)}1b` }),
      },
      {
        name: `${name}, pasted`,
        sender: 'stranger' as const,
        request: () =>
          post(`${auth}/verify`, {
            token: `pgs_${Buffer.from(JSON.stringify({ message: text, signature: 'x'.repeat(9_000) })).toString('base64url')}`,
          }),
      },
    ]),
  'GET /api/v1/auth/me': reads(`${auth}/me`),
  'POST /api/v1/auth/logout': (stage) =>
    gone('signedOut', () => post(`${auth}/logout`, {}, browserOf(stage, 'signedOut')), 'signing out'),
  'POST /api/v1/auth/logout-everywhere': (stage) =>
    gone(
      'signedOutEverywhere',
      () => post(`${auth}/logout-everywhere`, {}, browserOf(stage, 'signedOutEverywhere')),
      'signing out everywhere',
    ),
  'DELETE /api/v1/auth/me': (stage) => [
    ...gone('deleted', () => ({ ...get(`${auth}/me`, browserOf(stage, 'deleted')), method: 'DELETE' }), 'a profile'),
    ...gone(
      'owner',
      () => ({ ...get(`${auth}/me`, browserOf(stage, 'owner')), method: 'DELETE' }),
      'a profile with 999 secrets and 500 grants',
    ),
  ],
  'GET /api/v1/auth/sessions': reads(`${auth}/sessions`),
  'DELETE /api/v1/auth/sessions/:id': none,
  'POST /api/v1/auth/profile-keys': none,
  'GET /api/v1/auth/profile-keys': reads(`${auth}/profile-keys`),
  'DELETE /api/v1/auth/profile-keys/:keyId': none,
  'DELETE /api/v1/auth/profile-key': none,
  'GET /api/v1/auth/oauth/providers': none,
  'POST /api/v1/auth/oauth/start/:provider': none,
  'GET /api/v1/auth/oauth/callback/:provider': () => [
    {
      name: 'a long state and code',
      sender: 'stranger',
      request: () => get(`${auth}/oauth/callback/github?state=${'s'.repeat(6_000)}&code=${'c'.repeat(6_000)}`),
    },
  ],
  'POST /api/v1/auth/oauth/:provider/exchange': none,

  'GET /oauth/authorize': (stage) =>
    (
      [
        ['a registered client', {}],
        ['many scopes', { scope: 'svc:core '.repeat(1_200) }],
        ['a client that is a document', { client_id: `https://127.0.0.1/${'p'.repeat(1_900)}` }],
        ['a long state', { state: 's'.repeat(10_000) }],
        ['a run of marks', { state: hardText('a run of marks', 2_000) }],
        ['an address of many names', { redirect_uri: `https://${'a.'.repeat(5_000)}example/` }],
      ] as const
    ).flatMap(([name, change]) => [
      {
        name,
        sender: 'stranger' as const,
        request: () => get(`/oauth/authorize?${authorizeQuery(change as Record<string, string>)}`),
      },
      {
        name,
        sender: 'signed in' as const,
        request: () => get(`/oauth/authorize?${authorizeQuery(change as Record<string, string>)}`, browserOf(stage)),
      },
    ]),
  'POST /oauth/consent': none,
  'POST /oauth/register': () => [
    {
      name: 'a new client beside 9,990',
      sender: 'stranger',
      request: (round) =>
        post('/oauth/register', {
          redirect_uris: Array.from({ length: 10 }, (_, at) => `https://c${round}.example/${at}${'p'.repeat(1_900)}`),
          client_name: 'n'.repeat(200),
        }),
    },
    {
      name: 'addresses of many names',
      sender: 'stranger',
      request: (round) =>
        post('/oauth/register', {
          redirect_uris: [`https://${'a.'.repeat(900)}c${round}.example/`],
          client_name: hardText('30 marks in a row', 200),
        }),
    },
    {
      name: 'a name of marks',
      sender: 'stranger',
      request: () =>
        post('/oauth/register', {
          redirect_uris: ['https://a.example/'],
          client_name: hardText('a run of marks', 30_000),
        }),
    },
    {
      name: '30,000 addresses',
      sender: 'stranger',
      request: () => post('/oauth/register', { redirect_uris: Array.from({ length: 30_000 }, () => '') }),
    },
  ],
  'POST /api/v1/auth/mcp/token': ({ credentials }) => [
    {
      name: 'a long code',
      sender: 'stranger',
      request: () =>
        form(
          `${auth}/mcp/token`,
          `grant_type=authorization_code&client_id=${credentials.clientId}&code=${'c'.repeat(60_000)}`,
        ),
    },
    {
      name: 'a long code verifier',
      sender: 'stranger',
      request: () =>
        form(
          `${auth}/mcp/token`,
          `grant_type=authorization_code&client_id=${credentials.clientId}&code=c&code_verifier=${'c'.repeat(60_000)}`,
        ),
    },
    {
      name: 'a refresh token that is none',
      sender: 'stranger',
      request: () =>
        form(
          `${auth}/mcp/token`,
          `grant_type=refresh_token&client_id=${credentials.clientId}&refresh_token=${'r.'.repeat(30_000)}`,
        ),
    },
  ],
  'POST /api/v1/auth/mcp/revoke': ({ credentials }) => [
    {
      name: 'a token that is none',
      sender: 'stranger',
      request: () => form(`${auth}/mcp/revoke`, `client_id=${credentials.clientId}&token=${'e.'.repeat(30_000)}`),
    },
    {
      name: 'a long base64 token',
      sender: 'stranger',
      request: () =>
        form(
          `${auth}/mcp/revoke`,
          `client_id=${credentials.clientId}&token=${hardText('base64', 20_000)}.${hardText('base64', 20_000)}.${'a'.repeat(20_000)}`,
        ),
    },
  ],
  'GET /api/v1/auth/apps': reads(`${auth}/apps`),
  'DELETE /api/v1/auth/apps/:clientId': none,

  'POST /api/v1/operator/claim': (stage) => [
    {
      name: 'a long token',
      sender: 'signed in',
      request: () => post('/api/v1/operator/claim', { token: 't'.repeat(400_000) }, browserOf(stage)),
    },
  ],
  'GET /api/v1/operator/health': reads('/api/v1/operator/health'),
  'POST /api/v1/operator/health/probe': (stage) => [
    {
      name: 'all of it',
      sender: 'signed in',
      request: () => post('/api/v1/operator/health/probe', {}, browserOf(stage)),
    },
  ],
  'GET /api/v1/operator/limits': reads('/api/v1/operator/limits'),
  'DELETE /api/v1/operator/limits': none,
  'GET /api/v1/operator/catalog': reads('/api/v1/operator/catalog'),
  'GET /api/v1/operator/audit': reads(
    '/api/v1/operator/audit?limit=500',
    `/api/v1/operator/audit?limit=500&person=${walletOf('erased')}`,
    '/api/v1/operator/audit?limit=500&event=none',
  ),
  'GET /api/v1/operator/audit/export': (stage) => [
    {
      name: '20,000 events',
      sender: 'signed in',
      isSliced: true,
      request: () => get('/api/v1/operator/audit/export', browserOf(stage)),
    },
  ],
  'GET /api/v1/operator/numbers': reads('/api/v1/operator/numbers'),
}
