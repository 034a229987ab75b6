/** Makes the operations of the routes that speak a protocol of others (http/describe-protocol.ts). */
import { describeTextHeaders, refusalWords, retryAfter } from '../http/describe.ts'
import type { ProtocolDescription } from '../http/describe-protocol.ts'
import { type Route, readProtocol } from '../http/route.ts'
import { type Clean, toPlainSchema } from './clean.ts'
import type { Answer, MediaType, Operation, Paths, Schema } from './operation.ts'

export function listProtocolPaths(routes: readonly Route[], clean: Clean): Paths {
  const paths: Paths = {}
  for (const route of routes) {
    const protocol = readProtocol(route)
    if (protocol) paths[route.path] = { ...paths[route.path], [protocol.method]: makeOperation(protocol, route, clean) }
  }
  return paths
}

function makeOperation(description: ProtocolDescription, { callers }: Route, clean: Clean): Operation {
  const { operationId, summary, tag, protocol, parameters, body, answers, refusals, security } = description
  const makeContent = (content: object, example?: object): Record<string, MediaType> =>
    Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [
        type,
        {
          schema: clean(toPlainSchema(schema) as Schema),
          ...(example && type === 'application/json' ? { example } : {}),
        },
      ]),
    )
  const responses: Record<string, Answer> = {}
  for (const [status, { description: text, content, example, headers }] of Object.entries(answers))
    responses[status] = {
      description: text,
      ...(headers ? { headers: describeTextHeaders(headers) } : {}),
      ...(content ? { content: makeContent(content, example) } : {}),
    }
  for (const [status, headers] of Object.entries(refusals)) {
    const waits = status === '429' || status === '503' ? retryAfter : {}
    responses[status] = {
      description: refusalWords[Number(status)] ?? 'Refused.',
      headers: { ...describeTextHeaders(headers), ...waits },
      content: makeContent(description.refusal, description.refusalExample),
    }
  }
  return {
    operationId,
    summary,
    description: `${description.description} Described in whole by ${protocol}.`,
    tags: [tag],
    ...(parameters
      ? {
          parameters: parameters.map(({ name, required, schema }) => {
            const { description: text, ...rest } = clean(toPlainSchema(schema) as Schema)
            return { name, in: 'query', required, ...(text ? { description: text } : {}), schema: rest }
          }),
        }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              [body.mediaType]: { schema: clean(toPlainSchema(body.schema) as Schema), example: body.example },
            },
          },
        }
      : {}),
    responses,
    security,
    'x-callers': callers,
    'x-protocol': protocol,
  }
}
