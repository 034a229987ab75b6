/**
 * Stream-safe text (UAX #15 section 13): at most 30 combining marks in a row. Unicode normalization takes quadratic
 * time on longer runs, so one request of 512 kB could hold the process for minutes. This file alone decides which text
 * is safe to normalize.
 */

/**
 * General category M covers every non-starter. U+FF9E and U+FF9F are letters that become marks under NFKC. U+034F
 * (combining grapheme joiner) is a starter and ends a run, as the Stream-Safe Text Process uses it.
 */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: the class names the joiner by itself
const mark = /[^\P{M}\u034f]|[\uff9e\uff9f]/u
// biome-ignore lint/suspicious/noMisleadingCharacterClass: the class names the joiner by itself
const fullRuns = /(?:[^\P{M}\u034f]|[\uff9e\uff9f]){30}(?=[^\P{M}\u034f]|[\uff9e\uff9f])/gu

/** All marks are at U+0300 or above. */
const canHoldMarks = /[\u0300-\uffff]/
const firstMark = 0x300
const longestRun = 30

/** One byte for each code unit: 1 for a mark. Read in place of the expression, which takes 20 times as long. */
let marksOfPlaneZero: Uint8Array | undefined

const readMarks = (): Uint8Array =>
  Uint8Array.from({ length: 0x10000 }, (_, unit) => (unit >= firstMark && mark.test(String.fromCharCode(unit)) ? 1 : 0))

/** True for text whose normalization takes time in proportion to its length. */
export const isStreamSafe = (text: string): boolean => countMarks(text).areStreamSafe

interface Marks {
  readonly total: number
  /** At most 30 in a row. */
  readonly areStreamSafe: boolean
}

const noMarks: Marks = { total: 0, areStreamSafe: true }

export function countMarks(text: string): Marks {
  if (!canHoldMarks.test(text)) return noMarks
  marksOfPlaneZero ??= readMarks()
  let total = 0
  let run = 0
  let longest = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (marksOfPlaneZero[unit] === 1 || isAstralMark(unit, text, at)) {
      total++
      run++
      if (run > longest) longest = run
      if (isHighSurrogate(unit)) at++
    } else run = 0
  }
  return { total, areStreamSafe: longest <= longestRun }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** A mark of another plane, which takes two code units. */
const isAstralMark = (unit: number, text: string, at: number): boolean =>
  isHighSurrogate(unit) && mark.test(String.fromCodePoint(text.codePointAt(at)!))

/** The Stream-Safe Text Process (UAX #15 D4): U+034F after each 30 marks. For text that is never signed. */
export const makeStreamSafe = (text: string): string => text.replace(fullRuns, '$&\u034f')

/** Levels. Every reader of JSON here refuses what is nested deeper (limits.json_depth is at most 128). */
const deepest = 200

/** JSON pointer (RFC 6901) to a text that is not stream-safe, or to the object whose member name is not. */
export function findUnsafeText(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return isStreamSafe(value) ? undefined : ''
  if (typeof value !== 'object' || value === null || depth === deepest) return undefined
  if (Array.isArray(value)) return findUnsafeItem(value, depth)
  for (const name of Object.keys(value)) {
    if (!isStreamSafe(name)) return ''
    const below = findUnsafeText((value as Readonly<Record<string, unknown>>)[name], depth + 1)
    if (below !== undefined) return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${below}`
  }
  return undefined
}

/** Apart from objects: a name for each of many numbers would cost more than the numbers. */
function findUnsafeItem(items: readonly unknown[], depth: number): string | undefined {
  for (let index = 0; index < items.length; index++) {
    const below = findUnsafeText(items[index], depth + 1)
    if (below !== undefined) return `/${index}${below}`
  }
  return undefined
}

/** The value with every text made stream-safe: for answers of others, which cannot be refused to their sender. */
export function rewriteUnsafeText<Value>(value: Value): Value {
  return findUnsafeText(value) === undefined ? value : (rewrite(value) as Value)
}

function rewrite(value: unknown): unknown {
  if (typeof value === 'string') return makeStreamSafe(value)
  if (Array.isArray(value)) return value.map(rewrite)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [makeStreamSafe(name), rewrite(member)]))
}

/** Completes a sentence whose subject is the text. */
export const unsafeTextFault = 'has more than 30 combining marks in a row (not stream-safe, UAX #15): remove some'
