/** A request as a program with the client module of this server. */
import { type Asked, addressOf } from './asked.ts'
import { callOf } from './client-methods.ts'
import type { Operation } from './description.ts'

/** Undefined when the body is no JSON: there is nothing to write then. */
export function clientCodeOf(asked: Asked, withKey = false): string | undefined {
  const { server } = asked
  let body: unknown
  try {
    body = asked.body === undefined ? undefined : JSON.parse(asked.body)
  } catch {
    return undefined
  }
  // The module takes answers of the API only, and the description of it is none.
  if (!isAnswerOfApi(asked.operation))
    return [`const response = await fetch(${literal(addressOf(asked))})`, 'console.log(await response.json())'].join(
      '\n',
    )
  const options = withKey
    ? // The key itself stays out of what is copied.
      `{\n  url: ${literal(server)},\n  headers: { authorization: \`Bearer \${process.env.PROOFGATE_KEY}\` },\n}`
    : `{ url: ${literal(server)} }`
  return [
    `import { createClient } from ${literal(`${server}/client.js`)}`,
    '',
    `const client = createClient(${options})`,
    `const answer = await client.${callOf(asked, body)}`,
    'console.log(answer)',
  ].join('\n')
}

const isAnswerOfApi = ({ answers }: Operation): boolean =>
  answers.some(({ status, json }) => status === '200' && json?.schema.properties?.success !== undefined)

/** JSON as JavaScript is written by hand. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, deeper)}`)
  if (items.length === 0) return `${open}${close}`
  const [before, after] = Array.isArray(value) ? ['', ''] : [' ', ' ']
  const line = `${open}${before}${items.join(', ')}${after}${close}`
  if (line.length + indent.length <= 72 && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`
}

/** In single quotes: JSON escapes all that must be, but for those. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

function nameOf(name: string): string {
  // Without brackets this one would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}
