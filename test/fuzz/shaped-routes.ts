/** The routes that the app answers, each with the shapes that its description asks for. */
import { createApp, listRoutes } from '../../src/app.ts'
import type { Parts } from '../../src/parts.ts'
import type { Route } from './hard-request.ts'

export function listShapedRoutes(parts: Parts): Route[] {
  const nameRoute = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`
  const shapes = new Map(listRoutes(parts).map((route) => [nameRoute(route), route.shapes]))
  return createApp(parts).routes.map(({ method, path }) => ({
    method,
    path,
    shapes: shapes.get(nameRoute({ method, path })),
  }))
}
