/**
 * The query of the dashboard's first view, and its API path. The server uses it to embed the first answer, and the
 * browser for all later requests.
 */

import { type Days, findInstants, hasInstants, type Instants, readDays, writeInstants } from './day-range.ts'

export interface Question {
  readonly text: string
  readonly verifier: string
  readonly status: string
  readonly privacy: string
  readonly tag: string
  /** One of the person's wallets; empty for all of them. */
  readonly wallet: string
  /** Includes revoked and replaced proofs. */
  readonly withHistory: boolean
  readonly days: Days
  /** The time that the days mean where the reader is. */
  readonly made: Instants
}

/** The rows embedded in the page: more than one screen, and no more, because the page waits for them. */
export const firstPage = 30
export const nextPage = 250
/** Longer texts are not searched for. */
export const longestText = 256

/** Whether the query of the root address selects a proof, or filters the list. */
export const isOfAView = (query: URLSearchParams): boolean =>
  ['proof', 'q', 'verifier', 'status', 'privacy', 'tag', 'wallet', 'history', 'when'].some((name) => query.has(name))

/** `now` in Unix milliseconds, for days that are named by today. */
export const readQuestion = (query: URLSearchParams, now = 0): Question => ({
  text: (query.get('q') ?? '').slice(0, longestText),
  verifier: query.get('verifier') ?? '',
  status: query.get('status') ?? '',
  privacy: query.get('privacy') ?? '',
  tag: query.get('tag') ?? '',
  wallet: query.get('wallet') ?? '',
  withHistory: query.has('history'),
  days: readDays(query),
  made: findInstants(readDays(query), now),
})

export const isNarrowed = ({ text, verifier, status, privacy, tag, made }: Question): boolean =>
  [text.trim(), verifier, status, privacy, tag].some(Boolean) || hasInstants(made)

/** An id, the beginning of one, or an address that ends in one. */
const findId = (text: string): string | undefined =>
  /(?:^|\/)(0x[0-9a-f]{6,64})$/i.exec(text.trim())?.[1]?.toLowerCase()

/** Whether the text is first searched as an id; without a match, it is searched within proofs. */
export const isIdLike = ({ text }: Question): boolean => findId(text) !== undefined

/** Path and query of the API, without a cursor. `wallets` are the person's, the primary one first. */
export function listPath(
  question: Question,
  wallets: readonly string[],
  { limit = firstPage, asText = false }: { readonly limit?: number; readonly asText?: boolean } = {},
): string {
  const { text, verifier, status, privacy, tag, wallet, withHistory, made } = question
  const id = asText ? undefined : findId(text)
  const one = wallets.includes(wallet) ? wallet : wallets.length > 1 ? undefined : wallets[0]
  const query = new URLSearchParams({
    limit: String(limit),
    // An ended session is reported, instead of a list of public proofs.
    visibility: 'owner',
    ...(one === undefined ? { allWallets: '1' } : {}),
    ...(withHistory || status === 'revoked' || id ? { includeHistory: '1' } : {}),
    ...(id ? { qHashPrefix: id } : text.trim() ? { q: text.trim() } : {}),
    ...(verifier ? { verifierId: verifier } : {}),
    ...(status ? { status } : {}),
    ...(privacy ? { privacyLevel: privacy } : {}),
    ...(tag ? { tag } : {}),
    ...writeInstants(made),
  })
  return `/api/v1/proofs/by-wallet/${encodeURIComponent(one ?? wallets[0]!)}?${query}`
}
