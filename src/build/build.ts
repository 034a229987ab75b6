/** `bun run build`: the executable for this machine, or for machines by name, into dist/. */
import { join, relative } from 'node:path'
import { suggestNearest } from '../config/suggest.ts'
import { buildExecutable } from './executable.ts'
import { writeNotices } from './notices.ts'
import type { ScriptSize } from './script-sizes.ts'
import { isTarget, nameFile, targets } from './targets.ts'

const root = join(import.meta.dir, '../..')

process.exitCode = await runBuild(process.argv.slice(2))

async function runBuild(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => name !== 'all' && !isTarget(name))
  if (unknown !== undefined) {
    const meant = suggestNearest(unknown, targets)
    console.error(`There is no target "${unknown}"${meant ? `; did you mean ${meant}?` : '.'}`)
    console.error(`bun run build [all | ${targets.join(' | ')}]; without a name it builds for this machine.`)
    return 2
  }
  const wanted = names.includes('all') ? targets : [...new Set(names.filter(isTarget))]
  let failures = 0
  let scripts: readonly ScriptSize[] = []
  for (const target of wanted.length === 0 ? [undefined] : wanted) {
    try {
      const { file, bytes, ms, scripts: inside, recovery } = await buildExecutable(target)
      scripts = inside
      const size = `${(bytes / 1e6).toFixed(1)} MB`
      console.log(
        `${relative(process.cwd(), file) || file}`.padEnd(36),
        size.padStart(9),
        `${Math.round(ms)} ms`.padStart(9),
      )
      console.log(`  signatures: ${recovery.note}`)
    } catch (error) {
      // The other machines need not wait for this one to be mended.
      failures++
      console.error(`${nameFile(target)}: ${readReason(error)}`)
    }
  }
  // The same in all of them.
  for (const { what, bytes, limit } of scripts)
    console.log(
      `  ${what}`.padEnd(36),
      `${(bytes / 1e3).toFixed(1)} kB`.padStart(9),
      `of ${(limit / 1e3).toFixed(1)} kB, gzipped`,
    )
  await Bun.write(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), writeNotices(root))
  return failures === 0 ? 0 : 1
}

function readReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(String).join('\n')
  return error instanceof Error ? error.message : String(error)
}
