/** The Deno that tests run programs of users in. */
import { existsSync } from 'node:fs'

export function findDeno(): string {
  const installed = new URL('../../node_modules/@deno/linux-x64-glibc/deno', import.meta.url).pathname
  const found = process.env.DENO ?? (existsSync(installed) ? installed : Bun.which('deno'))
  if (found) return found
  throw new Error(
    'deno is missing, and the client module promises to work in it. `npm install` brings it on Linux x64; elsewhere install Deno (https://deno.com), or name the binary in DENO.',
  )
}
