/**
 * Waits for an answer for so long at most, and leaves no timer behind. The work itself goes on, and its result is
 * dropped. Errors: that of `tooLate` when the time is over, and those of `answer`.
 */
export async function limitWait<Answer>(
  answer: Answer | Promise<Answer>,
  ms: number,
  tooLate: () => unknown,
): Promise<Answer> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), Math.max(0, ms))
  try {
    return await Promise.race([answer, over])
  } finally {
    clearTimeout(timer)
  }
}
