/** How long a request took, from the first step that sees it to its answer. */
import type { Surface } from '../http/surfaces.ts'
import type { Numbers } from './measure.ts'

const startedAt = Symbol('startedAt')

/** The object that a request is answered with, from the first hook to the last. */
interface Timed {
  [startedAt]?: number
}

export const startClock = (set: object): void => {
  ;(set as Timed)[startedAt] = performance.now()
}

/** `surfaces` are those of the routes, by path. */
export function stopClock(
  numbers: Numbers,
  surfaces: ReadonlyMap<string, Surface>,
  { set, route }: { readonly set: object; readonly route?: string },
): void {
  const surface = route === undefined ? undefined : surfaces.get(route)
  const start = (set as Timed)[startedAt]
  if (surface !== undefined && start !== undefined) numbers.took(surface, performance.now() - start)
}
