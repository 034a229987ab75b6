/** Forms of network addresses and of their keys. This file looks nothing up. */
import { isIP } from 'node:net'
import { parseWebUrl } from '../web-url.ts'

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
 * A public address as it enters tokens and metadata, where it is compared byte for byte. It is http or https, in normal
 * form, with an optional path prefix. It has no trailing slash, query, fragment or user name.
 */
export function isWebAddress(text: string): boolean {
  const url = parseWebUrl(text)
  if (!url) return false
  const { protocol, hostname, origin, pathname } = url
  // The standard of addresses lets quotes and other marks pass, which no name of a host has.
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)$/.test(hostname)) return false
  return /^https?:$/.test(protocol) && !text.endsWith('/') && text === origin + (pathname === '/' ? '' : pathname)
}

/**
 * An origin, or an address as a browser opens it, so that it is compared with one byte for byte. Not on another machine
 * over plain http, and without the names that this server adds.
 */
export function isHandoverSite(text: string): boolean {
  const url = parseWebUrl(text)
  if (!url || /[#*]/.test(text)) return false
  if (text !== url.origin && text !== url.href) return false
  if (['code', 'state', 'error'].some((name) => url.searchParams.has(name))) return false
  return url.protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
}

/**
 * An address that this server calls: http or https, with the provider's path and query unchanged, without a user name.
 */
export function isEndpoint(text: string): boolean {
  const url = parseWebUrl(text)
  return url !== undefined && url.hash === ''
}

/** `system`, `9.9.9.9`, `[2620:fe::fe]:53`, `127.0.0.1:5301` or `https://…` (DNS over HTTPS). */
export function isResolver(text: string): boolean {
  if (text === 'system' || isIP(text) !== 0) return true
  if (text.startsWith('https://')) return isEndpoint(text)
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([0-9.]+)):([1-9][0-9]{0,4})$/.exec(text) ?? []
  return Number(port) <= 65_535 && (isIP(six ?? '') === 6 || isIP(four ?? '') === 4)
}

/** `s3://bucket/prefix`, as opposed to a path. */
export const hasScheme = (text: string): boolean => /^[a-z0-9+.-]+:\/\//i.test(text)

/** A key that travels in a header: visible ASCII without the brackets of a forgotten placeholder. */
export const keyForm = {
  expected: 'a key of visible characters, without spaces',
  pattern: '^[\\x21-\\x3b\\x3d\\x3f-\\x7e]+$',
}

/** A wallet that signs in: an EVM or Solana address, or for a contract wallet its CAIP-10 id. */
export const isWallet = (text: string): boolean =>
  /^(eip155:[1-9][0-9]{0,14}:)?0x[0-9a-fA-F]{40}$/.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)

/** Whether secrets may travel to an http(s) address: encrypted, or on this machine. */
export const isSafeToSend = (address: string): boolean =>
  address.startsWith('https:') || isLoopbackHost(new URL(address).hostname.replace(/^\[|\]$/g, ''))

/** This machine, by a name or address that leads nowhere else. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)
