/** Reading a body: bounded before it is read, strict while it is parsed. */

import { AppError } from '../errors.ts'
import { countMarks } from '../stream-safe.ts'
import { stopReading } from './connection.ts'
import { requireSafeText } from './safe-text.ts'

export interface BodyLimits {
  readonly bodyBytes: number
  readonly jsonDepth: number
  /** Whether bodyBytes is the bound of one route, which limits.body_bytes does not raise. */
  readonly isOwnBound?: boolean
  /** Completes "send less, or". */
  readonly remedy?: string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Errors: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_ERROR (not UTF-8, not JSON, nested too deeply, half of a
 * surrogate pair, text that is not stream-safe).
 */
export async function readJsonBody(request: Request, limits: BodyLimits): Promise<unknown> {
  const text = decode(await readJsonBytes(request, limits))
  const marks = countMarks(text)
  if (marks.total > mostMarks) throw makeTooManyMarksError(limits)
  const value = parse(text, limits.jsonDepth)
  // Only an escape can spell half of a surrogate pair; without one the strings need no look.
  const hasEscapes = text.includes('\\u')
  requirePlain(value, {
    maxDepth: limits.jsonDepth,
    checkStrings: hasEscapes,
    membersLeft: mostMembers,
    valuesLeft: mostValues,
    remedy: limits.remedy,
  })
  // Without escapes, the text of the body holds every run of marks that its strings hold.
  if (hasEscapes || !marks.areStreamSafe) requireSafeText(value, 'body')
  return value
}

/**
 * A body that was signed byte for byte: bounded, and not interpreted. A payment provider's event is not refused for the
 * spelling of a customer's name, and its text is never normalized. Errors: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE.
 */
export function readJsonBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  requireJson(request.headers.get('content-type'))
  return readBounded(request, limits)
}

/** The fields of an HTML form, as OAuth requests are too (RFC 6749 appendix B). Errors: as those of readJsonBody. */
export async function readFormBody(request: Request, limits: BodyLimits): Promise<URLSearchParams> {
  const mediaType = readMediaType(request.headers.get('content-type'))
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `the body must be a form: send the header "Content-Type: application/x-www-form-urlencoded" (got ${mediaType ? `"${mediaType}"` : 'none'})`,
    )
  const text = decode(await readBounded(request, tightenLimits(limits, formBytes)))
  const fields = new URLSearchParams(text)
  for (const [name, value] of fields) {
    if (name.includes(replacement) || value.includes(replacement))
      throw new AppError('VALIDATION_ERROR', 'a field of the form is not valid UTF-8')
    requireSafeText({ [name]: value }, 'body')
  }
  return fields
}

/** The bound of a route whose bodies are small, unless limits.body_bytes is smaller still. */
export const tightenLimits = (limits: BodyLimits, bodyBytes: number): BodyLimits =>
  limits.bodyBytes <= bodyBytes ? limits : { ...limits, bodyBytes, isOwnBound: true }

/** No form of ours comes near it. */
const formBytes = 65_536
/** The character that a decoder writes for bytes that are not UTF-8. */
const replacement = '\ufffd'

const readMediaType = (contentType: string | null): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase()

function requireJson(contentType: string | null): void {
  const mediaType = readMediaType(contentType)
  if (mediaType === 'application/json') return
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `the body must be JSON: send the header "Content-Type: application/json" (got ${mediaType ? `"${mediaType}"` : 'none'})`,
  )
}

/** A compressed body would be read as if it were text, and the refusal would be misleading. */
function requireUnpacked({ headers }: Request): void {
  const coding = headers.get('content-encoding')?.trim().toLowerCase()
  if (!coding || coding === 'identity') return
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `the body must not be compressed: send it as it is, without the header Content-Encoding (got "${coding.slice(0, 40)}")`,
    {},
    // RFC 9110 §12.5.3: tells a client which codings a body may have.
    { 'accept-encoding': 'identity' },
  )
}

async function readBounded(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  requireUnpacked(request)
  const { bodyBytes: limit } = limits
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > limit) throw refuseBody(request, makeTooLargeError(limits))
    return new Uint8Array(await request.arrayBuffer())
  }
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  // This loop must not cancel the rest of a refused body (connection.ts).
  for await (const chunk of request.body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > limit) throw refuseBody(request, makeTooLargeError(limits))
    if (chunks.push(chunk) > mostChunks) throw refuseBody(request, makeTooManyChunksError())
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function refuseBody(request: Request, refusal: AppError): AppError {
  stopReading(request)
  return refusal
}

