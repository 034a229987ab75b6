/** The addresses under which others reach this server: from the configuration only, never from a Host header. */
import type { Config } from './schema.ts'

export interface PublicAddresses {
  readonly baseUrl: string
  readonly authUrl: string
  readonly mcpUrl: string
}

/** `port` is the one that is listened on, which is not `config.port` where that is 0. */
export function buildPublicAddresses(
  { host, baseUrl, authUrl, mcpUrl }: Pick<Config, 'host' | 'baseUrl' | 'authUrl' | 'mcpUrl'>,
  port: number,
): PublicAddresses {
  // Through URL, which removes the default port and spells the host as clients do.
  const base = baseUrl ?? new URL(`http://${writeUrlHost(host)}:${port}`).origin
  return { baseUrl: base, authUrl: authUrl ?? base, mcpUrl: mcpUrl ?? base }
}

/** "Every address" is one to listen on and none to call. */
function writeUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
