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

/** The first line that the program prints, or the first that `wanted` fits. Empty where it ended without one. */
export async function firstLine(stream: ReadableStream<Uint8Array>, wanted = /^/): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    text += decoder.decode(bytes)
    const line = text
      .split('\n')
      .slice(0, -1)
      .find((one) => wanted.test(one))
    if (line !== undefined) return line
  }
  return text.split('\n').find((one) => wanted.test(one)) ?? ''
}
