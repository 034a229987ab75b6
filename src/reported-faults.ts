/**
 * One fault of the disk is one line of the log. Its condition names the remedy, and repeats the line each minute.
 * Requests and background work that meet the fault add no line while such a condition is present.
 */
import type { ConditionName } from './condition-names.ts'
import type { Conditions } from './conditions.ts'
import { StorageError } from './db/db.ts'
import { findFaultKind } from './db/sqlite-errors.ts'
import { AppError } from './errors.ts'
import { folderConditions } from './health/held-files.ts'
import type { StorageWatch } from './health/storage-watch.ts'
import type { Log } from './log.ts'
import { nameError } from './log-event.ts'

interface FaultReports {
  readonly conditions: Pick<Conditions, 'stood'>
  readonly storage: Pick<StorageWatch, 'judge' | 'lossToPrevent'>
}

/** While one of these stands, the log has the reason why the store does not work. All are of the level `failing`. */
const reportingConditions: readonly ConditionName[] = [
  'storage-uncertain',
  'writes-fail',
  'writes-wait',
  'writer-ended',
  'reads-fail',
  'database-damaged',
  ...folderConditions.filter((name) => name !== 'data-lock-lost'),
]

/** A fault may be over before who met it comes to tell: a failed write looks at the disk first. */
const reportedLateMs = 5_000

/** The same log, in which what a condition tells is left to debug. */
export const omitReportedFaults = (log: Log, { conditions, storage }: FaultReports): Log => ({
  ...log,
  count(occurrence) {
    const { error, event, message, fields, requestId } = occurrence
    if (!isReported(error, { conditions, storage })) return log.count(occurrence)
    log.debug(message, { event, ...(requestId === undefined ? {} : { requestId }), ...fields, error: nameError(error) })
  },
})

/** Whether a condition that stands says why the store does not do its work. */
export const standsFault = (conditions: Pick<Conditions, 'stood'>): boolean =>
  reportingConditions.some((name) => conditions.stood(name, 0))

function isReported(error: unknown, { conditions, storage }: FaultReports): boolean {
  if (isLoss(error)) return storage.lossToPrevent() !== undefined
  if (!isOfDisk(error)) return false
  // The write that failed may be the first to meet the fault.
  storage.judge()
  return reportingConditions.some((name) => conditions.stood(name, reportedLateMs))
}

const isOfDisk = (error: unknown): boolean =>
  error instanceof StorageError || (error instanceof Error && findFaultKind(error) !== 'other')

/** Refused before it was tried (http/admit-writes.ts). */
const isLoss = (error: unknown): boolean => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE'
