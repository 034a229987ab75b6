/** The addresses to which our pages may send a person back: a site that opened the page with this address. */

import { parseWebUrl } from '../web-url.ts'
import { isLoopbackHost } from './loopback.ts'

const longest = 2048

/**
 * The fault, as the end of a sentence that begins with the parameter's name; undefined for a usable address. `allowed`
 * are origins; an empty list means every https origin. http is for programs on the person's own machine.
 */
export function returnUrlFault(text: string, allowed: readonly string[] = []): string | undefined {
  if (text.length > longest) return `is longer than ${longest} characters`
  // Characters that a browser would drop or turn round have no honest use.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return mustBe
  if (URL.canParse(text) && new URL(text).username + new URL(text).password !== '') return noUserName
  const url = parseWebUrl(text)
  if (!url) return mustBe
  const { protocol, hostname, origin } = url
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) return mustBe
  if (text.includes('#')) return 'must be an absolute https address without a fragment (#…)'
  if (allowed.length > 0 && !allowed.includes(origin))
    return 'is on a site that the operator of this server does not send people to (pages.return_origins)'
  return undefined
}

const noUserName = 'must be an absolute https address without a user name or a password'
const mustBe = 'must be an absolute https address; http is for loopback only'

/** The same for an origin, as browsers spell it: nothing behind it, no default port, lower case. */
export const findOriginFault = (text: string, allowed: readonly string[] = []): string | undefined =>
  URL.canParse(text) && new URL(text).origin === text
    ? returnUrlFault(text, allowed)
    : 'must be an origin such as https://app.example.com'

/** The address with parameters of ours, in place of those of the same names. */
export function addParameters(address: string, added: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(added)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
