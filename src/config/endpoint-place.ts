/**
 * Finds addresses of a list that lead to the same place, so that no endpoint confirms itself. It compares the text in
 * normal form: names are not looked up.
 */
import { findEmbeddedAddress } from './embedded-address.ts'

interface ChainEndpoints {
  readonly rpc: readonly string[]
  /** The unit that counts towards `agree`: each host once, or each address. */
  readonly counts: 'hosts' | 'addresses'
}

export interface EndpointPlace {
  readonly index: number
  /** The name that counts once towards `agree`. */
  readonly voice: string
  /** The first entry that leads to the same address. Undefined for the first itself. */
  readonly repeats: number | undefined
  /** The first entry that has the same voice. Undefined for the first itself. */
  readonly sharesVoice: number | undefined
}

/** One for each entry, in their order. */
export function locateEndpoints({ rpc, counts }: ChainEndpoints): readonly EndpointPlace[] {
  const places = rpc.map((url) => locateEndpoint(new URL(url)))
  const addresses = places.map(({ address }) => address)
  const voices = counts === 'hosts' ? places.map(({ host }) => host) : addresses
  const findEarlier = (texts: readonly string[], index: number): number | undefined => {
    const first = texts.indexOf(texts[index]!)
    return first < index ? first : undefined
  }
  return places.map((_, index) => ({
    index,
    voice: voices[index]!,
    repeats: findEarlier(addresses, index),
    sharesVoice: findEarlier(voices, index),
  }))
}

/** How many of them count towards `agree`. */
export const countVoices = (places: readonly EndpointPlace[]): number =>
  places.filter(({ sharesVoice }) => sharesVoice === undefined).length

/** `rpc[1] and rpc[2] lead to the same host as rpc[0]`. Undefined where each counts. */
export function describeShared(places: readonly EndpointPlace[]): string | undefined {
  const firsts = [...new Set(places.flatMap(({ sharesVoice }) => sharesVoice ?? []))]
  if (firsts.length === 0) return undefined
  const sentences = firsts.map((first) => {
    const others = places.filter(({ sharesVoice }) => sharesVoice === first)
    const names = others.map(({ index }) => `rpc[${index}]`)
    const verb = others.length === 1 ? 'leads' : 'lead'
    const what = others.every(({ repeats }) => repeats !== undefined) ? 'address' : 'host'
    return `${names.join(' and ')} ${verb} to the same ${what} as rpc[${first}]`
  })
  return sentences.join(', ')
}

/** The URL standard has already lowercased the name, normalized numbers, and removed default ports. */
function locateEndpoint({ protocol, hostname, port, pathname, search }: URL): {
  readonly host: string
  readonly address: string
} {
  const written = hostname.replace(/\.$/, '')
  const embedded = findEmbeddedAddress(written)
  const name = embedded?.isSame ? embedded.ipv4 : written
  const number = port === '' ? ({ 'https:': '443' }[protocol] ?? '80') : port
  const isHere = isThisMachine(name)
  const authority = `${isHere ? 'this machine' : name}:${number}`
  return {
    // Services on this machine belong to the operator: two ports are two nodes.
    host: isHere ? authority : (embedded?.ipv4 ?? name),
    address: `${authority}${pathname.replace(/\/+$/, '')}${search}`,
  }
}

const isThisMachine = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  ['[::1]', '[::]', '0.0.0.0'].includes(name) ||
  /^127\.\d+\.\d+\.\d+$/.test(name)
