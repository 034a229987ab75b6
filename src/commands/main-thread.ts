/**
 * The state of this process's main thread, as Linux reports it. It is read from kernel memory and never from a disk.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'

export interface MainThread {
  /** Differs when it has run since. Undefined when the system does not report it. */
  readonly runs: number | undefined
  readonly isComputing: boolean
  /** A file, or words. Undefined: no disk, or the system does not report it. */
  readonly waitsForDisk: string | undefined
}

export function lookAtMainThread(folder: string): MainThread {
  const thread = `/proc/self/task/${process.pid}`
  const status = readLines(`${thread}/status`)
  const state = /^State:\s*(\w)/m.exec(status)?.[1]
  const switches = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)$/gm)].map(([, count]) =>
    Number(count),
  )
  return {
    runs: switches.length === 0 ? undefined : switches.reduce((sum, one) => sum + one, 0),
    isComputing: state === 'R',
    waitsForDisk:
      state === undefined || state === 'R' ? undefined : findWait(state, readLines(`${thread}/syscall`), folder),
  }
}

/**
 * `call` begins with the number and first argument of the system call. It is -1 when the thread waits for a page of
 * memory.
 */
function findWait(state: string, call: string, folder: string): string | undefined {
  const [number, first = ''] = call.split(' ')
  // A thread stopped by a debugger is outside of a call too.
  if (number === '-1' && /[DS]/.test(state)) return 'a page of a mapped file'
  const file = number === undefined || number === '-1' ? undefined : findOpenFile(first)
  if (file?.startsWith(folder + sep)) return file
  // Uninterruptible: only disks and network mounts make a thread wait like this.
  return state === 'D' ? (file ?? 'a file') : undefined
}

function findOpenFile(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${Number(descriptor)}`)
  } catch {
    return undefined
  }
}

function readLines(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
