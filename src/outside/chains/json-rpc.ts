/**
 * The envelope of JSON-RPC 2.0 over HTTP: one request, one answer. It knows no method and judges no result. The modules
 * of a chain interpret a node's error.
 */
import { OutsideError } from '../failure.ts'
import { type Endpoint, parseJson } from '../http/endpoint.ts'

export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data: unknown } }

export interface RpcOptions {
  /** A larger answer is `malformed`. 1 MiB unless given. */
  readonly maxBytes?: number
}

/** Errors: OutsideError, also for an answer to another request or an invalid one (JSON-RPC 2.0, section 5). */
export async function askRpc(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  options: RpcOptions = {},
): Promise<RpcAnswer> {
  const id = 1
  const answer = await endpoint.send({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    ...options,
  })
  const reply = parseJson(endpoint.setting, answer)
  if (!isRecord(reply) || reply.jsonrpc !== '2.0') throw makeMalformedError(endpoint, method, 'is not JSON-RPC 2.0')
  const { result, error } = reply
  // A node that could not read the request answers without its id.
  if (reply.id !== id && !(reply.id === null && isRecord(error)))
    throw makeMalformedError(endpoint, method, 'belongs to another request')
  // Some nodes write `"error": null` beside a result.
  const hasError = error !== undefined && error !== null
  if (hasError === (result !== undefined))
    throw makeMalformedError(endpoint, method, 'has a result and an error, or neither')
  if (!hasError) return { result }
  const { code, message, data } = isRecord(error) ? error : {}
  if (!Number.isSafeInteger(code) || typeof message !== 'string')
    throw makeMalformedError(endpoint, method, 'has an error without a code')
  return { error: { code: code as number, message, data } }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const makeMalformedError = (endpoint: Endpoint, method: string, what: string): OutsideError =>
  new OutsideError(
    'malformed',
    endpoint.setting,
    `gave an answer to ${method} that ${what}`,
    'see whether the address is the JSON-RPC address of a node',
  )
