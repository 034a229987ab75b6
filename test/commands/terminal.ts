/** A terminal that remembers what was printed on it. */
import type { Command, Terminal } from '../../src/commands/command.ts'
import { useFolder } from '../parts/folders.ts'

export interface Printed {
  readonly code: number
  readonly out: string
  readonly bytes: Uint8Array
  readonly err: string
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
  readonly json: any
}

export type Given = Partial<Omit<Terminal, 'out' | 'outBytes' | 'err' | 'input'>> & {
  readonly stdin?: string | Uint8Array
}

/**
 * Runs a command in this process, in an empty folder where none is given. Faults that main.ts turns into sentences come out
 * as they are thrown.
 */
export const run = (command: Command, args: readonly string[], given: Given = {}): Promise<Printed> =>
  given.cwd === undefined
    ? useFolder((cwd) => runCommand(cwd, command, args, given))
    : runCommand(given.cwd, command, args, given)

async function runCommand(cwd: string, command: Command, args: readonly string[], given: Given): Promise<Printed> {
  let out = ''
  let err = ''
  const bytes: Uint8Array[] = []
  const code = await command.run(args, {
    env: {},
    now: Date.now,
    isPerson: false,
    async *input() {
      yield typeof given.stdin === 'string' ? new TextEncoder().encode(given.stdin) : (given.stdin ?? new Uint8Array())
    },
    ...given,
    cwd,
    out: (text) => {
      out += text
    },
    outBytes: async (chunk) => {
      bytes.push(new Uint8Array(chunk))
    },
    err: (text) => {
      err += text
    },
  })
  return {
    code,
    out,
    bytes: Buffer.concat(bytes),
    err,
    get json() {
      return JSON.parse(out)
    },
  }
}
