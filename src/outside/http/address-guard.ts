/**
 * Decides which network addresses may be called. It is asked when a connection is made, and the connection uses the
 * very address that was checked. So a name cannot lead this server into its own network (SSRF). Nor can it change
 * between the check and the call (DNS rebinding).
 *
 * It checks neither the ports of configured addresses nor the answers.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { findEmbeddedAddress } from '../../config/embedded-address.ts'
import { defer } from '../../defer.ts'

export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export interface AddressGuard {
  /** The reason why this URL is not called, whatever its host resolves to: `is not an http(s) address`. */
  findObjection(url: URL): string | undefined
  /** The permitted addresses of a host; empty when it has none. Errors: those of the resolver. */
  permitted(host: string): Promise<readonly Address[]>
}

/** All addresses of a name, in the order they should be tried. Errors when it has none. */
export type Resolve = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

const resolveBySystem: Resolve = (name) => lookup(name, { all: true })

/**
 * For addresses that the operator configured. A literal address in the setting and `localhost` are allowed: the
 * operator meant them. A name may resolve to public addresses, and to those of `privateNetworks`.
 */
export function makeGuard(privateNetworks: readonly string[], resolve: Resolve = resolveBySystem): AddressGuard {
  const allowed = parseRanges(privateNetworks)
  return {
    findObjection: ({ protocol }) => (/^https?:$/.test(protocol) ? undefined : 'is not an http(s) address'),
    async permitted(host) {
      const literal = parseLiteral(host)
      if (literal) return [literal]
      // RFC 6761 section 6.3: the name means the loopback addresses, and no resolver is asked.
      if (host === 'localhost') return loopback
      return (await listAddresses(host, resolve)).filter(
        (address) => isPublicAddress(address) || contains(allowed, address),
      )
    },
  }
}

/**
 * For addresses that a user wrote: https on the default port, and public addresses only, in every spelling. The
 * operator's exceptions for configured addresses do not apply here.
 */
export function makePublicGuard(resolve: Resolve = resolveBySystem): AddressGuard {
  return {
    findObjection: ({ protocol, port, username, password }) => {
      if (protocol !== 'https:') return 'is not an https address'
      if (port !== '') return 'names a port, and only the standard one is called'
      if (username !== '' || password !== '') return 'holds a user name or password'
      return undefined
    },
    async permitted(host) {
      const literal = parseLiteral(host)
      return (literal ? [literal] : await listAddresses(host, resolve)).filter(isPublicAddress)
    },
  }
}

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** A URL has already normalized `0x7f.1`, `2130706433` and `127.1` to `127.0.0.1`. */
function parseLiteral(host: string): Address | undefined {
  const address = host.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  return family === 0 ? undefined : { address, family: family === 6 ? 6 : 4 }
}

const listAddresses = async (name: string, resolve: Resolve): Promise<readonly Address[]> =>
  (await resolve(name)).flatMap(({ address }) => parseLiteral(address) ?? [])

/** Addresses outside the public internet, from the special-purpose registries of IANA (RFC 6890). */
const reserved4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
const reserved6 = [
  // Public IPv6 is 2000::/3 (RFC 4291 section 2.4): the ranges before and after it are not.
  '::/3',
  '4000::/2',
  '8000::/1',
  // Inside it: protocol assignments with Teredo, documentation, 6to4, documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

const listNotPublic = defer(() => parseRanges([...reserved4, ...reserved6]))

/** NAT64 (RFC 6052 section 2.1): `64:ff9b::a.b.c.d` leads to that IPv4 address, which may be a private one. */
const listTranslated = defer(() => parseRanges(['64:ff9b::/96']))

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: Address): boolean {
  // A zone (`fe80::1%eth0`) appears only in addresses of the local network.
  if (address.address.includes('%')) return false
  const embedded = contains(listTranslated(), address) ? findEmbeddedAddress(address.address) : undefined
  return !contains(listNotPublic(), embedded ? { address: embedded.ipv4, family: 4 } : address)
}

/** One list for each family: a BlockList with `::/3` would hold every IPv4 address too, as `::ffff:a.b.c.d`. */
interface Ranges {
  readonly 4: BlockList
  readonly 6: BlockList
}

const contains = (ranges: Ranges, { address, family }: Address): boolean =>
  ranges[family].check(address, family === 6 ? 'ipv6' : 'ipv4')

function parseRanges(ranges: readonly string[]): Ranges {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    if (isIP(address) === 6) lists[6].addSubnet(address, Number(bits ?? 128), 'ipv6')
    else lists[4].addSubnet(address, Number(bits ?? 32), 'ipv4')
  }
  return lists
}
