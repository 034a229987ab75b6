/**
 * Ends the process now, with this exit code. process.exit() first closes what is open, and waits for a disk that hangs:
 * the very reason to end. Where _exit() of the system cannot be called, the process kills itself, without the exit code.
 */
import { dlopen, FFIType } from 'bun:ffi'

/** glibc, musl and macOS name their C library differently. */
const libraries = [
  'libc.so.6',
  `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`,
  'libSystem.B.dylib',
]

export function endProcess(exitCode: number): never {
  for (const library of libraries)
    try {
      dlopen(library, { _exit: { args: [FFIType.i32], returns: FFIType.void } }).symbols._exit(exitCode)
    } catch {
      // The next name.
    }
  process.kill(process.pid, 'SIGKILL')
  throw new Error('the process goes on after SIGKILL')
}
