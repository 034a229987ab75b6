/** Opens the port of the server, and explains why that is not possible. */
import type { App } from './app.ts'
import { buildPublicAddresses } from './config/public-addresses.ts'
import { findProofgateVersion } from './health/find-listener.ts'
import { findPortHolder } from './health/port-holder.ts'
import { raiseHeaderLimit } from './http/header-size.ts'
import { serveApp } from './http/native-routes.ts'
import type { Parts } from './parts.ts'

/** The port is taken by another program, or may not be opened. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Answers too large a body itself (http/body.ts); this is only the backstop of the socket layer. */
const socketBodyLimit = 1_073_741_824

/** Returns the port. Errors: ListenError, which says who has the port. */
export async function listen(
  app: App,
  { config: { host, port }, log }: Pick<Parts, 'config' | 'log'>,
): Promise<number> {
  raiseHeaderLimit()
  try {
    serveApp(app, {
      hostname: host,
      port,
      // Else two servers would share the port, and each would get some of the requests.
      reusePort: false,
      maxRequestBodySize: socketBodyLimit,
      idleTimeout: 30,
      // Else Bun prints what our handlers did not catch, and answers with pages of the source.
      development: false,
      error: (error) => {
        log.count({
          level: 'error',
          event: 'request-crashed',
          message: 'a request failed before it could be answered',
          error,
          fields: { mend: 'a fault of the program: report it with the stack' },
        })
        return new Response(null, { status: 500 })
      },
    })
  } catch (error) {
    throw await makeListenError(error, { host, port })
  }
  const actual = app.server?.port
  if (actual === undefined) throw new ListenError(`cannot listen on ${host}:${port}`)
  return actual
}

interface Place {
  readonly host: string
  readonly port: number
  /** The table of its settings `host` and `port`. Default: the top of the file. */
  readonly settings?: string
}

export const makeListenError = async (error: unknown, place: Place): Promise<ListenError> =>
  new ListenError(`cannot listen on ${place.host}:${place.port}${await explainListenFault(error, place)}`)

async function explainListenFault(error: unknown, { host, port, settings }: Place): Promise<string> {
  const nameSetting = (name: string): string =>
    settings === undefined
      ? `PROOFGATE_${name.toUpperCase()} (setting "${name}")`
      : `PROOFGATE_${settings.toUpperCase()}_${name.toUpperCase()} (setting "${settings}.${name}")`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    const version = await findProofgateVersion(buildPublicAddresses({ host }, port).baseUrl)
    const holder = findPortHolder(port)
    return version === undefined
      ? `: another program${holder ? ` (${holder.name}, process ${holder.pid})` : ''} uses this port. Stop it, or choose another port with ${nameSetting('port')}`
      : `: another Proofgate (version ${version}${holder ? `, process ${holder.pid}` : ''}) answers there. Stop it, or give this one another port with ${nameSetting('port')}`
  }
  return ` (${message}): choose another port with ${nameSetting('port')}, or another address with ${nameSetting('host')}`
}
