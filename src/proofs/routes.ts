/** /api/v1/proofs: reading, listing, revoking and erasing proofs, under the newest paths and their older names. */
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { ownerHeaders } from '../http/caller.ts'
import { answerOf, described, Flag, IsoTimestamp, isSet } from '../http/describe.ts'
import { counted } from '../http/limits.ts'
import { cursorMaxLength } from '../http/page.ts'
import type { Parts } from '../parts.ts'
import { oneOf, open } from '../shape.ts'
import { signatureMaxLength } from '../wallet/signature.ts'
import { eraseAll } from './erase.ts'
import { listByWallet } from './list.ts'
import { type ReadRequest, readProof } from './read.ts'
import { revokeProof } from './revoke.ts'
import { ProofView } from './view.ts'

const tag = 'proofs'
const QHashParams = Type.Object({
  qHash: Type.String({ pattern: qHashPattern, description: 'Proof id, in either case.' }),
})
const AddressParams = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 256, description: 'Wallet address, or did:pkh of one.' }),
})

/** An owner's signature over an action, in a body. */
export const OwnerBody = open({
  walletAddress: Type.String({ minLength: 1, maxLength: 160 }),
  signature: Type.String({
    minLength: 1,
    maxLength: signatureMaxLength,
    description: 'Over the six lines of the action.',
  }),
  signedTimestamp: Type.Integer({
    minimum: 1,
    maximum: 8_640_000_000_000_000,
    description: 'Unix milliseconds, at most 5 minutes old.',
  }),
  chain: Type.Optional(Type.String({ maxLength: 80, description: 'CAIP-2, for wallets that are not EVM.' })),
  signatureMethod: Type.Optional(Type.String({ maxLength: 32 })),
})

const OwnerHeaders = Type.Object({
  'x-wallet-address': Type.Optional(Type.String({ description: 'Owner authentication: the wallet.' })),
  'x-signature': Type.Optional(Type.String({ description: 'Its signature over the six lines of the action.' })),
  'x-signed-timestamp': Type.Optional(Type.String({ description: 'Unix milliseconds of that signature.' })),
  'x-chain': Type.Optional(Type.String({ description: 'CAIP-2 chain of a wallet that is not EVM.' })),
  'x-signature-method': Type.Optional(Type.String({ description: 'ed25519 for such a wallet.' })),
})

const ReadQuery = open({
  latestScope: Flag('Answer with the newest proof of the same claim.'),
  walletAddress: Type.Optional(
    Type.String({ maxLength: 160, description: 'With verifierId and scopeKey: the claim to look for.' }),
  ),
  verifierId: Type.Optional(Type.String({ maxLength: 80 })),
  scopeKey: Type.Optional(Type.String({ maxLength: 2048 })),
  trackView: Flag('Accepted and ignored: views are not counted.'),
})

const csv = (description: string) =>
  Type.Optional(Type.String({ maxLength: 2048, description: `${description} Comma-separated.` }))
const word = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

const ListQuery = open({
  limit: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,10}$', description: '1 to 1000. Default 50, for the owner 1000.' }),
  ),
  offset: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: 'The slow way to page; use cursor.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: cursorMaxLength, description: 'nextCursor of the page before.' }),
  ),
  qHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Only this proof.' })),
  visibility: Type.Optional(oneOf(['public'], 'Only what everybody sees.')),
  isPublicRead: Flag('As visibility=public.'),
  includeHistory: Flag('Also revoked proofs and those that a newer run of the same claim replaced.'),
  includeSecrets: Flag('Accepted; this version keeps no secrets.'),
  status: word('verified, partially_verified, expired or revoked.'),
  tag: word('Only proofs with this tag.'),
  tags: csv('Only proofs with all of these tags.'),
  tagPrefix: word('Only proofs with a tag that begins like this.'),
  tagPrefixesAll: csv('For each of these some tag begins with it.'),
  tagContains: word('Only proofs with a tag that holds this text.'),
  verifierId: word('Only proofs of this verifier.'),
  verifierIds: csv('Only proofs of one of these verifiers.'),
  privacyLevel: Type.Optional(oneOf(['private', 'public'])),
  chainId: Type.Optional(Type.String({ pattern: '^[0-9]{1,16}$', description: 'Only proofs signed for this chain.' })),
  chainCoverage: Type.Optional(oneOf(['hub-only', 'cross-chain'])),
  q: word('Only proofs with this text in title, description or a tag.'),
  includeFacets: Flag('Also the most frequent tags.'),
})

