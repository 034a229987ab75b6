/** An answer, or the error that it came too late. What was under way goes on, and nobody listens any more. */
import type { OutsideError } from './failure.ts'

/** `tooLate` is made when the time is over. Errors: that, and those of `answer`. */
export async function limitWait<Answer>(
  answer: Answer | Promise<Answer>,
  ms: number,
  tooLate: () => OutsideError,
): Promise<Answer> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), Math.max(0, ms))
  try {
    return await Promise.race([answer, over])
  } finally {
    clearTimeout(timer)
  }
}
