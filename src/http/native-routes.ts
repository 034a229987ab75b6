/** Serves an app on a port, with the same routes as Elysia's own `listen`, which does all of it twice. */
import type { Serve } from 'bun'
import type { AnyElysia } from 'elysia'
import { createBunRouteHandler } from 'elysia/adapter/bun/compose'
import { defer } from '../defer.ts'

type Handle = (request: Request) => Response | Promise<Response>

/** By path and method. */
type NativeRoutes = Record<string, Partial<Record<Serve.HTTPMethod, Handle>>>

/** Elysia's router answers the other methods, and paths that end in `*`. */
const nativeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'POST', 'PUT'])

/**
 * Elysia's `listen` compiles the app, maps its routes and gives them to the server, and then does all of it again, for
 * plug-ins that load late: 5 ms before the first answer. The app has none.
 */
export function serveApp(
  app: AnyElysia,
  options: Omit<Bun.Serve.HostnamePortServeOptions<undefined>, 'fetch' | 'routes'>,
): void {
  app.compile()
  app.server = Bun.serve({ ...options, routes: listNativeRoutes(app) as never, fetch: app.fetch })
}

/** The routes that Bun finds by itself. Each handler is composed at its first request. */
export function listNativeRoutes(app: AnyElysia): NativeRoutes {
  const routes: NativeRoutes = {}
  for (const one of app.router.history) {
    if (!nativeMethods.has(one.method) || one.path.endsWith('*')) continue
    const readHandle = defer(() => createBunRouteHandler(app, one) as Handle)
    const path = encodeURI(one.path)
    routes[path] = { [one.method]: (request: Request) => readHandle()(request), ...routes[path] }
  }
  return routes
}
