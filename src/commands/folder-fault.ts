/** Turns an error of the system or SQLite about an unusable data folder into a sentence with a remedy. */
import { SQLiteError } from 'bun:sqlite'
import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { locateDatabaseFile, StorageError } from '../db/db.ts'
import { findFaultKind } from '../db/sqlite-errors.ts'
import { UnavailableError } from './command.ts'

interface Fault {
  /** A prefix of SQLite's code, or the system's code. */
  readonly code: string
  readonly happened: string
  readonly mend: string
}

const otherFolder = 'or name another folder with PROOFGATE_DATA'
const freeSpace = `free some space there, ${otherFolder}`
const mountWritable = `see with "findmnt" how it is mounted and in the log of the kernel why, and mount it for writing, ${otherFolder}`
const makeWritable = `make it a folder that this user may write to, with everything in it, ${otherFolder}`
const seeDisk =
  'the disk or the connection to it fails: see the log of the kernel and the state of the disk, copy what can be read, and restore a backup if the database is damaged'

const ofSqlite: readonly Fault[] = [
  { code: 'SQLITE_FULL', happened: 'its disk is full', mend: freeSpace },
  {
    code: 'SQLITE_READONLY',
    happened: 'its disk or a file in it cannot be written to',
    mend: `see that the disk is mounted for writing and that the files belong to this user, ${otherFolder}`,
  },
  {
    code: 'SQLITE_PERM',
    happened: 'no permission for a file in it',
    mend: makeWritable,
  },
  {
    code: 'SQLITE_CANTOPEN',
    happened: 'a file of the database cannot be opened or made',
    mend: `see that the folder is there, is mounted, and that all files in it belong to this user, ${otherFolder}`,
  },
  {
    code: 'SQLITE_BUSY',
    happened: 'another program holds the database for itself',
    mend: 'end it: a shell or a backup that holds a transaction open, for one',
  },
  { code: 'SQLITE_IOERR', happened: 'its disk answered with an error', mend: seeDisk },
]

const ofSystem: readonly Fault[] = [
  { code: 'EACCES', happened: 'no permission', mend: makeWritable },
  { code: 'EPERM', happened: 'no permission', mend: makeWritable },
  { code: 'EROFS', happened: 'its disk is mounted read-only', mend: mountWritable },
  { code: 'ENOTDIR', happened: 'a part of the path is a file', mend: `move that file away, ${otherFolder}` },
  { code: 'EEXIST', happened: 'there is a file of that name', mend: `move that file away, ${otherFolder}` },
  { code: 'ENOENT', happened: 'a part of the path is not there', mend: `make it or mount it, ${otherFolder}` },
  { code: 'ELOOP', happened: 'its links lead in a circle', mend: `mend them, ${otherFolder}` },
  { code: 'ENOSPC', happened: 'its disk is full', mend: freeSpace },
  { code: 'EDQUOT', happened: 'the disk quota of this user is used up', mend: freeSpace },
  { code: 'EIO', happened: 'its disk answered with an error', mend: seeDisk },
  { code: 'ESTALE', happened: 'the server of this network folder has lost it', mend: 'unmount it and mount it again' },
  { code: 'ENOTCONN', happened: 'what serves this mount has ended', mend: 'unmount it and mount it again' },
  { code: 'EMFILE', happened: 'this process may open no more files', mend: 'raise the limit ("ulimit -n")' },
  { code: 'ENFILE', happened: 'this machine has no files left to open', mend: 'end what holds so many files open' },
]

export interface FolderFault {
  readonly says: string
  readonly mend: string
}

/** Undefined for an error unrelated to the folder. */
export function explainFolderFault(error: unknown, folder: string): UnavailableError | undefined {
  const fault = describeFolderFault(error, folder)
  return fault && new UnavailableError(`${fault.says}: ${fault.mend}`)
}

/** The same in its two parts. */
export function describeFolderFault(error: unknown, folder: string): FolderFault | undefined {
  if (error instanceof SQLiteError) return describeSqlite(error, folder)
  if (error instanceof StorageError)
    return makeUnusableFault(folder, { code: '', happened: error.message, mend: seeDisk })
  const fault = findSystemFault(error)
  return fault && makeUnusableFault(folder, fault)
}

