/** /openapi.json: the description of the API for programs. pages/reference.ts shows it to people. */
import { Type } from '@sinclair/typebox'
import type { OperationDescription } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import { makeOnce, makeServed, revalidated, type ServedContext, serve } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { apiVersion } from '../version.ts'
import { describeApi, openApiVersion } from './document.ts'

const tag = 'description'

const describePart = (description: string) => Type.Object({}, { description })
const documentAnswer = Type.Object({
  openapi: Type.String(),
  info: describePart('Title, version and what to know.'),
  servers: Type.Array(describePart('The address of this server.')),
  tags: Type.Array(describePart('A name and its description.')),
  paths: describePart('The operations, by path and method.'),
  components: describePart('Schemas, and ways to say who calls.'),
})

/** `listRoutes` gives every route of the server, these included. */
export function docsRoutes(parts: Parts, listRoutes: () => readonly Route[]): readonly Route[] {
  const document = makeOnce(async () => {
    const description = await describeApi(listRoutes(), {
      baseUrl: parts.addresses().baseUrl,
      authUrl: parts.config.mcp.enabled ? parts.addresses().authUrl : undefined,
      brand: parts.config.brand,
      verifiers: parts.catalog.enabled.values(),
    })
    return makeServed(JSON.stringify(description), {
      contentType: 'application/json;charset=utf-8',
      cacheControl: revalidated,
    })
  })
  const describe = (operationId: string, summary: string): OperationDescription => ({
    tag,
    operationId,
    summary,
    answer: documentAnswer,
    headers: { ETag: 'Changes when the description does.' },
    refusals: [],
    others: { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } },
    example: (baseUrl) => ({
      response: {
        openapi: openApiVersion,
        info: { title: 'Proofgate', version: apiVersion },
        servers: [{ url: baseUrl, description: 'This server.' }],
        tags: [],
        paths: {},
        components: {},
      },
    }),
  })
  const answer = async (context: ServedContext) => serve(await document(), context)
  const shared = { method: 'GET', callers: ['anyone'], rate: 'reads', surface: 'untimed' } as const

  return [
    route(
      { ...shared, path: '/openapi.json', operation: describe('getOpenApi', 'This description: OpenAPI 3.1') },
      answer,
    ),
    route(
      {
        ...shared,
        path: '/api/v1/openapi.json',
        operation: describe('getOpenApiVersioned', 'This description, beside what it describes'),
      },
      answer,
    ),
  ]
}
