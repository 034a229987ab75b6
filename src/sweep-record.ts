/** What the sweeps since the start have done, for the page of metrics. */

export interface SweepRun {
  /** Unix milliseconds. */
  readonly endedAt: number
  readonly tookMs: number
  readonly rows: number
}

export interface SweepRecord {
  noteRun(run: SweepRun): void
  noteFailure(): void
  last(): SweepRun | undefined
  total(): { readonly runs: number; readonly failures: number; readonly rows: number }
}

export function openSweepRecord(): SweepRecord {
  let last: SweepRun | undefined
  let total = { runs: 0, failures: 0, rows: 0 }
  return {
    noteRun(run) {
      last = run
      total = { ...total, runs: total.runs + 1, rows: total.rows + run.rows }
    },
    noteFailure() {
      total = { ...total, failures: total.failures + 1 }
    },
    last: () => last,
    total: () => total,
  }
}
