/** Addresses that a gate sends people to: nothing but https, and http on this very machine for trying things out. */

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Why not, as the end of a sentence; undefined when it is right. */
export function addressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a whole address such as https://example.com/welcome'
  const { protocol, hostname, username, password } = new URL(text)
  // A javascript: or data: address would run in the page that shows the reward.
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.has(hostname)))
    return 'must begin with https:// (http:// only on localhost)'
  return username || password ? 'must hold no user name and no password' : undefined
}
