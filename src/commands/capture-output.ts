/** Turns output that libraries print themselves into lines of the log, so that every line has one form. */
import { format } from 'node:util'
import type { Log } from '../log.ts'

const methods = {
  error: 'error',
  trace: 'error',
  assert: 'error',
  warn: 'warn',
  log: 'info',
  info: 'info',
  dir: 'info',
  table: 'info',
  debug: 'debug',
} as const

/** Returns a function that undoes it. */
export function captureOutput(log: Log): () => void {
  const printed = Object.entries(methods).map(([name, level]) => {
    const before = console[name as keyof typeof methods]
    const tell = (...said: unknown[]): void => {
      const text = format(...said)
      if (level === 'debug') log.debug('a library printed', { event: 'library-output', text })
      // Grouped by their first words: different numbers do not make another kind.
      else
        log.count({
          level,
          event: 'library-output',
          message: 'a library printed',
          kind: text.slice(0, 40),
          fields: { text },
        })
    }
    Object.assign(console, {
      [name]: name === 'assert' ? (holds: unknown, ...said: unknown[]) => holds || tell(...said) : tell,
    })
    return () => Object.assign(console, { [name]: before })
  })
  const emitBefore = process.emitWarning
  process.emitWarning = (warning: string | Error) => {
    const text = warning instanceof Error ? `${warning.name}: ${warning.message}` : String(warning)
    log.count({
      level: 'warn',
      event: 'runtime-warning',
      message: 'the runtime warns',
      kind: text.slice(0, 80),
      fields: { text },
    })
  }
  return () => {
    for (const undo of printed) undo()
    process.emitWarning = emitBefore
  }
}
