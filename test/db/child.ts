/** Programs that run beside a test and end with it, however it ends. */
import { existsSync } from 'node:fs'

const pdeathsig = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

/** Runs TypeScript text in a Bun of its own. `import` paths in it are absolute. */
export const runScript = (text: string, before: readonly string[] = []) =>
  Bun.spawn([...before, ...pdeathsig, process.execPath, '-e', text], {
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })

export const src = (path: string): string => new URL(`../../src/${path}`, import.meta.url).pathname

/** The first line that the program prints. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    text += decoder.decode(bytes)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}
