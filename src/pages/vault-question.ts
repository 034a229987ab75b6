/**
 * What the address of the dashboard's first view asks of the list of proofs, and where the API answers it: for the
 * server, which puts that answer into the page, and for the browser, which asks the same from then on.
 */

export interface Question {
  readonly text: string
  readonly verifier: string
  readonly status: string
  readonly privacy: string
  readonly tag: string
  /** One of the person's wallets; all of them where none is named. */
  readonly wallet: string
  /** Also revoked proofs, and those that a newer one replaced. */
  readonly withHistory: boolean
}

/** As much as is asked for with the page: more than one screen, and no more, because the page waits for it. */
export const firstPage = 30
export const nextPage = 250
/** Longer texts are not looked for. */
export const longestText = 256

/** Whether an address of the root asks for a proof, or for some of them. */
export const isOfAView = (query: URLSearchParams): boolean =>
  ['proof', 'q', 'verifier', 'status', 'privacy', 'tag', 'wallet', 'history'].some((name) => query.has(name))

export const questionIn = (query: URLSearchParams): Question => ({
  text: (query.get('q') ?? '').slice(0, longestText),
  verifier: query.get('verifier') ?? '',
  status: query.get('status') ?? '',
  privacy: query.get('privacy') ?? '',
  tag: query.get('tag') ?? '',
  wallet: query.get('wallet') ?? '',
  withHistory: query.has('history'),
})

export const isNarrowed = ({ text, verifier, status, privacy, tag }: Question): boolean =>
  [text.trim(), verifier, status, privacy, tag].some(Boolean)

/** An id, the beginning of one, or an address that ends in one. */
const idIn = (text: string): string | undefined => /(?:^|\/)(0x[0-9a-f]{6,64})$/i.exec(text.trim())?.[1]?.toLowerCase()

/** Whether the text is looked for as an id first: where none begins like that, it may stand in a proof. */
export const isIdLike = ({ text }: Question): boolean => idIn(text) !== undefined

/** Path and query of the API, without a cursor. `wallets` are the person's, the primary one first. */
export function listPath(
  question: Question,
  wallets: readonly string[],
  { limit = firstPage, asText = false }: { readonly limit?: number; readonly asText?: boolean } = {},
): string {
  const { text, verifier, status, privacy, tag, wallet, withHistory } = question
  const id = asText ? undefined : idIn(text)
  const one = wallets.includes(wallet) ? wallet : wallets.length > 1 ? undefined : wallets[0]
  const query = new URLSearchParams({
    limit: String(limit),
    // A session that is over is told, and no list of public proofs shown in its place.
    visibility: 'owner',
    ...(one === undefined ? { allWallets: '1' } : {}),
    ...(withHistory || status === 'revoked' || id ? { includeHistory: '1' } : {}),
    ...(id ? { qHashPrefix: id } : text.trim() ? { q: text.trim() } : {}),
    ...(verifier ? { verifierId: verifier } : {}),
    ...(status ? { status } : {}),
    ...(privacy ? { privacyLevel: privacy } : {}),
    ...(tag ? { tag } : {}),
  })
  return `/api/v1/proofs/by-wallet/${encodeURIComponent(one ?? wallets[0]!)}?${query}`
}
