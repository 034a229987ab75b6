/** Labels, names and titles that a person writes: one line, in which every character can be seen. */
import { AppError } from './errors.ts'

/**
 * Characters that nobody sees (Unicode: Default_Ignorable_Code_Point, controls, private use, noncharacters), the null
 * notehead, the blank braille cell, the mark of an object, and spaces of hardly any width.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u1680\u2000-\u200a\u205f\u2800\ufffc\u{1d159}]/u

/** Emoji of several parts, and whether one is shown as a text or in color (UTS #51). A keycap is made of a digit. */
const emojiForm = '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]|(?<=[\\d#*])\\ufe0f(?=\\u20e3)'
const emojiJoiner =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}][\\ufe0e\\ufe0f]?)\\u200d(?=\\p{Extended_Pictographic})'

/** In scripts whose letters change with their neighbors, joiners belong to the spelling. */
const joining =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]'
const joiner = `(?<=${joining})[\\u200c\\u200d](?=${joining})`

/** Each is one unit of UTF-16, so a visible character in its place keeps positions. */
const belonging = new RegExp(`${emojiForm}|${emojiJoiner}|${joiner}`, 'gu')

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A character that a name cannot hold. `position` counts characters, from 1. */
export interface Unseen {
  /** `U+200B`. */
  readonly character: string
  readonly position: number
  readonly isBreak: boolean
}

/** The first line break or character that nobody sees. */
export function findUnseen(text: string): Unseen | undefined {
  const found = unseen.exec(text.replace(belonging, 'x'))
  if (!found) return undefined
  const digits = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return {
    character: `U+${digits}`,
    position: [...text.slice(0, found.index)].length + 1,
    isBreak: lineBreak.test(found[0]),
  }
}

/** Whether a text holds anything to see. */
export const hasSeen = (text: string): boolean => seen.test(text)

/** Completes the name of a text: its fault as a name, and what helps. */
export const explainUnseen = ({ character, position, isBreak }: Unseen): string =>
  `holds a ${isBreak ? 'line break' : 'character that nobody sees'} (${character} at position ${position}): write it without it`
export const explainNothingSeen = 'holds no letter, digit or sign: write a text'

/** As explainUnseen and explainNothingSeen; undefined for a plain text. */
export function findLabelFault(text: string): string | undefined {
  const found = findUnseen(text)
  if (found) return explainUnseen(found)
  return hasSeen(text) ? undefined : explainNothingSeen
}

/** The text without white space around it. `name` is its member. Errors: VALIDATION_ERROR. */
export function requirePlainLabel(given: string, name = 'label'): string {
  const label = given.trim()
  const fault = findLabelFault(label)
  if (fault === undefined) return label
  throw new AppError('VALIDATION_ERROR', `${name} ${fault}`, { path: `/${name.replaceAll('.', '/')}` })
}
