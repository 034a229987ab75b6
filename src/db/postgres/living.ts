/** Servers that run on a database, as one sees them that is not among them. */
import type { Connection } from './connection.ts'

export interface LivingServer {
  readonly host: string
  readonly version: string
}

/** Every living process has beaten again after it. */
const beatMs = 2_500

/** One of them. A process that was killed leaves its row behind, and does not beat. Errors: LostError, PostgresError. */
export async function findLiving(connection: Connection): Promise<LivingServer | undefined> {
  const { rows } = await connection.runPlain(`SELECT to_regclass('live_processes') IS NOT NULL AS known`)
  if (!(rows[0] as { known: boolean }).known) return undefined
  const list = async () =>
    (await connection.runPlain('SELECT id, host, version, beats::text AS beats FROM live_processes'))
      .rows as readonly (LivingServer & { readonly id: string; readonly beats: string })[]
  const before = new Map((await list()).map(({ id, beats }) => [id, beats]))
  if (before.size === 0) return undefined
  await Bun.sleep(beatMs)
  return (await list()).find(({ id, beats }) => before.get(id) !== beats)
}
