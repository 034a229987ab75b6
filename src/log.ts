/** Lines for the operator, on standard error. Never signatures, tokens, keys or content. */
export interface Log {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

const levels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof levels)[number]

export interface LogOptions {
  readonly level: LogLevel
  readonly format: 'text' | 'json'
  readonly now: () => number
  readonly write?: (line: string) => void
}

export function logTo({ level, format, now, write = (line) => process.stderr.write(line) }: LogOptions): Log {
  const least = levels.indexOf(level)
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(name) > least) return
      const time = new Date(now()).toISOString()
      write(
        format === 'json'
          ? `${JSON.stringify({ time, level: name, message, ...fields })}\n`
          : `${time} ${name.padEnd(5)} ${message}${Object.entries(fields)
              .map(([key, value]) => ` ${key}=${value}`)
              .join('')}\n`,
      )
    }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}