/** The fault that stops this user from reading and writing the folder and its files, if any. Changes nothing. */
export function findFolderFault(folder: string): FolderFault | undefined {
  const fault = findUnusable(folder)
  return fault && makeUnusableFault(folder, fault)
}

export const isUsableFolder = (folder: string): boolean => findFolderFault(folder) === undefined

function findSystemFault(error: unknown): Fault | undefined {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException
  return syscall === undefined ? undefined : ofSystem.find((one) => one.code === code)
}

const readWrite = constants.R_OK | constants.W_OK

/**
 * Runs before SQLite opens anything. Files that SQLite creates beside a read-only database keep its rights, and stop
 * the next start too. A missing folder passes. Errors: UnavailableError.
 */
export function requireUsableFolder(folder: string): void {
  if (!existsSync(folder)) return
  const fault = findFolderFault(folder)
  if (fault) throw new UnavailableError(`${fault.says}: ${fault.mend}`)
}

/** SQLite says only that a file cannot be opened or written. The system says which and why. */
function findUnusable(folder: string): Fault | undefined {
  const files = ['', '-wal', '-shm', '.lock', '.lock-journal'].map((end) => `${locateDatabaseFile(folder)}${end}`)
  for (const path of [folder, ...files]) {
    try {
      const found = statSync(path, { throwIfNoEntry: path === folder })
      if (found && path !== folder && !found.isFile())
        return { code: '', happened: `${path} is not a file`, mend: `move it away, ${otherFolder}` }
      if (path === folder && !found?.isDirectory()) return ofSystem.find(({ code }) => code === 'EEXIST')
      if (found) accessSync(path, path === folder ? constants.R_OK | constants.W_OK | constants.X_OK : readWrite)
    } catch (error) {
      const fault = findSystemFault(error)
      if (fault) return path === folder ? fault : describeFile(path, fault, folder)
    }
  }
  return findReadOnlyDisk(folder)
}

/** Linux: opens a file without a name, which disappears when it is closed. */
const unnamedFile = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR

/** A file system that was aborted after a fault still reports as writable, until a file is created. */
function findReadOnlyDisk(folder: string): Fault | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    closeSync(openSync(folder, unnamedFile, 0o600))
  } catch (error) {
    const fault = findSystemFault(error)
    // Other errors mean that it cannot create such files, or is full, which another check reports.
    if (fault && ['EROFS', 'EIO'].includes(fault.code)) return fault
  }
  return undefined
}

function describeFile(path: string, fault: Fault, folder: string): Fault {
  const user = process.getuid?.()
  if (user === undefined || !/^(EACCES|EPERM)$/.test(fault.code))
    return { ...fault, happened: `${path}: ${fault.happened}` }
  return {
    code: fault.code,
    happened: `${path}: user ${user} has no permission to read and write it`,
    mend: `run this as the user of the server. If this is that user, run as root: chown -R ${user} ${folder} && chmod -R u+rwX ${folder}`,
  }
}

function describeSqlite(error: SQLiteError, folder: string): FolderFault {
  const { code = '', message } = error
  if (findFaultKind(error) === 'damaged') return describeDamage(folder, message)
  const unusable = /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ? findUnusable(folder) : undefined
  const fault = unusable ?? ofSqlite.find((one) => code.startsWith(one.code))
  return fault
    ? makeUnusableFault(folder, unusable ?? { ...fault, happened: `${fault.happened}: ${code}` })
    : { says: `the database in ${folder} cannot be used (${message})`, mend: makeWritable }
}

export const describeDamage = (folder: string, why: string): FolderFault => ({
  says: `the database in ${folder} is damaged or not a database (${why})`,
  mend: `keep a copy of the folder as it is, see to the disk, and put a backup in its place, ${otherFolder}`,
})

const makeUnusableFault = (folder: string, { happened, mend }: Fault): FolderFault => ({
  says: `the data folder ${folder} cannot be used (${happened})`,
  mend,
})
