/** Makes one backup of a data folder, beside a server that may be running on it. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { locateDatabaseFile } from '../db/db.ts'
import { countRows } from './count-rows.ts'
import { readJournalUpTo, readKeyMark, readSchemaName } from './facts-store.ts'
import { BackupError } from './fault.ts'
import {
  type Header,
  type Manifest,
  nameMember,
  nameSecret,
  type PiecedFile,
  pieceBytes,
  type SecretFile,
  secretFiles,
} from './format.ts'
import { makeBackupSealer } from './sealing.ts'
import { openSnapshot, openSnapshotWithLog, type Snapshot } from './snapshot.ts'
import type { Target } from './targets/target.ts'
import { openArchive } from './write-archive.ts'

export interface Backed {
  readonly manifest: Manifest
  /** As it is kept. */
  readonly bytes: number
}

export interface BackupOptions {
  readonly folder: string
  readonly now: () => number
  readonly version: string
  /** Undefined: nothing is sealed, and nothing secret is in it. */
  readonly passphrase: string | undefined
  /** A continuous backup goes on with it. */
  readonly isContinued?: boolean
  /** What it holds where it is sealed. */
  readonly secrets: Readonly<Partial<Record<SecretFile, Uint8Array>>>
}

/** A third of a saving costs no time; more than that costs more than the disk. */
const compressionLevel = 1

/** Errors: BackupError, SQLiteError, those of the file system. Nothing is left behind by one that fails. */
export async function makeBackup(target: Target, name: string, options: BackupOptions): Promise<Backed> {
  const file = locateDatabaseFile(options.folder)
  if (!existsSync(file))
    throw new BackupError(
      `there is no database in ${options.folder}`,
      'name the data folder of a server with PROOFGATE_DATA, or its configuration with --config',
    )
  const sink = await target.create(name)
  try {
    const snapshot = (options.isContinued ? openSnapshotWithLog : openSnapshot)(file)
    let bytes = 0
    try {
      const counted = {
        ...sink,
        async write(chunk: Uint8Array) {
          bytes += chunk.length
          await sink.write(chunk)
        },
      }
      const manifest = await writeSnapshot(snapshot, counted, options)
      await sink.finish()
      return { manifest, bytes }
    } finally {
      snapshot.close()
    }
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

async function writeSnapshot(
  snapshot: Snapshot,
  sink: Parameters<typeof openArchive>[0],
  { now, version, passphrase, secrets }: BackupOptions,
): Promise<Manifest> {
  const id = randomBytes(16).toString('hex')
  const sealing = passphrase === undefined ? undefined : await makeBackupSealer(passphrase, id)
  const header: Header = {
    format: 1,
    id,
    createdAt: new Date(now()).toISOString(),
    version,
    schema: readSchemaName(snapshot.db),
    keyMark: readKeyMark(snapshot.db),
    databaseBytes: snapshot.databaseBytes,
    logBytes: snapshot.logBytes,
    sealed: sealing?.sealed ?? null,
  }
  const archive = await openArchive(sink, header, sealing?.sealer)
  const addPieces = async (file: PiecedFile, pieces: Iterable<Uint8Array>): Promise<void> => {
    let index = 0
    for (const piece of pieces) {
      const member = nameMember(file, index++, sealing !== undefined)
      const packed = Bun.zstdCompressSync(piece, { level: compressionLevel })
      await archive.add(member, sealing?.sealer.seal(packed, member) ?? packed)
    }
  }
  await addPieces('proofgate.sqlite-wal', snapshot.readLog(pieceBytes))
  await addPieces('proofgate.sqlite', snapshot.readDatabase(pieceBytes))
  for (const file of secretFiles) {
    const secret = secrets[file]
    if (secret && sealing) await archive.add(nameSecret(file), sealing.sealer.seal(secret, nameSecret(file)))
  }
  return archive.finish({
    counts: countRows(snapshot.db),
    journalUpTo: readJournalUpTo(snapshot.db),
    without: secretFiles.filter((file) => !sealing || !secrets[file]),
  })
}

/** Sorts by time. Names the server by the mark of its key; the end keeps two of one second apart. */
export const nameBackup = (at: number, keyMark: number): string =>
  `proofgate-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}-${keyMark.toString(16).padStart(8, '0')}-${randomBytes(2).toString('hex')}.backup`
