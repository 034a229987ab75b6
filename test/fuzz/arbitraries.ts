/** Requests of every kind: from noise to almost right. */
import fc from 'fast-check'
import { alice, bob, sol } from '../wallets.ts'

const qHash = `0x${'ab'.repeat(32)}`

/** Values that have broken servers before, and the ones our routes expect. */
const telling = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -0,
  -1,
  0.1,
  1e21,
  1e308,
  2 ** 53,
  Number.MIN_VALUE,
  1_767_225_600_000,
  '',
  ' ',
  '0',
  '\0',
  '\n',
  'e\u0301',
  '\u{1f600}',
  '\ufeff',
  '$where',
  "' OR 1=1 --",
  '%s%n%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  qHash,
  qHash.toUpperCase(),
  alice.address,
  bob.address.toLowerCase(),
  sol.address,
  `did:pkh:eip155:1:${alice.address}`,
  'did:pkh:::',
  'eip155:1',
  'solana:mainnet',
  'ed25519:',
  `0x${'1'.repeat(130)}`,
  `0x${'0'.repeat(130)}`,
  'eip191',
  'ownership-basic',
  'wallet-link',
)

const names = [
  ...['walletAddress', 'verifierIds', 'data', 'signedTimestamp', 'signature', 'chainId', 'chain', 'signatureMethod'],
  ...['subjectWallet', 'options', 'meta', 'qHashes', 'ids', 'qHash', 'ownerWallet', 'viewerWallet', 'signedMessage'],
  ...['expiresInSeconds', 'owner', 'content', 'contentHash', 'reference', 'type', 'id', 'pseudonymId', 'namespace'],
  ...['agentId', 'agentWallet', 'controllerWallet', 'expiresAt', 'privacyLevel', 'publicDisplay', 'tags', 'title'],
  ...['storeOriginalContent', 'targetChains', 'ownership-basic', 'primaryWalletAddress', 'secondaryAccountId'],
  ...['__proto__', 'constructor', 'toString', 'length', ''],
]

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const leaf = fc.oneof(
  { weight: 5, arbitrary: telling },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
)
const { value } = fc.letrec<{ value: unknown; object: unknown; list: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 8 })
    .map((members) => Object.fromEntries(members.map(([key, member]) => [key, member]))),
  list: fc.array(tie('value'), { maxLength: 5 }),
}))

/** The members that most of our bodies have, each there or not, right or not. */
const nearlyRight = fc.record(
  {
    walletAddress: fc.oneof(fc.constantFrom(alice.address, sol.address), leaf),
    ownerWallet: fc.oneof(fc.constant(alice.address), leaf),
    viewerWallet: fc.oneof(fc.constant(bob.address), leaf),
    verifierIds: fc.oneof(
      fc.subarray(['ownership-basic', 'ownership-pseudonym', 'wallet-link', 'agent-identity', 'agent-delegation@1']),
      value,
    ),
    data: fc.oneof(
      fc.record(
        {
          owner: fc.constant(alice.address),
          content: fc.string({ unit: 'binary', maxLength: 100 }),
          reference: value,
          provenance: value,
          agentId: leaf,
          agentWallet: fc.constant(alice.address),
          'ownership-basic': value,
          'agent-identity': value,
        },
        { requiredKeys: [] },
      ),
      value,
    ),
    signedTimestamp: fc.oneof({ weight: 4, arbitrary: fc.constant(1_767_225_600_000) }, leaf),
    signature: fc.oneof(
      fc.constantFrom(`0x${'1'.repeat(130)}`, `0x${'11'.repeat(64)}1b`, `0x${'7'.repeat(128)}`),
      leaf,
    ),
    chainId: fc.oneof(fc.constantFrom(1, 84532), leaf),
    chain: fc.oneof(fc.constantFrom('eip155:1', 'solana:mainnet', 'near:mainnet'), leaf),
    signatureMethod: leaf,
    options: value,
    meta: value,
    qHash: fc.oneof(fc.constant(qHash), leaf),
    qHashes: fc.oneof(fc.array(fc.constant(qHash), { maxLength: 3 }), value),
    expiresInSeconds: leaf,
    signedMessage: leaf,
    subjectWallet: leaf,
  },
  { requiredKeys: [] },
)

