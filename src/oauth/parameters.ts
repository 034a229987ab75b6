/** Parameters of OAuth requests, and the rules that several endpoints share. */
import { OAuthError } from './refusal.ts'
import { listSupportedScopes, offlineAccess } from './vocabulary.ts'

/** RFC 6749 section 3.1: none comes twice. `resource` may (RFC 8707 section 2). */
export function findDuplicate(parameters: URLSearchParams, names: readonly string[]): string | undefined {
  return names.find((name) => parameters.getAll(name).length > 1)
}

/** An empty parameter is one that was not sent (RFC 6749 section 3.1). */
export const readValue = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined

/** Errors: OAuthError invalid_request. */
export function requireValue(parameters: URLSearchParams, name: string): string {
  const value = readValue(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

/** Errors: OAuthError invalid_target. */
export function requireResource(parameters: URLSearchParams, resource: string): void {
  const asked = parameters.getAll('resource').filter((value) => value !== '')
  if (asked.length === 0) throw new OAuthError('invalid_target', `resource is missing: send resource=${resource}`)
  if (asked.some((value) => canonicalizeResource(value) !== resource))
    throw new OAuthError('invalid_target', `this server issues tokens for one resource only: send resource=${resource}`)
}

/** Scheme and host in lower case and without the default port, as RFC 3986 section 6.2.2.1 compares them. */
function canonicalizeResource(text: string): string | undefined {
  const [, origin, rest] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#\\@\s]+)([\x21-\x7e]*)$/i.exec(text) ?? []
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin + rest : undefined
}

/** The scopes of a text that there are; all of them when nothing is asked. Errors: OAuthError invalid_scope. */
export function readScopes(text: string | undefined, brand: string): string[] {
  const supported = listSupportedScopes(brand)
  const asked = (text ?? '').split(' ').filter((word) => word !== '')
  if (asked.length === 0) return supported
  const known = supported.filter((word) => asked.includes(word))
  if (known.length === 0 || (known.length === 1 && known[0] === offlineAccess && asked.length > 1))
    throw new OAuthError('invalid_scope', `the scope is unknown: ask for some of ${supported.join(' ')}`)
  return known
}

/** Errors: OAuthError invalid_scope for more than was granted. */
export function narrowScope(text: string | undefined, granted: string): string {
  const asked = (text ?? '').split(' ').filter((word) => word !== '')
  if (asked.length === 0) return granted
  const words = granted.split(' ')
  if (asked.some((word) => !words.includes(word)))
    throw new OAuthError('invalid_scope', 'the scope is wider than the person allowed: ask for less, or sign in again')
  return words.filter((word) => asked.includes(word)).join(' ')
}
