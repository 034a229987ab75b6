/** The allowed destinations after signing in: pages of this server, named one by one. */
import { operatorPlaces, ownPlaces, profilePath } from './dashboard-places.ts'

/** The length of an authorization request with the longest accepted state, encoded. */
const longest = 16_384

/** A dashboard address with one more segment, which names an object. */
const isGate = (path: string): boolean => /^\/gates\/[A-Za-z0-9_-]{1,128}$/.test(path)

/** The authorization endpoint continues with its own query, as do the pages. */
const places: ReadonlySet<string> = new Set([
  '/docs',
  '/operator/claim',
  '/login',
  '/oauth/authorize',
  '/verify',
  profilePath,
  ...ownPlaces,
  ...operatorPlaces,
])

const isProof = (path: string): boolean => /^\/proof\/0x[0-9a-f]{64}$/.test(path)

const isReceipt = (path: string): boolean => /^\/receipts\/[A-Za-z0-9_-]{11}$/.test(path)

/**
 * Whether `returnTo` is an allowed address: the exact path, and then nothing or a query of visible ASCII. No listed
 * path has a second slash, a backslash, a dot segment, or an encoded or invisible character. So no parser can resolve
 * the address to another page.
 */
export function isReturnTo(returnTo: string): boolean {
  const [, path, query = ''] = /^([^?]*)(\?[\x21-\x7e]*)?$/.exec(returnTo) ?? []
  return (
    path !== undefined &&
    (places.has(path) || isProof(path) || isGate(path) || isReceipt(path)) &&
    returnTo.length <= longest &&
    !/[\\#]/.test(query)
  )
}

export const leadsToConsent = (returnTo: string | undefined): boolean =>
  /^\/oauth\/authorize(\?|$)/.test(returnTo ?? '')
