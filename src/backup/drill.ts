/**
 * Tries a backup: it is restored into a folder of its own and checked as a restore would check it, opened by this build,
 * and one sealed text is opened by the key. Nothing of the data folder is touched, and the folder is removed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from '../parts.ts'
import { findFaults } from './check-unpacked.ts'
import type { Manifest } from './format.ts'
import { type Unpacked, unpackBackup } from './unpack.ts'

export interface DrillOptions {
  readonly source: AsyncIterable<Uint8Array>
  readonly passphrase: string | undefined
  /** The data folder: the trial is made in a folder inside it. */
  readonly folder: string
  readonly now: () => number
  /** Errors where the key does not open what is sealed, or the form cannot be brought to this build's. */
  readonly useFolder: <Result>(
    folder: string,
    masterKey: string,
    work: (parts: Parts) => Promise<Result>,
  ) => Promise<Result>
  /** The key of the configuration, where the server is given one. */
  readonly masterKey: string | undefined
}

export interface Drilled {
  readonly manifest: Manifest
  /** Sentences. None: a restore would work. */
  readonly faults: readonly string[]
}

const folderForm = /^drill-\d{8}T\d{6}Z$/

/** Errors: BackupError where it cannot be read as a whole, those of the file system. */
export async function drillBackup(options: DrillOptions): Promise<Drilled> {
  const { source, passphrase, folder, now } = options
  for (const name of readdirSync(folder)) if (folderForm.test(name)) rmSync(join(folder, name), { recursive: true })
  const work = join(folder, `drill-${new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')}`)
  mkdirSync(work, { mode: 0o700 })
  try {
    const unpacked = await unpackBackup(source, passphrase, work)
    const faults = findFaults(work, unpacked.manifest)
    return {
      manifest: unpacked.manifest,
      faults: faults.length > 0 ? faults : await findOpeningFaults(unpacked, work, options),
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Where it holds no key, the key of the server must open it: whoever restores it needs that key too. */
async function findOpeningFaults(
  { secrets }: Unpacked,
  work: string,
  { folder, masterKey, useFolder }: DrillOptions,
): Promise<readonly string[]> {
  const held = secrets['master.key']
  try {
    const key = held ? Buffer.from(held).toString() : (masterKey ?? readFileSync(join(folder, 'master.key'), 'utf8'))
    await useFolder(work, key.trim(), async () => undefined)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
