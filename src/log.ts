/**
 * Lines for the operator, on standard error. Never signatures, tokens, keys or content. One event is one line, whatever
 * its texts contain: no path or message can forge a line.
 */
import type { EventFields, LogFields, WriteEvent } from './log-event.ts'
import { type LogLevel, logLevels } from './log-level.ts'
import { type Occurrence, openOccurrences } from './occurrences.ts'

export type { EventFields, LogFields, LogLevel }

export interface Log {
  error(message: string, fields: EventFields): void
  warn(message: string, fields: EventFields): void
  info(message: string, fields: EventFields): void
  debug(message: string, fields: EventFields): void
  /** For what may happen with every request or every look: told at once, and then each minute with its count. */
  count(occurrence: Occurrence): void
  /** Tells what was counted and not told for a minute; `isLast` tells the rest. */
  tellCounts(isLast?: boolean): void
  /** Lines since the start: for the page of metrics. */
  figures(): LogFigures
}

export interface LogFigures {
  readonly lines: Readonly<Record<LogLevel, number>>
  /** Lines that the disk did not take. */
  readonly lost: number
}

export interface LogOptions {
  readonly level: LogLevel
  readonly format: 'text' | 'json'
  readonly now: () => number
  readonly write?: (line: string) => void
  readonly countLost?: () => number
}

export function makeLog({
  level,
  format,
  now,
  write = (line) => void process.stderr.write(line),
  countLost = () => 0,
}: LogOptions): Log {
  const least = logLevels.indexOf(level)
  const formatEvent = format === 'json' ? formatJson : formatText
  const lines = { error: 0, warn: 0, info: 0, debug: 0 }
  const writeEvent: WriteEvent = (name, message, fields) => {
    if (logLevels.indexOf(name) > least) return
    lines[name]++
    write(formatEvent(new Date(now()).toISOString(), name, message, fields))
  }
  return openLog(writeEvent, { readFigures: () => ({ lines: { ...lines }, lost: countLost() }) })
}

interface OpenLogOptions {
  /** A clock that does not jump. */
  readonly elapsedMs?: () => number
  readonly readFigures?: () => LogFigures
}

export function openLog(
  writeEvent: WriteEvent,
  { elapsedMs = () => performance.now(), readFigures = () => nothingWritten }: OpenLogOptions = {},
): Log {
  const writeAtLevel = (level: LogLevel) => (message: string, fields: EventFields) => writeEvent(level, message, fields)
  const occurrences = openOccurrences(writeEvent, elapsedMs)
  return {
    error: writeAtLevel('error'),
    warn: writeAtLevel('warn'),
    info: writeAtLevel('info'),
    debug: writeAtLevel('debug'),
    count: occurrences.count,
    tellCounts: occurrences.tell,
    figures: readFigures,
  }
}

const nothingWritten: LogFigures = { lines: { error: 0, warn: 0, info: 0, debug: 0 }, lost: 0 }

/** A line that no collector cuts: Docker's own limit is 16 KiB. */
const longestValue = 6_000

const cut = (text: string): string =>
  text.length <= longestValue ? text : `${text.slice(0, longestValue)}… (${text.length - longestValue} more characters)`

// Characters that JSON leaves alone and that end a line, steer a terminal or turn the direction of reading.
const unsafe = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const quote = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

const isPlain = /^[\x21\x23-\x3c\x3e-\x5b\x5d-\x7e]+$/

function formatJson(time: string, level: LogLevel, message: string, { event, ...fields }: EventFields): string {
  const shown = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value])
  return `${quote({ time, level, event, message: cut(message), ...Object.fromEntries(shown) })}\n`
}

/**
 * `name=value`, the event first. A value with a space, a quotation mark, an equals sign or a non-ASCII character is written as in JSON.
 */
function formatText(time: string, level: LogLevel, message: string, fields: EventFields): string {
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = cut(String(value))
    return ` ${name}=${isPlain.test(text) ? text : quote(text)}`
  })
  // Without the quotation marks around it, which messages of ours do not need.
  return `${time} ${level.padEnd(5)} ${quote(cut(message)).slice(1, -1).replaceAll('\\"', '"')}${shown.join('')}\n`
}