const signing = { signedTimestamp: 1_767_225_600_000, signature: `0x${'11'.repeat(64)}1b` }
const about = (wallet: string, verifierId: string, data: object, more: object = {}) => ({
  walletAddress: wallet,
  ownerWallet: wallet,
  viewerWallet: bob.address,
  qHash,
  qHashes: [qHash],
  verifierIds: [verifierId],
  data,
  ...signing,
  ...more,
})

/** Bodies that every route would take, but for the signature. */
const right = fc.constantFrom<Record<string, unknown>>(
  about(alice.address, 'ownership-basic', { owner: alice.address, content: 'x' }),
  about(alice.address, 'ownership-basic', { 'ownership-basic': { owner: alice.address, contentHash: qHash } }),
  about(alice.address, 'ownership-pseudonym', { pseudonymId: 'alice' }),
  about(alice.address, 'agent-identity', { agentId: 'a', agentWallet: alice.address }),
  about(alice.address, 'agent-delegation', { controllerWallet: alice.address, agentWallet: bob.address }),
  about(sol.address, 'ownership-basic', { owner: sol.address, content: 'x' }, { chain: 'solana:mainnet' }),
  about(alice.address, 'wallet-link', {
    primaryWalletAddress: alice.address,
    secondaryWalletAddress: bob.address,
    chain: 'eip155:1',
    signatureMethod: 'eip191',
    ...signing,
  }),
)

const isObject = (one: unknown): one is Record<string, unknown> =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

const rarely = <T>(one: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, one)

/** A nearly right body: up to two members of it, or of its data, are changed or removed. */
const almostRight = fc
  .tuple(right, fc.array(fc.tuple(fc.boolean(), fc.nat(9), fc.option(value)), { maxLength: 2 }), name, rarely(value))
  .map(([body, changes, extraName, extra]) => {
    const changed: Record<string, unknown> = { ...body, data: { ...(body.data as object) } }
    for (const [isInside, position, replacement] of changes) {
      const target = isInside && isObject(changed.data) ? changed.data : changed
      const keys = Object.keys(target)
      const key = keys[position % Math.max(1, keys.length)]
      if (key === undefined) continue
      if (replacement === null) delete target[key]
      else target[key] = replacement
    }
    return extra === null ? changed : { ...changed, [extraName]: extra }
  })

/** JSON of a value, sometimes spoiled as text. */
const jsonText = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: almostRight }, { weight: 2, arbitrary: nearlyRight }, value),
    fc.integer({ min: 0, max: 99 }),
  )
  .map(([body, spoil]) => {
    const text = JSON.stringify(body) ?? ''
    if (spoil < 5) return text.slice(0, Math.floor((text.length * spoil) / 5))
    if (spoil < 8) return text.replace(/\d/, '1e999')
    if (spoil < 10) return text.replace(/"/, '"\\ud800')
    if (spoil < 12) return text.repeat(2)
    return text
  })

const body: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  { weight: 12, arbitrary: jsonText },
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
)

const headerText = fc.oneof(
  fc.constantFrom(
    '1767225600000',
    alice.address,
    `0x${'1'.repeat(130)}`,
    'solana:mainnet',
    'ed25519',
    'W/"x"',
    '*',
    '',
  ),
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
    maxLength: 60,
  }),
)
const headers = fc.dictionary(
  fc.constantFrom(
    ...['x-wallet-address', 'x-signature', 'x-signed-timestamp', 'x-chain', 'x-signature-method', 'if-none-match'],
    ...['origin', 'accept', 'x-forwarded-for', 'authorization', 'cookie', 'range', 'idempotency-key', 'x-svc-app'],
  ),
  headerText,
  { maxKeys: 6 },
)

