/** Labels, names and titles that a person writes: one line, in which every character can be seen. */
import { AppError } from './errors.ts'

/**
 * Characters that nobody sees (Unicode: Default_Ignorable_Code_Point, controls, private use), the blank braille cell,
 * the mark of an object, and spaces of hardly any width. Joiners and variation selectors have a rule of their own.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u1680\u2000-\u200a\u205f\u2800\ufffc]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Emoji of several parts, and whether one is shown as a text or in color (UTS #51). A keycap is made of a digit. */
const emojiForm = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f(?=\u20e3)/gu
const emojiJoiner = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic})/gu

/** In scripts whose letters change with their neighbors, joiners belong to the spelling. */
const joining =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]'
const joiner = new RegExp(`(?<=${joining})[\\u200c\\u200d](?=${joining})`, 'gu')

const leftOver = /\u200c|\u200d|\ufe0e|\ufe0f/
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text holds a line break or a character that nobody sees. */
export const hasUnseen = (text: string): boolean =>
  unseen.test(text) || leftOver.test(text.replace(emojiForm, '').replace(emojiJoiner, '').replace(joiner, ''))

/** Whether a text holds anything to see. */
export const hasSeen = (text: string): boolean => seen.test(text)

/** The text without white space around it. `name` is its member. Errors: VALIDATION_ERROR. */
export function requirePlainLabel(given: string, name = 'label'): string {
  const label = given.trim()
  if (!hasUnseen(label) && hasSeen(label)) return label
  throw new AppError(
    'VALIDATION_ERROR',
    `${name} needs a letter, a digit or a sign, and takes no line breaks and no invisible characters: write it in plain text`,
    { path: `/${name.replaceAll('.', '/')}` },
  )
}
