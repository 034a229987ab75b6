/** Text and JSON that is expensive on purpose. Each kind attacks one part of a server; every size is in characters. */

/** COMBINING COMMA ABOVE RIGHT has class 232, COMBINING GRAVE ACCENT 230: normalization has to reorder them (UAX #15). */
const late = '\u0315'
const early = '\u0300'

/** UAX #15 section 13: stream-safe text has at most this many non-starters in a row. */
export const streamSafeMarks = 30

const fill = (unit: string, length: number): string => {
  const count = Math.floor(length / unit.length)
  return unit.repeat(count) + 'x'.repeat(Math.max(0, length - count * unit.length))
}

const marks = (count: number): string => late.repeat(Math.ceil(count / 2)) + early.repeat(Math.floor(count / 2))

/** One run of marks: reordering that compares neighbors takes quadratic time. */
export const markRun = (length: number): string => `a${marks(Math.max(0, length - 1))}`

/** Repeats as many marks in a row as stream-safe text may have. */
export const safeMarks = (length: number): string => fill(`a${marks(streamSafeMarks)}`, length)

/** One mark more than stream-safe text may have. */
export const unsafeMarks = (length: number): string => fill(`a${marks(streamSafeMarks + 1)}`, length)

const kinds = {
  'a run of marks': markRun,
  '31 marks in a row': unsafeMarks,
  '30 marks in a row': safeMarks,
  /** Every second letter starts another run for code that changes the case by a pattern. */
  'changing case': (length: number) => fill('aB', length),
  'one letter': (length: number) => 'x'.repeat(length),
  /** Its lower case is longer: i and COMBINING DOT ABOVE. */
  'letters that grow in lower case': (length: number) => fill('\u0130', length),
  /** U+FB2C becomes three code points in NFC (UAX #15, table 7). */
  'letters that grow in NFC': (length: number) => fill('\ufb2c', length),
  'conjoining Hangul': (length: number) => fill('\u1100\u1161\u11a8', length),
  /** Six characters each in JSON. */
  'control characters': (length: number) => fill('\u0001', length),
  'quotes and backslashes': (length: number) => fill('"\\', length),
  'pairs of surrogates': (length: number) => fill('\u{1f600}', length),
  'empty words between commas': (length: number) => fill('a,', length),
  patterns: (length: number) => fill('%_\\', length),
  markup: (length: number) => fill('<b>&amp;', length),
  digits: (length: number) => '9'.repeat(length),
  'hexadecimal digits': (length: number) => `0x${'e'.repeat(Math.max(0, length - 2))}`,
  /** The suffix of an ERC-6492 signature, so that the server parses the text as one. */
  'an ERC-6492 envelope': (length: number) => `0x${'0'.repeat(Math.max(0, (length - 66) & ~1))}${'6492'.repeat(16)}`,
  base64: (length: number) => fill('eyJhIjoi', length),
} satisfies Record<string, (length: number) => string>

export type HardText = keyof typeof kinds

export const hardTexts = Object.keys(kinds) as HardText[]

export const hardText = (kind: HardText, length: number): string => kinds[kind](length)
