/** The wire format of /api/v1/proofs: parameters, bodies and answers, and the meaning of a query. */
import { type Static, Type } from '@sinclair/typebox'
import type { Credentials } from '../auth/caller.ts'
import { signedMembers } from '../auth/signed-body.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { cursorMaxLength } from '../http/cursor.ts'
import { describeAnswer, Flag, IsoTimestamp, isSet, isUnset } from '../http/describe.ts'
import { readSpan, spanMembers } from '../http/time-span.ts'
import { defineChoice, open } from '../shape.ts'
import { explainNoAccount, readNamedAccount } from '../wallet/account.ts'
import type { ListRequest } from './list.ts'
import type { ReadRequest } from './read.ts'
import { ProofView, statusWords } from './view.ts'
import { visibilityNames } from './visibility.ts'

export const QHashParams = Type.Object({
  qHash: Type.String({ pattern: qHashPattern, description: 'Proof id, in either case.' }),
})
export const AddressParams = Type.Object({
  address: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Wallet address, did:pkh or CAIP-10 account. The latter two name the chain of a contract wallet.',
  }),
})

/** An owner's signature over an action, in a body. */
export const OwnerBody = open(signedMembers)

const Visibility = defineChoice(
  visibilityNames,
  'private: its wallet, and wallets it is shared with. unlisted: everybody with its id. listed: also in lists of the wallet.',
)
export const VisibilityBody = open({ visibility: Visibility, ...signedMembers })
export const visibilityAnswer = describeAnswer({
  data: Type.Object({
    qHash: Type.String(),
    visibility: Visibility,
    was: Visibility,
    changed: Type.Boolean({ description: 'False when it had this visibility already.' }),
  }),
  timestamp: IsoTimestamp,
})

export const OwnerHeaders = Type.Object({
  'x-wallet-address': Type.Optional(Type.String({ description: 'Owner authentication: the wallet.' })),
  'x-signature': Type.Optional(Type.String({ description: 'Its signature over the six lines of the action.' })),
  'x-signed-timestamp': Type.Optional(Type.String({ description: 'Unix milliseconds of that signature.' })),
  'x-chain': Type.Optional(Type.String({ description: 'CAIP-2 chain of a wallet that is not EVM.' })),
  'x-signature-method': Type.Optional(Type.String({ description: 'ed25519 for such a wallet.' })),
})

export const ReadQuery = open({
  latestScope: Flag(
    'Answer with the newest proof of the same claim: for its owner of all, for others of the listed ones. Of a private proof others get its status alone.',
  ),
  walletAddress: Type.Optional(
    Type.String({ maxLength: 160, description: 'With verifierId and scopeKey: the claim to look for.' }),
  ),
  verifierId: Type.Optional(Type.String({ maxLength: 80, description: 'Whose claim that is.' })),
  scopeKey: Type.Optional(
    Type.String({ maxLength: 2048, description: 'What that claim is about, such as the handle or the contract.' }),
  ),
  includePortable: Flag(
    'For the owner: also portableProof, where options.keepPortable or storeOriginalContent kept it.',
  ),
  includePrivate: Flag(
    'true: a caller who may not see the whole private proof is refused, and does not get its status. false: the owner gets what strangers see.',
  ),
  trackView: Flag('Accepted and ignored: views are not counted.'),
})

const describeCsv = (description: string) =>
  Type.Optional(Type.String({ maxLength: 2048, description: `${description} Comma-separated.` }))
const describeWord = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

