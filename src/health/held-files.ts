/**
 * Whether the data folder still has the files that this process uses. A file removed or replaced while open seems to
 * work until the process ends. Then all its later writes are lost.
 */
import { closeSync, openSync } from 'node:fs'
import { access, constants, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Condition } from '../conditions.ts'
import { nameLogFile } from '../db/file-names.ts'
import { leastLogBytes } from '../db/free-space.ts'
import { identifyFile } from '../db/kept-files.ts'
import { nameLockFile } from '../db/lock.ts'
import type { Reserve } from '../db/reserve.ts'

export interface HeldFolder {
  readonly folder: string
  readonly databaseFile: string
  /** The master.key that this process read. Undefined when the configuration gives the key. */
  readonly key: Uint8Array | undefined
  readonly reserve: Pick<Reserve, 'heldBytes'>
}

/** Every condition that a look at the folder can find. */
export const folderConditions = [
  'data-files-lost',
  'master-key-lost',
  'data-lock-lost',
  'disk-read-only',
  'disk-full',
  'data-folder-unreadable',
] as const

export interface FolderLook {
  readonly conditions: readonly Condition[]
  /** Whether what is written now would be lost, or could not be opened any more, when the process ends. */
  readonly isLost: boolean
}

const lostWhenEnding = 'nothing is stored any more, because it would be lost when the server ends. Reads go on'

export interface HeldFiles {
  look(): Promise<FolderLook>
  close(): void
}

/** Takes the files as they are now for the right ones: call it as soon as they are open. */
export function openHeldFiles({ folder, databaseFile, key, reserve }: HeldFolder): HeldFiles {
  const opened = [
    ['database file', databaseFile],
    ['write-ahead log of the database', nameLogFile(databaseFile)],
    ['shared memory of the database', `${databaseFile}-shm`],
  ].map(([what, path]) => ({ what: what!, path: path!, identity: identifyFile(path!) }))
  const lockFile = nameLockFile(databaseFile)
  const lock = { path: lockFile, identity: identifyFile(lockFile) }
  const keyFile = join(folder, 'master.key')
  let keyIdentity: string | undefined
  /** Kept open while the process lives, so that a deleted key can be copied out of it like the database. */
  const keyHandle = key && openSync(keyFile, 'r')

  async function findLostFile(): Promise<Condition | undefined> {
    if ((await findIdentity(folder)) === undefined)
      return makeFilesLost('the data folder was removed, moved away or unmounted', bringBack)
    for (const file of opened) {
      const now = await findIdentity(file.path)
      // The writer's thread may open its files a moment later.
      file.identity ??= now
      if (now === file.identity) continue
      const isDatabase = file.path === databaseFile
      return makeFilesLost(
        now === undefined
          ? `the ${file.what} was removed or moved away`
          : `the ${file.what} was replaced by another file`,
        isDatabase ? bringBack : stopWell,
      )
    }
    return undefined
  }

  async function findLostKey(): Promise<Condition | undefined> {
    if (!key) return undefined
    const now = await findVersion(keyFile)
    if (now !== undefined && now === keyIdentity) return undefined
    const text = now === undefined ? undefined : await readPresentFile(keyFile)
    if (text?.trim() !== key.toHex()) return makeKeyLost(text === undefined)
    keyIdentity = now
    return undefined
  }

  /** The size of the reserve when the disk was found full. */
  let heldWhenFull: number | undefined

  async function findFullDisk(): Promise<Condition | undefined> {
    const { bavail, bsize } = await statfs(folder)
    const held = reserve.heldBytes()
    // Room that was given up for a revocation is not room for something new.
    const givenUp = Math.max(0, (heldWhenFull ?? held) - held)
    const isFull = bavail * bsize - givenUp < leastLogBytes
    heldWhenFull = isFull ? (heldWhenFull ?? held) : undefined
    return isFull ? diskFull : undefined
  }

  async function look(): Promise<FolderLook> {
    try {
      const lost = await findLostFile()
      if (lost) return { conditions: [lost], isLost: true }
      const lostKey = await findLostKey()
      const isLockLost = (await findIdentity(lock.path)) !== lock.identity
      const found = [lostKey, isLockLost ? lockLost : undefined, (await findReadOnly(folder)) ?? (await findFullDisk())]
      return { conditions: found.filter((one) => one !== undefined), isLost: lostKey !== undefined }
    } catch (error) {
      return { conditions: [makeUnreadable((error as NodeJS.ErrnoException).code ?? 'unknown')], isLost: false }
    }
  }
  return {
    look,
    close() {
      if (keyHandle !== undefined) closeSync(keyHandle)
    },
  }
}

