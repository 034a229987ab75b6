/**
 * The strict parser of web addresses that people are sent to. Browsers repair much (RFC 3986 calls it invalid, the URL
 * standard parses it): `https:e.example`, a missing slash, a backslash, a tab. A checked text and the place that a browser
 * opens must be the same, so such text is no address here.
 */

/** Control, format and space characters; a backslash is a slash to browsers. */
const repaired = /[\p{C}\p{Z}\\]/u
/** Scheme, two slashes, an authority without user name and without escapes. */
const form = /^https?:\/\/[^/?#@%]+(?:[/?#]|$)/i

/** Undefined for text that is no absolute http(s) address exactly as it is written. */
export function parseWebUrl(text: string): URL | undefined {
  if (repaired.test(text) || !form.test(text)) return undefined
  return URL.parse(text) ?? undefined
}
