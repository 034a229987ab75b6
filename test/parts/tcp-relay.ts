/** A TCP relay between two programs: a network that a test can cut. */
import type { Socket } from 'bun'

export interface TcpRelay {
  readonly port: number
  /** Passes no byte any more, in no direction, and closes nothing: also of connections that are made now. */
  cut(): void
  /** What waited goes on. */
  mend(): void
  stop(): void
}

interface Side {
  other: Socket<Side> | undefined
  /** Bytes that could not be passed yet. */
  waiting: Buffer[]
  hasEnded: boolean
}

export function startTcpRelay(target: { readonly host: string; readonly port: number }): TcpRelay {
  let isCut = false
  const sides = new Set<Socket<Side>>()

  function pass(from: Socket<Side>): void {
    const { data: side } = from
    while (!isCut && side.other && side.waiting.length > 0) {
      const [bytes] = side.waiting as [Buffer]
      const written = side.other.write(bytes)
      if (written < bytes.length) {
        side.waiting[0] = bytes.subarray(Math.max(0, written))
        return
      }
      side.waiting.shift()
    }
    if (!isCut && side.hasEnded && side.waiting.length === 0) side.other?.end()
  }

  const handlers = {
    data(socket: Socket<Side>, bytes: Buffer) {
      socket.data.waiting.push(Buffer.from(bytes))
      pass(socket)
    },
    drain(socket: Socket<Side>) {
      if (socket.data.other) pass(socket.data.other)
    },
    close(socket: Socket<Side>) {
      socket.data.hasEnded = true
      sides.delete(socket)
      pass(socket)
    },
    error() {},
  }
  const server = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      ...handlers,
      open(client) {
        client.data = { other: undefined, waiting: [], hasEnded: false }
        sides.add(client)
        const data: Side = { other: client, waiting: [], hasEnded: false }
        Bun.connect<Side>({ hostname: target.host, port: target.port, data, socket: handlers }).then(
          (other) => {
            sides.add(other)
            client.data.other = other
            pass(client)
          },
          () => client.end(),
        )
      },
    },
  })
  return {
    port: server.port,
    cut() {
      isCut = true
    },
    mend() {
      isCut = false
      for (const socket of sides) pass(socket)
    },
    stop() {
      server.stop(true)
      for (const socket of sides) socket.end()
    },
  }
}
