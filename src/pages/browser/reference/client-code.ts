/** A request as a program with the client module of this server. */

import { type Asked, buildAddress } from './asked.ts'
import { writeCall } from './client-methods.ts'
import type { Operation } from './description.ts'
import { writeLiteral } from './literal.ts'

/** Undefined when the body is no JSON: there is nothing to write then. */
export function writeClientCode(asked: Asked, withKey = false): string | undefined {
  const { server } = asked
  let body: unknown
  try {
    body = asked.body === undefined ? undefined : JSON.parse(asked.body)
  } catch {
    return undefined
  }
  // The module takes answers of the API only, and the description of it is none.
  if (!isAnswerOfApi(asked.operation))
    return [
      `const response = await fetch(${writeLiteral(buildAddress(asked))})`,
      'console.log(await response.json())',
    ].join('\n')
  const options = withKey
    ? // The key itself stays out of what is copied.
      `{\n  url: ${writeLiteral(server)},\n  headers: { authorization: \`Bearer \${process.env.PROOFGATE_KEY}\` },\n}`
    : `{ url: ${writeLiteral(server)} }`
  return [
    `import { createClient } from ${writeLiteral(`${server}/client.js`)}`,
    '',
    `const client = createClient(${options})`,
    `const answer = await client.${writeCall(asked, body)}`,
    'console.log(answer)',
  ].join('\n')
}

const isAnswerOfApi = ({ answers }: Operation): boolean =>
  answers.some(({ status, json }) => status === '200' && json?.schema.properties?.success !== undefined)
