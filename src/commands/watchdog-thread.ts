/**
 * The thread that watches the main one. It uses no disk and loads nothing after its start: either might wait for the
 * hanging disk.
 */
import { writeSync } from 'node:fs'
import { makeLog } from '../log.ts'
import { exitCodes } from './command.ts'
import { loadProcessEnd } from './end-process.ts'
import { lookAtMainThread, type MainThread } from './main-thread.ts'
import { stopped, type WatchdogOrder } from './watchdog.ts'

declare const self: Worker

/** Writes the log line, which may go to the hanging disk. */
const lastLineSeconds = 2

self.onmessage = ({ data }: MessageEvent<WatchdogOrder>) => watch(data)

function watch({ beats, folder, log: settings, timeoutMs, tickMs }: WatchdogOrder): void {
  const log = makeLog({ ...settings, now: Date.now, write: writeNow })
  const processEnd = loadProcessEnd()
  const seconds = timeoutMs / 1_000
  let seen: number | undefined
  let tickedAt = performance.now()
  /** The time since the last beat, and the part of it in which the main thread waited for the disk. */
  let silentMs = 0
  let waitedMs = 0
  let last: MainThread | undefined
  let isReported = false

  setInterval(() => {
    const at = performance.now()
    // Counts only the time in which this thread ran: a stopped process or machine does not hang on a disk.
    const passedMs = Math.min(at - tickedAt, 2 * tickMs)
    tickedAt = at
    const beat = Atomics.load(beats, 0)
    if (beat !== seen || beat === stopped) {
      seen = beat
      silentMs = waitedMs = 0
      last = undefined
      isReported = false
      return
    }
    silentMs += passedMs
    const now = lookAtMainThread(folder)
    const hasWaited = now.waitsForDisk !== undefined && now.runs !== undefined && now.runs === last?.runs
    waitedMs = hasWaited ? waitedMs + passedMs : 0
    last = now
    if (waitedMs >= timeoutMs && now.waitsForDisk !== undefined) end(now.waitsForDisk)
    if (silentMs < timeoutMs || waitedMs > 0 || isReported) return
    isReported = true
    tellSilence(now)
  }, tickMs)

  function end(waitsFor: string): never {
    processEnd.within(lastLineSeconds)
    log.error(`the disk has not answered for ${seconds} s, and the server waits for it and answers nobody: it ends`, {
      event: 'disk-hung',
      condition: 'disk-hangs',
      waitsFor,
      exitCode: exitCodes.storage,
      setting: 'storage.write_timeout_seconds',
      mend: 'Look at the disk of the data folder, then start again. Nothing that was acknowledged is lost. On a frozen file system the process ends when that is thawed',
    })
    return processEnd.now(exitCodes.storage)
  }

  /** The server continues: ending it helps only against a hanging disk. */
  function tellSilence({ isComputing, waitsForDisk, runs }: MainThread): void {
    log.warn(`the server has answered nobody for ${seconds} s`, {
      event: 'server-silent',
      doing:
        waitsForDisk !== undefined
          ? `it reads much from a slow disk (${waitsForDisk})`
          : isComputing
            ? 'it computes'
            : runs === undefined
              ? 'this system does not tell what it does'
              : 'it waits for something other than the disk',
      mend: 'it goes on by itself when that is done. If it does not, restart it, and report what it was asked to do',
    })
  }
}

/** Not through process.stderr, which may leave the write to the main thread. */
function writeNow(line: string): void {
  try {
    writeSync(2, line)
  } catch {
    // The log has no reader any more.
  }
}
