/** Markup that cannot hold text by accident: what is put into it is escaped, unless it is markup itself. */

export class Html {
  constructor(readonly text: string) {}
}

/** What may stand between the parts of a template; nothing at all for undefined, null and false. */
export type Inserted = Html | string | number | undefined | null | false | readonly Inserted[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

function written(value: Inserted): string {
  if (value instanceof Html) return value.text
  if (value === undefined || value === null || value === false) return ''
  return typeof value === 'object' ? value.map(written).join('') : escaped(String(value))
}

/**
 * A template of markup. Values are safe in text and in attributes in quotes; nowhere else (no unquoted attribute, no
 * script, no style), and an address from outside is to be checked before it goes into href or src.
 */
export const html = (parts: TemplateStringsArray, ...values: Inserted[]): Html =>
  new Html(parts.map((part, index) => part + (index < values.length ? written(values[index]) : '')).join(''))

/** Text that is markup already. */
export const markup = (text: string): Html => new Html(text)
