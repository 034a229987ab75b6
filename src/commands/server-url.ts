/** The address of a server on the command line. */
import { UsageError } from './command.ts'
import { visible } from './visible.ts'

/** Without a slash at its end. Errors: UsageError. */
export function serverUrlIn(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash)
    throw new UsageError(`--url is an http(s) address such as http://127.0.0.1:8787, not "${visible(url)}"`)
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}
