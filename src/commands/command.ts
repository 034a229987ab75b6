/** The parts that every command of the executable shares: description, call and exit code. */

/** The process as a command sees it. Tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Unix milliseconds. */
  now(): number
  /** Standard input, for commands that read it. */
  input(): AsyncIterable<Uint8Array>
  out(text: string): void
  /** Standard output for what is no text. Rejects where nobody reads it any more. */
  outBytes(bytes: Uint8Array): Promise<void>
  err(text: string): void
  /** True when a person reads standard output: colors are used only then. */
  readonly isPerson: boolean
  /** Width of the terminal. Undefined when standard output is not a terminal. */
  readonly columns?: number | undefined
}

/** What --help says of a command. The rest loads when the command runs. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** The text after the name, for --help. */
  readonly usage: string
  /** Lines of --help below the usage: options and exit codes. */
  readonly help: readonly string[]
  load(): Promise<Command>
}

export interface Command {
  /** Resolves to the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

export const exitCodes = {
  done: 0,
  /** The answer is no: not valid, not healthy. */
  negative: 1,
  /** The call is invalid: unknown option, missing or unusable file. */
  usage: 2,
  /** Something that this command needs is missing or does not answer (sysexits.h EX_UNAVAILABLE). */
  unavailable: 69,
  /** An uncaught error: a fault of the program (sysexits.h EX_SOFTWARE). */
  fault: 70,
  /** The disk of the data folder does not answer: the server ended, or the command gave up (sysexits.h EX_IOERR). */
  storage: 74,
  /** The server did not stop in time, and was killed (sysexits.h EX_TEMPFAIL). */
  cutOff: 75,
  /** The configuration is wrong (sysexits.h EX_CONFIG). */
  configuration: 78,
} as const

/** The call of a command is invalid. The message names a valid one. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that the command needs is missing: a folder, a server. The message says what to do. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}
