/** Commands of several steps: `proofgate keys create`, `proofgate keys list`. */
import { suggestNearest } from '../config/suggest.ts'
import { type Terminal, UsageError } from './command.ts'

export type Step = (args: readonly string[], terminal: Terminal) => Promise<number>

/** Runs the step that is named first. Errors: UsageError for one that there is not. */
export function runStep(
  command: string,
  steps: Readonly<Record<string, Step>>,
  [name, ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const step = name !== undefined && Object.hasOwn(steps, name) ? steps[name] : undefined
  if (step) return step(args, terminal)
  const names = Object.keys(steps)
  if (name === undefined || name.startsWith('-'))
    throw new UsageError(`the step is missing: give one of ${names.join(', ')}`)
  const meant = suggestNearest(name, names)
  throw new UsageError(
    `there is no "${command} ${name.slice(0, 40)}"${meant ? `; did you mean "${meant}"?` : `: there is ${names.join(', ')}`}`,
  )
}
