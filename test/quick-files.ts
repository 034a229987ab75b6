/**
 * Lists the quick test files. These start no browser, chain, name server, mount or process, and take at most 0.7 s.
 * Together they take less than 45 s on two cores, short enough to run after every change.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/** A test that imports one of these, at whatever distance, starts something. */
const starters =
  /\b(?:Bun|process)\.spawn|\bspawnSync\(|\bfrom '(?:node:child_process|playwright-core|puppeteer-core)'|\bmountSmallDisk\(/

/** Longest time of a quick file by test/timings.json, in ms. A file that is not in it yet counts as quick. */
const mostMs = 700

const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

export function listQuickFiles(root: string): string[] {
  const times: { readonly files: Readonly<Record<string, number>> } = JSON.parse(
    readFileSync(join(root, 'test/timings.json'), 'utf8'),
  )
  const isShort = (file: string): boolean => (times.files[file] ?? 0) <= mostMs
  const known = new Map<string, boolean>()
  const startsSomething = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    // Files that import each other are decided by the rest of what they import.
    known.set(file, false)
    const text = readFileSync(join(root, file), 'utf8')
    const answer = starters.test(text) || listTestImports(file, text).some(startsSomething)
    known.set(file, answer)
    return answer
  }
  return [...new Glob('test/**/*.test.{ts,tsx}').scanSync(root)]
    .filter((file) => !file.includes('node_modules') && isShort(file) && !startsSomething(file))
    .sort()
}

/** The source code is not followed: a test reaches its commands and probes without running them. */
const listTestImports = (file: string, text: string): string[] =>
  transpilers[file.endsWith('x') ? 'tsx' : 'ts']
    .scanImports(text)
    .filter(({ path }) => path.startsWith('.') && /\.tsx?$/.test(path))
    .map(({ path }) => normalize(join(dirname(file), path)))
    .filter((path) => path.startsWith('test/'))
