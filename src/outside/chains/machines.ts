/**
 * The addresses that endpoint names resolved to when they were last called: two names of one machine are one voice.
 * Only addresses of this machine and of private networks show that. A public address may serve many services of many
 * people.
 */
import { networkInterfaces } from 'node:os'
import { findEmbeddedAddress } from '../../config/embedded-address.ts'
import { type Address, type AddressGuard, isPublicAddress } from '../http/address-guard.ts'
import type { Finding } from '../probe.ts'

/** An endpoint, and the other endpoints at its address. */
export interface Place {
  /** The name that counts once towards `agree`. */
  readonly voice: string
  /** Why it shares a voice beyond its address: `leads to the same machine as …`. */
  readonly whyShared: string | undefined
}

export interface SeenPlace extends Place {
  /** Calls go through this guard: it sees each address that a connection may use. */
  readonly guard: AddressGuard
  /** Looks its name up again. Errors: those of the resolver. */
  look(): Promise<void>
  /** `chains.base.rpc[1] (…) leads to the same machine or public address as …`, for each earlier endpoint of another name. */
  listTwins(): readonly string[]
}

interface Written {
  readonly setting: string
  readonly url: string
  /** The name that counts once, as far as the configured addresses show. */
  readonly voice: string
}

interface Seen extends Omit<Written, 'url'> {
  readonly url: URL
  /** Groups places that are one machine, by the address that leads there. */
  machines: ReadonlyMap<string, string>
  publicAddresses: readonly string[]
}

/** One for each, in their order. With `addresses` the operator declared that each is a separate node. */
export function seePlaces(
  list: readonly Written[],
  guard: AddressGuard,
  counts: 'hosts' | 'addresses',
): readonly SeenPlace[] {
  const all = list.map(
    ({ setting, url, voice }): Seen => ({
      setting,
      url: new URL(url),
      voice,
      machines: new Map(),
      publicAddresses: [],
    }),
  )
  return all.map((seen, at): SeenPlace => {
    const { url, voice } = seen
    const earlier = all.slice(0, at)
    const findNewTwin = () => findTwin(seen, earlier)
    const noting: AddressGuard = {
      findObjection: (to) => guard.findObjection(to),
      async permitted(host) {
        const addresses = await guard.permitted(host)
        if (counts === 'hosts') note(seen, addresses)
        return addresses
      },
    }
    return {
      guard: noting,
      get voice() {
        return findFirstVoice(seen, all)
      },
      get whyShared() {
        const found = findNewTwin()
        return found && `leads to the same machine as ${findName(found.other)}, ${found.address}`
      },
      async look() {
        await noting.permitted(url.hostname)
      },
      listTwins: () =>
        earlier.flatMap((other) => {
          if (other.voice === voice) return []
          const place = seen.machines.keys().find((one) => other.machines.has(one))
          if (place !== undefined)
            return `${findName(seen)} leads to the same machine as ${findName(other)}, ${seen.machines.get(place)}: they count once`
          const shared = seen.publicAddresses.find((address) => other.publicAddresses.includes(address))
          return shared === undefined
            ? []
            : `${findName(seen)} leads to the same address as ${findName(other)}, ${shared}: they count as two`
        }),
    }
  })
}

/** Doctor's finding for names that resolve to one address and yet count as different endpoints. */
export function warnTwins(places: readonly SeenPlace[], says: string): Finding | undefined {
  const twins = places.flatMap((place) => place.listTwins())
  if (twins.length === 0) return undefined
  return {
    level: 'warn',
    says: `${says}; but ${twins.join('; ')}`,
    mend: 'see whether they are run by different people (many services may stand behind one public address): who runs two of them can make them agree',
  }
}

/** The voice of the first place that is the same machine, also through others. */
function findFirstVoice(seen: Seen, all: readonly Seen[]): string {
  const group = new Set([seen])
  for (const one of group) for (const other of all) if (isOne(one, other)) group.add(other)
  return all.find((one) => group.has(one))!.voice
}

const isOne = (one: Seen, other: Seen): boolean =>
  one.voice === other.voice || one.machines.keys().some((place) => other.machines.has(place))

/** An earlier endpoint of another name at the same place. */
function findTwin({ voice, machines }: Seen, earlier: readonly Seen[]) {
  for (const other of earlier)
    for (const [place, address] of machines)
      if (other.voice !== voice && other.machines.has(place)) return { other, address }
  return undefined
}

const findName = ({ setting, url }: Seen): string => `${setting} (${url.host})`

function note(seen: Seen, addresses: readonly Address[]): void {
  const { url } = seen
  const port = url.port || { 'https:': '443' }[url.protocol] || '80'
  const own = listOwn()
  const plain = addresses.map(normalizeAddress)
  seen.machines = new Map(
    plain.flatMap((one): [string, string][] => {
      // Services on this machine belong to the operator: two ports are two nodes.
      if (isThisMachine(one.address) || own.has(one.address)) return [[`this machine:${port}`, one.address]]
      return isPublicAddress(one) ? [] : [[one.address, one.address]]
    }),
  )
  seen.publicAddresses = plain.flatMap((one) => (isPublicAddress(one) ? one.address : []))
}

const isThisMachine = (address: string): boolean =>
  address.startsWith('127.') || ['::1', '::', '0.0.0.0'].includes(address)

const listOwn = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address)))

function normalizeAddress({ address, family }: Address): Address {
  const embedded = family === 6 ? findEmbeddedAddress(address) : undefined
  return embedded?.isSame ? { address: embedded.ipv4, family: 4 } : { address, family }
}
