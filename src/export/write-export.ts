/** Writes an export: a folder with a file of lines for each exporter, and a manifest. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reader } from '../db/db.ts'
import type { Exporter, Person } from '../db/exporting.ts'
import { lookIntoFolder } from '../db/look.ts'
import { migrations } from '../db/migrations.ts'
import type { Sealer } from '../db/seal.ts'
import { nameUnfinished } from '../db/unfinished-files.ts'
import type { Account } from '../wallet/account.ts'
import { findPerson } from './find-person.ts'
import { exporters } from './index.ts'
import { openLineFile } from './line-file.ts'
import { type ExportedFile, exportFormat, type Manifest, manifestFile, signManifest } from './manifest.ts'

export interface ExportOptions {
  /** The data folder. */
  readonly folder: string
  readonly now: number
  readonly version: string
  /** Undefined: the whole server. */
  readonly account: Account | undefined
  readonly sealer: Sealer
  /** Whether what is sealed is opened. */
  readonly opensSealed: boolean
}

/**
 * The folder appears whole or not at all. Undefined: nothing is kept of the person. Errors: SQLiteError, those of the
 * file system.
 */
export async function writeExport(target: string, options: ExportOptions): Promise<Manifest | undefined> {
  const unfinished = nameUnfinished(target)
  mkdirSync(unfinished, { mode: 0o700 })
  try {
    const manifest = await lookIntoFolder(options.folder, async (reader, database) => {
      // One read of the database: every file tells the same moment, whatever the server writes meanwhile.
      database.run('BEGIN')
      return writeFiles(unfinished, reader, options)
    })
    if (!manifest || (manifest.wallets && manifest.files.every(({ lines }) => lines === 0))) {
      rmSync(unfinished, { recursive: true })
      return undefined
    }
    writeFileSync(join(unfinished, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(unfinished, target)
    return manifest
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function writeFiles(
  folder: string,
  reader: Reader,
  { account, sealer, opensSealed, now, version }: ExportOptions,
): Promise<Manifest> {
  const person = account && (await findPerson(reader, account, now))
  const files: ExportedFile[] = []
  for (const exporter of exporters)
    if (exporter.isIn(person))
      files.push(await writeFile(folder, exporter, reader, person, opensSealed ? sealer : undefined))
  return signManifest(
    {
      format: exportFormat,
      createdAt: new Date(now).toISOString(),
      version,
      schema: migrations.at(-1)!.name,
      wallets: person ? [...person.accounts] : null,
      sealed: opensSealed ? 'opened' : 'kept',
      files,
    },
    sealer,
  )
}

async function writeFile(
  folder: string,
  { name, scan }: Exporter,
  reader: Reader,
  person: Person | undefined,
  sealer: Sealer | undefined,
): Promise<ExportedFile> {
  const file = `${name}.jsonl`
  const lines = openLineFile(join(folder, file))
  try {
    await scan(reader, person, sealer, lines.add)
    return { file, ...lines.finish() }
  } finally {
    lines.close()
  }
}
