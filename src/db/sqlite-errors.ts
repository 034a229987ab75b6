/**
 * The meaning of an SQLite error for the disk and for the transaction, in this server's mode (WAL, synchronous=FULL).
 * Only this file decides whether a failed write counts as refused or uncertain.
 *
 * A commit goes through these steps, and only the last one shows it to readers:
 *
 *   1. its pages are appended to the log, the last of them with the mark of a commit (pwrite)
 *   2. the log is brought to the disk (fsync)
 *   3. the index of the log, which is shared memory, names the new pages
 *
 * After a crash the index is rebuilt from the log. A transaction with its mark there counts, whether its fsync
 * succeeded or not. So from the last write of step 1 on, an error no longer means "not stored".
 *
 *   where                   error                               what is known
 *   BEGIN                   every one                           nothing of it is stored: nothing was written
 *   a statement             every one                           nothing of it is stored: the log may hold pages of it
 *                                                               (a large transaction spills), but no mark of a commit.
 *                                                               CORRUPT and NOTADB: the group is rolled back, because
 *                                                               COMMIT would fail with them too
 *   COMMIT                  BUSY, CONSTRAINT                    nothing of it is stored: asked before step 1
 *   COMMIT                  FULL                                nothing of it is stored: a page found no room, and the
 *                                                               mark is in the last page. (An fsync that finds no room
 *                                                               is IOERR_FSYNC, not FULL.)
 *   COMMIT                  IOERR_WRITE                         uncertain: a page that was reported as failed may be in
 *                                                               the file, the one with the mark too
 *   COMMIT                  IOERR_FSYNC, IOERR_DIR_FSYNC        uncertain: the mark is in the file, and on the disk or not
 *   COMMIT                  IOERR_SHM..., IOERR_NOMEM, NOMEM    uncertain: met in step 3, when it may be on the disk
 *   COMMIT                  CORRUPT, NOTADB, READONLY,          uncertain: not met here in an orderly life, so nothing
 *                           CANTOPEN and every other            is promised
 *   checkpoint              IOERR_FSYNC, IOERR_DIR_FSYNC        what was acknowledged is in the log. But a checkpoint
 *                                                               that stopped half-way before counts its pages as copied,
 *                                                               and an fsync that failed once does not fail again
 *   checkpoint              every other                         what was acknowledged is in the log, and the next
 *                                                               checkpoint copies the same pages again
 */

export type Step = 'begin' | 'statement' | 'commit'

/** Primary result codes (the low byte of errno), from sqlite.org/rescode.html. */
const primary = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const

/**
 * `damaged`: a page does not hold what it should. `full`, `read-only`: the disk takes nothing now. `disk`: it answered
 * with an error. `other`: the disk is not at fault.
 */
export type FaultKind = 'damaged' | 'full' | 'read-only' | 'disk' | 'other'

/** With the words of sqlite3_errstr(): a writer's thread passes on no code, and words stay while codes get extended. */
const kinds: readonly (readonly [number, string, FaultKind])[] = [
  [primary.CORRUPT, 'database disk image is malformed', 'damaged'],
  [primary.NOTADB, 'file is not a database', 'damaged'],
  [primary.FULL, 'database or disk is full', 'full'],
  [primary.READONLY, 'attempt to write a readonly database', 'read-only'],
  [primary.IOERR, 'disk I/O error', 'disk'],
  [primary.CANTOPEN, 'unable to open database file', 'disk'],
]

/** The fault of the disk that an error shows. */
export function findFaultKind(error: unknown): FaultKind {
  const code = findPrimaryCode(error)
  const message = error instanceof Error ? error.message : ''
  return kinds.find(([known, words]) => (code === undefined ? message.includes(words) : code === known))?.[2] ?? 'other'
}

const refusedAtCommit: ReadonlySet<number> = new Set([primary.BUSY, primary.FULL, primary.CONSTRAINT])

/** Undefined for what is no error of SQLite. */
function findPrimaryCode(error: unknown): number | undefined {
  const errno = error instanceof Error && 'errno' in error ? error.errno : undefined
  return typeof errno === 'number' ? errno & 0xff : undefined
}

/** Whether the transaction may be stored although this was thrown. */
export function isUncertain(error: unknown, step: Step): boolean {
  if (step !== 'commit') return false
  const code = findPrimaryCode(error)
  return code === undefined || !refusedAtCommit.has(code)
}

export const isDiskFull = (error: unknown): boolean => findFaultKind(error) === 'full'

/** Whether pages that checkpoints copied may be missing on the disk without being copied again. */
export const leavesCopyInDoubt = (error: unknown): boolean => /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(nameError(error) ?? '')

/** As SQLite names it, with its extended kind: SQLITE_IOERR_FSYNC. */
export const nameError = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
