/** Hard requests to every route, made from what the route declares: they need no knowledge of what it does. */
import { hardJson, hardJsons } from '../fuzz/hard-json.ts'
import { type HardRequest, hardBody, hardPath, hardQuery, type Route, type Samples } from '../fuzz/hard-request.ts'
import { hardText, hardTexts } from '../fuzz/hard-text.ts'
import { by, byCookie, form, type Stage, type WorstCase } from './worst-case.ts'
import { hashOf, proofId, walletOf } from './worst-store.ts'

/** A little less than limits.body_bytes, which counts the members around the document too. */
const bodyBytes = 480_000
const headerBytes = 14_000

const formRoutes = new Set(['POST /oauth/consent', 'POST /api/v1/auth/mcp/token', 'POST /api/v1/auth/mcp/revoke'])
/** Requests that would end the credentials of other cases if they succeeded. */
const endsCredentials = new Set([
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/logout-everywhere',
  'DELETE /api/v1/auth/me',
  'DELETE /api/v1/auth/profile-key',
  'POST /api/v1/proofs/erase-all',
])

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

export const samplesFor = (route: Route): Samples => {
  const index = /revoke-self/.test(route.path) ? 1 : 0
  return {
    texts: [
      'gate_counts',
      'eip155:84532',
      'key_0123456789abcdef',
      '0123456789abcdef',
      walletOf('owner'),
      'a.b',
      'a',
      '#aabbcc',
      'x'.repeat(43),
    ],
    named: {
      qHash: proofId(walletOf('owner'), 'taggedProof', index),
      address: walletOf('owner'),
      walletAddress: walletOf('owner'),
      ownerWallet: walletOf('owner'),
      wallet: walletOf('textHolder'),
      gateId:
        route.method === 'DELETE' ? 'gate_deleted' : /status|rollback/.test(route.path) ? 'gate_status' : 'gate_texts',
      ...(route.path.includes(':version') ? { version: '1' } : {}),
      secretId: hashOf('secret 1'),
      clientId: 'c_1',
      keyId: 'key_0123456789abcdef',
      id: '0123456789abcdef',
      provider: 'github',
      account: walletOf('signedOut'),
      receiptId: hashOf('receipt 1'),
      erasureId: hashOf('erasure 1').slice(2, 34),
      name: 'page.css',
      signedTimestamp: Date.now(),
      verifierIds: ['ownership-basic'],
      signature: `0x${'11'.repeat(64)}1b`,
    },
  }
}

export function genericCases(route: Route, stage: Stage): WorstCase[] {
  const cookie = byCookie(stage.credentials.browsers.owner)
  const requests = [...bodies(route), ...queries(route), ...headers(route)]
  const isSafe = !endsCredentials.has(nameOf(route))
  return requests.flatMap(([name, request]) => [
    { route: nameOf(route), name, sender: 'stranger' as const, request: () => request() },
    ...(isSafe
      ? [{ route: nameOf(route), name, sender: 'signed in' as const, request: () => by(cookie, request()) }]
      : []),
  ])
}

type Named = readonly [name: string, request: () => HardRequest]

const methodOf = ({ method }: Route): string => (method === 'ALL' ? 'POST' : method)

function bodies(route: Route): Named[] {
  const samples = samplesFor(route)
  const path = hardPath(route, samples)
  if (methodOf(route) !== 'POST') return []
  if (formRoutes.has(nameOf(route)))
    return [
      ['a form of 65,000 empty fields', () => form(path, '&'.repeat(65_000))],
      ['a form of many fields', () => form(path, 'a=b&'.repeat(16_000))],
      ['a form of one field, many times', () => form(path, 'code=x&'.repeat(9_000))],
      ...hardTexts.map(
        (kind): Named => [
          `a form: ${kind}`,
          () => form(path, `handle=${encodeURIComponent(hardText(kind, 6_000)).slice(0, 60_000).replace(/%.?$/, '')}`),
        ],
      ),
    ]
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const send = (body: string): HardRequest => ({ method: 'POST', path, headers: accept, body })
  return hardJsons.flatMap((document): Named[] => {
    const text = (hardTexts as readonly string[]).includes(document)
      ? (document as (typeof hardTexts)[number])
      : 'one letter'
    const bytes = /erase|secrets/.test(route.path) ? 200_000 : bodyBytes
    return [
      [`a body: ${document}`, () => send(hardBody(route, { text, document, bytes }, samples))],
      route.shapes?.body
        ? [
            `the least body: ${document}`,
            () => send(hardBody(route, { text, document, bytes, isSparse: true }, samples)),
          ]
        : [`the bare document: ${document}`, () => send(hardJson(document, bytes))],
    ]
  })
}

function queries(route: Route): Named[] {
  const samples = samplesFor(route)
  const path = hardPath(route, samples)
  const send = (query: string): HardRequest => ({
    method: methodOf(route),
    path: `${path}?${query}`,
    headers: methodOf(route) === 'POST' ? { 'content-type': 'application/json' } : {},
    body: methodOf(route) === 'POST' ? '{}' : undefined,
  })
  if (methodOf(route) === 'POST' && !route.shapes?.query) return []
  return [
    ...hardTexts.map(
      (text): Named => [
        `a query: ${text}`,
        () => send(hardQuery(route, { text, document: 'escapes', bytes: 0 }, samples)),
      ],
    ),
    ['a query of many empty fields', () => send('&'.repeat(headerBytes))],
    ['a query of one field, many times', () => send('a=1&'.repeat(headerBytes / 4))],
    ['a long path', () => ({ ...send(''), path: `${path}/${'%CC%95'.repeat(2_000)}` })],
  ]
}

function headers(route: Route): Named[] {
  const path = hardPath(route, samplesFor(route))
  const method = methodOf(route)
  const body = method === 'POST' ? '{}' : undefined
  const type: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
  const send = (more: Record<string, string>): HardRequest => ({ method, path, headers: { ...type, ...more }, body })
  const signed = (signature: string, signatureMethod: string, chain = 'eip155:84532') => ({
    'x-wallet-address': walletOf('owner'),
    'x-signature': signature,
    'x-signed-timestamp': String(Date.now()),
    'x-signature-method': signatureMethod,
    'x-chain': chain,
  })
  return [
    ['the plain request', () => send({})],
    ['a signature of another key', () => send(signed(`0x${'11'.repeat(64)}1b`, 'eip191'))],
    ['a long ERC-6492 signature', () => send(signed(hardText('an ERC-6492 envelope', headerBytes), 'eip6492'))],
    ['a long ERC-1271 signature', () => send(signed(hardText('hexadecimal digits', headerBytes), 'eip1271'))],
    ['a long Ed25519 signature', () => send(signed('z'.repeat(headerBytes), 'ed25519', 'solana:mainnet'))],
    ['a long bearer token', () => send({ authorization: `Bearer ${hardText('base64', headerBytes)}` })],
    ['a token of many parts', () => send({ authorization: `Bearer ${'e.'.repeat(headerBytes / 2)}` })],
    ['a long access key', () => send({ authorization: `Bearer npk_${'a'.repeat(headerBytes)}` })],
    ['many cookies', () => send({ cookie: 'a=b; '.repeat(headerBytes / 5) })],
    ['a long list of entity tags', () => send({ 'if-none-match': 'W/"a", '.repeat(headerBytes / 7) })],
    ['a long list of forwarding addresses', () => send({ 'x-forwarded-for': '1.1.1.1, '.repeat(headerBytes / 9) })],
    ['a long origin', () => send({ origin: `https://${'a.'.repeat(headerBytes / 2)}example` })],
  ]
}
