/** A free port of loopback, for servers that must name their address before they listen. */
import { createServer } from 'node:net'

/** The range is below the ports that the system hands out by itself, so other processes get none of these. */
const [lowest, end] = [12_000, 32_000]
const given = new Set<number>()

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (end - lowest))
    if (given.has(port)) continue
    given.add(port)
    if (await canListenAt(port)) return port
  }
}

const canListenAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
