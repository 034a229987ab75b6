/** The answers of /api/v1/operator, as the views read them. */

/** The last run of a job beside the server. */
interface Run {
  readonly endedAt: number
  readonly isGood: boolean
  readonly goodAt: number | null
}

/** A backup, or a restore on trial. */
export interface JobRun extends Run {
  readonly isOverdue: boolean
}

export interface Upgrade extends Run {
  /** null: the first version here. */
  readonly from: string | null
  readonly to: string | null
  readonly tookMs: number
}

export interface Health {
  readonly status: 'ok' | 'failing'
  readonly version: string
  readonly startedAt: number
  readonly uptimeSeconds: number
  readonly database: {
    readonly bytes: number
    readonly logBytes: number
    readonly checkedAt: number | null
    readonly failure?: string
  }
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number }
  readonly counts: { readonly accounts: number; readonly proofs: number } | null
  readonly lastCommit: { readonly result: 'stored' | 'failed'; readonly ageMs: number } | null
  readonly waitingMs: number
  readonly conditions: readonly Condition[]
  readonly erasing: { readonly erasures: number; readonly proofs: number; readonly since: number | null } | null
  readonly jobs: {
    readonly isScheduled: boolean
    readonly behindMs: number | null
    readonly backup: JobRun | null
    readonly drill: JobRun | null
    readonly upgrade: Upgrade | null
  } | null
  readonly sweep: { readonly overdueSince: number | null }
  readonly advice: readonly { readonly setting: string; readonly says: string; readonly example?: string }[]
  /** What is wrong on the machine of the server. null: it could not be seen. */
  readonly here: readonly Finding[] | null
  readonly examination: Examination | null
}

/** A current problem of the server. */
export interface Condition {
  readonly name: string
  readonly level: 'failing' | 'warning'
  readonly says: string
  readonly mend: string
  readonly since: number
  readonly count: number
}

export interface Examination {
  readonly at: number
  readonly findings: readonly Finding[]
}

export interface Finding {
  readonly setting: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly says: string
  readonly mend?: string
}

export interface Limits {
  readonly enabled: boolean
  readonly policies: readonly Policy[]
}

export interface Policy {
  readonly policy: string
  readonly per: string
  readonly setting: string
  readonly unit: 'requests' | 'bytes'
  readonly count: number
  readonly windowMs: number
  readonly keys: number
  readonly busiest: readonly { readonly key: string; readonly used: number; readonly fullAt: number }[]
  readonly refused: readonly { readonly key: string; readonly times: number; readonly lastAt: number }[]
}

export interface Catalog {
  readonly verifiers: readonly {
    readonly id: string
    readonly enabled: boolean
    readonly access: string
    readonly why: string | null
    readonly switchedOff: boolean
  }[]
  readonly providers: readonly Provider[]
}

export interface Provider {
  readonly kind: string
  readonly name: string
  readonly detail: string | null
  readonly lacks: string | null
  readonly sources: readonly Source[]
}

export interface Source {
  readonly setting: string
  readonly circuit: 'closed' | 'open' | 'half-open'
  readonly pausedUntil: number | null
  readonly lastSuccessAt: number | null
  readonly lastFailure: { readonly at: number; readonly fault: string; readonly happened: string } | null
  readonly lastHour: { readonly calls: number; readonly failures: number }
}

export interface AuditLine {
  readonly id: string
  readonly at: number
  readonly event: string
  readonly wallet: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export interface AuditPage {
  readonly events: readonly AuditLine[]
  readonly nextCursor: string | null
}

export interface Counts {
  /** Unix milliseconds of the first hour or day of the charts. */
  readonly firstAt: number
  readonly stepMs: number
  readonly proofs: {
    readonly total: readonly number[]
    readonly byVerifier: readonly { readonly verifier: string; readonly counts: readonly number[] }[]
  }
  readonly gates: {
    readonly passes: readonly number[]
    readonly refusals: readonly number[]
    readonly fulfillments: readonly number[]
    readonly refunds: readonly number[]
    readonly top: readonly GateCounts[]
  }
  readonly unmatchedPayments: readonly number[]
  readonly latency: { readonly hour: readonly Latency[]; readonly day: readonly Latency[] }
}

export interface GateCounts {
  readonly gateId: string
  readonly passes: number
  readonly refusals: number
  readonly fulfillments: number
}

export interface Latency {
  readonly surface: string
  readonly label: string
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface Answer<Data> {
  readonly data: Data
}

export const operatorApi = '/api/v1/operator'
