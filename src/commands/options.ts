/** Options on the command line, strictly: an unknown one is an error, not a value. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, loadConfig } from '../config/load.ts'
import { nameVariable } from '../config/outline.ts'
import { suggestNearest } from '../config/suggest.ts'
import { settings } from '../settings.ts'
import { type Terminal, UsageError } from './command.ts'

type OptionTable = NonNullable<ParseArgsConfig['options']>

/** Errors: UsageError. */
export function readOptions<const Options extends OptionTable>(
  args: readonly string[],
  options: Options,
  maxPositionals = 0,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: maxPositionals > 0, strict: true })
    if (parsed.positionals.length > maxPositionals)
      throw new UsageError(`"${parsed.positionals[maxPositionals]}" is one argument too many`)
    return parsed
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(describeProblem(error, Object.keys(options)))
  }
}

function describeProblem(error: unknown, known: readonly string[]): string {
  const message = error instanceof Error ? error.message.split('. ')[0]! : String(error)
  const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const name = unknown.replace(/^-+/, '')
  const setting = suggestNearest(name, Object.keys(settings.properties))
  const option = suggestNearest(name, known)
  if (option) return `there is no option ${unknown}; did you mean --${option}?`
  // `--port 80` is a common first attempt.
  return setting && setting === name.replaceAll('-', '_')
    ? `there is no option ${unknown}: "${setting}" is a setting, given by the variable ${nameVariable([setting])} or in proofgate.toml`
    : `there is no option ${unknown}`
}

/** The options of every command that works on a data folder. */
export const commonOptions = { config: { type: 'string' }, json: { type: 'boolean' } } as const

/** Of jobs that the server also does by itself. A call does one anyway, and --once only says so in a crontab. */
export const jobOptions = { ...commonOptions, once: { type: 'boolean' } } as const

/** The configuration that --config names, or the one beside the data folder. Errors: as loadConfig. */
export const loadNamedConfig = (
  { config }: { readonly config?: string | undefined },
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<Config> => loadConfig({ file: config, env, cwd })

/** `what`: the name of the argument for people. Errors: UsageError. */
export function requireArgument(text: string | undefined, what: string): string {
  if (text === undefined || text === '') throw new UsageError(`name ${what}`)
  return text
}
