/** JSON as JavaScript is written by hand. */
export function writeLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((one) => writeLiteral(one, deeper))
    : Object.entries(value).map(([name, member]) => `${writeName(name)}: ${writeLiteral(member, deeper)}`)
  if (items.length === 0) return `${open}${close}`
  const [before, after] = Array.isArray(value) ? ['', ''] : [' ', ' ']
  const line = `${open}${before}${items.join(', ')}${after}${close}`
  if (line.length + indent.length <= 72 && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`
}

/** In single quotes: JSON escapes all that must be, but for those. */
export const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

export function writeName(name: string): string {
  // Without brackets this one would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}
