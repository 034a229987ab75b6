/** The machine that this executable was built for, by the names of src/build/targets.ts. */
import { readFileSync } from 'node:fs'

export function readTarget(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return `${system}-${process.arch}${usesMusl() ? '-musl' : ''}`
}

/** The loader of the C library is mapped into every process. */
function usesMusl(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return /\/ld-musl-[^/]*$/m.test(readFileSync('/proc/self/maps', 'utf8'))
  } catch {
    return false
  }
}
