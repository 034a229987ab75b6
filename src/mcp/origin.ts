/**
 * The permitted origins of a request to the MCP endpoint. A stranger's page can make its own host name resolve to this
 * server (DNS rebinding). The browser then sends the page's name in Host and in Origin, so both are checked first.
 */
import { isLoopbackHost, isLoopbackOrigin } from '../http/loopback.ts'
import type { Parts } from '../parts.ts'

/** The origin error of the request, as a sentence; undefined when there is none. */
export function findOriginError(request: Request, parts: Pick<Parts, 'addresses' | 'config'>): string | undefined {
  const { baseUrl, authUrl, mcpUrl } = parts.addresses()
  // Through URL, so that the default port may be spelled out.
  const host = readHost(`http://${request.headers.get('host') ?? new URL(request.url).host}`)
  const own = new URL(mcpUrl)
  // The port does not matter: another owner cannot have it.
  if (host !== own.hostname && !isLoopbackHost(host ?? ''))
    return `this server is not called ${host?.slice(0, 100) ?? 'so'}: use ${mcpUrl}/mcp, or ask the operator to set mcp_url`

  const origin = request.headers.get('origin')
  if (origin === null) return isFromPage(request, parts.config) ? noPage : undefined
  const isOwn = [baseUrl, authUrl, mcpUrl].some((url) => new URL(url).origin === origin)
  if (isOwn || parts.config.mcp.allowedOrigins.includes(origin) || isLoopbackOrigin(origin)) return undefined
  return `pages of ${origin.slice(0, 100)} may not call this endpoint: ask the operator to add the origin to mcp.allowed_origins`
}

const noPage = 'links and pages of other sites may not call this endpoint: it is for MCP clients'

/** A link or an image of another site sends no Origin. Only on loopback can it reach this server. */
const isFromPage = ({ headers }: Request, { host, cors }: Parts['config']): boolean =>
  isLoopbackHost(host) && !cors.origins?.includes('*') && headers.get('sec-fetch-site') === 'cross-site'

const readHost = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)
