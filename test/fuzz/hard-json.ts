/** JSON documents that are expensive on purpose, as text: some of them no serializer would write. */
import { type HardText, hardText, hardTexts } from './hard-text.ts'

const quoted = (text: string): string => JSON.stringify(text)
const listOf = (unit: string, length: number): string =>
  `[${Array.from({ length: Math.max(1, Math.floor(length / (unit.length + 1))) }, () => unit).join(',')}]`

/** Members k0, k1, … backwards, so that sorting has something to do. */
const manyMembers = (length: number): string => {
  const count = Math.max(1, Math.floor(length / 13))
  return `{${Array.from({ length: count }, (_, at) => `"k${String(count - at).padStart(7, '0')}":1`).join(',')}}`
}

/** Levels that a request may have by default are 32, and the document stands inside of a body. */
const deepest = 28

const deepChains = (length: number): string => {
  const chain = `${'{"a":'.repeat(deepest - 1)}1${'}'.repeat(deepest - 1)}`
  return listOf(chain, length)
}

/** Shared prefixes make comparisons of names long. */
const longNames = (length: number): string => {
  const name = 'n'.repeat(4_000)
  const count = Math.max(1, Math.floor(length / 4_020))
  return `{${Array.from({ length: count }, (_, at) => `"${name}${at}":0`).join(',')}}`
}

const shapes = {
  'many members': manyMembers,
  'one member again and again': (length: number) =>
    `{${Array.from({ length: Math.max(1, Math.floor(length / 7)) }, () => '"a":{}').join(',')}}`,
  'deep nesting': deepChains,
  'past the deepest nesting': (length: number) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'empty lists': (length: number) => listOf('[]', length),
  'empty objects': (length: number) => listOf('{}', length),
  'long numbers': (length: number) => listOf('9'.repeat(300), length),
  'one long number': (length: number) => `[0.${'1'.repeat(Math.max(1, length - 4))}]`,
  fractions: (length: number) => listOf('0.1234567890123456789e-300', length),
  'short texts': (length: number) => listOf('"r1"', length),
  'long names': longNames,
  escapes: (length: number) => `["${'\\u0315\\u0300'.repeat(Math.max(1, Math.floor(length / 12)))}"]`,
  'marks in a name': (length: number) => `{${quoted(hardText('a run of marks', length))}:1}`,
  'prototype names': (length: number) => listOf('{"__proto__":{"constructor":{"toString":0}}}', length),
} satisfies Record<string, (length: number) => string>

export type HardJson = keyof typeof shapes | HardText

/** Every kind of document; a kind of text is a list with one text of the length. */
export const hardJsons: readonly HardJson[] = [...(Object.keys(shapes) as (keyof typeof shapes)[]), ...hardTexts]

export const hardJson = (kind: HardJson, length: number): string =>
  kind in shapes
    ? shapes[kind as keyof typeof shapes](length)
    : `[${fitted((size) => quoted(hardText(kind as HardText, size)), length)}]`

/** Fits a text into so many bytes: characters may take three bytes each, and escapes six. */
function fitted(make: (length: number) => string, bytes: number): string {
  const whole = make(bytes)
  const size = Buffer.byteLength(whole)
  return size <= bytes ? whole : make(Math.max(1, Math.floor((bytes * bytes) / size) - 8))
}
