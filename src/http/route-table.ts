/** Answers questions about an address before, or without, routing it. Everything is derived from the routes, once. */
import { defer } from '../defer.ts'
import { policies } from './rate-policies.ts'
import { type Readers, type RefusalFormat, type Route, readerGroups } from './route.ts'
import type { Surface } from './surfaces.ts'

export interface RouteTable {
  /** The methods of a path. Hidden routes have none, so that they stay unknown. */
  listMethods(path: string): readonly string[]
  /** Cache-Control of every answer at a path, refusals included. */
  findCacheControl(path: string): string | undefined
  /** Whether an address that watches the server is never refused at a path for its rate. */
  isMonitorSpared(path: string): boolean
  /** Whether small requests at a path are counted by what their bodies say. */
  isCountedByBody(method: string, path: string): boolean
  /** Whether the handler at a path checks Host and Origin itself. */
  isOriginChecked(path: string): boolean
  findRefusalFormat(path: string): RefusalFormat
  /** The readers of the routes at a path or beside it. An unknown address has the strictest of those beside it. */
  listReaders(path: string): Readers
  /** Whether links of other sites may lead to a path, as to a page that does not exist. */
  opensFromLinks(path: string): boolean
  /** Whether pages of other sites may load the file at a path. */
  loadsElsewhere(path: string): boolean
  /** By the path of a route as it is registered, such as `/proof/:qHash`. */
  readonly surfaces: ReadonlyMap<string, Surface>
}

export function makeRouteTable(routes: readonly Route[]): RouteTable {
  const offered = routes.filter(({ isOffered }) => isOffered)
  const told = offered.filter(({ operation }) => operation !== 'hidden').map(addPattern)
  const formats = routes.map(addPattern)
  const uncached = offered.filter(({ cacheControl }) => cacheControl !== undefined).map(addPattern)
  const isUncached = makeMatcher(uncached.map(({ route }) => route))
  const isMonitorSpared = makeMatcher(offered.filter(({ rate }) => 'sparesMonitor' in policies[rate]))
  // The path as it is registered: of that one alone it is sure that its steps run.
  const countingBodies = offered.filter(({ countBody }) => countBody)
  const checkingOrigin = new Set(offered.filter(({ checksOrigin }) => checksOrigin).map(({ path }) => path))
  /** First segments below which only programs ask, so unknown addresses there are refused in JSON. */
  const programs = new Set(
    routes.filter(({ refusalFormat }) => refusalFormat !== 'page').map(({ path }) => readFirstSegment(path)),
  )

  const findRefusalFormat = (path: string): RefusalFormat => {
    const found = formats.find(({ fits }) => fits(path))
    if (found) return found.route.refusalFormat
    const segment = readFirstSegment(path)
    return segment === undefined || programs.has(segment) ? 'envelope' : 'page'
  }
  const isLinked = makeMatcher(routes.filter(({ otherSites }) => otherSites === 'links'))

  return {
    listMethods(path) {
      const found = told.filter(({ fits }) => fits(path)).map(({ route }) => route.method)
      return [...new Set(found.includes('GET') ? [...found, 'HEAD'] : found)]
    },
    findCacheControl: (path) =>
      isUncached(path) ? uncached.find(({ fits }) => fits(path))?.route.cacheControl : undefined,
    isMonitorSpared,
    isCountedByBody: (method, path) => countingBodies.some((one) => one.path === path && one.method === method),
    isOriginChecked: (path) => checkingOrigin.has(path),
    findRefusalFormat,
    listReaders: findReaders(routes),
    opensFromLinks: (path) => isLinked(path) || findRefusalFormat(path) === 'page',
    loadsElsewhere: makeMatcher(routes.filter(({ otherSites }) => otherSites === 'loads')),
    surfaces: new Map(routes.flatMap(({ path, surface }) => (surface === 'untimed' ? [] : [[path, surface] as const]))),
  }
}

const addPattern = (route: Route) => ({ route, fits: makeMatcher([route]) })

/** By the folders of the routes: that of an address is the longest one that it begins with. */
function findReaders(routes: readonly Route[]): RouteTable['listReaders'] {
  const byFolder = new Map<string, Readers>()
  for (const { path, readers } of routes)
    for (const folder of [path, readFolder(path)]) {
      const known = byFolder.get(folder) ?? readers
      byFolder.set(folder, readerGroups.indexOf(readers) < readerGroups.indexOf(known) ? readers : known)
    }
  return (path) => {
    for (let at = path; at !== ''; at = readFolder(at)) {
      const readers = byFolder.get(at)
      if (readers !== undefined) return readers
    }
    return 'listed pages'
  }
}

const readFolder = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** One expression for all of them, because it is asked of every request. Made when it is asked first. */
function makeMatcher(routes: readonly Route[]): (path: string) => boolean {
  const readPattern = defer(() => new RegExp(`^(?:${routes.map(({ path }) => writePattern(path)).join('|')})$`))
  return (path) => readPattern().test(path)
}

const writePattern = (path: string): string =>
  `${path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replace(/:[a-zA-Z]+/g, '[^/]+')
    .replace(/\*/g, '.*')}/?`

/** Undefined for what is no path. */
const readFirstSegment = (path: string): string | undefined => path.split('/', 2)[1]
