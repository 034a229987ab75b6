/** What every command of the executable shares: how it is described, called and answered. */

/** The process as a command sees it. Tests hand in their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Unix milliseconds. */
  now(): number
  /** Standard input, for commands that are told to read it. */
  input(): AsyncIterable<Uint8Array>
  out(text: string): void
  err(text: string): void
  /** True when a person reads standard output: only then are colours used. */
  readonly isPerson: boolean
  /** Width of the terminal. Undefined where standard output is none. */
  readonly columns?: number | undefined
}

export interface Command {
  readonly name: string
  /** What comes after the name, for --help. */
  readonly usage: string
  readonly summary: string
  /** Lines of --help below the usage: options and exit codes. */
  readonly help: readonly string[]
  /** Resolves to the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

export const exitCodes = {
  done: 0,
  /** The answer is no: not valid, not healthy. */
  negative: 1,
  /** The call makes no sense: unknown option, missing or unusable file. */
  usage: 2,
  /** Something this command needs is not there or does not answer (sysexits.h EX_UNAVAILABLE). */
  unavailable: 69,
  /** An error that nothing caught: a fault of the program (sysexits.h EX_SOFTWARE). */
  fault: 70,
  /** The disk of the data folder does not answer: the server ended, the command was given up (sysexits.h EX_IOERR). */
  storage: 74,
  /** The server did not stop in time, and was cut off (sysexits.h EX_TEMPFAIL). */
  cutOff: 75,
  /** The configuration is wrong (sysexits.h EX_CONFIG). */
  configuration: 78,
} as const

/** The call of a command makes no sense. The message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the command needs is not there: a folder, a server. The message says what to do about it. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}
