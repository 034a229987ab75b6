/**
 * Handles every observable end of the process: signals, uncaught errors, and a log without a reader. Each is logged
 * before an orderly end within bounded time.
 */
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Log } from '../log.ts'
import { describeError } from '../log-event.ts'
import { exitCodes } from './command.ts'
import { endProcess } from './end-process.ts'

export interface Ending {
  readonly exitCode: number
  /** The note for the next start. Undefined after a requested stop. */
  readonly why: string | undefined
}

export interface ProcessWatch {
  /** Resolves when the process has to end. */
  readonly ending: Promise<Ending>
  /** Everything is closed and stored: ends the process now. A signal in the meantime changes nothing. */
  end(exitCode: number): Promise<never>
  /** Releases the process: it ends when its work is done. */
  release(): void
}

export interface WatchOptions {
  readonly log: Log
  /** The time limit of the end. */
  readonly waitMs: number
  /** Keeps the note for the next start. It may never finish on a hanging disk. */
  noteEnding(why: string): Promise<void>
  /** Resolves when the log is written. */
  flushLog(): Promise<void>
  /** Undefined where the log goes to standard error. */
  readonly reopenLog: (() => void) | undefined
}

/** These signals ask for a clean stop. After the others the exit code is that of the signal, as in a shell. */
const askToStop: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']
const endTheProcess: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGQUIT',
  'SIGABRT',
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGXCPU',
]
/**
 * These would end the process, which their senders never want. After SIGXFSZ the write itself fails. SIGUSR1 opens a log
 * file anew.
 */
const changeNothing: readonly NodeJS.Signals[] = ['SIGUSR1', 'SIGUSR2', 'SIGXFSZ']

/** npm and some shells deliver one Ctrl+C twice. */
const sameSignalMs = 300
/** For writing the last note: the disk may be broken. */
const noteWithinMs = 1_000

export function watchProcess({ log, waitMs, noteEnding, flushLog, reopenLog }: WatchOptions): ProcessWatch {
  const { promise: ending, resolve } = Promise.withResolvers<Ending>()
  let askedAt: number | undefined
  let isReleased = false

  /** The first signal starts the end; a later one is logged and changes nothing. */
  function ask(end: Ending): void {
    if (askedAt !== undefined) return
    askedAt = performance.now()
    // It must not keep alive a process that has ended otherwise.
    setTimeout(() => {
      if (isReleased) return
      log.error(`the server did not stop within ${waitMs / 1000} s and is cut off`, {
        event: 'stop-cut-off',
        mend: 'see whether the disk of the data folder answers; nothing that was acknowledged is lost',
      })
      void endNow(exitCodes.cutOff, 'it did not stop in time and was cut off')
    }, waitMs).unref()
    resolve(end)
    if (end.why !== undefined) noteEnding(end.why).catch(() => {})
  }

  const boundTime = (work: Promise<unknown>): Promise<unknown> =>
    Promise.race([work, new Promise((done) => setTimeout(done, noteWithinMs))])

  async function endNow(exitCode: number, why: string): Promise<void> {
    log.tellCounts(true)
    await boundTime(Promise.all([noteEnding(why).catch(() => {}), flushLog()]))
    endProcess(exitCode)
  }

  function hearSignal(signal: NodeJS.Signals): void {
    if (isReleased) return
    if (signal === 'SIGUSR1' && reopenLog) {
      reopenLog()
      return
    }
    if (changeNothing.includes(signal)) {
      log.warn(`${signal} came and changes nothing`, {
        event: 'signal-ignored',
        mend: 'stop with SIGTERM; settings are read at the start, and a log file is opened anew by SIGUSR1 alone',
      })
      return
    }
    const code = 128 + (constants.signals[signal] ?? 0)
    if (askedAt === undefined) {
      const isClean = askToStop.includes(signal)
      log[isClean ? 'info' : 'warn'](`${signal} came: the server stops`, {
        event: 'signal-received',
        ...(isClean ? {} : { exitCode: code }),
      })
      ask({ exitCode: isClean ? exitCodes.done : code, why: undefined })
    } else if (performance.now() - askedAt > sameSignalMs) {
      log.warn(`${signal} came during the stop: the server ends at once`, { event: 'stop-cut-short', exitCode: code })
      void endNow(code, `${signal} came during the stop`)
    }
  }

  function hearError(error: unknown): void {
    log.count({
      level: 'error',
      event: 'error-uncaught',
      message: 'an error was caught nowhere: the server stops',
      error,
      fields: {
        exitCode: exitCodes.fault,
        mend: 'a fault of the program: have a supervisor start it again, and report this with the stack',
      },
    })
    ask({ exitCode: exitCodes.fault, why: `an error was caught nowhere: ${describeError(error).slice(0, 2_000)}` })
  }

  function hearRejection(reason: unknown): void {
    // The server continues: the failed promise is dropped as a whole. Ending here would let a request end the server.
    log.count({
      level: 'error',
      event: 'rejection-unhandled',
      message: 'work failed that nobody waits for',
      error: reason,
      fields: { mend: 'a fault of the program: the server goes on; report this with the stack' },
    })
  }

  function hearExit(exitCode: number): void {
    // The end was neither requested nor released: something called process.exit(), or no work was left.
    if (!isReleased) log.error('the process ends without having been stopped', { event: 'exit-unexpected', exitCode })
  }

  const listeners = [...askToStop, ...endTheProcess, ...changeNothing]
    .filter((signal) => !isIgnored(signal))
    .map((signal) => [signal, () => hearSignal(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  process.on('uncaughtException', hearError)
  process.on('unhandledRejection', hearRejection)
  process.on('exit', hearExit)
  // Otherwise a log without a reader ends the process silently, with exit code 0.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)

  return {
    ending,
    async end(exitCode) {
      isReleased = true
      await boundTime(flushLog())
      return endProcess(exitCode)
    },
    release() {
      isReleased = true
      for (const [signal, listener] of listeners) process.off(signal, listener)
      process.off('uncaughtException', hearError)
      process.off('unhandledRejection', hearRejection)
      process.off('exit', hearExit)
    },
  }
}

const ignore = (): void => {}

/** nohup and some supervisors make the process ignore a signal, which a listener would undo. */
function isIgnored(signal: NodeJS.Signals): boolean {
  const number = constants.signals[signal]
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    // The runtime itself ignores SIGXFSZ.
    if (mask === undefined || number === undefined || signal === 'SIGXFSZ') return false
    return ((BigInt(`0x${mask}`) >> BigInt(number - 1)) & 1n) === 1n
  } catch {
    return false
  }
}
