/** Markup that is safe by construction: inserted values are escaped, unless they are markup themselves. */

export class Html {
  constructor(readonly text: string) {}
}

/** Values allowed between the parts of a template; undefined, null and false insert nothing. */
export type Inserted = Html | string | number | undefined | null | false | readonly Inserted[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

function writeValue(value: Inserted): string {
  if (value instanceof Html) return value.text
  if (value === undefined || value === null || value === false) return ''
  return typeof value === 'object' ? value.map(writeValue).join('') : escapeHtml(String(value))
}

/**
 * A markup template. Values are safe in text and in quoted attributes; nowhere else (no unquoted attribute, no script,
 * no style). Check a foreign address before it goes into href or src.
 */
export const html = (parts: TemplateStringsArray, ...values: Inserted[]): Html =>
  new Html(parts.map((part, index) => part + (index < values.length ? writeValue(values[index]) : '')).join(''))

/** Wraps text that is markup already. */
export const trustMarkup = (text: string): Html => new Html(text)
