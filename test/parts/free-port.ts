/** A port of loopback that nobody has at the moment: for those who must name their address before they listen. */
import { createServer } from 'node:net'

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })
