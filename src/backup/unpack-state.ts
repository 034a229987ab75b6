/**
 * Unpacks a state of a server into an empty folder: a backup, and what a continuous backup adds to it. Whether it is
 * sound is found out on the way.
 */
import { openConnection } from '../db/connection.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { compareWithManifest, findFaults, findInnerFaults } from './check-unpacked.ts'
import { type Rolled, rollForward } from './continuous/roll-forward.ts'
import { readJournalUpTo } from './facts-store.ts'
import type { Header } from './format.ts'
import type { Target } from './targets/target.ts'
import { type Unpacked, unpackBackup } from './unpack.ts'

export interface StateSource {
  readonly source: AsyncIterable<Uint8Array>
  /** Where the backup is: chunks of a continuous backup are beside it. */
  readonly target: Target
  readonly passphrase: string | undefined
  /** Undefined: the backup alone. `until`: Unix milliseconds; undefined for everything that is known. */
  readonly forward: { readonly until: number | undefined } | undefined
}

export interface State extends Unpacked {
  /** Sentences. None: it is sound. */
  readonly faults: readonly string[]
  /** Unix milliseconds: everything that was committed until then is in it. */
  readonly at: number
  /** The newest row of the journal of what was taken away. */
  readonly journalUpTo: number
  /** Undefined: the backup alone. */
  readonly rolled: Rolled | undefined
}

/** `check` refuses by the header, before a byte is written. Errors: BackupError, those of the file system. */
export async function unpackState(
  { source, target, passphrase, forward }: StateSource,
  folder: string,
  check?: (header: Header) => void,
): Promise<State> {
  const unpacked = await unpackBackup(source, passphrase, folder, check)
  const { manifest } = unpacked
  const backupAt = Date.parse(manifest.header.createdAt)
  const alone = { ...unpacked, at: backupAt, journalUpTo: manifest.journalUpTo, rolled: undefined }
  if (!forward) return { ...alone, faults: findFaults(folder, manifest) }
  const faults = compareWithManifest(folder, manifest)
  if (faults.length > 0) return { ...alone, faults }
  const { until } = forward
  const { keyMark } = manifest.header
  const rolled = await rollForward({ target, passphrase, keyMark, folder, backupAt, until })
  return {
    ...unpacked,
    faults: findInnerFaults(folder),
    at: Math.max(backupAt, rolled.at ?? 0),
    journalUpTo: rolled.commits === 0 ? manifest.journalUpTo : readNewestEntry(folder),
    rolled,
  }
}

function readNewestEntry(folder: string): number {
  const db = openConnection({ file: locateDatabaseFile(folder), cacheBytes: 1_048_576, walLimitBytes: 0 })
  try {
    return readJournalUpTo(db)
  } finally {
    db.close()
  }
}
