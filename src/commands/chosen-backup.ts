/** The backup that a restore or a drill is about: the file that is named, or the newest at a place. */

import { chooseKeptBackup } from '../backup/choose-backup.ts'
import { BackupError, BrokenChainError, DamagedBackupError } from '../backup/fault.ts'
import { findKeyMark } from '../backup/old-journal.ts'
import { openPlace } from '../backup/targets/open-target.ts'
import type { Target } from '../backup/targets/target.ts'
import type { Config } from '../config/schema.ts'
import { type Terminal, UnavailableError, UsageError } from './command.ts'

export interface ChosenBackup {
  readonly target: Target
  readonly name: string
  /** It was named itself, and not its place. */
  readonly isFile: boolean
  /** Named later than now, and therefore not taken for the newest. */
  readonly setApart: readonly string[]
  /** The next older one, where the newest was chosen. */
  readonly older: string | undefined
}

/** The place of the command line, or backup.to. Errors: UsageError. */
export function choosePlaceName(positionals: readonly string[], { backup }: Config): string {
  const named = positionals[0] ?? backup.to
  if (named === undefined)
    throw new UsageError('name the file, the folder or the bucket of the backup, or set backup.to')
  // A variable of a shell that is not set would mean the working directory.
  if (named === '') throw new UsageError('the name of the place is empty: write . for the working directory')
  return named
}

interface Choice {
  /** Unix milliseconds: the newest from before then. Undefined: the newest. */
  readonly until: number | undefined
  readonly terminal: Pick<Terminal, 'cwd' | 'now'>
}

/** Errors: BackupError. */
export async function chooseBackup(
  named: string,
  config: Config,
  { until, terminal: { cwd, now } }: Choice,
): Promise<ChosenBackup> {
  const { target, name } = openPlace(named, cwd, config)
  if (name !== undefined) return { target, name, isFile: true, setApart: [], older: undefined }
  const { passphrase } = config.backup
  const keyMark = await findKeyMark(config.data)
  const { chosen, older, ahead } = await chooseKeptBackup(target, { passphrase, keyMark, until, now: now() })
  return { target, name: chosen.name, isFile: false, setApart: ahead.map((one) => one.name), older: older?.name }
}

/** For a person. Undefined where none was set apart. */
export const describeSetApart = (names: readonly string[], now: number): string | undefined =>
  names.length === 0
    ? undefined
    : `${names.length === 1 ? 'One file is' : `${names.length} files are`} named later than now (${new Date(now).toISOString()}), as when a clock was ahead: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}. ${names.length === 1 ? 'It does' : 'They do'} not count. If the clock of this machine is behind, set it right.`

/** Names the file, and where the newest was chosen the one before it. Other errors as they are. */
export function explainDamage(error: unknown, chosen: ChosenBackup | undefined): unknown {
  if (!(error instanceof BackupError)) return error
  if (!(error instanceof DamagedBackupError) || error instanceof BrokenChainError || chosen === undefined)
    return new UnavailableError(error.message)
  return new UnavailableError(
    `${chosen.name} at ${chosen.target.title} cannot be used: ${error.message}${suggestOlder(chosen)}`,
  )
}

export const suggestOlder = ({ older }: ChosenBackup): string =>
  older === undefined
    ? ''
    : `. The next older one there is ${older}: name that file to use it, with --at to have what was shipped after it`