const nullableInteger = Type.Union([Type.Integer(), Type.Null()])
const nullableString = Type.Union([Type.String(), Type.Null()])

const readAnswer = answerOf({
  data: ProofView,
  status: Type.String(),
  qHash: Type.String(),
  cached: Type.Boolean(),
  cachedAt: Type.Null(),
})

const listAnswer = answerOf({
  data: Type.Object({
    proofs: Type.Array(ProofView),
    totalCount: Type.Union([Type.Integer(), Type.Null()], { description: 'null where a filter narrows the list.' }),
    hasMore: Type.Boolean(),
    resolved: Type.Object({
      identifier: Type.String(),
      walletAddress: Type.String(),
      did: Type.String(),
      idType: Type.String(),
    }),
    pagination: Type.Object({
      limit: Type.Integer(),
      offset: Type.Integer(),
      totalCount: nullableInteger,
      hasMore: Type.Boolean(),
      nextOffset: nullableInteger,
    }),
    nextOffset: nullableInteger,
    nextCursor: nullableString,
    pageInfo: Type.Object({ limit: Type.Integer(), hasNextPage: Type.Boolean(), nextCursor: nullableString }),
    facets: Type.Optional(
      Type.Object({
        tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() })),
        truncated: Type.Boolean(),
      }),
    ),
  }),
  timestamp: IsoTimestamp,
})

const actionAnswer = answerOf({
  alreadyRevoked: Type.Boolean({ description: 'True when there was nothing left to do.' }),
  timestamp: IsoTimestamp,
})

export function proofRoutes(parts: Parts) {
  const iso = (): string => new Date(parts.now()).toISOString()

  const read = ({
    params,
    query,
    headers,
  }: {
    params: { qHash: string }
    query: Static<typeof ReadQuery>
    headers: Headers
  }) => {
    const data = readProof(parts, {
      qHash: params.qHash,
      credentials: ownerHeaders(headers),
      latestScope: isSet(query.latestScope),
      scope: scopeIn(query),
    })
    return { success: true, data, status: data.status, qHash: data.qHash, cached: false, cachedAt: null }
  }

  const list = ({
    params,
    query,
    request,
    set,
  }: {
    params: { address: string }
    query: Static<typeof ListQuery>
    request: Request
    set: { headers: Record<string, string | number>; status?: number | string }
  }) => {
    const data = listByWallet(parts, listRequest(params.address, query, request.headers))
    // Weak: the timestamp beside the data changes with every answer.
    const etag = `W/"${Bun.SHA256.hash(JSON.stringify(data), 'base64').slice(0, 22)}"`
    set.headers.etag = etag
    set.headers['cache-control'] = 'private, no-cache'
    if (sameTag(request.headers.get('if-none-match'), etag)) {
      set.status = 304
      return
    }
    return { success: true, data, timestamp: iso() }
  }

  const revoke = async ({ params, body }: { params: { qHash: string }; body: Static<typeof OwnerBody> }) => {
    const { alreadyRevoked } = await revokeProof(parts, params.qHash, body)
    return { success: true, alreadyRevoked, timestamp: iso() }
  }

  const readRoute = {
    params: QHashParams,
    query: ReadQuery,
    headers: OwnerHeaders,
    beforeHandle: counted(parts, 'reads'),
  }
  const listRoute = {
    params: AddressParams,
    query: ListQuery,
    headers: OwnerHeaders,
    beforeHandle: counted(parts, 'reads'),
  }
  const revokeRoute = { params: QHashParams, body: OwnerBody, beforeHandle: counted(parts, 'owner') }

  const readDescription = (operationId: string, summary: string, deprecated = false) =>
    described({
      tag,
      operationId,
      summary,
      deprecated,
      description:
        'A public proof is shown to everybody. A private one shows its status; everything to its owner and to wallets it was shared with, signed over {"action":"access_private_proof","qHash"}.',
      answer: readAnswer,
      refusals: [400, 401, 404],
    })
  const listDescription = (operationId: string, summary: string, deprecated = false) =>
    described({
      tag,
      operationId,
      summary,
      deprecated,
      description:
        'Newest first. Everybody sees the listed public proofs; the owner sees all, signed over {"action":"access_private_proofs_by_wallet","walletAddress"}.',
      answer: listAnswer,
      headers: { ETag: 'Changes when the list does.' },
      refusals: [400, 401, 403],
      others: { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } },
    })
  const revokeDescription = (operationId: string, summary: string, deprecated = false) =>
    described({
      tag,
      operationId,
      summary,
      deprecated,
      description:
        'Signed by the wallet that made the proof, over {"action":"revoke_proof","qHash"}. Revoking again is not an error.',
      answer: actionAnswer,
      refusals: [400, 401, 403, 404, 413, 415, 503],
    })

  return new Elysia({ name: 'proofs', prefix: '/api/v1' })
    .get('/proofs/:qHash', ({ params, query, request }) => read({ params, query, headers: request.headers }), {
      ...readRoute,
      ...readDescription('getProof', 'A proof by its id'),
    })
    .get(
      '/verification/status/:qHash',
      ({ params, query, request }) => read({ params, query, headers: request.headers }),
      {
        ...readRoute,
        ...readDescription('getStatus', 'A proof by its id (older path)', true),
      },
    )
    .get('/proofs/by-wallet/:address', list, { ...listRoute, ...listDescription('listProofs', 'Proofs of a wallet') })
    .get('/proofs/byWallet/:address', list, {
      ...listRoute,
      ...listDescription('listProofsOlder', 'Proofs of a wallet (older path)', true),
    })
    .post('/proofs/revoke-self/:qHash', revoke, {
      ...revokeRoute,
      ...revokeDescription('revokeProof', 'Revoke a proof'),
    })
    .post('/proofs/:qHash/revoke-self', revoke, {
      ...revokeRoute,
      ...revokeDescription('revokeProofOlder', 'Revoke a proof (older path)', true),
    })
    .post(
      '/proofs/erase-all',
      async ({ body }) => ({ success: true, ...(await eraseAll(parts, body)), timestamp: iso() }),
      {
        body: OwnerBody,
        beforeHandle: counted(parts, 'owner'),
        ...described({
          tag,
          operationId: 'eraseAll',
          summary: 'Delete everything of a wallet',
          description:
            'Signed over {"action":"erase_all_proofs","walletAddress"}. Deletes the records; it cannot be undone.',
          answer: Type.Composite([actionAnswer, Type.Object({ erasedCount: Type.Integer() })]),
          refusals: [400, 401, 413, 415, 503],
        }),
      },
    )
}

