/** A schema in few words: its type, and its bounds. */
import { listChoices, type Schema } from './description.ts'

/** The type without its bounds: `array of strings`, `text or null`. */
export function describeType(schema: Schema): string {
  const { type, items, enum: words, const: only } = schema
  if (only !== undefined) return `always ${JSON.stringify(only)}`
  if (words) return words.length === 1 ? `always ${JSON.stringify(words[0])}` : 'one of'
  const choices = listChoices(schema)
  if (choices.length > 0) {
    const kinds = new Set(choices.map((one) => (one.$ref ? 'object' : describeType(one))))
    return kinds.size <= 3 && ![...kinds].some((kind) => kind.includes('one of'))
      ? [...kinds].join(' or ')
      : 'several shapes'
  }
  if (type === undefined) return schema.properties ? 'object' : 'anything'
  return [type]
    .flat()
    .map((one) => (one === 'array' && items ? `array of ${describePlural(items)}` : one))
    .join(' or ')
}

function describePlural(items: Schema): string {
  const one = items.$ref ? 'object' : describeType(items)
  return /^(string|integer|number|boolean|object|array)$/.test(one) ? `${one}s` : one === 'one of' ? 'words' : one
}

/** `1 to 160 characters`, `at least 0`, `ISO date and time`. */
export function listBounds(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, default: usual } = schema
  return [
    describeRange(minLength, maxLength, 'character'),
    describeRange(minItems, maxItems, 'item'),
    describeRange(minimum, maximum),
    format,
    usual === undefined ? undefined : `default ${JSON.stringify(usual)}`,
  ].filter((one) => one !== undefined)
}

function describeRange(least: number | undefined, most: number | undefined, what?: string): string | undefined {
  if (least === undefined && most === undefined) return undefined
  const unit = what === undefined ? '' : ` ${what}${(most ?? least) === 1 ? '' : 's'}`
  const [from, to] = [least, most].map((one) => one?.toLocaleString('en'))
  if (least !== undefined && least === most) return `exactly ${from}${unit}`
  if (to === undefined) return `at least ${from}${unit}`
  return from === undefined || (what !== undefined && least === 0) ? `at most ${to}${unit}` : `${from} to ${to}${unit}`
}
