/**
 * startDns(): a real DNS server on UDP and TCP of one port of 127.0.0.1, for one test file. Its zone may change while it
 * runs. The messages are written by dns2, not by the library that reads them in the product.
 */
import type { Socket } from 'node:net'
import dns2, { type Packet, type Resource } from 'dns2'

export type Entry = { readonly txt: readonly (string | Buffer)[] } | { readonly cname: string }

/** A TXT record of one or several strings. */
export const txt = (...strings: readonly (string | Buffer)[]): Entry => ({ txt: strings })
export const cname = (target: string): Entry => ({ cname: target })

/** A name without entries exists and has no records; a name that is not here does not exist. */
export type Zone = ReadonlyMap<string, readonly Entry[]>

export interface Asked {
  readonly name: string
  readonly type: number
  readonly over: 'udp' | 'tcp'
  /** The port of the one who asks. */
  readonly from: number
  /** The message that would go out, after a change. */
  answer(change?: (packet: Packet) => void): Buffer
}

/**
 * Packets sent in place of the answer: each buffer is one packet, or one segment over TCP. An empty list sends nothing.
 */
export type Script = (asked: Asked) => readonly Buffer[] | undefined | Promise<readonly Buffer[]>

export interface DnsServer {
  /** Address in the form of dns.resolvers. */
  readonly address: string
  readonly port: number
  /** The questions that came, the oldest first. */
  readonly asked: Asked[]
  readonly zone: Map<string, readonly Entry[]>
  /** Undefined lets the server be as servers are. */
  script: Script | undefined
  stop(): Promise<void>
}

const { CLASS, TYPE } = dns2.Packet
export const types: Readonly<Record<'NS' | 'TXT' | 'CNAME' | 'SOA', number>> = TYPE
/** Bits of the header that dns2 has no name for. */
export const authenticated = 2
export const rcodes = { formerr: 1, servfail: 2, nxdomain: 3, notimp: 4, refused: 5 } as const
export const ttlSeconds = 300
/** The datagram size that the client announces (see message.test.ts). */
const largestDatagram = 1232

/** The length before each message over TCP. */
export const framed = (message: Buffer): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** Starts on a free port unless one is given. */
export async function startDns(zone: Readonly<Record<string, readonly Entry[]>> = {}, wanted = 0): Promise<DnsServer> {
  const { udp, tcp, port } = await onOnePort(wanted)
  const asked: Asked[] = []
  const server: Omit<DnsServer, 'stop'> = {
    address: `127.0.0.1:${port}`,
    port,
    asked,
    zone: new Map(Object.entries(zone)),
    script: undefined,
  }

  const heard = (request: Packet, over: Asked['over'], from: number): Asked => {
    const [question] = request.questions
    const one: Asked = {
      name: question?.name ?? '',
      type: question?.type ?? 0,
      over,
      from,
      answer(change) {
        const packet = answerOf(request, server.zone)
        change?.(packet)
        return packet.toBuffer()
      },
    }
    asked.push(one)
    return one
  }
  udp.on('request', async (request, send, from) => {
    const one = heard(request, 'udp', from.port)
    // A client that waits no longer has closed its socket: the system reports that to ours.
    for (const bytes of (await server.script?.(one)) ?? [fitting(one)]) await send(bytes).catch(() => {})
  })
  udp.on('error', () => {})
  tcp.on('request', async (request, _send, client) => {
    const one = heard(request, 'tcp', client.remotePort ?? 0)
    await inSegments(client, (await server.script?.(one)) ?? [framed(one.answer())])
  })

  return Object.assign(server, {
    async stop() {
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))])
    },
  })
}

/** A port of 127.0.0.1 without a listener, so the kernel refuses connections at once. */
export async function deadPort(): Promise<number> {
  const server = await startDns()
  await server.stop()
  return server.port
}

/** RFC 2181 section 9: records that do not fit are left out, and the TC bit is set. */
function fitting(asked: Asked): Buffer {
  const truncate = (packet: Packet): void => {
    packet.header.tc = 1
    packet.answers = []
  }
  // dns2 writes a long answer in more than a second, after which the question would come again. The length of the text
  // alone says that it does not fit.
  let isLong = false
  const first = asked.answer((packet) => {
    isLong = packet.answers.reduce((sum, { data }) => sum + (data ?? []).join('').length, 0) > largestDatagram
    if (isLong) truncate(packet)
  })
  return isLong || first.length <= largestDatagram ? first : asked.answer(truncate)
}

async function inSegments(client: Socket, segments: readonly Buffer[]): Promise<void> {
  client.setNoDelay(true)
  for (const segment of segments) {
    client.write(segment)
    await Bun.sleep(20)
  }
  if (segments.length > 0) client.end()
}

/** Answers as a resolver does: follows aliases within the zone, and adds an SOA when there is no record. */
export function answerOf({ header, questions }: Packet, zone: Zone): Packet {
  const packet = new dns2.Packet()
  packet.header = { ...header, qr: 1, ra: 1, z: 0 }
  packet.questions = [...questions]
  const [question] = questions
  if (!question) return packet
  if (question.name === '') {
    packet.answers.push({ ...recordOf('', TYPE.NS), ns: 'ns.root.test' })
    return packet
  }

  let name = question.name.toLowerCase()
  for (let hops = 0; hops < 10; hops++) {
    const entries = zone.get(name)
    if (!entries) packet.header.rcode = rcodes.nxdomain
    const alias = entries?.find((entry) => 'cname' in entry)
    for (const entry of alias ? [alias] : (entries ?? []))
      packet.answers.push(
        'cname' in entry
          ? { ...recordOf(name, TYPE.CNAME), domain: entry.cname }
          : { ...recordOf(name, TYPE.TXT), data: entry.txt },
      )
    if (!alias) break
    name = alias.cname
  }
  if (!packet.answers.some(({ type }) => type === TYPE.TXT)) packet.authorities.push(startOfAuthority())
  return packet
}

export const recordOf = (name: string, type: number): Resource => ({ name, type, class: CLASS.IN, ttl: ttlSeconds })

export const startOfAuthority = (): Resource => ({
  ...recordOf('test', TYPE.SOA),
  primary: 'ns.test',
  admin: 'admin.test',
  serial: 1,
  refresh: 1,
  retry: 1,
  expiration: 1,
  minimum: 1,
})

/** A free port of UDP may be taken on TCP: then another one is tried. */
async function onOnePort(wanted: number, tries = 10) {
  const udp = new dns2.UDPServer({ type: 'udp4' })
  await udp.listen(wanted, '127.0.0.1')
  const { port } = udp.address()
  const tcp = new dns2.TCPServer()
  try {
    await new Promise<void>((done, fail) => {
      tcp.once('error', fail)
      tcp.listen(port, '127.0.0.1', done)
    })
    return { udp, tcp, port }
  } catch (error) {
    udp.close()
    if (tries === 1) throw error
    return onOnePort(wanted, tries - 1)
  }
}
