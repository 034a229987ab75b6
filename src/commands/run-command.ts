/** Runs a command to its exit code, and tells a failure in one way for all commands: a sentence, and JSON where asked. */
import { describeError } from '../log-event.ts'
import { type CommandEntry, exitCodes, type Terminal } from './command.ts'
import { makePalette } from './palette.ts'
import { wrapText } from './wrap.ts'

/** A failure for whoever asked for JSON, and reads standard output alone. */
export const writeFailure = (exitCode: number, error: string): string =>
  `${JSON.stringify({ ok: false, exitCode, error })}\n`

/** How the terminal shows errors. */
export interface ErrorStyle {
  readonly hasColors: boolean
  /** Undefined where a program reads them, for example a journal that is searched: lines are not broken then. */
  readonly columns: number | undefined
}

export async function runCommand(
  { name, load }: CommandEntry,
  args: readonly string[],
  terminal: Terminal,
  { hasColors, columns }: ErrorStyle,
): Promise<number> {
  try {
    const command = await load()
    return await command.run(args, terminal)
  } catch (error) {
    const { red } = makePalette(hasColors)
    // It knows the errors of nearly every folder, and few calls fail.
    const { explainFault } = await import('./explain.ts')
    const { exitCode, says } = explainFault(error, name) ?? {
      exitCode: exitCodes.fault,
      says: `a fault of the program: report it with these lines\n${describeError(error)}`,
    }
    terminal.err(
      `${red('proofgate:')} ${columns && exitCode !== exitCodes.fault ? wrapText(says, { hang: 11, columns }) : says}\n`,
    )
    if (args.includes('--json')) terminal.out(writeFailure(exitCode, says))
    return exitCode
  }
}
