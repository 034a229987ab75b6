/**
 * Writes the log into a file. No caller waits for the disk: lines wait in memory, up to a limit. What the disk does not
 * take is lost and counted, and the server goes on.
 *
 * The file is opened again where it was renamed or removed, and when that is asked for: as programs that rotate logs
 * need it.
 */
import { closeSync, fstat, open, openSync, stat, write as writeToFile } from 'node:fs'
import { promisify } from 'node:util'

export interface LogFile {
  write(line: string): void
  /** Opens the file by its name again, before the next line. */
  reopen(): void
  /** Resolves when everything is written that can be. */
  flush(): Promise<void>
  countLost(): number
  close(): Promise<void>
}

export interface LogFileOptions {
  /** The disk takes lines again: so many were lost. */
  readonly tellLost: (count: number) => void
  /** Once for each time that the disk begins to refuse: the log itself cannot tell it. */
  readonly tellRefused: (reason: string) => void
}

/** Some seconds of a busy access log. */
const mostWaitingBytes = 4_194_304
const lookEveryMs = 1_000
/** A log may be read by its group, as the mask of the process allows. */
const mode = 0o640

const [openFile, statFile, statHandle] = [promisify(open), promisify(stat), promisify(fstat)]

/** Errors: those of the file system. */
export function openLogFile(file: string, { tellLost, tellRefused }: LogFileOptions): LogFile {
  let handle = openSync(file, 'a', mode)
  let waiting: string[] = []
  let waitingBytes = 0
  let writing: Promise<void> | undefined
  let mustReopen = false
  let isLooking = false
  let isRefused = false
  let isUnopened = false
  /** The disk took the beginning of a line only. */
  let isCut = false
  let lost = 0
  let untold = 0

  function lose(lines: number): void {
    lost += lines
    untold += lines
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting
      waiting = []
      waitingBytes = 0
      if (mustReopen) await openAgain()
      await writeLines(lines)
    }
    writing = undefined
  }

  async function writeLines(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(`${isCut ? '\n' : ''}${lines.join('')}`)
    let at = 0
    try {
      while (at < bytes.length) at += await append(handle, bytes.subarray(at))
      isCut = isRefused = false
    } catch (error) {
      isCut ||= at > 0
      lose(lines.length)
      if (!isRefused) tellRefused(error instanceof Error ? error.message : String(error))
      isRefused = true
      return
    }
    if (untold === 0) return
    const count = untold
    untold = 0
    tellLost(count)
  }

  async function openAgain(): Promise<void> {
    mustReopen = false
    try {
      const before = handle
      handle = await openFile(file, 'a', mode)
      isCut = isUnopened = false
      closeSync(before)
    } catch (error) {
      // The lines go on into the file as it was opened before.
      if (!isUnopened) tellRefused(error instanceof Error ? error.message : String(error))
      isUnopened = true
    }
  }

  /** One look at a time: a disk that hangs answers none. */
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const [named, held] = await Promise.all([statFile(file).catch(() => undefined), statHandle(handle)])
      if (named?.ino !== held.ino || named?.dev !== held.dev) mustReopen = true
    } catch {
      // The next look may find out.
    } finally {
      isLooking = false
    }
  }
  const looking = setInterval(look, lookEveryMs)
  looking.unref()

  const flush = async (): Promise<void> => {
    while (writing) await writing
  }
  return {
    write(line) {
      if (waitingBytes + line.length > mostWaitingBytes) return lose(1)
      waiting.push(line)
      waitingBytes += line.length
      writing ??= drain()
    },
    reopen() {
      mustReopen = true
    },
    flush,
    countLost: () => lost,
    async close() {
      clearInterval(looking)
      await flush()
      closeSync(handle)
    },
  }
}

const append = (handle: number, bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) =>
    writeToFile(handle, bytes, 0, bytes.length, null, (error, written) => (error ? reject(error) : resolve(written))),
  )