const pathPart = fc.oneof(
  fc.constantFrom(qHash, alice.address, sol.address, 'by-wallet', '%2F', '%zz', '%00', '..', '.', ':qHash', '*', ''),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

const queryName = fc.constantFrom(
  ...['limit', 'offset', 'cursor', 'status', 'tag', 'tags', 'tagPrefix', 'tagPrefixesAll', 'tagContains', 'q', 'qHash'],
  ...['verifierId', 'verifierIds', 'privacyLevel', 'visibility', 'chainId', 'chainCoverage', 'includeHistory'],
  ...['includeFacets', 'latestScope', 'walletAddress', 'scopeKey', 'trackView', 'limit[]', '__proto__'],
)
const queryText = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '50',
    '1000',
    'true',
    'public',
    'private',
    'hub-only',
    'x,y',
    '%',
    '_',
    '\\',
    '""',
    '[]',
    '{}',
  ),
  leaf.map((one) => String(one).slice(0, 300)),
)
const query = fc
  .array(fc.tuple(queryName, queryText), { maxLength: 6 })
  .map((pairs) => pairs.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`).join('&'))
  .map((text) => (text ? `?${text}` : ''))

/** Claims that may well hold: members of free form are filled with anything. For a wallet that then really signs. */
export const claimOf = (owner: string) => {
  const text = fc.string({ unit: 'binary', maxLength: 60 }).map((one) => one.toWellFormed())
  const free = value.map((one) => (isObject(one) ? one : { one }))
  const some = { requiredKeys: [] as [] }
  return fc.record(
    {
      verifierIds: fc.constant(['ownership-basic']),
      data: fc.oneof(
        fc.record(
          {
            owner: fc.constant(owner),
            content: text,
            contentType: text,
            reference: fc.record(
              { type: fc.constantFrom('url', 'other', 'x'), id: text, title: text, size: leaf },
              some,
            ),
            provenance: free,
            more: value,
          },
          { requiredKeys: ['owner'] },
        ),
        value,
      ),
      options: fc.record(
        {
          privacyLevel: fc.constantFrom('private', 'public'),
          publicDisplay: fc.boolean(),
          storeOriginalContent: fc.boolean(),
          keepPortable: fc.boolean(),
          meta: fc.oneof(free, fc.record({ title: text, tags: fc.array(text, { maxLength: 3 }) }, some)),
        },
        some,
      ),
      meta: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, free),
    },
    { requiredKeys: ['verifierIds', 'data'] },
  )
}

export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/** A request at one of the routes, or next to it. */
export const requestTo = (routes: readonly { readonly method: string; readonly path: string }[]) =>
  fc
    .record({
      // Routes that take bodies have more to go wrong, so they come more often.
      route: fc.oneof(fc.constantFrom(...routes), {
        weight: 2,
        arbitrary: fc.constantFrom(...routes.filter(({ method }) => method === 'POST')),
      }),
      otherMethod: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'),
      ),
      parts: fc.array(pathPart, { minLength: 3, maxLength: 3 }),
      isMoved: fc.boolean(),
      query,
      headers,
      contentType: fc.oneof(
        { weight: 9, arbitrary: fc.constant('application/json') },
        fc.constantFrom('text/plain', 'multipart/form-data', 'application/json;charset=utf-16', ''),
      ),
      body,
    })
    .map(({ route, otherMethod, parts, isMoved, query, headers, contentType, body }): FuzzedRequest => {
      const method = otherMethod ?? route.method
      let used = 0
      const path = route.path.replace(/:\w+\??|\*/g, () => parts[used++] ?? '')
      const hasBody = method !== 'GET' && method !== 'HEAD'
      return {
        method,
        path: `${path}${isMoved && used === 0 && parts[2]!.length > 8 ? `/${parts[2]}` : ''}${query}`,
        headers: { ...headers, ...(hasBody ? { 'content-type': contentType } : {}) },
        body: hasBody ? body : undefined,
      }
    })
