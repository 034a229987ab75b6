/** The retry policy for a block that an endpoint does not have yet. */
import { OutsideError } from '../../failure.ts'

/** One address often stands for several nodes, which receive a block one after the other. */
const secondTryAfterMs = 500

export async function waitForArrival<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof OutsideError) || error.fault !== 'disagree') throw error
    await Bun.sleep(secondTryAfterMs)
    return ask()
  }
}
