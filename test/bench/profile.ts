import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFlameGraph } from './flame-graph.ts'
import type { Launch, RunningServer } from './server.ts'
import { workFolder } from './server.ts'

/**
 * Where the CPU time of a server goes, with the names of its JavaScript functions: `perf` samples it, and
 * JavaScriptCore writes down where its compiled code lies. perf finds the names in a map at a place of its own choice.
 * (`perf inject --jit` does not know JavaScriptCore's names of files.)
 */

const symbols = join(workFolder, 'jit')
const file = (name: string): string => join(workFolder, name)

/** The same server, noting its compiled code. */
export const notingCode = (server: Launch): Launch => ({
  ...server,
  env: (port, dataFolder) => ({
    ...server.env(port, dataFolder),
    BUN_JSC_useJITDump: '1',
    BUN_JSC_jitDumpDirectory: symbols,
  }),
})

/** Returns why there can be no profile here. */
export const findNoProfiler = (): string | undefined =>
  Bun.which('perf') === null ? 'there is no perf here (Debian: linux-perf)' : undefined

export function makeFolderForCode(): void {
  rmSync(symbols, { recursive: true, force: true })
  mkdirSync(symbols, { recursive: true })
}

/** Samples until the returned function is called, which writes the flame graph to `target`. */
export function startProfile({ pid }: RunningServer, target: string): () => Promise<void> {
  // A prime number, so that nothing regular is sampled in step.
  const recording = run([
    'perf',
    'record',
    '-k',
    'mono',
    '-F',
    '1999',
    '-g',
    '-o',
    file('perf.data'),
    '-p',
    String(pid),
  ])
  return async () => {
    recording.kill('SIGINT')
    await recording.exited
    const map = `/tmp/perf-${pid}.map`
    writeFileSync(
      map,
      readdirSync(symbols)
        .flatMap((name) => listCode(readFileSync(join(symbols, name))))
        .join(''),
    )
    const script = run(['perf', 'script', '-i', file('perf.data'), '-F', 'comm,ip,sym,dso'])
    const text = await new Response(script.stdout).text()
    if ((await script.exited) !== 0) throw new Error('perf script failed')
    writeFileSync(target, drawFlameGraph(foldStacks(text)))
    rmSync(map)
  }
}

const headerBytes = 40
const loadedCode = 0

/** Lines of a map, from a jitdump (linux/tools/perf/Documentation/jitdump-specification.txt). */
function listCode(dump: Buffer): string[] {
  const lines: string[] = []
  for (let at = headerBytes; at + 16 <= dump.length; ) {
    const size = dump.readUInt32LE(at + 4)
    // The last record may be cut off.
    if (size === 0 || at + size > dump.length) break
    if (dump.readUInt32LE(at) === loadedCode) {
      const nameAt = at + 56
      const name = dump.toString('latin1', nameAt, dump.indexOf(0, nameAt)).replaceAll(/\s+/g, ' ')
      lines.push(
        `${dump.readBigUInt64LE(at + 32).toString(16)} ${dump.readBigUInt64LE(at + 40).toString(16)} ${name}\n`,
      )
    }
    at += size
  }
  return lines
}

const run = (command: string[]) => Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' })

/** The samples of `perf script`, by their stacks: outermost first. */
export function foldStacks(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const sample of text.split('\n\n')) {
    const [head, ...frames] = sample.split('\n').filter((line) => line.trim() !== '')
    if (head === undefined || frames.length === 0) continue
    const stack = [head.trim(), ...frames.map(nameFrame).reverse()]
    const key = stack.filter((name, at) => name !== stack[at - 1]).join(';')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** `  7f05 name (file)`. Without a name, that of the file. */
function nameFrame(line: string): string {
  const [, name = '', place = ''] = /^\s*[0-9a-f]+ (.*) \((.*)\)$/.exec(line) ?? []
  const known = name.replaceAll(';', ',')
  return known === '' || known === '[unknown]' ? `[${place.split('/').at(-1)}]` : known
}
