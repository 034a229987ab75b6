import type { JobName } from './store.ts'

/** Runs the command of a job to its end, or until the signal. The exit code, and what it said of a failure. */
export type RunJob = (
  job: JobName,
  signal: AbortSignal,
) => Promise<{ readonly exitCode: number; readonly says: string }>
