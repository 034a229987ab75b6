/** Refuses text that is not stream-safe, wherever a request carries text. */

import { AppError } from '../errors.ts'
import { findUnsafeText, isStreamSafe, unsafeTextFault } from '../stream-safe.ts'

type Carrier = 'body' | 'query' | 'params' | 'headers'

/** A pointer is made of member names that the caller chose. */
const longestPath = 300

/** Errors: VALIDATION_ERROR, with the JSON pointer of the text in details.path. */
export function requireSafeText(value: unknown, carrier: Carrier, base = ''): void {
  const found = findUnsafeText(value)
  if (found === undefined) return
  const path = `${base}${found}`.slice(0, longestPath) || '/'
  throw new AppError(
    'VALIDATION_ERROR',
    `${words[carrier]} ${path}: a text or a member name there ${unsafeTextFault}`,
    { in: carrier, path },
  )
}

const words: Readonly<Record<Carrier, string>> = {
  body: 'body',
  query: 'query parameter',
  params: 'path parameter',
  headers: 'header',
}

/** UTF-8 writes U+0300 and all above it with a first byte of 0xCC or more. */
const encodesMarks = /%(?:c[c-f]|[def][0-9a-f])/i

/** Path and query, as routes will see them decoded. Errors: VALIDATION_ERROR. */
export function requireSafeAddress(address: string): void {
  if (!encodesMarks.test(address)) return
  const { pathname, searchParams } = new URL(address)
  pathname.split('/').forEach((segment, position) => {
    requireSafeText(decode(segment), 'params', `/${position}`)
  })
  for (const [name, value] of searchParams) {
    requireSafeText(name, 'query')
    if (!isStreamSafe(value)) requireSafeText(value, 'query', `/${name}`)
  }
}

/** A segment that is not UTF-8 reaches no route decoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
