#!/usr/bin/env bun
/**
 * The process: finds the command, runs it, and ends with its exit code. No other file reads argv or the environment.
 */
import { type CommandEntry, exitCodes, type Terminal } from './commands/command.ts'
import { commands, findCommand } from './commands/index.ts'
import { runCommand } from './commands/run-command.ts'
import { wrapText } from './commands/wrap.ts'
import { suggestNearest } from './config/suggest.ts'
import { version } from './version.ts'

const terminal: Terminal = {
  env: Bun.env,
  cwd: process.cwd(),
  now: Date.now,
  input: () => Bun.stdin.stream(),
  out: (text) => void process.stdout.write(text),
  outBytes: (bytes) =>
    new Promise((resolve, reject) => {
      // Told twice: without somebody who listens, the event would end the process.
      process.stdout.once('error', reject)
      process.stdout.write(bytes, (error) => {
        if (error) return reject(error)
        process.stdout.off('error', reject)
        resolve()
      })
    }),
  err: (text) => void process.stderr.write(text),
  isPerson: process.stdout.isTTY === true && !Bun.env.NO_COLOR,
  columns: process.stdout.columns,
}

const waitForOutputMs = 500
let outputFault: string | undefined

// Databases and proofs are for the user who runs this, whatever their folder allows.
process.umask(0o077)
// A proxy for the world outside must not get to see what the demo asks of its own server.
for (const name of ['NO_PROXY', 'no_proxy'])
  process.env[name] = [process.env[name], '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(',')

process.stdout.on('error', hearOutputFault)
process.exitCode = await runCommandLine(process.argv.slice(2), terminal)
if (outputFault !== undefined) tellOutputFault(outputFault)
const { unavailable, fault, storage } = exitCodes
if ([unavailable, fault, storage].some((code) => code === process.exitCode)) endWhenWritten()

/** A connection on which nobody answers, or an upload that was given up, would keep the process alive. */
function endWhenWritten(): void {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) endWhenWritten()
    else process.exit()
  }, waitForOutputMs).unref()
}

/** It comes after the write, and may come after the command has ended. A reader that stops early, such as head, is none. */
function hearOutputFault({ code = 'unknown' }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || outputFault !== undefined) return
  outputFault = code
  if (process.exitCode !== undefined) tellOutputFault(code)
}

function tellOutputFault(code: string): void {
  if (process.exitCode !== exitCodes.done) return
  terminal.err(`proofgate: standard output cannot be written (${code})\n`)
  process.exitCode = exitCodes.unavailable
}

async function runCommandLine(args: readonly string[], { out, err }: Terminal): Promise<number> {
  const [first = 'serve', ...rest] = args
  if (first === '--version') {
    out(`proofgate ${version}\n`)
    return exitCodes.done
  }
  const asksForHelp = first === '--help' || first === '-h' || first === 'help'
  if (asksForHelp && rest.length === 0) {
    out(writeOverview())
    return exitCodes.done
  }
  // `proofgate --config x` is `proofgate serve --config x`.
  const name = asksForHelp ? rest[0]! : first.startsWith('-') ? 'serve' : first
  const command = findCommand(name)
  if (!command) {
    err(refuseUnknownCommand(name))
    return exitCodes.usage
  }
  const own = first.startsWith('-') ? args : rest
  if (asksForHelp || own.includes('--help') || own.includes('-h')) {
    out(writeHelp(command))
    return exitCodes.done
  }
  const { isTTY, columns } = process.stderr
  return runCommand(command, own, terminal, { hasColors: isTTY === true && !Bun.env.NO_COLOR, columns })
}

function refuseUnknownCommand(name: string): string {
  const meant = suggestNearest(name, [...commands.map((one) => one.name), 'help'])
  return `There is no command "${name}"${meant ? `; did you mean "${meant}"?` : '.'} proofgate --help lists them.\n`
}

function writeHelp({ name, summary, usage, help }: CommandEntry): string {
  return [wrapText(`proofgate ${name} ${usage}`, { hang: 2 }), '', wrapText(summary), '', ...help, ''].join('\n')
}

function writeOverview(): string {
  const width = Math.max(...commands.map((one) => one.name.length)) + 2
  return [
    `Proofgate ${version}: wallet-signed claims become portable proofs.`,
    '',
    'proofgate [command] [options]',
    '',
    ...commands.map((one) => `  ${one.name.padEnd(width)}${wrapText(one.summary, { hang: width + 2 })}`),
    '',
    'proofgate <command> --help shows its options.',
    'New here? proofgate demo needs nothing and changes nothing.',
    'proofgate guide lists the guides; a running server has them at /docs/guides.',
    'Settings are variables (PROOFGATE_PORT=80) or lines of proofgate.toml.',
    'config.example.toml has them all.',
    '',
    'Exit codes: 0 done, 1 the answer is no, 2 wrong call, 69 something needed is not there,',
    '70 a fault of the program, 74 the disk does not answer, 75 a stop that was cut off,',
    '78 wrong configuration.',
    'proofgate serve --help says more about those of the server.',
    '',
  ].join('\n')
}
