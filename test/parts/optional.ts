/** Tests that need something which not every machine has. The end of a run lists the skipped tests (test/run.ts). */
import { appendFileSync } from 'node:fs'

/**
 * The argument of `describe.skipIf` and `test.skipIf`. `need` follows "skipped:" and says how to run the tests:
 * `the MCP Inspector: INSPECTOR=1 npm test -- test/mcp/inspector.test.ts`.
 */
export function isMissing(isThere: unknown, need: string): boolean {
  if (isThere) return false
  const file = process.env.SKIPPED_TESTS
  if (file !== undefined) appendFileSync(file, `${need}\n`)
  return true
}
