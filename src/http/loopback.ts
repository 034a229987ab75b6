/** Names and addresses by which a machine calls itself (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291). */

/** Takes a host of a URL, or an address to listen on. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(host)

/** A web origin of this machine, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname)
}

/** The host as browsers call this computer, the port, and the rest. Other spellings of these addresses are refused. */
const loopbackForm = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/

export interface Loopback {
  readonly host: string
  readonly rest: string
}

export function parseLoopback(uri: string): Loopback | undefined {
  const [, host, port = '80', rest = ''] = loopbackForm.exec(uri) ?? []
  return host && Number(port) <= 65_535 ? { host, rest } : undefined
}

/** The same text for two addresses exactly when one registration stands for both. */
export function stripLoopbackPort(uri: string): string {
  const loopback = parseLoopback(uri)
  return loopback ? `http://${loopback.host}${loopback.rest}` : uri
}

/**
 * Compares byte for byte, except for the port of a loopback address. A program on the person's computer gets a random
 * port.
 */
export const isSameBesidesPort = (asked: string, registered: string): boolean =>
  asked === registered ||
  (parseLoopback(registered) !== undefined && stripLoopbackPort(registered) === stripLoopbackPort(asked))
