/** Labels that a person writes to know things again: one line, in which every character can be seen. */
import { AppError } from './errors.ts'

/**
 * Characters that nobody sees (Unicode: Default_Ignorable_Code_Point, controls, private use), the blank braille cell and
 * the mark of an object. Joiners are part of some scripts and of emoji, but join no Latin letters. Emoji have variation
 * selectors.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800\ufffc]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|[\p{Script=Latin}\d](?:\u200c|\u200d)/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The label without white space around it. Errors: VALIDATION_ERROR. */
export function requirePlainLabel(given: string): string {
  const label = given.trim()
  if (!unseen.test(label) && seen.test(label)) return label
  throw new AppError(
    'VALIDATION_ERROR',
    'label needs a letter, a digit or a sign, and takes no line breaks and no invisible characters: write it in plain text',
    { path: '/label' },
  )
}
