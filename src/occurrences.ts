/**
 * Counts repeated events, so that a thousand equal failures make a handful of lines. The first is logged in full, then
 * one a minute with the count and the newest request ids.
 */
import { describeError, type LogFields, nameError, type WriteEvent } from './log-event.ts'
import type { LogEvent } from './log-events.ts'
import type { LogLevel } from './log-level.ts'

export interface Occurrence {
  readonly level: Exclude<LogLevel, 'debug'>
  readonly event: LogEvent
  readonly message: string
  /** Tells kinds of the same message apart, and stays the same for the same cause. */
  readonly kind?: string
  /** Shown with its stack the first time. Tells kinds apart too, by its message and where it was thrown. */
  readonly error?: unknown
  /** The fields of the newest occurrence are shown. */
  readonly fields?: LogFields
  readonly requestId?: string | undefined
}

export interface Occurrences {
  count(occurrence: Occurrence): void
  tell(isLast?: boolean): void
}

interface Kind {
  newest: Occurrence
  readonly since: number
  lastAt: number
  reportedAt: number
  /** Since the first, and since it was told last. */
  total: number
  untold: number
  requestIds: readonly string[]
}

const reportEveryMs = 60_000
/** Afterwards it is logged in full again. */
const forgottenAfterMs = 600_000
const mostKinds = 200
const mostRequestIds = 5

export function openOccurrences(writeEvent: WriteEvent, elapsedMs: () => number): Occurrences {
  const kinds = new Map<string, Kind>()

  function tellKind(kind: Kind, at: number): void {
    const { newest, since, total, untold, requestIds } = kind
    writeEvent(newest.level, newest.message, {
      event: newest.event,
      ...newest.fields,
      ...(newest.error === undefined ? {} : { error: nameError(newest.error) }),
      count: untold,
      ...(total > untold + 1 ? { total } : {}),
      sinceSeconds: Math.round((at - since) / 1000),
      ...(requestIds.length > 0 ? { requestIds: requestIds.join(',') } : {}),
    })
    kind.reportedAt = at
    kind.untold = 0
    kind.requestIds = []
  }

  function tellFirst(key: string, occurrence: Occurrence, at: number): void {
    const { level, event, message, fields, error, requestId } = occurrence
    kinds.set(key, {
      newest: occurrence,
      since: at,
      lastAt: at,
      reportedAt: at,
      total: 1,
      untold: 0,
      requestIds: [],
    })
    writeEvent(level, message, {
      event,
      ...(requestId === undefined ? {} : { requestId }),
      ...fields,
      ...(error === undefined ? {} : { error: describeError(error) }),
    })
  }

  return {
    count(occurrence) {
      const at = elapsedMs()
      const own = nameOccurrence(occurrence)
      const isTooMany = kinds.size >= mostKinds && !kinds.has(own)
      const key = isTooMany ? overflowKey : own
      const kind = kinds.get(key)
      if (!kind) return tellFirst(key, isTooMany ? { ...occurrence, ...overflow } : occurrence, at)
      kind.newest = isTooMany ? { ...occurrence, ...overflow } : occurrence
      kind.lastAt = at
      kind.total++
      kind.untold++
      const { requestId } = occurrence
      if (requestId !== undefined) kind.requestIds = [...kind.requestIds, requestId].slice(-mostRequestIds)
      if (at - kind.reportedAt >= reportEveryMs) tellKind(kind, at)
      else
        writeEvent('debug', occurrence.message, {
          event: occurrence.event,
          ...(requestId === undefined ? {} : { requestId }),
          ...occurrence.fields,
          ...(occurrence.error === undefined ? {} : { error: nameError(occurrence.error) }),
        })
    },
    tell(isLast = false) {
      const at = elapsedMs()
      for (const [key, kind] of kinds) {
        if (kind.untold > 0 && (isLast || at - kind.reportedAt >= reportEveryMs)) tellKind(kind, at)
        if (at - kind.lastAt >= forgottenAfterMs) kinds.delete(key)
      }
    },
  }
}

const overflowKey = ''
const overflow = {
  event: 'faults-uncounted',
  message: 'more kinds of faults than are counted one by one',
} as const

/** Numbers and ids in a message do not make another kind: there would be as many as requests. */
const nameOccurrence = ({ level, message, kind = '', error }: Occurrence): string =>
  [level, message, kind, error === undefined ? '' : `${hideNumbers(nameError(error))} ${readTopFrame(error)}`].join(
    '\n',
  )

const hideNumbers = (text: string): string => text.slice(0, 500).replace(/(0x)?[0-9a-f]*\d[0-9a-f]*/gi, '#')

const readTopFrame = (error: unknown): string =>
  error instanceof Error ? (/^ *at .*$/m.exec(error.stack ?? '')?.[0].trim() ?? '') : ''
