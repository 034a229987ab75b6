/** /openapi.json: the description of the API, for programs. For people it is shown by pages/reference.ts. */
import { Type } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import { describeOperation } from '../http/describe.ts'
import { limitRate } from '../http/limits.ts'
import { makeOnce, makeServed, revalidated, serve } from '../http/served.ts'
import type { Parts } from '../parts.ts'
import { apiDocument } from './document.ts'

const tag = 'description'

const part = (description: string) => Type.Object({}, { description })
const documentAnswer = Type.Object({
  openapi: Type.String(),
  info: part('Title, version and what to know.'),
  servers: Type.Array(part('The address of this server.')),
  tags: Type.Array(part('A name and its description.')),
  paths: part('The operations, by path and method.'),
  components: part('Schemas, and ways to say who calls.'),
})

/** `app` is the whole application, which is not complete while its routes are being put together. */
export function docsRoutes(parts: Parts, app: () => AnyElysia) {
  const beforeHandle = limitRate(parts, 'reads')
  const document = makeOnce(async () => {
    const description = await apiDocument(app(), {
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
  const documentRoute = (operationId: string, summary: string) => ({
    beforeHandle,
    ...describeOperation({
      tag,
      operationId,
      summary,
      answer: documentAnswer,
      headers: { ETag: 'Changes when the description does.' },
      refusals: [],
      others: { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } },
    }),
  })

  return new Elysia({ name: 'docs' })
    .get(
      '/openapi.json',
      async (context) => serve(await document(), context),
      documentRoute('getOpenApi', 'This description: OpenAPI 3.1'),
    )
    .get(
      '/api/v1/openapi.json',
      async (context) => serve(await document(), context),
      documentRoute('getOpenApiVersioned', 'This description, beside what it describes'),
    )
}
