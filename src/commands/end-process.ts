/**
 * Ends the process now, with this exit code. process.exit() first closes open files, and so waits for a hanging disk.
 * Without the system's _exit() the process kills itself, without the exit code.
 */
import { FFIType } from 'bun:ffi'
import { constants } from 'node:os'
import { openCLibrary } from './c-library.ts'

export interface ProcessEnd {
  now(exitCode: number): never
  /** Ends the process after this time, whatever the thread waits for. The exit code is 142, that of SIGALRM. */
  within(seconds: number): void
}

export const endProcess = (exitCode: number): never => loadProcessEnd().now(exitCode)

/** For a thread that may need it when nothing can be loaded any more. */
export function loadProcessEnd(): ProcessEnd {
  const system = loadSystem()
  return {
    now(exitCode) {
      system?._exit(exitCode)
      process.kill(process.pid, 'SIGKILL')
      throw new Error('the process goes on after SIGKILL')
    },
    within(seconds) {
      // The main thread, which listens for it, does not run.
      system?.signal(constants.signals.SIGALRM, null)
      system?.alarm(seconds)
    },
  }
}

const loadSystem = () =>
  openCLibrary({
    _exit: { args: [FFIType.i32], returns: FFIType.void },
    signal: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.ptr },
    alarm: { args: [FFIType.u32], returns: FFIType.u32 },
  })
