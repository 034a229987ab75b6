/** The source as the tests of the structure read it: file by file, with the imports of each. */
import { join } from 'node:path'
import { Glob } from 'bun'

export interface Import {
  readonly target: string
  readonly isTypeOnly: boolean
}

export const removeComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;,{(])\/\/.*$/gm, '$1')

/** Relative imports of every form: static, type, re-export, for side effects, dynamic, require. */
export function readImports(text: string): Import[] {
  const statement = /\b(import|export)\b(\s+type\b)?[^'"`;]*?\bfrom\s*(['"])(\.[^'"]+)\3/g
  const call = /\b(?:import|require)\s*\(\s*(['"`])(\.[^'"`]+)\1/g
  const bare = /\bimport\s+(['"])(\.[^'"]+)\1/g
  const code = removeComments(text)
  return [
    ...[...code.matchAll(statement)].map((match) => ({ target: match[4]!, isTypeOnly: match[2] !== undefined })),
    ...[...code.matchAll(call), ...code.matchAll(bare)].map((match) => ({ target: match[2]!, isTypeOnly: false })),
  ]
}

/** Texts by path below src/. */
export async function readSources(): Promise<ReadonlyMap<string, string>> {
  const root = new URL('../../src/', import.meta.url).pathname
  const files = new Map<string, string>()
  for (const file of new Glob('**/*.{ts,tsx}').scanSync(root)) files.set(file, await Bun.file(join(root, file)).text())
  return files
}
