/** Reads the folder of an export, and checks everything that its manifest says before any of it is used. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { isKnownMigration } from '../db/migrate.ts'
import { copyAgain, ImportError } from './fault.ts'
import { exporters } from './index.ts'
import { type ExportedFile, exportFormat, Manifest, manifestFile } from './manifest.ts'
import { hashFile, readLines, UnreadableLineError } from './read-lines.ts'

export interface ReadExport {
  readonly folder: string
  readonly manifest: Manifest
}

const largestManifestBytes = 1_048_576

/** Errors: ImportError, those of the file system. */
export function readExport(folder: string): ReadExport {
  const manifest = readManifest(folder)
  const names = new Set(manifest.files.map(({ file }) => file))
  if (names.size !== manifest.files.length)
    throw new ImportError(`${manifestFile} names a file twice`, 'make the export again with proofgate export')
  for (const file of names)
    if (!exporters.some(({ name }) => `${name}.jsonl` === file))
      throw new ImportError(
        `${manifestFile} names ${file}, which this version of Proofgate does not know`,
        'import it with the version that wrote it, or a newer one',
      )
  for (const file of readdirSync(folder)) {
    if (file !== manifestFile && !names.has(file))
      throw new ImportError(
        `the folder holds ${file}, which ${manifestFile} does not name`,
        'take it away, if you put it there; else make the export again',
      )
    requirePlainFile(folder, file)
  }
  for (const file of manifest.files) requireSame(folder, file)
  return { folder, manifest }
}

function readManifest(folder: string): Manifest {
  const kind = requirePlainFile(folder, manifestFile)
  if (kind.size > largestManifestBytes)
    throw new ImportError(`${manifestFile} is larger than any that an export has`, copyAgain)
  let found: unknown
  try {
    found = JSON.parse(readFileSync(join(folder, manifestFile), 'utf8'))
  } catch {
    throw new ImportError(`${manifestFile} is no JSON`, copyAgain)
  }
  const format = (found as { readonly format?: unknown } | null)?.format
  if (typeof format === 'number' && format < exportFormat)
    throw new ImportError(
      `the export has format ${format}, which lacks what an import needs`,
      'update the server that made it, and export again',
    )
  if (typeof format === 'number' && format > exportFormat)
    throw new ImportError(
      `the export has format ${format}, and this version reads format ${exportFormat}`,
      'import it with the version that wrote it, or a newer one',
    )
  if (!Value.Check(Manifest, found)) {
    const fault = Value.Errors(Manifest, found).First()
    throw new ImportError(
      `${manifestFile} is not one of Proofgate (${fault?.path || '/'}: ${fault?.message ?? 'not as expected'})`,
      copyAgain,
    )
  }
  if (!isKnownMigration(found.schema))
    throw new ImportError(
      `the export was made by Proofgate ${found.version}, whose database is newer than this one knows (migration "${found.schema}")`,
      'import it with that version or a newer one',
    )
  return found
}

/** Links could lead anywhere. */
function requirePlainFile(folder: string, file: string) {
  const kind = lstatSync(join(folder, file), { throwIfNoEntry: false })
  if (!kind) throw new ImportError(`${file} is missing`, `${copyAgain}. An export has ${manifestFile}`)
  if (!kind.isFile()) throw new ImportError(`${file} is no plain file`, copyAgain)
  return kind
}

function requireSame(folder: string, { file, lines, bytes, sha256 }: ExportedFile): void {
  requirePlainFile(folder, file)
  const path = join(folder, file)
  const found = hashFile(path)
  if (found.bytes === bytes && found.sha256 === sha256) return
  throw new ImportError(
    `${file} is not as it was written${describeDamage(path, lines) ?? (found.bytes === bytes ? ' (its SHA-256 is another one)' : ` (${found.bytes} bytes in place of ${bytes})`)}`,
    copyAgain,
  )
}

/** Where one can see it. */
function describeDamage(path: string, expected: number): string | undefined {
  let lines = 0
  try {
    for (const { number, text, isWhole } of readLines(path)) {
      if (!isWhole) return `: it ends in the middle of line ${number}, and has ${expected} lines when it is whole`
      lines = number
      JSON.parse(text)
    }
  } catch (error) {
    if (error instanceof UnreadableLineError) return `: line ${error.number}: ${error.message}`
    if (error instanceof SyntaxError) return `: line ${lines} is no JSON`
    throw error
  }
  return lines === expected ? undefined : `: it has ${lines} lines in place of ${expected}`
}
