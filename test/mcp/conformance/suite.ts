/** Runs the conformance suite of MCP against an address, and says which scenarios failed which checks. */
import { join } from 'node:path'
import { useFolder } from '../../parts/folders.ts'

const suite = join(import.meta.dir, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

export interface SuiteRun {
  readonly code: number
  readonly out: string
}

/**
 * Runs in its own folder, because the suite writes its findings beside itself. `onAddress` gets the address that the
 * suite wants opened in a browser.
 */
export const runSuite = (
  command: string,
  options: readonly string[],
  onAddress: (address: string) => void = () => {},
): Promise<SuiteRun> =>
  useFolder(async (cwd) => {
    const child = Bun.spawn([process.execPath, suite, command, ...options], {
      cwd,
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, NO_COLOR: '1' },
    })
    const [out, err, code] = await Promise.all([
      textOf(child.stdout, onAddress),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, out: `${out}${err}` }
  })

async function textOf(stream: ReadableStream<Uint8Array>, onAddress: (address: string) => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let isAsked = false
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const address = /^http:\/\/\S+\/oauth\/authorize\?\S+(?=\n)/m.exec(text)?.[0]
    // It listens only after it has printed this.
    if (isAsked || !address || !text.includes('Callback server started')) continue
    isAsked = true
    onAddress(address)
  }
  return text
}

/** The suite cannot send a token, so one is added on the way. */
export const withBearer = (target: string, token: string) =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${token}`)
      const body = request.method === 'POST' ? await request.text() : null
      const { pathname, search } = new URL(request.url)
      return fetch(`${target}${pathname}${search}`, { method: request.method, headers, body, signal: request.signal })
    },
  })
