/** Names and addresses by which a machine calls itself (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291). */

/** Takes a host of a URL, or an address to listen on. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(host)

/** A web origin of this machine, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname)
}
