/** Forms of network addresses that a setting may take. Nothing here looks anything up. */
import { isIP } from 'node:net'

/** An address to listen on: an IP address without zone, or a host name. Not a URL, no port. */
export function isListenHost(text: string): boolean {
  if (isIP(text)) return !text.includes('%')
  // A name of digits and dots only is a mistyped IPv4 address, never a host name.
  return (
    /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text) &&
    !/^[\d.]+$/.test(text)
  )
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address, which means itself only. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (!version || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Exactly as a browser sends it in `Origin`: a spelling that differs would never match a request. */
export function isOrigin(text: string): boolean {
  return isWebAddress(text) && new URL(text).origin === text
}

/**
 * A public address as it enters tokens and metadata, where it is compared byte for byte: http or https, in
 * normal form, an optional path prefix, no trailing slash, no query, no fragment, no user name.
 */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, pathname } = new URL(text)
  return /^https?:$/.test(protocol) && !text.endsWith('/') && text === origin + (pathname === '/' ? '' : pathname)
}
