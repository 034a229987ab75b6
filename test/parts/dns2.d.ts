/** The part of dns2 that the tests use: the package brings no types. */
declare module 'dns2' {
  import type { Socket as DatagramSocket, RemoteInfo } from 'node:dgram'
  import type { Server, Socket } from 'node:net'

  export interface Resource {
    name: string
    type: number
    class: number
    ttl: number
    /** TXT: the strings of one record. */
    data?: readonly (string | Buffer)[]
    /** CNAME. */
    domain?: string
    /** NS. */
    ns?: string
    /** SOA. */
    primary?: string
    admin?: string
    serial?: number
    refresh?: number
    retry?: number
    expiration?: number
    minimum?: number
  }

  export class Packet {
    header: { id: number; qr: number; aa: number; tc: number; ra: number; z: number; rcode: number }
    questions: { name: string; type: number; class: number }[]
    answers: Resource[]
    authorities: Resource[]
    additionals: Resource[]
    toBuffer(): Buffer
    static readonly TYPE: Readonly<Record<'NS' | 'CNAME' | 'SOA' | 'TXT', number>>
    static readonly CLASS: Readonly<Record<'IN' | 'CH', number>>
    static parse(message: Buffer): Packet
  }

  type Send = (message: Packet | Buffer) => Promise<unknown>

  export class UDPServer extends DatagramSocket {
    constructor(options: { type: 'udp4' | 'udp6' })
    on(event: 'request', listener: (request: Packet, send: Send, from: RemoteInfo) => void): this
    on(event: string, listener: (...values: never[]) => void): this
    listen(port: number, address: string): Promise<void>
  }

  export class TCPServer extends Server {
    on(event: 'request', listener: (request: Packet, send: Send, client: Socket) => void): this
    on(event: string, listener: (...values: never[]) => void): this
  }

  const all: { Packet: typeof Packet; UDPServer: typeof UDPServer; TCPServer: typeof TCPServer }
  export default all
}
