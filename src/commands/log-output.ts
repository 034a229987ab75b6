/** Where the log of a server goes: to standard error, or into the file of log.file. */
import type { Config } from '../config/schema.ts'
import { type Log, makeLog } from '../log.ts'
import { type LogFile, openLogFile } from '../log-file.ts'
import { UnavailableError } from './command.ts'

export interface LogOutput {
  readonly log: Log
  /** Opens the file again. Undefined for standard error. */
  readonly reopen: (() => void) | undefined
  /** Resolves when everything told so far is written. */
  flush(): Promise<void>
}

/** Errors: UnavailableError, for a file that cannot be opened. */
export function openLogOutput(settings: Config['log'], now: () => number): LogOutput {
  const { file } = settings
  if (file === undefined) return { log: makeLog({ ...settings, now }), reopen: undefined, flush: flushStandardError }
  const output = requireLogFile(file, (count) =>
    log.warn('lines of the log were lost, because its disk did not take them', {
      event: 'log-lines-lost',
      lines: count,
      mend: 'free space on the disk of log.file, or see why it does not answer',
    }),
  )
  const log = makeLog({ ...settings, now, write: output.write, countLost: output.countLost })
  return {
    log,
    reopen() {
      output.reopen()
      log.info('the log goes on in the file of this name, as it was asked for', { event: 'log-reopened', file })
    },
    flush: output.flush,
  }
}

function requireLogFile(file: string, tellLost: (count: number) => void): LogFile {
  try {
    return openLogFile(file, {
      tellLost,
      tellRefused: (reason) =>
        void process.stderr.write(`proofgate: the log file ${file} is not written (${reason}): lines may be lost\n`),
    })
  } catch (error) {
    throw new UnavailableError(
      `the log file ${file} cannot be opened (${error instanceof Error ? error.message : String(error)}): let this user write it, or choose another one with PROOFGATE_LOG_FILE (setting "log.file")`,
    )
  }
}

const flushStandardError = (): Promise<void> => new Promise((done) => process.stderr.write('', () => done()))
