/** The IPv4 address that an IPv6 address leads to, for code that checks or compares addresses. It looks nothing up. */

export interface EmbeddedAddress {
  readonly ipv4: string
  /** The IPv6 address is another way to write this one. False where it names something behind that address. */
  readonly isSame: boolean
}

type Groups = readonly number[]

/** `[bits]` of an IPv6 address in groups of 16, followed by the IPv4 address at group `at`. */
const forms: readonly { readonly prefix: Groups; readonly at: number; readonly isSame: boolean }[] = [
  // Mapped (RFC 4291 section 2.5.5.2), translated (RFC 2765 section 2.1), NAT64 (RFC 6052 section 2.1).
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6, isSame: true },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6, isSame: true },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6, isSame: true },
  // Compatible (RFC 4291 section 2.5.5.1). :: and ::1 are excluded below.
  { prefix: [0, 0, 0, 0, 0, 0], at: 6, isSame: true },
  // 6to4 (RFC 3056): a network of its own behind one IPv4 address.
  { prefix: [0x2002], at: 1, isSame: false },
]

/** Undefined for an IPv6 address that holds none, and for everything else. With or without brackets, without a zone. */
export function findEmbeddedAddress(address: string): EmbeddedAddress | undefined {
  const groups = parseGroups(address.replace(/^\[|\]$/g, ''))
  if (!groups || (groups.slice(0, 7).every((group) => group === 0) && groups[7]! <= 1)) return undefined
  const form = forms.find(({ prefix }) => prefix.every((group, position) => groups[position] === group))
  if (!form) return undefined
  const [upper = 0, lower = 0] = groups.slice(form.at)
  return { ipv4: [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.'), isSame: form.isSame }
}

/** Eight numbers. The URL standard puts every spelling of an address into one. */
function parseGroups(address: string): Groups | undefined {
  const url = address.includes(':') ? URL.parse(`http://[${address}]`) : null
  if (!url) return undefined
  const [left = '', right] = url.hostname.slice(1, -1).split('::')
  const before = parseNumbers(left)
  const after = parseNumbers(right ?? '')
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const parseNumbers = (text: string): Groups =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
