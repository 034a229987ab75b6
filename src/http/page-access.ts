/**
 * The web pages that may use this server from a browser. A server on loopback trusts its network, and any page that the
 * person opens can reach it. On loopback, foreign pages are refused before any work. Foreign names in Host are refused
 * too, because a page can resolve its own name to loopback (DNS rebinding).
 */

import type { PublicAddresses } from '../config/public-addresses.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { isLoopbackHost, isLoopbackOrigin } from './loopback.ts'
import type { RouteTable } from './route-table.ts'

export interface PageAccess {
  /** Errors: FORBIDDEN. */
  requireOwnName(request: Request): void
  /** Errors: FORBIDDEN. */
  requireKnownPage(request: Request, path: string): void
  /** The value of Access-Control-Allow-Origin; undefined where the page may not read the answer. */
  findReader(origin: string, path: string): string | undefined
}

interface Known {
  readonly addresses: PublicAddresses
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

export function makePageAccess(
  config: Pick<Parts['config'], 'host' | 'cors' | 'mcp'>,
  addresses: () => PublicAddresses,
  routes: Pick<RouteTable, 'listReaders' | 'opensFromLinks' | 'loadsElsewhere'>,
): PageAccess {
  const isOnLoopback = isLoopbackHost(config.host)
  const listed = config.cors.origins ?? (isOnLoopback ? undefined : ['*'])
  const isOpen = listed?.includes('*') === true

  let known: Known | undefined
  const readKnownNames = (): Known => {
    const now = addresses()
    if (known?.addresses !== now) {
      const urls = [now.baseUrl, now.authUrl, now.mcpUrl].map((url) => new URL(url))
      known = {
        addresses: now,
        hosts: new Set(urls.map(({ hostname }) => hostname)),
        origins: new Set(urls.map(({ origin }) => origin)),
      }
    }
    return known
  }

  const isListed = (origin: string): boolean => listed?.includes(origin) ?? isLoopbackOrigin(origin)
  const isMcpHost = (origin: string): boolean =>
    isLoopbackOrigin(origin) || isListed(origin) || config.mcp.allowedOrigins.includes(origin)
  const isForMcpHosts = (path: string): boolean => routes.listReaders(path) === 'mcp hosts'
  const isKnownOrigin = (origin: string, path: string): boolean =>
    isOpen || readKnownNames().origins.has(origin) || (isForMcpHosts(path) ? isMcpHost(origin) : isListed(origin))

  return {
    requireOwnName(request) {
      if (!isOnLoopback) return
      const host = readHost(request)
      if (isLoopbackHost(host) || readKnownNames().hosts.has(host)) return
      throw new AppError(
        'FORBIDDEN',
        `the Host header names a host that this server does not know: it listens on ${config.host} and answers to localhost, loopback addresses and the hosts of base_url, auth_url and mcp_url. Use one of those, or ask the operator to set base_url`,
      )
    },

    requireKnownPage(request, path) {
      if (!isOnLoopback || isOpen || isFromOwnPage(request)) return
      if (listed === undefined && isFromThisMachine(request)) return
      const origin = request.headers.get('origin')
      if (origin !== null && isKnownOrigin(origin, path)) return
      // No person has asked for what a browser loads ahead.
      if (!isLoadedAhead(request)) {
        if (routes.loadsElsewhere(path) || (isNavigation(request) && routes.opensFromLinks(path))) return
        if (origin === null && isFromProgram(request)) return
      }
      throw new AppError(
        'FORBIDDEN',
        `pages of ${origin === null ? 'other sites' : origin.slice(0, 100)} may not use this server, which listens on loopback: ask the operator to add the origin to cors.origins`,
      )
    },

    findReader(origin, path) {
      const readers = routes.listReaders(path)
      if (readers === 'mcp hosts') {
        if (!isOnLoopback || isOpen) return '*'
        return isKnownOrigin(origin, path) ? origin : undefined
      }
      if (readers === 'own pages') return undefined
      if (isOpen) return '*'
      return isListed(origin) || (listed === undefined && readKnownNames().origins.has(origin)) ? origin : undefined
    },
  }
}

/** Through URL, so that the default port may be spelled out. Any port is allowed: another owner cannot have one. */
const readHost = (request: Request): string =>
  URL.parse(`http://${request.headers.get('host') ?? new URL(request.url).host}`)?.hostname ?? ''

/** Browsers set Sec-Fetch headers themselves; no page can forge them. The name in Host was checked before. */
function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  // Browsers without Sec-Fetch headers.
  const origin = request.headers.get('origin')
  const host = request.headers.get('host')
  return site === null && origin !== null && host !== null && [`http://${host}`, `https://${host}`].includes(origin)
}

/** "same-site" leaves the port out, so on a loopback name it is another page of this machine. */
const isFromThisMachine = (request: Request): boolean =>
  request.headers.get('sec-fetch-site') === 'same-site' &&
  request.headers.get('origin') === null &&
  isLoopbackHost(readHost(request))

/** Links and redirects of other sites open pages here, as those of OAuth do. Frames and forms of other sites do not. */
const isNavigation = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document'

/** `prefetch`, or `prefetch;prerender`. Older browsers call the header Purpose, or X-Moz. */
const isLoadedAhead = ({ headers }: Request): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) => /\bpre(fetch|render|view)\b/i.test(headers.get(name) ?? ''))

/** Programs send neither Origin nor Sec-Fetch headers. */
const isFromProgram = ({ headers }: Request): boolean => headers.get('sec-fetch-site') === null
