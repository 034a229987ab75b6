/**
 * A text as its reader sees it, so that spelling tricks hide no word from a word list. It does not parse Markdown, JSON
 * or XML: it only reads their escapes.
 */

import { makeStreamSafe } from '../../stream-safe.ts'
import { textMaxBytes } from './moderation.ts'

/**
 * UTF-8 bytes of the longest reading of a text, as many as the text itself may have. Some characters expand to eighteen
 * (U+FDFA), and a word list takes time for each.
 */
const readingMaxBytes = textMaxBytes

export const canBeRead = (text: string): boolean =>
  listReadings(text).every((reading) => Buffer.byteLength(reading) <= readingMaxBytes)

/** The text without disguise. With escapes, also the text with their characters. */
export function listReadings(text: string): readonly string[] {
  const unescaped = removeEscapes(text)
  return unescaped === text ? [makePlain(text)] : [makePlain(text), makePlain(unescaped)]
}

/**
 * NFKC turns mathematical and full-width letters into plain ones. Invisible characters would split words unseen, so
 * they go. It lowercases here, because a letter that becomes two (U+0130) would shift a word list's positions.
 */
const makePlain = (text: string): string =>
  // Escapes can spell a run of marks that no request may hold in plain. The joiner is ignorable and is removed again
  // below.
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
