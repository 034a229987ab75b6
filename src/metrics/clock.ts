/** How long a request took, from the first hook that sees it to its answer. */
import type { Numbers } from './measure.ts'
import { findSurface } from './surface.ts'

const startedAt = Symbol('startedAt')

/** The object that a request is answered with, from the first hook to the last. */
interface Timed {
  [startedAt]?: number
}

export const startClock = (set: object): void => {
  ;(set as Timed)[startedAt] = performance.now()
}

export function stopClock(numbers: Numbers, { set, route }: { readonly set: object; readonly route?: string }): void {
  const surface = route ? findSurface(route) : undefined
  const start = (set as Timed)[startedAt]
  if (surface !== undefined && start !== undefined) numbers.took(surface, performance.now() - start)
}
