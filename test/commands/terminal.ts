/** A terminal that remembers what was printed on it. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, Terminal } from '../../src/commands/command.ts'

export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
  readonly json: any
}

export type Given = Partial<Omit<Terminal, 'out' | 'err' | 'input'>> & { readonly stdin?: string | Uint8Array }

/** Runs a command in this process. Faults that main.ts turns into sentences come out as they are thrown. */
export async function run(command: Command, args: readonly string[], given: Given = {}): Promise<Printed> {
  let out = ''
  let err = ''
  const code = await command.run(args, {
    env: {},
    cwd: newFolder(),
    now: Date.now,
    isPerson: false,
    async *input() {
      yield typeof given.stdin === 'string' ? new TextEncoder().encode(given.stdin) : (given.stdin ?? new Uint8Array())
    },
    ...given,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out)
    },
  }
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'proofgate-commands-'))
