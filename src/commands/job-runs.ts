/** Backup and drill as jobs: their outcome is noted in the data folder, and a server runs them as processes of their own. */
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/schema.ts'
import { openGuestDb } from '../db/db.ts'
import { lookIntoFolder } from '../db/look.ts'
import { isMigrated } from '../db/migrate.ts'
import { isExecutable } from '../executable.ts'
import type { RunJob } from '../jobs/run-job.ts'
import { type JobRun, noteJobRun } from '../jobs/store.ts'
import type { Terminal } from './command.ts'

const oneMiB = 1_048_576

/**
 * Where it cannot be noted, the exit code alone tells it: on a full disk, and in a database of another build, which only
 * the start of a server may change.
 */
export async function noteOutcome({ data, storage, backup }: Config, run: JobRun): Promise<void> {
  try {
    if (!(await lookIntoFolder(data, (_, database) => isMigrated(database)))) return
    const db = await openGuestDb({
      folder: data,
      cacheBytes: oneMiB,
      walLimitBytes: storage.walLimitMb * oneMiB,
      keepsLog: backup.continuous,
      now: run.endedAt,
    })
    try {
      await db.write([noteJobRun(run)], 'free')
    } finally {
      await db.close()
    }
  } catch {}
}

/** The nicest: it waits for everything else on the machine. */
const lowestPriority = 19
const longestTail = 2_000

/** `configFile`: as --config named it. */
export const makeJobRunner =
  (configFile: string | undefined, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): RunJob =>
  async (job, signal) => {
    const child = Bun.spawn(
      [...findProgram(), job, '--json', ...(configFile === undefined ? [] : ['--config', configFile])],
      {
        cwd,
        env: { ...env, NOTIFY_SOCKET: undefined },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'pipe',
        signal,
      },
    )
    try {
      setPriority(child.pid, lowestPriority)
    } catch {
      // It is over already, or the system allows no other priority.
    }
    const said = await new Response(child.stderr).text()
    return { exitCode: await child.exited, says: said.trim().slice(-longestTail) }
  }

const findProgram = (): readonly string[] =>
  isExecutable ? [process.execPath] : [process.execPath, fileURLToPath(new URL('../main.ts', import.meta.url))]
