/** Where a person may be sent on to after signing in: pages of this server, named one by one. */
import { operatorPlaces, ownPlaces, profilePath } from './dashboard-places.ts'

/** An authorization request with the longest state that is taken, encoded. */
const longest = 16_384

/** One segment more, where an address of the dashboard names something. */
const isGate = (path: string): boolean => /^\/gates\/[A-Za-z0-9_-]{1,128}$/.test(path)

/** The authorization endpoint goes on with what was asked of it, in the query; pages take theirs too. */
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

/**
 * Whether `returnTo` is such an address: the exact path, and then nothing or a query of visible ASCII. A second slash, a
 * backslash, a dot segment, an encoded or an invisible character is in no path of the list, so no reader of the address
 * can be brought to see another one in it.
 */
export function isReturnTo(returnTo: string): boolean {
  const [, path, query = ''] = /^([^?]*)(\?[\x21-\x7e]*)?$/.exec(returnTo) ?? []
  return (
    path !== undefined &&
    (places.has(path) || isProof(path) || isGate(path)) &&
    returnTo.length <= longest &&
    !/[\\#]/.test(query)
  )
}

export const leadsToConsent = (returnTo: string | undefined): boolean =>
  /^\/oauth\/authorize(\?|$)/.test(returnTo ?? '')
