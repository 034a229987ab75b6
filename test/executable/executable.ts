/**
 * The executable that we ship, built from a copy of the sources that is deleted before it runs. It fails if it still
 * needs anything of the machine that built it. Runs in empty folders, with an empty home and an environment of one or
 * two variables.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameFile } from '../../src/build/targets.ts'
import { buildFromCopy } from '../parts/build-copy.ts'

const place = mkdtempSync(join(tmpdir(), 'proofgate-executable-'))
const executable = join(place, nameFile(undefined))

/** Anew for each file of tests: the one before has taken its own away. */
export const build = (): void => buildFromCopy(executable)

export const removeAll = (): void => rmSync(place, { recursive: true, force: true })

export const emptyFolder = (): string => mkdtempSync(join(place, 'empty-'))

export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

function spawn(args: readonly string[], { cwd = emptyFolder(), env = {} }: Surroundings) {
  const home = emptyFolder()
  return Bun.spawn([executable, ...args], {
    cwd,
    env: { HOME: home, TMPDIR: home, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs it to its end. */
export async function run(args: readonly string[], surroundings: Surroundings = {}) {
  const child = spawn(args, surroundings)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** Starts the server on a free port, and waits for output that ends with `until`, by default its banner. */
export async function start(args: readonly string[], surroundings: Surroundings = {}, until = 'Stop with Ctrl+C.\n') {
  const cwd = surroundings.cwd ?? emptyFolder()
  const child = spawn(args, { cwd, env: { PROOFGATE_PORT: '0', ...surroundings.env } })
  const decoder = new TextDecoder()
  let out = ''
  for await (const chunk of child.stdout) {
    out += decoder.decode(chunk, { stream: true })
    if (out.endsWith(until)) break
  }
  if (!out.endsWith(until)) throw new Error(`it ended early: ${out}${await new Response(child.stderr).text()}`)
  return {
    out,
    cwd,
    pid: child.pid,
    /** The whole of standard error, when it has ended. */
    readLog: () => new Response(child.stderr).text(),
    base: /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '',
    signal: (name: NodeJS.Signals) => child.kill(name),
    exited: child.exited,
    async stop() {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}