const bringBack =
  'if it was moved away, move it back: the server goes on by itself. If it was deleted, the server still has all of it open, and it is gone for good when the server ends. Do not stop it: copy the database, its -wal and master.key out of the open files of the process first (Linux: /proc/PID/fd; the database without its -wal lacks what was stored last, and without the key what is sealed cannot be opened), or restore a backup with its key. Then stop the server and start it on the copy. The commands are in the guide src/guides/faults.md, under "A deleted data folder"'
const stopWell =
  'if it was moved away, move it back: the server goes on by itself. Else restart the server with SIGTERM, which copies the log into the database at its end. Do not end it by SIGKILL: what stands only in the log would be lost'

const makeFilesLost = (happened: string, mend: string): Condition => ({
  name: 'data-files-lost',
  level: 'failing',
  says: `${happened} while the server runs: ${lostWhenEnding}`,
  mend,
})

const makeKeyLost = (isMissing: boolean): Condition => ({
  name: 'master-key-lost',
  level: 'failing',
  says: `the master key beside the database was ${isMissing ? 'removed or moved away' : 'replaced by another one'} while the server runs: nothing is stored any more, because what is sealed could not be opened after the next start. Reads go on`,
  mend: 'move master.key back, copy it out of the open files of the process (Linux: /proc/PID/fd), or restore it from a backup: the server goes on by itself. Do not stop it before that: at the next start, without the key, what it sealed cannot be opened any more',
})

const lockLost: Condition = {
  name: 'data-lock-lost',
  level: 'warning',
  says: 'the lock of the data folder was removed or replaced while the server runs, so a second server could start on it',
  mend: 'make sure that no second server runs on this data folder, and restart this one',
}

const makeUnreadable = (code: string): Condition => ({
  name: 'data-folder-unreadable',
  level: 'failing',
  says: `the data folder cannot be looked at any more (${code})`,
  mend: 'look at the disk and at the rights of the data folder. It ends by itself when the folder can be looked at',
})

/** Undefined for a file that went away since it was looked at. Errors: those of the file system. */
const readPresentFile = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

async function findReadOnly(folder: string): Promise<Condition | undefined> {
  const isReadOnly = await access(folder, constants.W_OK).then(
    () => false,
    (error) => error.code === 'EROFS',
  )
  return isReadOnly ? diskReadOnly : undefined
}

const diskReadOnly: Condition = {
  name: 'disk-read-only',
  level: 'failing',
  says: 'the disk that holds the data has become read-only: nothing can be stored',
  mend: 'the system does that after an error of the disk: look at its log (dmesg), check the file system (fsck), mount it for writing again. It ends by itself when a write succeeds again',
}

const diskFull: Condition = {
  name: 'disk-full',
  level: 'failing',
  says: 'the disk that holds the data is full: nothing new can be stored',
  mend: 'free space on the disk of the data folder, or make it larger. It ends by itself, without a restart',
}

/** Undefined where there is nothing of this name. Waits for no disk on the event loop. */
const findIdentity = (path: string): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(({ dev, ino }) => `${dev}:${ino}`, returnUndefinedIfMissing)

/** The value differs when the file was also written to. */
const findVersion = (path: string): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => `${dev}:${ino}:${size}:${mtimeNs}`,
    returnUndefinedIfMissing,
  )

function returnUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
