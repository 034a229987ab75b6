/**
 * Redirect URIs of clients: the forms that may be registered, and the match with a registered one. They are compared
 * byte for byte, except for the port of a loopback address. An application on the person's computer uses the port it
 * gets (RFC 8252 section 7.3).
 */

import { isLoopbackHost, isSameBesidesPort, parseLoopback } from '../http/loopback.ts'
import { parseWebUrl } from '../web-url.ts'

export const longestRedirectUri = 2048
export const mostRedirectUris = 10

/** `unlisted` is harmless and of no use here: a private scheme that the operator does not name. */
export type Usability = 'usable' | 'unlisted' | 'refused'

/** They run as a script, show something as if it came from somewhere else, or leave the browser's sandbox. */
const dangerousSchemes = new Set([
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'jar',
  'mailto',
  'resource',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

export function judgeRedirectUri(uri: string, schemes: readonly string[]): Usability {
  // Visible ASCII (RFC 3986). No fragment (RFC 6749 section 3.1.2); a backslash is a slash to browsers only.
  if (uri.length > longestRedirectUri || !/^[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}]/.test(uri)) return 'refused'
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(uri) || dangerousSchemes.has(scheme)) return 'refused'
  if ((scheme === 'http' || scheme === 'https') && !parseWebUrl(uri)) return 'refused'
  const { hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '' || /^[^/?]*\/\/[^/?]*@/.test(uri)) return 'refused'
  if (scheme === 'http') return parseLoopback(uri) ? 'usable' : 'refused'
  // A wildcard is no host; other marks would not be safe to write into a header.
  if (scheme === 'https') return /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname) ? 'usable' : 'refused'
  if (!schemes.includes(scheme)) return 'unlisted'
  return isPrivateForm(uri, scheme) ? 'usable' : 'refused'
}

/**
 * `cursor://host/path`; for a scheme that is a domain name in reverse also `com.example.app:/path` (RFC 8252 section 7.1).
 * Programs read another scheme out of what has neither: `vscode:javascript:alert(1)`.
 */
const isPrivateForm = (uri: string, scheme: string): boolean => {
  const rest = uri.slice(scheme.length + 1)
  return (
    /^\/\/[A-Za-z0-9._~-]+(?::[0-9]{1,5})?(?:[/?]|$)/.test(rest) || (scheme.includes('.') && /^\/(?!\/)/.test(rest))
  )
}

export const isRegistered = (asked: string, registered: readonly string[]): boolean =>
  registered.some((uri) => isSameBesidesPort(asked, uri))

/** Whether it is the redirect URI of the command-line client. */
export const isCliRedirect = (uri: string): boolean => {
  const loopback = parseLoopback(uri)
  return loopback?.host === '127.0.0.1' && loopback.rest === '/callback' && /:[0-9]+\/callback$/.test(uri)
}

/** The name of the place for people: a host, or the name of a program. A loopback port differs each time. */
export function readPlace(uri: string): string {
  const loopback = parseLoopback(uri)
  if (loopback) return loopback.host
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' ? host : protocol
}

/**
 * Whether the address leads to a program on the person's computer: by a host that means this computer, or by a private
 * scheme, which any program can claim (RFC 8252 section 8.6).
 */
export function leadsToComputer(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'http:' && protocol !== 'https:') return true
  const host = hostname.replace(/\.$/, '')
  return isLoopbackHost(host) || host.endsWith('.localhost') || unspecifiedHosts.has(host) || isMapped(host)
}

/** Systems connect them to this computer. */
const unspecifiedHosts = new Set(['0.0.0.0', '[::]'])

/** An IPv4 address in the form of IPv6, as a URL spells it: 127.0.0.0/8 or 0.0.0.0. */
const isMapped = (host: string): boolean => /^\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\]$/.test(host)

/** The value that a page's form-action must allow, so that the form's redirect may lead there. */
export function writeFormTarget(uri: string): string {
  const { protocol, origin } = new URL(uri)
  // A source of CSP cannot be an IPv6 address.
  if (protocol === 'http:') return uri.startsWith('http://[') ? 'http:' : origin
  return protocol === 'https:' ? origin : protocol
}

/** Parameters added to the address, which stays as it was registered. */
export const buildRedirect = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`
}
