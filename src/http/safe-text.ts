/** Refuses text that is not stream-safe, wherever a request carries text. */

import { AppError } from '../errors.ts'
import { nameMember } from '../member-name.ts'
import { findUnsafeText, isStreamSafe, unsafeTextFault } from '../stream-safe.ts'

type Carrier = 'body' | 'query' | 'params' | 'headers'

/** A pointer is made of member names that the caller chose. */
const longestPath = 300

/** Errors: VALIDATION_ERROR, with the JSON pointer of the text in details.path. */
export function requireSafeText(value: unknown, carrier: Exclude<Carrier, 'params'>, base = ''): void {
  const found = findUnsafeText(value)
  if (found === undefined) return
  const pointer = `${base}${found}`
  throw refuseText(`${[words[carrier], nameMember(pointer)].join(' ').trim()}: a text or a member name there`, {
    in: carrier,
    path: pointer,
  })
}

function refuseText(subject: string, { in: carrier, path }: { readonly in: Carrier; readonly path: string }): AppError {
  const details = { in: carrier, path: path.slice(0, longestPath) || '/' }
  return new AppError('VALIDATION_ERROR', `${subject} ${unsafeTextFault}`, details)
}

const words: Readonly<Record<Exclude<Carrier, 'params'>, string>> = {
  body: 'body',
  query: 'query parameter',
  headers: 'header',
}

/** UTF-8 writes U+0300 and all above it with a first byte of 0xCC or more. */
const encodesMarks = /%(?:c[c-f]|[def][0-9a-f])/i

/** Path and query, as routes will see them decoded. Errors: VALIDATION_ERROR. */
export function requireSafeAddress(address: string): void {
  if (!encodesMarks.test(address)) return
  const { pathname, searchParams } = new URL(address)
  pathname.split('/').forEach((segment, position) => {
    if (!isStreamSafe(decode(segment)))
      throw refuseText(`path: segment ${position}`, { in: 'params', path: `/${position}` })
  })
  for (const [name, value] of searchParams) {
    if (!isStreamSafe(name)) throw refuseText('query: the name of a parameter', { in: 'query', path: '/' })
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
