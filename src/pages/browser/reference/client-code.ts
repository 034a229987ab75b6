/** A request as a program with the client module of this server. */

import { type Asked, addressOf } from './asked.ts'
import { callOf } from './client-methods.ts'
import type { Operation } from './description.ts'
import { literal } from './literal.ts'

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
