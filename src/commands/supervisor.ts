/**
 * Tells the program that started the server how it goes: systemd by NOTIFY_SOCKET and WATCHDOG_USEC, s6 and others by a
 * line on an open file (--ready-fd).
 */
import { closeSync, fstatSync, writeSync } from 'node:fs'
import { readHeartbeat } from '../health/heartbeat-store.ts'
import type { Log } from '../log.ts'
import type { RunningServer } from '../start.ts'
import { UsageError } from './command.ts'
import { openNotifySocket } from './notify-socket.ts'

export interface Supervisor {
  /** The server listens. From now on the watchdog of the supervisor is fed. */
  tellReady(server: SupervisedServer): void
  /** The stop has begun, and may take this long. */
  tellStopping(withinSeconds: number): void
  /** Ends what goes on by itself. */
  release(): void
}

export type SupervisedServer = Pick<RunningServer, 'addresses' | 'parts'>

interface SupervisorOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Value of --ready-fd. */
  readonly readyFd: string | undefined
  readonly log: Log
}

/** How soon the supervisor learns that the server is not ready any more. */
const statusEveryMs = 10_000

/** Errors: UsageError for a file descriptor that is not open. */
export function openSupervisor({ env, readyFd, log }: SupervisorOptions): Supervisor {
  const descriptor = readyFd === undefined ? undefined : parseDescriptor(readyFd)
  const socket = env.NOTIFY_SOCKET ? openNotifySocket(env.NOTIFY_SOCKET) : undefined
  if (env.NOTIFY_SOCKET && !socket) warnUnheard(log, env.NOTIFY_SOCKET)
  const watchedMs = readWatchedMs(env)
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    tellReady(server) {
      if (descriptor !== undefined) writeReadyLine(descriptor, log)
      if (!socket) return
      let told = writeStatus(server)
      if (!socket.send(['READY=1', `STATUS=${told}`])) warnUnheard(log, env.NOTIFY_SOCKET!)
      const report = async (): Promise<void> => {
        const status = writeStatus(server)
        const lines = [
          ...(status === told ? [] : [`STATUS=${status}`]),
          ...(watchedMs !== undefined && (await isWorking(server, watchedMs)) ? ['WATCHDOG=1'] : []),
        ]
        // What the manager did not take is told again.
        if (lines.length > 0 && socket.send(lines)) told = status
      }
      timer = setInterval(() => void report(), Math.min(statusEveryMs, (watchedMs ?? Number.POSITIVE_INFINITY) / 2))
      timer.unref()
    },
    tellStopping(withinSeconds) {
      clearInterval(timer)
      // The manager would kill a stop that takes longer than its own setting, with open requests.
      socket?.send(['STOPPING=1', 'STATUS=Stopping', `EXTEND_TIMEOUT_USEC=${withinSeconds * 1_000_000}`])
    },
    release: () => clearInterval(timer),
  }
}

function parseDescriptor(text: string): number {
  const descriptor = /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined
  if (descriptor === undefined || descriptor < 3)
    throw new UsageError(`--ready-fd takes the number of an open file descriptor from 3 on, not "${text}"`)
  try {
    fstatSync(descriptor)
    return descriptor
  } catch {
    throw new UsageError(`--ready-fd ${text}: this file descriptor is not open`)
  }
}

function writeReadyLine(descriptor: number, log: Log): void {
  try {
    writeSync(descriptor, '\n')
    closeSync(descriptor)
  } catch (error) {
    log.warn('the file descriptor of --ready-fd did not take the line that says ready', {
      event: 'ready-fd-refused',
      error: String(error),
      mend: 'see whether the program that started the server still reads it',
    })
  }
}

const warnUnheard = (log: Log, address: string): void =>
  log.warn('the service manager cannot be told that the server is ready', {
    event: 'service-manager-unreached',
    socket: address,
    mend: 'with Type=notify the manager ends a server that does not say it: see that the socket exists and this user may write to it, or set Type=exec and no WatchdogSec',
  })

/** The time after which the manager kills a silent process. Undefined: it does not watch this one. */
function readWatchedMs({ WATCHDOG_USEC, WATCHDOG_PID }: SupervisorOptions['env']): number | undefined {
  const isOurs = !WATCHDOG_PID || WATCHDOG_PID === String(process.pid)
  return isOurs && /^[1-9][0-9]{2,15}$/.test(WATCHDOG_USEC ?? '') ? Number(WATCHDOG_USEC) / 1_000 : undefined
}

function writeStatus({ addresses, parts }: SupervisedServer): string {
  const failing = parts.conditions.list().find(({ level }) => level === 'failing')
  return failing ? `Not ready: ${failing.says}` : `Ready at ${addresses.baseUrl}`
}

/**
 * The event loop turns, or this would not run. The store answers when a read comes back and no write waits for longer
 * than the manager does. A read that fails is an answer too: a restart mends no disk.
 */
async function isWorking({ parts: { db } }: SupervisedServer, watchedMs: number): Promise<boolean> {
  const { waitingSince } = db.writerState()
  if (waitingSince !== undefined && performance.now() - waitingSince > watchedMs) return false
  await db
    .read(readHeartbeat)
    .get()
    .catch(() => null)
  return true
}