export const ListQuery = open({
  limit: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,10}$', description: '1 to 1000. Default 50, for the owner 1000.' }),
  ),
  offset: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'The slow way to page; use cursor. It ends where nextOffset is null, and nextCursor goes on.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: cursorMaxLength, description: 'nextCursor of the page before.' }),
  ),
  qHash: Type.Optional(Type.String({ pattern: qHashPattern, description: 'Only this proof.' })),
  qHashPrefix: Type.Optional(
    Type.String({
      pattern: '^0x[0-9a-fA-F]{6,64}$',
      description: 'Only proofs whose id begins like this: six digits or more.',
    }),
  ),
  allWallets: Flag(
    'For somebody who is signed in or sends an access key: the proofs of all linked wallets, in one list.',
  ),
  includePortable: Flag(
    'For the owner: also portableProof, where options.keepPortable or storeOriginalContent kept it.',
  ),
  visibility: Type.Optional(
    defineChoice(['public', 'owner'], 'public: only what everybody sees. owner: refused to whoever is not the owner.'),
  ),
  isPublicRead: Flag('As visibility=public.'),
  includePrivate: Flag(
    'true: as visibility=owner. false: as visibility=public. Without it the owner sees private proofs.',
  ),
  includeHistory: Flag('Also revoked proofs and those that a newer run of the same claim replaced.'),
  includeSecrets: Flag('For the owner: also secrets, by their names, in front of the first page of the whole list.'),
  status: describeWord(
    `${statusWords.join(', ')}. verified finds all of which every claim holds, whatever became of their publishing.`,
  ),
  tag: describeWord('Only proofs with this tag.'),
  tags: describeCsv('Only proofs with all of these tags.'),
  tagPrefix: describeWord('Only proofs with a tag that begins like this.'),
  tagPrefixesAll: describeCsv('For each of these some tag begins with it.'),
  tagContains: describeWord('Only proofs with a tag that holds this text.'),
  verifierId: describeWord('Only proofs of this verifier.'),
  verifierIds: describeCsv('Only proofs of one of these verifiers.'),
  privacyLevel: Type.Optional(defineChoice(['private', 'public'], 'Only proofs of this privacy.')),
  chainId: Type.Optional(Type.String({ pattern: '^[0-9]{1,16}$', description: 'Only proofs signed for this chain.' })),
  chainCoverage: Type.Optional(
    defineChoice(['hub-only', 'cross-chain'], 'Those with copies on chains besides the hub, or those without.'),
  ),
  q: describeWord('Only proofs with this text in title, description or a tag; for the owner also in what was found.'),
  appId: describeWord(
    'Only proofs that were made through this app, as the header X-<Brand>-App named it: a claim of the client. none: those without one.',
  ),
  ...spanMembers,
  includeFacets: Flag('Also the most frequent tags, and the verifiers.'),
})

const nullableInteger = Type.Union([Type.Integer(), Type.Null()])
const nullableString = Type.Union([Type.String(), Type.Null()])

export const readAnswer = describeAnswer({
  data: ProofView,
  status: Type.String(),
  qHash: Type.String(),
  cached: Type.Boolean({ description: 'Always false: every answer is read anew, and cachedAt is left out.' }),
})

/** The owner of the list. */
export const Resolved = Type.Object({
  identifier: Type.String(),
  walletAddress: Type.String(),
  did: Type.String(),
  idType: Type.String(),
})

export const Pagination = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  totalCount: nullableInteger,
  hasMore: Type.Boolean(),
  nextOffset: nullableInteger,
})

export const listAnswer = describeAnswer({
  data: Type.Object({
    proofs: Type.Array(ProofView),
    totalCount: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Of all pages. Always an integer without a filter, where what has expired within the last minutes may still be in it, and with qHash 0 or 1. With another filter an integer where the first page holds the whole list, and null otherwise: counting would cost as much as reading all of it.',
    }),
    hasMore: Type.Boolean(),
    resolved: Resolved,
    pagination: Pagination,
    nextOffset: nullableInteger,
    nextCursor: nullableString,
    pageInfo: Type.Object({
      limit: Type.Integer(),
      hasNextPage: Type.Boolean(),
      nextCursor: nullableString,
      lookedBackTo: Type.Optional(
        Type.Integer({
          description:
            'Unix milliseconds, where a filter stopped before the page was full: older proofs were not looked at yet.',
        }),
      ),
    }),
    facets: Type.Optional(
      Type.Object({
        tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() })),
        verifierIds: Type.Array(Type.String()),
        truncated: Type.Boolean(),
      }),
    ),
  }),
  timestamp: IsoTimestamp,
})

export const actionAnswer = describeAnswer({
  alreadyRevoked: Type.Boolean({ description: 'True when there was nothing left to do.' }),
  timestamp: IsoTimestamp,
})

