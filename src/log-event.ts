/** The fields of a log line. */
import type { LogEvent } from './log-events.ts'
import type { LogLevel } from './log-level.ts'

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined
  // Would stand twice in a line of JSON.
  readonly time?: undefined
  readonly level?: undefined
  readonly message?: undefined
}

/** The event comes first: it stays the same while the message may change. */
export interface EventFields extends LogFields {
  readonly event: LogEvent
}

export type WriteEvent = (level: LogLevel, message: string, fields: EventFields) => void

/** For a field: the stack where there is one. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { stack = '' } = error
  // Some stacks begin without the message.
  return stack.includes(error.message) ? stack : `${nameError(error)}\n${stack}`
}

/** In one line. */
export const nameError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)
