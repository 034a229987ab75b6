#!/usr/bin/env bun
import { type Command, exitCodes, type Terminal, UsageError } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { palette } from './commands/palette.ts'
import { ConfigError } from './config/load.ts'
import { LockedError } from './db/lock.ts'
import { MasterKeyError } from './db/master-key.ts'
import { MigrationError } from './db/migrate.ts'
import { ListenError } from './start.ts'
/** The process: finds the command, runs it, ends with its exit code. Nothing else reads argv or the environment. */
import { CatalogError } from './verifiers/index.ts'
import { version } from './version.ts'

const terminal: Terminal = {
  env: Bun.env,
  cwd: process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isPerson: process.stdout.isTTY === true && !Bun.env.NO_COLOR,
}

process.exitCode = await main(process.argv.slice(2), terminal)

async function main(args: readonly string[], { out, err }: Terminal): Promise<number> {
  const [first = 'serve', ...rest] = args
  if (first === '--version' || first === 'version') {
    out(`proofgate ${version}\n`)
    return exitCodes.done
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    out(helpFor(rest[0]))
    return exitCodes.done
  }
  // `proofgate --config x` is `proofgate serve --config x`.
  const name = first.startsWith('-') ? 'serve' : first
  const command = commands.find((one) => one.name === name)
  if (!command) {
    err(`There is no command "${name}". proofgate --help lists them.\n`)
    return exitCodes.usage
  }
  const own = first.startsWith('-') ? args : rest
  if (own.includes('--help') || own.includes('-h')) {
    out(helpFor(name))
    return exitCodes.done
  }
  try {
    return await command.run(own, terminal)
  } catch (error) {
    return explain(error, command)
  }
}

/** Faults a person can mend, in a sentence; all others with their stack. */
function explain(error: unknown, command: Command): number {
  const { red } = palette(process.stderr.isTTY === true && !Bun.env.NO_COLOR)
  const say = (message: string): void => terminal.err(`${red('proofgate:')} ${message}\n`)
  if (error instanceof UsageError) {
    say(`${error.message}. See proofgate ${command.name} --help`)
    return exitCodes.usage
  }
  if (error instanceof ConfigError || error instanceof CatalogError) {
    say(error.message)
    return exitCodes.configuration
  }
  if (
    error instanceof LockedError ||
    error instanceof ListenError ||
    error instanceof MigrationError ||
    error instanceof MasterKeyError
  ) {
    say(error.message)
    return exitCodes.unavailable
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return exitCodes.negative
}

function helpFor(name: string | undefined): string {
  const command = commands.find((one) => one.name === name)
  if (command)
    return [`proofgate ${command.name} ${command.usage}`, '', command.summary, '', ...command.help, ''].join('\n')
  const width = Math.max(...commands.map((one) => one.name.length)) + 2
  return [
    `Proofgate ${version}: wallet-signed claims become portable proofs.`,
    '',
    'proofgate [command] [options]',
    '',
    ...commands.map((one) => `  ${one.name.padEnd(width)}${one.summary}`),
    '',
    'proofgate <command> --help shows options and exit codes. Settings: config.example.toml.',
    '',
  ].join('\n')
}