/** The claim a read asks about, when it names one itself. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS. */
export function readScope({ walletAddress, verifierId, scopeKey }: Static<typeof ReadQuery>): ReadRequest['scope'] {
  if (scopeKey === undefined) return undefined
  if (walletAddress === undefined || verifierId === undefined)
    throw new AppError('VALIDATION_ERROR', 'scopeKey needs walletAddress and verifierId beside it', {
      path: '/scopeKey',
    })
  // The chain of the hub decides which wallet a bare address means, and not whether it is one.
  if (readNamedAccount(walletAddress, 0) === undefined)
    throw new AppError('INVALID_WALLET_ADDRESS', `walletAddress is ${explainNoAccount(walletAddress)}`, {
      path: '/walletAddress',
    })
  return { walletAddress, verifierId, scopeKey }
}

/** Reads a list request from a query. Errors: VALIDATION_ERROR. */
export function listRequest(
  identifier: string,
  query: Static<typeof ListQuery>,
  credentials: Credentials | undefined,
): ListRequest {
  const limit = query.limit === undefined ? undefined : Number(query.limit)
  if (limit !== undefined && (limit < 1 || limit > 1000))
    throw new AppError('VALIDATION_ERROR', `limit is ${limit} and must be 1 to 1000`, { path: '/limit' })
  const tags = [...(readWords('tags', query.tags) ?? []), ...(query.tag ? [query.tag] : [])]
  const verifierIds = [
    ...(readWords('verifierIds', query.verifierIds) ?? []),
    ...(query.verifierId ? [query.verifierId] : []),
  ]
  const { publicOnly, ownerOnly } = readView(query)
  return {
    identifier,
    credentials,
    publicOnly,
    ownerOnly,
    limit,
    offset: query.offset === undefined ? undefined : Number(query.offset),
    cursor: query.cursor,
    includeFacets: isSet(query.includeFacets),
    includeSecrets: isSet(query.includeSecrets),
    allWallets: isSet(query.allWallets),
    includePortable: isSet(query.includePortable),
    filter: {
      includeHistory: isSet(query.includeHistory) || undefined,
      qHash: query.qHash?.toLowerCase(),
      qHashPrefix: query.qHashPrefix?.toLowerCase(),
      status: query.status,
      tags: tags.length > 0 ? tags : undefined,
      verifierIds: verifierIds.length > 0 ? verifierIds : undefined,
      tagPrefix: query.tagPrefix,
      tagContains: query.tagContains,
      tagPrefixesAll: readWords('tagPrefixesAll', query.tagPrefixesAll),
      privacyLevel: query.privacyLevel,
      text: query.q || undefined,
      chainId: query.chainId === undefined ? undefined : Number(query.chainId),
      chainCoverage: query.chainCoverage,
      appId: query.appId || undefined,
      ...readSpan(query),
    },
  }
}

/** Errors: VALIDATION_ERROR where one parameter asks for the owner's view and another one for everybody's. */
function readView({ visibility, isPublicRead, includePrivate }: Static<typeof ListQuery>) {
  const forOwner = [
    ...(isSet(includePrivate) ? ['includePrivate'] : []),
    ...(visibility === 'owner' ? ['visibility=owner'] : []),
  ]
  const forEverybody = [
    ...(visibility === 'public' ? ['visibility=public'] : []),
    ...(isSet(isPublicRead) ? ['isPublicRead'] : []),
    ...(isUnset(includePrivate) ? [`includePrivate=${includePrivate}`] : []),
  ]
  const [own] = forOwner
  const [shared] = forEverybody
  if (own !== undefined && shared !== undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      `${own} asks for what the owner sees, and ${shared} for what everybody sees: send one of them`,
      { path: `/${own.split('=', 1)[0]}` },
    )
  return { publicOnly: shared !== undefined, ownerOnly: own !== undefined }
}

const maxWords = 32

/** The words of a comma-separated parameter; undefined without it. Errors: VALIDATION_ERROR. */
function readWords(name: string, csvText: string | undefined): string[] | undefined {
  const found = (csvText ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (found.length > maxWords)
    throw new AppError(
      'VALIDATION_ERROR',
      `${name} names ${found.length} words, and at most ${maxWords} are looked for`,
      {
        path: `/${name}`,
      },
    )
  return found.length > 0 ? found : undefined
}
