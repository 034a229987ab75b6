/**
 * Counts the answers of the server, by the pattern of the route and never by the path. Every list below is bounded by
 * the routes of this build. Counting one answer costs a look-up and a few additions.
 */
import { type Distribution, openDistribution, secondBounds } from '../distribution.ts'

export interface Traffic {
  note(answered: Answered): void
  listCounts(): readonly RouteCount[]
  listTimes(): readonly RouteTimes[]
}

export interface Answered {
  /** The pattern, such as `/proof/:qHash`. Undefined where no route was found or looked for. */
  readonly route: string | undefined
  readonly method: string
  readonly status: number
  readonly ms: number
}

interface Place {
  /** A pattern, or one of `unrouted`. */
  readonly route: string
  readonly method: (typeof methods)[number]
}

export interface RouteCount extends Place {
  /** `2xx`. */
  readonly status: string
  readonly count: number
}

export interface RouteTimes extends Place {
  readonly seconds: Distribution
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const
const methodIndex: ReadonlyMap<string, number> = new Map(methods.map((method, index) => [method, index]))
const otherMethod = methods.length - 1
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** In place of a pattern. A pattern begins with a slash. */
export const unrouted = {
  /** Nothing is at the path, or not with this method. */
  unknown: 'unknown',
  /** Refused before its route was looked for: a rate limit, a Host or an Origin that is not served. */
  refused: 'refused',
  preflight: 'preflight',
} as const

export const nameUnrouted = (method: string, status: number): string =>
  method === 'OPTIONS' ? unrouted.preflight : status === 404 || status === 405 ? unrouted.unknown : unrouted.refused

interface RouteFigures {
  /** By method, then by class of status. */
  readonly counts: Float64Array
  readonly times: (Distribution | undefined)[]
}

export function openTraffic(): Traffic {
  const byRoute = new Map<string, RouteFigures>()
  function addRoute(route: string): RouteFigures {
    const figures = { counts: new Float64Array(methods.length * statusClasses.length), times: [] }
    byRoute.set(route, figures)
    return figures
  }
  return {
    note({ route, method, status, ms }) {
      const name = route ?? nameUnrouted(method, status)
      const figures = byRoute.get(name) ?? addRoute(name)
      const ofMethod = methodIndex.get(method) ?? otherMethod
      const statusClass = Math.min(statusClasses.length, Math.max(1, Math.floor(status / 100))) - 1
      figures.counts[ofMethod * statusClasses.length + statusClass]!++
      figures.times[ofMethod] ??= openDistribution(secondBounds)
      figures.times[ofMethod]!.note(ms / 1000)
    },
    listCounts: () =>
      [...byRoute].flatMap(([route, { counts }]) =>
        [...counts].flatMap((count, index) => {
          const method = methods[Math.floor(index / statusClasses.length)]!
          return count > 0 ? [{ route, method, status: statusClasses[index % statusClasses.length]!, count }] : []
        }),
      ),
    listTimes: () =>
      [...byRoute].flatMap(([route, { times }]) =>
        times.flatMap((seconds, index) => (seconds ? [{ route, method: methods[index]!, seconds }] : [])),
      ),
  }
}
