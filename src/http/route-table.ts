/** Answers questions about an address before, or without, routing it. Everything is derived from the routes, once. */
import { policies } from './rate-policies.ts'
import type { RefusalFormat, Route } from './route.ts'
import type { Surface } from './surfaces.ts'

export interface RouteTable {
  /** The methods of a path. Hidden routes have none, so that they stay unknown. */
  methodsAt(path: string): readonly string[]
  /** Cache-Control of every answer at a path, refusals included. */
  cacheControlAt(path: string): string | undefined
  /** Whether an address that watches the server is never refused at a path for its rate. */
  sparesMonitorAt(path: string): boolean
  /** Whether the handler at a path checks Host and Origin itself. */
  checksOriginAt(path: string): boolean
  refusalFormatAt(path: string): RefusalFormat
  /** By the path of a route as it is registered, such as `/proof/:qHash`. */
  readonly surfaces: ReadonlyMap<string, Surface>
}

export function makeRouteTable(routes: readonly Route[]): RouteTable {
  const offered = routes.filter(({ isOffered }) => isOffered)
  const told = offered.filter(({ operation }) => operation !== 'hidden').map(addPattern)
  const formats = routes.map(addPattern)
  const uncached = offered.filter(({ cacheControl }) => cacheControl !== undefined).map(addPattern)
  const isUncached = makeMatcher(uncached.map(({ route }) => route))
  const sparesMonitorAt = makeMatcher(offered.filter(({ rate }) => 'sparesMonitor' in policies[rate]))
  const checkingOrigin = new Set(offered.filter(({ checksOrigin }) => checksOrigin).map(({ path }) => path))
  /** First segments below which only programs ask, so unknown addresses there are refused in JSON. */
  const programs = new Set(
    routes.filter(({ refusalFormat }) => refusalFormat !== 'page').map(({ path }) => readFirstSegment(path)),
  )

  return {
    methodsAt(path) {
      const found = told.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method)
      return [...new Set(found.includes('GET') ? [...found, 'HEAD'] : found)]
    },
    cacheControlAt: (path) =>
      isUncached(path) ? uncached.find(({ pattern }) => pattern.test(path))?.route.cacheControl : undefined,
    sparesMonitorAt,
    checksOriginAt: (path) => checkingOrigin.has(path),
    refusalFormatAt(path) {
      const found = formats.find(({ pattern }) => pattern.test(path))
      if (found) return found.route.refusalFormat
      const segment = readFirstSegment(path)
      return segment === undefined || programs.has(segment) ? 'envelope' : 'page'
    },
    surfaces: new Map(routes.flatMap(({ path, surface }) => (surface === 'untimed' ? [] : [[path, surface] as const]))),
  }
}

const addPattern = (route: Route) => ({ route, pattern: new RegExp(`^${writePattern(route.path)}$`) })

/** One expression for all of them, because it is asked of every request. */
function makeMatcher(routes: readonly Route[]): (path: string) => boolean {
  const pattern = new RegExp(`^(?:${routes.map(({ path }) => writePattern(path)).join('|')})$`)
  return (path) => pattern.test(path)
}

const writePattern = (path: string): string =>
  `${path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replace(/:[a-zA-Z]+/g, '[^/]+')
    .replace(/\*/g, '.*')}/?`

/** Undefined for what is no path. */
const readFirstSegment = (path: string): string | undefined => path.split('/', 2)[1]
