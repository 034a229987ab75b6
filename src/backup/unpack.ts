/** Unpacks a backup into an empty folder, and checks it on the way. */
import { closeSync, fsyncSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../db/sync-file.ts'
import { BackupError } from './fault.ts'
import type { Header, Manifest, PiecedFile, SecretFile } from './format.ts'
import { readArchive } from './read-archive.ts'

export interface Unpacked {
  readonly manifest: Manifest
  readonly secrets: Readonly<Partial<Record<SecretFile, Uint8Array>>>
}

const oneMiB = 1_048_576
/** For the log while journal and checks write. */
const spareBytes = 16 * oneMiB

/** `check` refuses by the header, before a byte is written. Errors: BackupError, those of the file system. */
export async function unpackBackup(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
  folder: string,
  check: (header: Header) => void = () => {},
): Promise<Unpacked> {
  const secrets: Partial<Record<SecretFile, Uint8Array>> = {}
  const handles = new Map<PiecedFile, number>()
  const openFile = (file: PiecedFile): number => {
    const handle = handles.get(file) ?? openSync(join(folder, file), 'wx', 0o600)
    handles.set(file, handle)
    return handle
  }
  try {
    const manifest = await readArchive(source, passphrase, {
      begin(header) {
        check(header)
        requireRoom(folder, header)
      },
      takePiece(file, bytes) {
        const handle = openFile(file)
        for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
      },
      takeSecret(file, bytes) {
        secrets[file] = bytes
      },
    })
    for (const handle of handles.values()) fsyncSync(handle)
    syncFolder(folder)
    return { manifest, secrets }
  } catch (error) {
    throw explainFullDisk(error, folder)
  } finally {
    for (const handle of handles.values()) closeSync(handle)
  }
}

/** The log is copied into the database once more. Errors: BackupError. */
function requireRoom(folder: string, { databaseBytes, logBytes }: Header): void {
  const needed = databaseBytes + 2 * logBytes + spareBytes
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free < needed)
    throw new BackupError(
      `the disk of ${folder} has ${Math.floor(free / oneMiB)} MiB free, and what the backup holds needs ${Math.ceil(needed / oneMiB)} MiB`,
      'free some space there. Nothing was changed',
    )
}

function explainFullDisk(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new BackupError(
        `the disk of ${folder} became full`,
        'free some space there, and run this again. Nothing was changed',
      )
    : error
}
