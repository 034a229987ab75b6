/** Lists of a wallet's proofs, newest first: the public ones for anybody, all of them for their owner. */

import { type Caller, type Credentials, makeUnsignedError, requireCaller, selectRelevant } from '../auth/caller.ts'
import type { Account } from '../auth/identity.ts'
import { describeSigning } from '../auth/owner-text.ts'
import { requireScope } from '../auth/scope.ts'
import { preferReplica } from '../db/prefer-replica.ts'
import { AppError } from '../errors.ts'
import { openCursor, sealCursor } from '../http/cursor.ts'
import { flatMapInOrder, mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { findProfileByAccount } from '../profiles/store.ts'
import { listAccountSecrets } from '../secrets/secret.ts'
import type { SecretRow } from '../secrets/store.ts'
import {
  chooseMeant,
  explainNoAccount,
  guessChain,
  isEvmAddress,
  isSameAccount,
  mayMean,
  type NamedAccount,
  parseAccount,
  readChain,
  readNamedAccount,
  writeAccount,
  writeDid,
  writeName,
} from '../wallet/account.ts'
import { chooseHolder, findAccounts, findOwnAccounts } from './account-store.ts'
import { listAction } from './actions.ts'
import { listFacets } from './facet-store.ts'
import { type FittedViews, fitViews } from './fit-views.ts'
import { isFiltered, type ProofFilter } from './list-filter.ts'
import { findAccountCounts, type ListPage, listProofs } from './list-store.ts'
import { listPortables } from './portable.ts'
import type { ListQuery } from './reach-store.ts'
import { makeViewTools } from './read.ts'

import { readSources } from './source.ts'
import { buildProofView, type ProofView, unread } from './view.ts'

export const publicLimitDefault = 50
export const ownerLimitDefault = 1000

export interface ListRequest {
  /** Address or did:pkh. */
  readonly identifier: string
  readonly credentials: Credentials | undefined
  /** Ask for what everybody sees, even as the owner. */
  readonly publicOnly: boolean
  /** Refuses everybody but the owner, instead of showing the public view. */
  readonly ownerOnly: boolean
  readonly limit: number | undefined
  readonly offset: number | undefined
  readonly cursor: string | undefined
  readonly filter: ProofFilter
  readonly includeFacets: boolean
  /** For a person identified without a signature: the proofs of all their wallets, in one list. */
  readonly allWallets: boolean
  /** Also the portable form, where it was kept. */
  readonly includePortable: boolean
  /** Also the secrets of the owner: in front of the first page of the whole list. */
  readonly includeSecrets: boolean
}

export interface ProofPage {
  readonly proofs: ProofView[]
  /** Null where it would cost as much as reading the list. */
  readonly totalCount: number | null
  readonly hasMore: boolean
  readonly resolved: { identifier: string; walletAddress: string; did: string; idType: 'wallet' | 'did' }
  readonly pagination: {
    limit: number
    offset: number
    totalCount: number | null
    hasMore: boolean
    nextOffset: number | null
  }
  readonly nextOffset: number | null
  readonly nextCursor: string | null
  readonly pageInfo: {
    limit: number
    hasNextPage: boolean
    nextCursor: string | null
    /** Unix milliseconds: how far back a narrowed page has looked that stopped before it was full. */
    lookedBackTo?: number
  }
  readonly facets?: { tags: { tag: string; count: number }[]; verifierIds: readonly string[]; truncated: boolean }
}

/**
 * Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR, FORBIDDEN, those of requireCaller when a credential is offered,
 * and WALLET_AUTH_REQUIRED with ownerOnly.
 */
export const listByWallet = async (parts: Parts, request: ListRequest): Promise<ProofPage> =>
  (await listRequested(parts, request)).page

export interface ListAnswer {
  readonly page: ProofPage
  /** Whether the page may hold private rows. */
  readonly isOwner: boolean
  /** JSON of each row, so that the answer does not write them again. */
  readonly rowTexts: FittedViews['texts']
}

/** Errors: those of listByWallet. */
export async function listRequested(parts: Parts, request: ListRequest): Promise<ListAnswer> {
  const { identifier, filter } = request
  const named = requireNamed(identifier, parts)
  const { wallet } = named
  const owner = request.publicOnly ? undefined : await requireListOwner(named, request, parts)
  const isOwner = owner !== undefined
  const reading = isOwner ? parts : preferReplica(parts, 'public lists')
  if (request.ownerOnly && !isOwner) throw makeUnsignedListError(wallet)
  const own = owner ? await listAccounts(request, owner) : []
  const accounts = owner
    ? [...new Set(await flatMapInOrder(own, (account) => findOwnAccounts(parts.db, account)))]
    : await findAccounts(reading.db, chooseHolder(named))
  if (request.cursor !== undefined && request.offset !== undefined)
    throw new AppError('VALIDATION_ERROR', 'send cursor or offset, not both', { path: '/cursor' })

  const now = parts.now()
  const limit = request.limit ?? (isOwner ? ownerLimitDefault : publicLimitDefault)
  const offset = request.offset ?? 0
  const listIdentity = [
    'proofs/by-wallet',
    owner ? own.map(writeAccount) : named,
    isOwner ? 'owner' : 'public',
    filter,
  ] as const
  const before = request.cursor === undefined ? undefined : openCursor(parts.sealer, listIdentity, request.cursor)

  const query = { accounts, isOwner, filter, before, offset, limit, now }
  const found = await listProofs(reading.db, query)
  const tools = await makeViewTools(reading, now, found.rows)
  const sourceMember = await readSources(reading.db, isOwner ? found.rows : [])
  const totalCount = await countProofs(reading, query, found)
  const hasMore = found.continuesBefore !== undefined
  const isWholeFromStart = before === undefined && offset === 0 && !isFiltered(filter)
  const secrets =
    owner && request.includeSecrets && isWholeFromStart
      ? (await Promise.all(own.map((one) => listVaultSecrets(parts, request, owner, one)))).flat()
      : []
  const nextCursor =
    found.continuesBefore === undefined ? null : sealCursor(parts.sealer, listIdentity, found.continuesBefore)
  const nextOffset = hasMore && found.isComplete && before === undefined ? offset + found.rows.length : null
  const portable = isOwner && request.includePortable ? await listPortables(parts, found.rows) : undefined
  const proofViews = isOwner
    ? await mapInOrder(found.rows, async (row) => ({
        ...buildProofView(row, 'owner', tools, unread),
        ...(await portable?.(row)),
        ...sourceMember(row),
      }))
    : found.rows.map((row) => buildProofView(row, 'public', tools, unread))
  const { views, texts } = fitViews([...secrets.map(buildSecretView), ...proofViews])
  const page: ProofPage = {
    proofs: views,
    totalCount,
    hasMore,
    resolved: {
      identifier,
      walletAddress: wallet,
      did: readDid(identifier, named, parts),
      idType: identifier.startsWith('did:') ? 'did' : 'wallet',
    },
    pagination: { limit, offset, totalCount, hasMore, nextOffset },
    nextOffset,
    nextCursor,
    pageInfo: {
      limit,
      hasNextPage: hasMore,
      nextCursor,
      ...(found.lookedBackTo === undefined ? {} : { lookedBackTo: found.lookedBackTo }),
    },
    ...(request.includeFacets ? { facets: await listFacets(reading.db, { accounts, isOwner, now }) } : {}),
  }
  return { page, isOwner, rowTexts: texts }
}

function requireNamed(identifier: string, { config }: Parts): NamedAccount {
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  if (named) return named
  throw new AppError('INVALID_WALLET_ADDRESS', `the address in the path is ${explainNoAccount(identifier)}`, {
    path: '/address',
  })
}

/**
 * The DID as proofs spell it: EVM addresses in lower case. An address alone does not name its chain: the one its form is
 * most used on.
 */
function readDid(identifier: string, { wallet }: NamedAccount, { config }: Parts): string {
  const chain = readChain(identifier)
  if (chain !== undefined) return writeDid({ chain }, wallet)
  if (isEvmAddress(wallet)) return writeDid({ chainId: config.signing.hubChainId }, wallet)
  return writeDid({ chain: guessChain(wallet) }, wallet)
}

async function requireListOwner(
  named: NamedAccount,
  { credentials }: ListRequest,
  parts: Parts,
): Promise<Caller | undefined> {
  const meant =
    credentials && 'identity' in credentials ? chooseMeant(await credentials.identity.listAccounts(), named) : undefined
  const isRelevant = (account: Account): boolean => (meant ? isSameAccount(account, meant) : mayMean(named, account))
  const offered = await selectRelevant(credentials, isRelevant)
  if (!offered) return undefined
  const caller = await requireCaller(offered, listAction, parts, { about: isRelevant, needs: 'profile' })
  if (isRelevant(caller)) return caller
  throw new AppError(
    'FORBIDDEN',
    `${writeAccount(caller)} signed, but the list of ${writeName(named)} was asked for: sign with that wallet, or ask without a signature for its public proofs`,
  )
}

function makeUnsignedListError(wallet: string): AppError {
  const needed = listAction(wallet)[0]!
  return makeUnsignedError(
    `${wallet} is not a wallet of yours: ask without visibility=owner and includePrivate for its public proofs, or ${describeSigning(needed, true)}`,
    needed,
  )
}

/** A signature speaks for its own wallet; a person has several. */
const listAccounts = async ({ allWallets, credentials }: ListRequest, owner: Account): Promise<readonly Account[]> =>
  allWallets && credentials && 'identity' in credentials
    ? credentials.identity.listAccounts()
    : [{ wallet: owner.wallet, contractOn: owner.contractOn }]

/** A signature suffices; a credential must have the scope for secrets. Errors: FORBIDDEN. */
async function listVaultSecrets(
  parts: Parts,
  { credentials }: ListRequest,
  owner: Caller,
  account: Account,
): Promise<readonly SecretRow[]> {
  if (credentials && 'identity' in credentials) {
    requireScope(credentials.identity, 'secrets')
    return listAccountSecrets(parts, credentials.identity.profile.id, account)
  }
  const profile = await findProfileByAccount(parts.db, owner)
  return profile ? await listAccountSecrets(parts, profile.id, account) : []
}

/**
 * The total when it is cheap: a list that fits on the page, counters of whole lists, or one proof. Counters still hold
 * proofs that expired since the last sweep.
 */
async function countProofs(
  { db }: Parts,
  query: ListQuery,
  { rows, continuesBefore }: ListPage,
): Promise<number | null> {
  const { accounts, isOwner, filter, before, offset } = query
  if (before === undefined && offset === 0 && continuesBefore === undefined) return rows.length
  if (!isFiltered(filter))
    return (await mapInOrder(accounts, (account) => findAccountCounts(db, account))).reduce(
      (sum, one) => sum + countTotal(one, isOwner, filter.includeHistory ?? false),
      0,
    )
  if (filter.qHash === undefined) return null
  return (await listProofs(db, { ...query, before: undefined, offset: 0, limit: 1 })).rows.length
}

function countTotal(
  counts: Awaited<ReturnType<typeof findAccountCounts>>,
  isOwner: boolean,
  includeHistory: boolean,
): number {
  if (includeHistory) return isOwner ? counts.all : counts.allListed
  return isOwner ? counts.current : counts.listed
}

const verifierId = 'secret'

export const buildSecretView = ({ qHash, account, alias, type, createdAt }: SecretRow): ProofView => ({
  qHash,
  status: 'verified',
  privacyLevel: 'private',
  createdAt,
  lastUpdated: createdAt,
  walletAddress: parseAccount(account).wallet,
  verifierIds: [verifierId],
  verifiedVerifiers: [{ verifierId, verified: true, status: 'secret_sealed', data: { alias, secretType: type } }],
  publicDisplay: false,
  title: alias,
  tags: [verifierId],
  revokedAt: null,
  expiresAt: null,
})
