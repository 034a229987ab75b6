/** Returns an answer, or a timeout error. The work itself continues, and its result is dropped. */
import type { OutsideError } from './failure.ts'

/** `tooLate` is called when the time is over. Errors: its result, and those of `answer`. */
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
