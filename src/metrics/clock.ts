/** Measures how long a request took, from its first step to its answer. */
import type { Surface } from '../http/surfaces.ts'
import type { Numbers } from './measure.ts'

const startedAt = Symbol('startedAt')

/** Elysia passes the same `set` to every step of a request, so it can carry the start time. */
interface Timed {
  [startedAt]?: number
}

export const startClock = (set: object): void => {
  ;(set as Timed)[startedAt] = performance.now()
}

/** `surfaces` has the surface of each measured route, by path. */
export function stopClock(
  numbers: Numbers,
  surfaces: ReadonlyMap<string, Surface>,
  { set, route }: { readonly set: object; readonly route?: string },
): void {
  const surface = route === undefined ? undefined : surfaces.get(route)
  const start = (set as Timed)[startedAt]
  if (surface !== undefined && start !== undefined) numbers.took(surface, performance.now() - start)
}
