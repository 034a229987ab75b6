/** When a page says that an answer takes long, and when it offers a way out. */

/** A person begins to wonder whether anything happens. */
const slowAfterMs = 3000
const verySlowAfterMs = 15_000

export type Slowness = 'usual' | 'slow' | 'very slow'

/** Reports each change. Returns the function that ends it. */
export function watchSlowness(tell: (slowness: Slowness) => void): () => void {
  const timers = [setTimeout(() => tell('slow'), slowAfterMs), setTimeout(() => tell('very slow'), verySlowAfterMs)]
  return () => timers.forEach(clearTimeout)
}
