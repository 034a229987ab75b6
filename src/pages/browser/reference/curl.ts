/** A request as a line for a shell. */
import { type Asked, addressOf, headersOf } from './asked.ts'

/** A word that a POSIX shell takes as it is: nothing is special between single quotes but the single quote. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** `key` is a word of the shell, such as "$PROOFGATE_KEY" in double quotes. */
export function curlOf(asked: Asked, withKey = false): string {
  const { method } = asked.operation
  const parts = [
    // curl asks with GET, and with POST as soon as there is a body.
    `curl${method === 'GET' || (method === 'POST' && asked.body !== undefined) ? '' : ` -X ${method}`} ${shellWord(addressOf(asked))}`,
    ...headersOf(asked).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(withKey ? ['-H "authorization: Bearer $PROOFGATE_KEY"'] : []),
    // Not --data, which reads a file where the text begins with @.
    ...(asked.body === undefined ? [] : [`--data-raw ${shellWord(asked.body)}`]),
  ]
  return parts.join(' \\\n  ')
}
