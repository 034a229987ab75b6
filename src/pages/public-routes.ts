/** Files that programs and pages of other origins load: at addresses that stay, for everybody. */
import { type Route, route } from '../http/route.ts'
import { makeOnce, makeServed, revalidated, serve } from '../http/served.ts'
import { listPublicFiles, type PublicFileName } from './scripts.ts'

/** A page that isolates itself (Cross-Origin-Embedder-Policy) takes only what says that it is for others. */
const forEverybody = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

const javascript = 'text/javascript;charset=utf-8'
const files: Readonly<Record<PublicFileName, { contentType: string; headers?: Readonly<Record<string, string>> }>> = {
  // Deno looks there for the types of a script that it imports from an address.
  'client.js': { contentType: javascript, headers: { 'x-typescript-types': './client.d.ts' } },
  'client.d.ts': { contentType: 'application/typescript;charset=utf-8' },
  'widget.js': { contentType: javascript, headers: { 'x-typescript-types': './widget.d.ts' } },
  'widget.d.ts': { contentType: 'application/typescript;charset=utf-8' },
}

export const publicRoutes = (): readonly Route[] =>
  (Object.keys(files) as PublicFileName[]).map((name) => {
    const { contentType, headers } = files[name]
    const file = makeOnce(async () =>
      makeServed(new Uint8Array(await (await listPublicFiles())[name].arrayBuffer()), {
        contentType,
        cacheControl: revalidated,
      }),
    )
    return route(
      {
        method: 'GET',
        path: `/${name}`,
        callers: ['anyone'],
        rate: 'api',
        surface: 'untimed',
        refusalFormat: 'page',
        otherSites: 'loads',
        operation: 'unlisted',
      },
      async ({ request, set }) => {
        Object.assign(set.headers, forEverybody, headers)
        return serve(await file(), { request, set })
      },
    )
  })
