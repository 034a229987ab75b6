/**
 * The address a request is counted by: the socket's, unless its peer is a configured proxy. Then it is the rightmost
 * entry of X-Forwarded-For that is no proxy: everything left of that could have been written by the client.
 */
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: Request, peer: string | undefined) => string

export function clientAddressFrom(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (_, peer) => networkOf(peer ?? 'local')
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request, peer) => {
    if (peer === undefined || !isTrusted(withoutMapping(peer))) return networkOf(peer ?? 'local')
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hopAddress(hop.trim()))
    const client = hops.findLast((hop) => !isTrusted(hop))
    // Left of an entry that is no address ("unknown") stands only what the client wrote.
    return networkOf(client !== undefined && isIP(client) !== 0 ? client : peer)
  }
}

/** IPv4 addresses arrive as ::ffff:a.b.c.d on a socket that listens on both families. */
const withoutMapping = (address: string): string => (/^::ffff:[0-9.]+$/i.test(address) ? address.slice(7) : address)

/** Some proxies write the port as well: `1.2.3.4:5`, `[2001:db8::1]:5`. */
const hopAddress = (hop: string): string =>
  withoutMapping(/^\[(.+)\](?::[0-9]+)?$/.exec(hop)?.[1] ?? hop.replace(/^([0-9.]+):[0-9]+$/, '$1'))

/** One subscriber has a whole /64 of IPv6, so that is what is counted. */
function networkOf(address: string): string {
  const plain = withoutMapping(address)
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
