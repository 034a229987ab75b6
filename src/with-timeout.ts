/**
 * Waits for something for so long at most, and leaves no timer behind. What it waited for goes on. Errors: that of
 * makeError when the time is over, and those of what it waited for.
 */
export async function withTimeout<T>(waited: Promise<T>, ms: number, makeError: () => unknown): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(makeError()), Math.max(0, ms))
  try {
    return await Promise.race([waited, over])
  } finally {
    clearTimeout(timer)
  }
}
