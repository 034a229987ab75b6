/** A schema in few words: its type, and its bounds. */
import { choicesOf, type Schema } from './description.ts'

/** The type without its bounds: `array of strings`, `text or null`. */
export function typeWords(schema: Schema): string {
  const { type, items, enum: words, const: only } = schema
  if (only !== undefined) return `always ${JSON.stringify(only)}`
  if (words) return words.length === 1 ? `always ${JSON.stringify(words[0])}` : 'one of'
  const choices = choicesOf(schema)
  if (choices.length > 0) {
    const kinds = new Set(choices.map((one) => (one.$ref ? 'object' : typeWords(one))))
    return kinds.size <= 3 && ![...kinds].some((kind) => kind.includes('one of'))
      ? [...kinds].join(' or ')
      : 'several shapes'
  }
  if (type === undefined) return schema.properties ? 'object' : 'anything'
  return [type]
    .flat()
    .map((one) => (one === 'array' && items ? `array of ${plural(items)}` : one))
    .join(' or ')
}

function plural(items: Schema): string {
  const one = items.$ref ? 'object' : typeWords(items)
  return /^(string|integer|number|boolean|object|array)$/.test(one) ? `${one}s` : one === 'one of' ? 'words' : one
}

/** `1 to 160 characters`, `at least 0`, `ISO date and time`. */
export function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, default: usual } = schema
  return [
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    range(minimum, maximum),
    format,
    usual === undefined ? undefined : `default ${JSON.stringify(usual)}`,
  ].filter((one) => one !== undefined)
}

function range(least: number | undefined, most: number | undefined, what?: string): string | undefined {
  if (least === undefined && most === undefined) return undefined
  const unit = what === undefined ? '' : ` ${what}${(most ?? least) === 1 ? '' : 's'}`
  const [from, to] = [least, most].map((one) => one?.toLocaleString('en'))
  if (least !== undefined && least === most) return `exactly ${from}${unit}`
  if (to === undefined) return `at least ${from}${unit}`
  return from === undefined || (what !== undefined && least === 0) ? `at most ${to}${unit}` : `${from} to ${to}${unit}`
}
