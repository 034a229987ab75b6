/** One question to a provider over HTTP, and the JSON of its answer in the provider's published shape. */
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OutsideError } from '../failure.ts'
import { type Endpoint, parseJson } from '../http/endpoint.ts'

/**
 * Members that the shape does not name are ignored. Errors: OutsideError, `malformed` for every other shape. A missing
 * statement never counts as "harmless".
 */
export async function askProvider<Shape extends TSchema>(
  endpoint: Endpoint,
  path: string,
  headers: Readonly<Record<string, string>>,
  shape: Shape,
): Promise<Static<Shape>> {
  const answer = await endpoint.send({ method: 'GET', path, headers: { accept: 'application/json', ...headers } })
  if (answer.status !== 200)
    throw makeMalformedError(endpoint.setting, `answered ${answer.status} to a question about a wallet`)
  const body = parseJson(endpoint.setting, answer)
  // Not compiled: the network takes a thousand times as long, and every start would pay for compiling.
  if (Value.Check(shape, body)) return body
  const place = Value.Errors(shape, body).First()?.path || 'the whole'
  throw makeMalformedError(endpoint.setting, `answered with another JSON than it publishes, see ${place.slice(0, 80)}`)
}

export const makeMalformedError = (setting: string, happened: string): OutsideError =>
  new OutsideError('malformed', setting, happened, `see whether ${setting}.url is the address of the API`)
