/** What is told of a data folder: sizes of its files, numbers of rows, and the migrations of its database. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { countRows } from '../backup/count-rows.ts'
import type { Reader } from '../db/db.ts'
import { lookIntoFolder } from '../db/look.ts'
import { listAppliedHashes } from '../db/migrate.ts'
import { jobNames, listJobRuns } from '../jobs/store.ts'

const known = [
  'proofgate.sqlite',
  'proofgate.sqlite-wal',
  'proofgate.sqlite-shm',
  'proofgate.sqlite.lock',
  'master.key',
  'reserve',
  'running.json',
] as const

/** Names of tables and migrations are those of this program, whatever a database says. */
const name = /^[a-z0-9_]{1,64}$/

export async function gatherFolderFacts(folder: string) {
  const sizes = known.flatMap((file) => {
    const bytes = statSync(join(folder, file), { throwIfNoEntry: false })?.size
    return bytes === undefined ? [] : [[file, bytes] as const]
  })
  const database = await lookIntoFolder(folder, async (reader, db) => ({
    jobs: await gatherJobs(reader),
    rows: Object.fromEntries(Object.entries(countRows(db)).filter(([table]) => name.test(table))),
    migrations: listAppliedHashes(db).filter((one) => name.test(one.name) && /^[0-9a-f]{64}$/.test(one.sha256)),
  }))
  return {
    figures: { bytes: Object.fromEntries(sizes), rows: database?.rows ?? {} },
    schema: database?.migrations ?? [],
    jobs: database?.jobs ?? [],
  }
}

/** Without what a run said of itself, which can quote a place. */
async function gatherJobs(db: Reader) {
  try {
    const runs = await listJobRuns(db)
    return jobNames.flatMap((job) => {
      const { endedAt, goodAt, tookMs, isGood } = runs[job] ?? {}
      return endedAt === undefined ? [] : [{ job, endedAt, goodAt, tookMs, isGood }]
    })
  } catch {
    // A database of an older build has no such table.
    return []
  }
}
