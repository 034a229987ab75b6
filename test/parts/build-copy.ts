/** Builds the executable from a copy of the sources that is deleted afterwards, also as another version. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nameFile } from '../../src/build/targets.ts'

const project = join(import.meta.dir, '../..')

export function buildFromCopy(file: string, version?: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const copy = mkdtempSync(join(tmpdir(), 'proofgate-copy-'))
  try {
    for (const name of ['src', 'migrations', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(project, name), join(copy, name), { recursive: true })
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
    if (version !== undefined) writeVersion(join(copy, 'package.json'), version)
    const built = Bun.spawnSync([process.execPath, 'src/build/build.ts'], { cwd: copy })
    if (!built.success) throw new Error(built.stderr.toString())
    const aside = `${file}.${process.pid}`
    cpSync(join(copy, 'dist', nameFile(undefined)), aside)
    renameSync(aside, file)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function writeVersion(file: string, version: string): void {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
}

/** The built executable, as another version. Built once for all tests of a run. */
export function buildVersion(version: string): string {
  const file = join(project, 'dist/versions', version, nameFile(undefined))
  const { EXECUTABLE } = process.env
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (EXECUTABLE === undefined || made < statSync(resolve(EXECUTABLE)).mtimeMs) buildFromCopy(file, version)
  return file
}
