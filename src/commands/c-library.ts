/** Functions of the system's C library. */
import { dlopen, type FFIFunction } from 'bun:ffi'

/** glibc, musl and macOS name their C library differently. */
const libraries = [
  'libc.so.6',
  `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`,
  'libSystem.B.dylib',
]

/** Undefined where this system has no such library, or allows no calls of it. */
export function openCLibrary<const Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const library of libraries)
    try {
      return dlopen(library, functions).symbols
    } catch {
      // The next name.
    }
  return undefined
}
