/**
 * The address for rate limits: the socket's, unless its peer is a configured proxy. Then it is the rightmost entry of
 * X-Forwarded-For that is no proxy. The client could have written every entry left of it.
 */
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: Request, peer: string | undefined) => string

export interface ReadersOfClient {
  /** The address under which the client is rate-limited. */
  readonly clientAddress: ClientAddress
  /** Whether it monitors this server: it is on this machine, or among limits.monitors. */
  readonly isMonitor: (request: Request, peer: string | undefined) => boolean
  /** Whether the other end of a connection is one of proxy.trusted. */
  readonly isTrustedProxy: (peer: string) => boolean
}

interface Settings {
  readonly proxy: { readonly trusted: readonly string[] }
  readonly limits: { readonly monitors: readonly string[] }
}

export function makeClientReaders({ proxy, limits }: Settings): ReadersOfClient {
  const isTrusted = parseRanges(proxy.trusted)
  const isOfMonitors = parseRanges([...loopback, ...limits.monitors])

  /** Undefined where that is hidden behind a proxy. */
  function findClient(request: Request, peer: string): string | undefined {
    const forwarded = request.headers.get('x-forwarded-for')
    if (!isTrusted(peer)) return isForwarded(request) ? undefined : peer
    if (forwarded === null) return isForwarded(request) ? undefined : peer
    const client = forwarded
      .split(',')
      .map((hop) => readHopAddress(hop.trim()))
      .findLast((hop) => !isTrusted(hop))
    // Left of an entry that is no address ("unknown") stands only what the client wrote.
    return client !== undefined && isIP(client) !== 0 ? client : undefined
  }

  return {
    isTrustedProxy: (peer) => isTrusted(stripMapping(peer)),
    clientAddress(request, peer) {
      if (peer === undefined) return readNetwork('local')
      const socket = stripMapping(peer)
      return readNetwork((isTrusted(socket) && findClient(request, socket)) || peer)
    },
    isMonitor(request, peer) {
      const client = peer && findClient(request, stripMapping(peer))
      return client !== undefined && isOfMonitors(client)
    },
  }
}

const loopback = ['127.0.0.0/8', '::1']
const isLoopback = parseRanges(loopback)

/** The operator's own tools. Every other connection from this machine is a proxy, which names its client. */
export const isFromThisMachine = (request: Request, peer: string | undefined): boolean =>
  peer !== undefined && isLoopback(stripMapping(peer)) && !isForwarded(request)

/**
 * Headers that proxies add. A request from this machine with one of them comes through an unconfigured proxy, from any
 * client.
 */
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto']

const isForwarded = ({ headers }: Request): boolean => forwardingHeaders.some((name) => headers.has(name))

function parseRanges(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 addresses arrive as ::ffff:a.b.c.d on a socket that listens on both families. */
const stripMapping = (address: string): string => (/^::ffff:[0-9.]+$/i.test(address) ? address.slice(7) : address)

/** Some proxies write the port as well: `1.2.3.4:5`, `[2001:db8::1]:5`. */
const readHopAddress = (hop: string): string =>
  stripMapping(/^\[(.+)\](?::[0-9]+)?$/.exec(hop)?.[1] ?? hop.replace(/^([0-9.]+):[0-9]+$/, '$1'))

/**
 * The addresses that one party can easily have together: an IPv4 /24, or the IPv6 /48 of a site. Takes an address as
 * ClientAddress gives it.
 */
export const readNeighborhood = (address: string): string =>
  address.includes(':') ? `${address.split(':').slice(0, 3).join(':')}::/48` : address.replace(/\.[0-9]+$/, '.0/24')

/** One subscriber has a whole /64 of IPv6, so that is what is counted. */
function readNetwork(address: string): string {
  const plain = stripMapping(address)
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