/** A chunk costs a microsecond whatever it holds. Networks send a kilobyte or more at once. */
const mostChunks = 5_000

const makeTooManyChunksError = (): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the body came in more than ${mostChunks} chunks: send larger ones, or the header Content-Length in place of Transfer-Encoding`,
    { mostChunks },
  )

const makeTooLargeError = (limits: BodyLimits): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `the body is larger than ${limits.bodyBytes} bytes: send less${writeRemedy(limits)}${limits.isOwnBound ? '' : ' (the operator sets the limit with limits.body_bytes)'}`,
    { limitBytes: limits.bodyBytes },
  )

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new AppError('VALIDATION_ERROR', 'the body is not valid UTF-8')
  }
}

function parse(text: string, maxDepth: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A text nested past the parser's stack is a RangeError, everything else a SyntaxError with a reason.
    if (error instanceof RangeError) throw makeTooDeepError(maxDepth)
    throw new AppError('VALIDATION_ERROR', `the body is not JSON: ${explainJsonFault(text, error)}`)
  }
}

/** The words of the parser alone, such as `Unexpected identifier "x"`, do not say what a body must be. */
function explainJsonFault(text: string, error: unknown): string {
  if (text === '') return 'it is empty'
  const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, '') : 'it cannot be read'
  return `${reason.slice(0, 200)}. Send one JSON object, with its names and texts in double quotes`
}

const makeTooDeepError = (maxDepth: number): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the body is nested too deeply: send at most ${maxDepth} levels of objects and arrays (limits.json_depth)`,
  )

/** Members of all objects of a body. Objects with tens of thousands cost far more time than their bytes. */
const mostMembers = 10_000
/** Members and items of lists together: each is walked over several times. */
const mostValues = 30_000

interface Walk {
  readonly maxDepth: number
  /** Whether strings can hold half of a surrogate pair. */
  readonly checkStrings: boolean
  membersLeft: number
  valuesLeft: number
  readonly remedy: string | undefined
}

const writeRemedy = ({ remedy }: Pick<BodyLimits, 'remedy'>): string => (remedy === undefined ? '' : `, or ${remedy}`)

function requirePlain(value: unknown, walk: Walk, depth = 0): void {
  if (typeof value === 'string') {
    if (walk.checkStrings && !value.isWellFormed())
      throw new AppError(
        'VALIDATION_ERROR',
        'a string in the body holds half of a surrogate pair (an unpaired \\ud800 to \\udfff)',
      )
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === walk.maxDepth) throw makeTooDeepError(walk.maxDepth)
  if (Array.isArray(value)) {
    walk.valuesLeft -= value.length
    if (walk.valuesLeft < 0) throw makeTooManyValuesError(walk)
    for (const item of value) requirePlain(item, walk, depth + 1)
    return
  }
  for (const key in value) {
    if (walk.membersLeft-- === 0) throw makeTooManyMembersError(walk)
    if (walk.valuesLeft-- === 0) throw makeTooManyValuesError(walk)
    if (walk.checkStrings) requirePlain(key, walk, depth)
    requirePlain((value as Record<string, unknown>)[key], walk, depth + 1)
  }
}

/**
 * Combining marks of a body. Normalization has to sort them, which takes longer than anything else that a request of this
 * size needs. In text with vowel signs, such as Hebrew or Devanagari, every second or third character is one.
 */
const mostMarks = 120_000

const makeTooManyMarksError = (limits: Pick<BodyLimits, 'remedy'>): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the body has more than ${mostMarks} combining marks (Unicode category M): send fewer${writeRemedy(limits)}`,
    { mostMarks },
  )

const makeTooManyValuesError = (walk: Pick<BodyLimits, 'remedy'>): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the lists and objects of the body hold more than ${mostValues} values together: send fewer${writeRemedy(walk)}`,
    { mostValues },
  )

const makeTooManyMembersError = (walk: Pick<BodyLimits, 'remedy'>): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the objects of the body have more than ${mostMembers} members together: send fewer${writeRemedy(walk)}`,
    { mostMembers },
  )
