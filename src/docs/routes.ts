/** /openapi.json for programs; / and /docs for people. */
import { Type } from '@sinclair/typebox'
import { type AnyElysia, Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import { described } from '../http/describe.ts'
import { pageHeaders } from '../http/headers.ts'
import { counted } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { type Assets, loadAssets } from './assets.ts'
import { apiDocument } from './document.ts'
import { referencePage, rootPage } from './page.ts'
import { revalidated, type Served, type ServedContext, serve, served } from './served.ts'

const tag = 'description'
/** Pages and their files are no part of the interface. */
const hidden = { hide: true } as const

const documentAnswer = Type.Object({
  openapi: Type.String(),
  info: Type.Object({}),
  servers: Type.Array(Type.Object({})),
  tags: Type.Array(Type.Object({})),
  paths: Type.Object({}),
  components: Type.Object({}),
})

/** `app` is the whole application, which is not complete while its routes are being put together. */
export function docsRoutes(parts: Parts, app: () => AnyElysia) {
  const beforeHandle = counted(parts, 'reads')
  const withReference = parts.config.docs.enabled
  const page = (write: (assets: Assets) => string) => {
    const made = once(async () =>
      served(write(await loadAssets()), { contentType: 'text/html;charset=utf-8', cacheControl: revalidated }),
    )
    return async (context: ServedContext) => {
      Object.assign(context.set.headers, pageHeaders)
      return serve(await made(), context)
    }
  }
  const document = once(async () => {
    const description = await apiDocument(app(), {
      baseUrl: parts.addresses().baseUrl,
      verifiers: parts.catalog.enabled.values(),
    })
    return served(JSON.stringify(description), {
      contentType: 'application/json;charset=utf-8',
      cacheControl: revalidated,
    })
  })
  const documentRoute = (operationId: string, summary: string) => ({
    beforeHandle,
    ...described({
      tag,
      operationId,
      summary,
      answer: documentAnswer,
      headers: { ETag: 'Changes when the description does.' },
      refusals: [],
      others: { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } },
    }),
  })

  const routes = new Elysia({ name: 'docs' })
    .get(
      '/openapi.json',
      async (context) => serve(await document(), context),
      documentRoute('openapi', 'This description: OpenAPI 3.1'),
    )
    .get(
      '/api/v1/openapi.json',
      async (context) => serve(await document(), context),
      documentRoute('openapiVersioned', 'This description, beside what it describes'),
    )
    .get(
      '/',
      page((assets) => rootPage(assets, { withReference })),
      { beforeHandle, detail: hidden },
    )
    .get(
      '/assets/:name',
      async ({ params, request, set }) => {
        const asset = (await loadAssets()).served.get(params.name)
        if (!asset) throw new AppError('NOT_FOUND', 'there is no such file: reload the page that wanted it')
        Object.assign(set.headers, pageHeaders)
        return serve(asset, { request, set })
      },
      { detail: hidden },
    )
  if (!withReference) return routes
  const reference = page(referencePage)
  return routes.get(
    '/docs',
    (context) => (new URL(context.request.url).pathname.endsWith('/') ? withoutSlash(context) : reference(context)),
    { beforeHandle, detail: hidden },
  )
}

/** The addresses in the page are relative, so the page has one address only. Relative itself, for the same reason. */
function withoutSlash({ set }: ServedContext): void {
  set.status = 308
  set.headers.location = '../docs'
}

/** Made at the first call; a failure is not kept. */
function once(make: () => Promise<Served>): () => Promise<Served> {
  let made: Promise<Served> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
