/** Which methods a path answers to: Elysia says 404 for a known path with another method, where 405 is the truth. */
export interface RouteTable {
  methodsAt(path: string): readonly string[]
}

export function routeTable(routes: readonly { readonly method: string; readonly path: string }[]): RouteTable {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(
      `^${path
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replace(/:[a-zA-Z]+/g, '[^/]+')
        .replace(/\*/g, '.*')}/?$`,
    ),
  }))
  return {
    methodsAt(path) {
      const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      return [...new Set(found.includes('GET') ? [...found, 'HEAD'] : found)]
    },
  }
}
