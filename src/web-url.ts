/**
 * The strict parser of web addresses that people are sent to. Browsers repair invalid text (RFC 3986 against the URL
 * standard): `https:e.example`, a missing slash, a backslash, a tab. The checked text and the opened place must be the
 * same, so such text is no address here.
 */

/** Control, format and space characters; a backslash is a slash to browsers. */
const repaired = /[\p{C}\p{Z}\\]/u
/** Scheme, two slashes, an authority without user name and without escapes. */
const form = /^https?:\/\/([^/?#@%]+)(?:[/?#]|$)/i

/** Undefined for text that is no absolute http(s) address exactly as it is written. */
export function parseWebUrl(text: string): URL | undefined {
  const authority = form.exec(text)?.[1]
  if (authority === undefined || repaired.test(text)) return undefined
  const url = URL.parse(text)
  return url && !isRepaired(authority, url) ? url : undefined
}

/** Numbers in other notations, other dots and letters, and ports that are empty or begin with a zero. */
function isRepaired(authority: string, { hostname }: URL): boolean {
  const [, host = '', port] = /^(.*?)(?::([^:\]]*))?$/.exec(authority) ?? []
  if (port !== undefined && !/^[1-9][0-9]*$/.test(port)) return true
  // A name may end in one dot (RFC 1034 section 3.1), and has no empty part.
  if (/^\.|\.\./.test(host)) return true
  // Letters of other scripts are written as they are; a name in ASCII stays what it is.
  if (/[\u0080-\uffff]/.test(host)) return /[\u3002\uff0e\uff61]/.test(host) || host !== host.normalize('NFKC')
  return hostname !== host.toLowerCase()
}
