/** Which method of the client module does what an operation does; all others go through `request`. */
import type { Asked } from './asked.ts'
import { literal } from './client-code.ts'

/** The call, from the name of the method on. */
export function callOf(asked: Asked, body: unknown): string {
  return requestCall(asked, body)
}

function requestCall({ operation, path, query, headers }: Asked, body: unknown): string {
  const options = {
    ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
    ...(body === undefined ? {} : { body }),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
  }
  const rest = Object.keys(options).length > 0 ? `, ${literal(options)}` : ''
  return `request(${literal(operation.method)}, ${literal(path)}${rest})`
}
