/** Addresses that a gate sends people to: nothing but https, and http on this very machine for trying things out. */

import { isLoopbackHost } from '../http/loopback.ts'
import { parseWebUrl } from '../web-url.ts'

/** Why not, as the end of a sentence; undefined when it is right. */
export function addressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a whole address such as https://example.com/welcome'
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return 'must hold no user name and no password'
  // A javascript: or data: address would run in the page that shows the reward.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname)))
    return 'must begin with https:// (http:// only on localhost)'
  return parseWebUrl(text)
    ? undefined
    : 'must be written in full, https:// and the host: no space, no backslash, nothing left out'
}