function scopeIn({ walletAddress, verifierId, scopeKey }: Static<typeof ReadQuery>): ReadRequest['scope'] {
  if (scopeKey === undefined) return undefined
  if (walletAddress === undefined || verifierId === undefined)
    throw new AppError('VALIDATION_ERROR', 'scopeKey needs walletAddress and verifierId beside it', {
      path: '/scopeKey',
    })
  return { walletAddress, verifierId, scopeKey }
}

function listRequest(identifier: string, query: Static<typeof ListQuery>, headers: Headers) {
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  if (limit !== undefined && (limit < 1 || limit > 1000))
    throw new AppError('VALIDATION_ERROR', `limit is ${limit} and must be 1 to 1000`, { path: '/limit' })
  const words = (csvText: string | undefined): string[] | undefined => {
    const found = csvText
      ?.split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .slice(0, 32)
    return found && found.length > 0 ? found : undefined
  }
  const tags = [...(words(query.tags) ?? []), ...(query.tag ? [query.tag] : [])]
  const verifierIds = [...(words(query.verifierIds) ?? []), ...(query.verifierId ? [query.verifierId] : [])]
  return {
    identifier,
    credentials: ownerHeaders(headers),
    publicOnly: query.visibility === 'public' || isSet(query.isPublicRead),
    limit,
    offset: query.offset === undefined ? undefined : Number(query.offset),
    cursor: query.cursor,
    includeFacets: isSet(query.includeFacets),
    filter: {
      includeHistory: isSet(query.includeHistory) || undefined,
      qHash: query.qHash?.toLowerCase(),
      status: query.status,
      tags: tags.length > 0 ? tags : undefined,
      verifierIds: verifierIds.length > 0 ? verifierIds : undefined,
      tagPrefix: query.tagPrefix,
      tagContains: query.tagContains,
      tagPrefixesAll: words(query.tagPrefixesAll),
      privacyLevel: query.privacyLevel,
      text: query.q || undefined,
      chainId: query.chainId === undefined ? undefined : Number(query.chainId),
      chainCoverage: query.chainCoverage,
    },
  }
}

/** RFC 9110 §13.1.2: weak comparison against a list, or any. */
const sameTag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null && (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim() === etag))
