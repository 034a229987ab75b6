/**
 * Proofgate as a command of its own. EXECUTABLE names a built one, which starts in a third of the time of the source. Tests
 * run it in other folders, so its path is made absolute.
 */
import { resolve } from 'node:path'

export const program: readonly string[] = process.env.EXECUTABLE
  ? [resolve(process.env.EXECUTABLE)]
  : [process.execPath, new URL('../../src/main.ts', import.meta.url).pathname]
