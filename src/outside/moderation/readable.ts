/**
 * A text as its reader sees it, so that spelling tricks do not hide a word from a word list. Does not know Markdown,
 * JSON or XML: it only reads their escapes.
 */

import { makeStreamSafe } from '../../stream-safe.ts'
import { textMaxBytes } from './moderation.ts'

/**
 * UTF-8 bytes of the longest reading of a text, as many as the text itself may have. Some characters stand for eighteen
 * (U+FDFA), and a word list takes its time for each.
 */
const readingMaxBytes = textMaxBytes

export const canBeRead = (text: string): boolean =>
  listReadings(text).every((reading) => Buffer.byteLength(reading) <= readingMaxBytes)

/** The text without disguise, and, where it holds escapes, also with the characters they stand for. */
export function listReadings(text: string): readonly string[] {
  const unescaped = removeEscapes(text)
  return unescaped === text ? [makePlain(text)] : [makePlain(text), makePlain(unescaped)]
}

/**
 * NFKC turns letters of mathematics and full width into plain ones. What is drawn as nothing splits words unseen. In
 * lower case here, because a letter that becomes two (U+0130) would move the rest under the eyes of a word list.
 */
const makePlain = (text: string): string =>
  // Escapes can spell a run of marks that no request may hold in plain. The joiner is ignorable and goes again below.
  makeStreamSafe(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Format}]/gu, '')

const shortEscapes: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\n', t: '\t' }

/** `\u0066` and `\n` of JSON (RFC 8259 section 7), `\*` of Markdown, `&#102;` and `&#x66;` of XML and HTML. */
const removeEscapes = (text: string): string =>
  text
    .replace(/\\(?:u([0-9a-f]{4})|([!-~]))/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? (shortEscapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (all, hex: string | undefined, decimal: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    })
