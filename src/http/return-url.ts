/** Where a page of ours may send a person on to: a site that asked for something in the address it made. */

import { parseWebUrl } from '../web-url.ts'
import { isLoopbackHost } from './loopback.ts'

const longest = 2048

/**
 * What is wrong with it, as the end of a sentence that begins with its name; undefined where it can be used. `allowed` are
 * origins; none at all means every https origin. http is for programs that listen on the person's own machine.
 */
export function returnUrlFault(text: string, allowed: readonly string[] = []): string | undefined {
  if (text.length > longest) return `is longer than ${longest} characters`
  // What a browser would drop or turn round is not there for an honest reason.
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
