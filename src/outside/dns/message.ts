/**
 * The messages of RFC 1035 with EDNS(0), RFC 6891: encodes a query, and decodes the answer to a query. reply.ts
 * interprets an answer.
 */
import type { DecodedPacket, Question as WireQuestion, Answer as WireRecord } from 'dns-packet'

/** Loads with the first question. */
const loadPackets = () => require('dns-packet') as typeof import('dns-packet')

export interface Question {
  /** In ASCII form, without a dot at the end; `.` is the root. */
  readonly name: string
  readonly type: 'TXT' | 'NS' | 'CNAME'
  /** Asks only for the server's own data, without a lookup. */
  readonly withoutRecursion?: true
}

export interface Query extends Question {
  readonly id: number
}

export interface Answer {
  /** `NOERROR`, `NXDOMAIN`, …; an extended one (RFC 6891 section 6.1.3) as `RCODE16`. */
  readonly rcode: string
  /** TC: the records did not fit. They are omitted here as well. */
  readonly isTruncated: boolean
  /** AA or RA: the server has the zone, or looks names up for others. A server with neither only refers elsewhere. */
  readonly isFromSomebodyWhoKnows: boolean
  /** AD. */
  readonly isAuthenticated: boolean
  /** The answer section. */
  readonly records: readonly AnswerRecord[]
  /** The authority section holds an SOA: a denial in the form of RFC 2308. */
  readonly hasStartOfAuthority: boolean
}

export type AnswerRecord = { readonly name: string; readonly ttlSeconds: number } & (
  | { readonly type: 'TXT'; readonly text: string }
  | { readonly type: 'CNAME' | 'DNAME'; readonly target: string }
  | { readonly type: 'other' }
)

export type Alias = AnswerRecord & { readonly type: 'CNAME' }

/** Fits into one packet on every usual path. An answer in fragments could be forged (RFC 9715). */
const udpPayloadBytes = 1232
/** No useful set of records is larger. */
const maxRecords = 1000
const headerBytes = 12

/** An id that cannot be guessed: one of two values that a forged packet would need (RFC 5452). */
export const makeRandomId = (): number => crypto.getRandomValues(new Uint16Array(1))[0]!

/** Asks for the AD flag in both ways there are (RFC 4035 section 3.2.1, RFC 6840 section 5.7). */
export function queryBytes({ id, name, type, withoutRecursion }: Query): Uint8Array {
  const { AUTHENTIC_DATA, DNSSEC_OK, encode, RECURSION_DESIRED } = loadPackets()
  return encode({
    type: 'query',
    id,
    flags: AUTHENTIC_DATA | (withoutRecursion ? 0 : RECURSION_DESIRED),
    questions: [{ name, type, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: udpPayloadBytes,
        flags: DNSSEC_OK,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: true,
        options: [],
      },
    ],
  })
}

/** Undefined for everything that is not the answer to this query: another id or question, a query, broken bytes. */
export function readAnswer(query: Query, bytes: Uint8Array): Answer | undefined {
  const packet = decodePacket(bytes)
  if (packet?.type !== 'response' || packet.opcode !== 'QUERY' || packet.id !== query.id) return undefined
  const rcode = readRcode(packet)
  const [asked] = packet.questions
  if (!isQuestion(asked, query, rcode) || packet.questions.length > 1) return undefined
  return {
    rcode,
    isTruncated: packet.flag_tc,
    isFromSomebodyWhoKnows: packet.flag_aa || packet.flag_ra,
    isAuthenticated: packet.flag_ad,
    records: packet.answers.map(makeRecord),
    hasStartOfAuthority: packet.authorities.some(({ type }) => type === 'SOA'),
  }
}

/** The real result of dns-packet: its types omit the two words, and call the sections optional. */
type Packet = DecodedPacket & {
  readonly opcode: string
  readonly rcode: string
  readonly questions: readonly WireQuestion[]
  readonly answers: readonly WireRecord[]
  readonly authorities: readonly WireRecord[]
  readonly additionals: readonly WireRecord[]
}

function decodePacket(bytes: Uint8Array): Packet | undefined {
  const { decode } = loadPackets()
  const copy = Buffer.from(bytes)
  if (copy.length < headerBytes) return undefined
  // A truncated message may end inside a record (RFC 2181 section 9), so none of its records is read.
  const isTruncated = (copy.readUInt16BE(2) & 0x0200) !== 0
  if (isTruncated) copy.fill(0, 6, headerBytes)
  if (copy.readUInt16BE(6) + copy.readUInt16BE(8) + copy.readUInt16BE(10) > maxRecords) return undefined
  try {
    const packet = decode(copy)
    // dns-packet silently reads past the end: a record cut short would come out as a shorter text.
    return isTruncated || decode.bytes === copy.length ? (packet as Packet) : undefined
  } catch {
    return undefined
  }
}

/** The upper bits are in the OPT record. BADVERS without them looks like NOERROR, and so like "no such record". */
function readRcode({ rcode, flags, additionals }: Packet): string {
  const upper = additionals.find((record) => record.type === 'OPT')?.extendedRcode ?? 0
  return upper === 0 ? rcode : `RCODE${upper * 16 + ((flags ?? 0) & 15)}`
}

/** A server that cannot read a query may omit the question from its error. */
function isQuestion(asked: WireQuestion | undefined, { name, type }: Query, rcode: string): boolean {
  if (!asked) return rcode !== 'NOERROR' && rcode !== 'NXDOMAIN'
  return isSameName(asked.name, name) && asked.type === type && asked.class === 'IN'
}

function makeRecord(record: WireRecord): AnswerRecord {
  const { name, type } = record
  if (type !== 'TXT' && type !== 'CNAME' && type !== 'DNAME') return { name, ttlSeconds: 0, type: 'other' }
  // dns-packet reads the highest bit as the flush flag of multicast DNS. For all others it is another class.
  if (record.class !== 'IN' || record.flush) return { name, ttlSeconds: 0, type: 'other' }
  const ttlSeconds = limitTtl(record.ttl)
  if (type !== 'TXT') return { name, ttlSeconds, type, target: record.data }
  return { name, ttlSeconds, type, text: Buffer.concat(record.data as readonly Buffer[]).toString('utf8') }
}

/** RFC 2181 section 8: more than 31 bits mean 0. */
const limitTtl = (ttl = 0): number => (ttl > 0x7fffffff ? 0 : ttl)

/** RFC 4343: only A to Z have two cases. toLowerCase() would also make a k of the Kelvin sign. */
const lowerCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export const isSameName = (a: string, b: string): boolean => lowerCase(a) === lowerCase(b)

/** Whether a name lies strictly below another one. */
export const isBelow = (name: string, above: string): boolean => lowerCase(name).endsWith(`.${lowerCase(above)}`)

/** Names in the DNS may hold any bytes. */
export const showName = (name: string): string => (/^[A-Za-z0-9_.-]{1,253}$/.test(name) ? name : 'another name')
