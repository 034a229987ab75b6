/**
 * Brings an unpacked backup forward by the chunks of its chain. Their frames are put behind each other to the logs that
 * they came from, and SQLite's own recovery brings each into the database, with its own checks of every frame.
 */
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { closeKeepingLog, openConnection } from '../../db/connection.ts'
import { locateDatabaseFile } from '../../db/db.ts'
import { nameLogFile as nameDatabaseLog } from '../../db/file-names.ts'
import { findOffset, isNextLog, type LogPlace, readFrameBytes, readLogHeader } from '../../db/log-frames.ts'
import { BackupError, BrokenChainError, DamagedBackupError } from '../fault.ts'
import type { Target } from '../targets/target.ts'
import { type Chunk, isSamePlace, makeDamaged } from './chunk.ts'
import { type LogFileName, type LogReader, listLogFiles, openLogReader } from './log-files.ts'

export interface RollOptions {
  readonly target: Target
  readonly passphrase: string | undefined
  readonly keyMark: number
  /** Holds the unpacked database and its log. */
  readonly folder: string
  /** Unix milliseconds: when the backup was made. */
  readonly backupAt: number
  /** Unix milliseconds: everything that was committed until then. Undefined: everything that is known. */
  readonly until: number | undefined
}

export interface Rolled {
  /** Transactions that were added. */
  readonly commits: number
  /** Unix milliseconds: `until`, where later transactions are at the place; else of the last one. Undefined: none. */
  readonly at: number | undefined
  /** A newer chain, which no backup that is here goes on with, begins then. What it holds is not restored. */
  readonly nextChainAt: number | undefined
}

const noPlace: LogPlace = { salt: '', frames: 0 }
const nothing = { commits: 0, at: undefined, nextChainAt: undefined }

/** Errors: BackupError where a needed chunk is missing or damaged, or the moment cannot be reached. */
export async function rollForward(options: RollOptions): Promise<Rolled> {
  const { target, passphrase, keyMark, folder, backupAt, until } = options
  const place = findPlace(folder)
  const files = await listLogFiles(target, keyMark)
  if (!place || files.length === 0) return nothing
  const { read } = openLogReader(target, passphrase)
  const found = await findBeginning(files, place, backupAt, read)
  if (found === undefined)
    return requireReached({ ...nothing, nextChainAt: findNextChain(files, undefined, backupAt) }, options)
  const chain = files.slice(found).filter(({ chain }) => chain === files[found]!.chain)
  const log = new LogWriter(folder, place)
  try {
    let next: Pick<LogFileName, 'name'> | undefined
    try {
      for (const file of chain) {
        next = file
        for await (const chunk of read(file)) log.add(chunk, until)
        if (log.isDone) break
      }
    } catch (error) {
      // What comes later than the moment may be damaged.
      if (until === undefined || !(error instanceof DamagedBackupError) || (log.at ?? 0) < until)
        throw explainStop(error, log.at, next?.name)
    }
    log.finish()
  } finally {
    log.close()
  }
  const nextChainAt = log.isDone ? undefined : findNextChain(files, chain[0]!.chain, backupAt)
  return requireReached({ commits: log.commits, at: log.isDone ? until : log.at, nextChainAt }, options)
}

/** Errors: BackupError where a part before the moment was not shipped. */
function requireReached(rolled: Rolled, { until, backupAt }: RollOptions): Rolled {
  const { nextChainAt, at } = rolled
  if (until === undefined || nextChainAt === undefined || until <= (at ?? backupAt)) return rolled
  // Nothing was shipped between the two.
  if (until < nextChainAt) return { ...rolled, nextChainAt: undefined }
  throw new BackupError(
    `the continuous backup was interrupted after ${writeTime(at ?? backupAt)} and began anew at ${writeTime(nextChainAt)}, and no whole backup from between then and ${writeTime(until)} is here`,
    `name ${writeTime(at ?? backupAt)}, or a moment after the next whole backup. Nothing was changed`,
  )
}

const writeTime = (at: number): string => new Date(at).toISOString()

/** Behind the last frame of the log in the folder. */
function findPlace(folder: string): LogPlace | undefined {
  const log = nameDatabaseLog(locateDatabaseFile(folder))
  if (!existsSync(log)) return undefined
  const header = readLogHeader(log)
  return header && { salt: header.salt, frames: (statSync(log).size - header.bytes) / readFrameBytes(header) }
}

/** The index of the file that holds the place. Looked for from the time of the backup backwards, then forwards. */
async function findBeginning(
  files: readonly LogFileName[],
  { salt, frames }: LogPlace,
  backupAt: number,
  read: LogReader['read'],
): Promise<number | undefined> {
  const before = files.findLastIndex(({ firstAt }) => firstAt <= backupAt)
  let damage: DamagedBackupError | undefined
  const order = [...files.keys()].sort((one, other) => rank(one, before) - rank(other, before))
  for (const index of order)
    try {
      for await (const { head } of read(files[index]!))
        if (head.salt === salt && head.from <= frames && frames <= head.to) return index
    } catch (error) {
      if (!(error instanceof DamagedBackupError)) throw error
      // What is older than the backup may be damaged.
      if (files[index]!.lastAt >= backupAt) damage ??= error
    }
  if (damage) throw explainStop(damage, undefined, undefined)
  return undefined
}

