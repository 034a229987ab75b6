/**
 * Canonical JSON as CAIP-380 signs and hashes it. Keys are NFC-normalized and sorted by Unicode code point, and strings
 * are NFC-normalized. Numbers have ECMAScript's shortest form, and there is no white space. It differs from RFC 8785 in
 * keys and strings, so no published library fits.
 */
import { nameMember } from '../member-name.ts'
import { isStreamSafe, unsafeTextFault } from '../stream-safe.ts'

/** Why a value has no canonical form. `path` is a JSON pointer (RFC 6901) into the value. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError'
  constructor(
    readonly reason: 'KEY_COLLISION' | 'NOT_FINITE' | 'TOO_DEEP' | 'NOT_JSON' | 'NOT_STREAM_SAFE',
    readonly path: string,
    /** Completes a sentence whose subject is the path. */
    readonly fault: string,
  ) {
    super(`${nameMember(path) || 'the whole value'} ${fault}`)
  }
}

/** Deeper values are refused before they can exhaust the stack. */
export const canonicalMaxDepth = 64

export function writeCanonicalJson(value: unknown, maxDepth = canonicalMaxDepth): string {
  return write(value, maxDepth, '')
}

function write(value: unknown, depthLeft: number, path: string): string {
  switch (typeof value) {
    case 'string':
      // Unescaped text is plain: most texts are looked through once.
      return needsNoEscape.test(value) ? `"${value}"` : JSON.stringify(normalizeNfc(value, path))
    case 'number':
      // JSON text such as 1e999 parses to Infinity, which JSON cannot express; -0 prints as 0.
      if (!Number.isFinite(value)) throw new CanonicalJsonError('NOT_FINITE', path, 'is a number too large for JSON')
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depthLeft === 0) throw new CanonicalJsonError('TOO_DEEP', path, 'is nested too deeply')
      return Array.isArray(value) ? writeArray(value, depthLeft, path) : writeObject(value, depthLeft, path)
    default:
      throw new CanonicalJsonError('NOT_JSON', path, `is not JSON (${typeof value})`)
  }
}

function writeArray(items: readonly unknown[], depthLeft: number, path: string): string {
  let text = '['
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    const item = items[index]
    // A path for each of 250,000 numbers would cost more than the numbers.
    text += Number.isFinite(item) ? String(item) : write(item, depthLeft - 1, `${path}/${index}`)
  }
  return `${text}]`
}

function writeObject(value: object, depthLeft: number, path: string): string {
  const members = value as Record<string, unknown>
  const keys = Object.keys(members)
  // Sorted by their normal form. Undefined when every key has it already, as almost always.
  const spelled = keys.every(isPlain) ? undefined : listSpellings(keys, path)
  const sorted = spelled ? [...spelled.keys()].toSorted(compareCodePoints) : keys.toSorted()
  let text = '{'
  for (const key of sorted) {
    if (text.length > 1) text += ','
    const own = spelled?.get(key) ?? key
    text += `${quote(key)}:${write(members[own], depthLeft - 1, `${path}/${own}`)}`
  }
  return `${text}}`
}

function listSpellings(keys: readonly string[], path: string): ReadonlyMap<string, string> {
  const spelled = new Map<string, string>()
  for (const key of keys) {
    const normal = normalizeNfc(key, path)
    // Two spellings of one key would let a signer and a reader see different values under the same name.
    if (spelled.has(normal))
      throw new CanonicalJsonError('KEY_COLLISION', path, 'holds two names that are equal after NFC normalization')
    spelled.set(normal, key)
  }
  return spelled
}

/** Code units below U+0300 hold no combining mark and no surrogate: NFC changes nothing, and code units sort right. */
const beyondPlain = /[\u0300-\uffff]/
const isPlain = (text: string): boolean => !beyondPlain.test(text)

/** `path` says where the text stands. Errors: CanonicalJsonError for text whose normalization has no bound. */
export function normalizeNfc(text: string, path = ''): string {
  if (isPlain(text)) return text
  if (!isStreamSafe(text)) throw new CanonicalJsonError('NOT_STREAM_SAFE', path, unsafeTextFault)
  return text.normalize('NFC')
}

/** Characters that JSON writes unescaped: no quotation mark, backslash, control character or surrogate. */
const needsNoEscape = /^[ !#-[\]-\u02ff]*$/

const quote = (text: string): string => (needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text))

/**
 * Orders by Unicode code point. JavaScript compares UTF-16 code units, which puts surrogates (U+10000 and up) before
 * U+E000 to U+FFFF. Swapping both blocks corrects exactly that.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rankCodePoint(left) - rankCodePoint(right)
  }
  return a.length - b.length
}

const rankCodePoint = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)
