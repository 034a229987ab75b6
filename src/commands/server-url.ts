/** The address of a server on the command line. */
import { parseWebUrl } from '../web-url.ts'
import { UsageError } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'

/** Without a slash at its end. Errors: UsageError. */
export function parseServerUrl(url: string): string {
  const parsed = parseWebUrl(url)
  if (!parsed || parsed.search || parsed.hash)
    throw new UsageError(
      `--url must be an http(s) address such as http://127.0.0.1:8787, not "${escapeInvisible(url)}"`,
    )
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}