const rank = (index: number, before: number): number => (index <= before ? before - index : index)

const findNextChain = (files: readonly LogFileName[], chain: string | undefined, after: number): number | undefined =>
  files.find((file) => (chain === undefined ? file.lastAt > after : file.chain > chain))?.firstAt

function explainStop(error: unknown, at: number | undefined, name: string | undefined): unknown {
  if (!(error instanceof DamagedBackupError)) return error
  return new BrokenChainError(
    `${error.happened}${name === undefined || error.happened.includes(name) ? '' : ` (${name})`}`,
    at === undefined
      ? 'restore the backup alone, by the name of its file. Nothing was changed'
      : `restore what is whole with --at ${new Date(at).toISOString()}, or the backup alone by the name of its file. Nothing was changed`,
  )
}

/** Writes the log of the moment, and has each log that is whole brought into the database. */
class LogWriter {
  commits = 0
  at: number | undefined
  isDone = false
  private handle: number | undefined
  /** The place of the backup. */
  private isReached = false
  private last: Chunk | undefined
  private place: LogPlace
  private readonly file: string

  constructor(folder: string, place: LogPlace) {
    this.file = locateDatabaseFile(folder)
    this.place = place
  }

  add(chunk: Chunk, until: number | undefined): void {
    if (this.isDone) return
    const { head } = chunk
    this.requireNext(chunk)
    this.last = chunk
    if (head.salt !== this.place.salt) {
      // The file holds what comes before the place of the backup, too.
      if (!this.isReached) return
      if (!isSamePlace(head.endOfLast ?? noPlace, this.place))
        throw makeDamaged('a chunk', 'frames before it are missing')
      this.finish()
      rmSync(nameDatabaseLog(this.file), { force: true })
      this.place = { salt: head.salt, frames: 0 }
    }
    this.isReached = true
    if (head.to <= this.place.frames) return
    const known = head.commits.filter(([frames]) => frames > this.place.frames)
    const wanted = until === undefined ? known : known.filter(([, at]) => at <= until)
    this.isDone = wanted.length < known.length
    const to = this.isDone ? (wanted.at(-1)?.[0] ?? this.place.frames) : head.to
    this.write(chunk, to)
    this.commits += wanted.length
    this.at = wanted.at(-1)?.[1] ?? this.at
  }

  /** Errors: BackupError. */
  private requireNext({ head }: Chunk): void {
    const { last } = this
    if (!last) return
    const isNext =
      head.chain === last.head.chain &&
      head.index === last.head.index + 1 &&
      head.before === last.hash &&
      (head.salt === last.head.salt
        ? head.from === last.head.to
        : head.from === 0 &&
          isNextLog(last.head.salt, head.salt) &&
          isSamePlace(head.endOfLast ?? noPlace, { salt: last.head.salt, frames: last.head.to }))
    if (!isNext)
      throw new BrokenChainError(
        `chunk ${last.head.index + 1} of the continuous backup is missing, or another stands in its place`,
        'see what stops it',
      )
  }

  private write({ head, bytes }: Chunk, to: number): void {
    if (to <= this.place.frames) return
    const begin = head.from === 0 ? 0 : findOffset(head, head.from)
    const own = this.place.frames === 0 ? 0 : findOffset(head, this.place.frames)
    if (own < begin) throw makeDamaged('a chunk', 'frames before it are missing')
    this.handle ??= openSync(nameDatabaseLog(this.file), this.place.frames === 0 ? 'w' : 'r+', 0o600)
    const piece = bytes.subarray(own - begin, findOffset(head, to) - begin)
    for (let written = 0; written < piece.length; )
      written += writeSync(this.handle, piece, written, piece.length - written, own + written)
    this.place = { salt: head.salt, frames: to }
  }

  /** Errors: BackupError where SQLite finds less than what was written. */
  finish(): void {
    if (this.handle === undefined) return
    ftruncateSync(this.handle, findOffset(this.last!.head, this.place.frames))
    fsyncSync(this.handle)
    this.close()
    const db = openConnection({ file: this.file, cacheBytes: 16 * 1_048_576, walLimitBytes: 0 })
    try {
      const { log, checkpointed } = db
        .query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)')
        .get() ?? { log: 0, checkpointed: 0 }
      const boundary = this.findLastCommit()
      if (log < boundary || checkpointed < log)
        throw new BrokenChainError(`SQLite recovers ${log} of ${boundary} frames of a log`, 'see what stops it')
    } finally {
      closeKeepingLog(db)
    }
  }

  /** Of the present log. Frames of a transaction that did not end count no more. */
  private findLastCommit(): number {
    const { head } = this.last!
    const ends = head.salt === this.place.salt ? head.commits.map(([frames]) => frames) : []
    return Math.max(0, ...ends.filter((frames) => frames <= this.place.frames))
  }

  close(): void {
    if (this.handle !== undefined) closeSync(this.handle)
    this.handle = undefined
  }
}
