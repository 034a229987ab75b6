/** Options on the command line, strictly: an unknown one is an error, not a value. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './command.ts'

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
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0]! : String(error))
  }
}
