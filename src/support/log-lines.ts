/**
 * What is told of the newest warnings and errors of a log: time, level, event, and fields that are numbers or words of
 * this program. No sentence: the texts of a log can quote anything.
 */
import { open } from 'node:fs/promises'
import { conditionNames } from '../condition-names.ts'
import { logEvents } from '../log-events.ts'

export interface ToldLine {
  readonly time: string
  readonly level: string
  readonly event: string
  readonly [field: string]: string | number | boolean
}

const mostBytes = 2_097_152
const mostLines = 200

/** The newest last. Errors: those of the file system. */
export async function readLastFaults(file: string): Promise<readonly ToldLine[]> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, mostBytes)
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return pickFaults(buffer.toString()).slice(-mostLines)
  } finally {
    await handle.close()
  }
}

export const pickFaults = (text: string): readonly ToldLine[] =>
  text.split('\n').flatMap((line) => {
    const told = readLine(line)
    return told ? [told] : []
  })

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const isEvent = (name: unknown): name is string => typeof name === 'string' && Object.hasOwn(logEvents, name)

function readLine(line: string): ToldLine | undefined {
  const fields = line.startsWith('{') ? parseJson(line) : parseText(line)
  if (!fields || typeof fields.time !== 'string' || !time.test(fields.time) || !isEvent(fields.event)) return undefined
  if (fields.level !== 'error' && fields.level !== 'warn') return undefined
  const { time: at, level, event, ...rest } = fields
  const kept = Object.entries(rest).flatMap(([name, value]) => {
    const safe = pickValue(name, value)
    return safe === undefined ? [] : [[name, safe] as const]
  })
  return { time: at as string, level: level as string, event: event as string, ...Object.fromEntries(kept) }
}

/** Fields with numbers that count or measure. A number of another name could be anything. */
const measured =
  /^(?:count|status|exitCode|tookMs|durationMs|waitedMs|seconds|ms|bytes|pages|freeMiB|lost|lines|spans|pid|attempts)$/

function pickValue(name: string, value: unknown): string | number | boolean | undefined {
  if (name === 'condition') return conditionNames.find((known) => known === value)
  if (name === 'error' && typeof value === 'string') return pickPlaces(value)
  if (!measured.test(name)) return undefined
  const number = typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number < 1e12 ? number : undefined
}

/** The kind of the error, and where in this program it was thrown. */
function pickPlaces(stack: string): string | undefined {
  const kind = /^(?:Error|TypeError|RangeError|SyntaxError|ReferenceError|SQLiteError|AggregateError)\b/.exec(
    stack,
  )?.[0]
  const places = [...stack.matchAll(/\/\$bunfs\/root\/proofgate:(\d{1,7}:\d{1,7})/g)].map(([, place]) => place)
  return kind === undefined && places.length === 0 ? undefined : [kind ?? 'Error', ...places].join(' at ')
}

function parseJson(line: string): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(line)
    return parsed !== null && typeof parsed === 'object' ? parsed : undefined
  } catch {
    return undefined
  }
}

/** `2026-01-01T00:00:00.000Z error the message event=name key=value` */
function parseText(line: string): Record<string, unknown> | undefined {
  const [, at, level, rest = ''] = /^(\S+) (error|warn) +(.*)$/.exec(line) ?? []
  if (at === undefined) return undefined
  const fields = [...rest.matchAll(/ (\w+)=("(?:[^"\\]|\\.)*"|\S+)/g)].map(([, name, value = '']) => [
    name,
    value.startsWith('"') ? (parseQuoted(value) ?? '') : value,
  ])
  return { ...Object.fromEntries(fields), time: at, level }
}

function parseQuoted(text: string): string | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
