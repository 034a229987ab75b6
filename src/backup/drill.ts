/**
 * Tries a backup: it is restored into a folder of its own and checked as a restore would check it, opened by this build,
 * and one sealed text is opened by the key. Nothing of the data folder is touched, and the folder is removed.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorkFolder, nameTrialFolder, removeLeftovers, removeTrials } from '../db/work-folder.ts'
import type { Parts } from '../parts.ts'
import type { Rolled } from './continuous/roll-forward.ts'
import { DamagedBackupError } from './fault.ts'
import type { Manifest } from './format.ts'
import { type State, type StateSource, unpackState } from './unpack-state.ts'

export interface DrillOptions extends StateSource {
  /** The data folder, in which the trial is made. Undefined where no server is. */
  readonly folder: string | undefined
  /** For the trial where there is no data folder. */
  readonly temporaryFolder: string
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
  /** Undefined where not even that could be read. */
  readonly manifest: Manifest | undefined
  /** Unix milliseconds: the moment that a restore would bring back. */
  readonly at: number | undefined
  /** What a continuous backup adds. */
  readonly rolled: Rolled | undefined
  /** Sentences. None: a restore would work. */
  readonly faults: readonly string[]
}

/** Errors: BackupError where it cannot be tried, those of the file system. */
export async function drillBackup(options: DrillOptions): Promise<Drilled> {
  const { folder, temporaryFolder, now } = options
  const ending = `${new Date(now()).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`
  if (folder === undefined) removeTrials(temporaryFolder, now())
  else removeLeftovers(folder, now())
  const work = makeWorkFolder(
    folder === undefined ? nameTrialFolder(temporaryFolder, ending) : join(folder, `drill-${ending}`),
  )
  try {
    const state = await unpackState(options, work.path)
    const { manifest, faults, at, rolled } = state
    return {
      manifest,
      at,
      rolled,
      faults: faults.length > 0 ? faults : await findOpeningFaults(state, work.path, options),
    }
  } catch (error) {
    if (error instanceof DamagedBackupError)
      return { manifest: undefined, at: undefined, rolled: undefined, faults: [error.happened] }
    throw error
  } finally {
    work.remove()
  }
}

/** Where it holds no key, the key of the server must open it: whoever restores it needs that key too. */
async function findOpeningFaults(
  { secrets }: State,
  work: string,
  { folder, masterKey, useFolder }: DrillOptions,
): Promise<readonly string[]> {
  const held = secrets['master.key']
  const file = folder === undefined ? undefined : join(folder, 'master.key')
  const key = held
    ? Buffer.from(held).toString()
    : (masterKey ?? (file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined))
  if (key === undefined)
    return ['it holds no master key, and none is here: give the key of the server as PROOFGATE_MASTER_KEY']
  try {
    await useFolder(work, key.trim(), async () => undefined)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
