/**
 * Tells who copies the log elsewhere (backup/continuous) what is committed in it. The writer alone copies the log into
 * the database, after which the log may be begun anew: before that, it hands over the frames that were not taken yet.
 */
import { openSync } from 'node:fs'
import { nameLogFile } from './file-names.ts'
import { type LogHeader, type LogPlace, readFrameBytes, readFrames, readOpenHeader } from './log-frames.ts'

export type LogNews =
  /** Everything before the place is committed and on disk. */
  | (LogPlace & { readonly kind: 'commits' })
  /** What was not taken yet, before the log may be begun anew. */
  | (LogPlace & { readonly kind: 'rest'; readonly from: number; readonly bytes: Uint8Array })
  /** All of the log is in the database. Where nothing comes behind the place, the next log goes on from it. */
  | (LogPlace & { readonly kind: 'end' })
  /** Frames went by that nobody took: a copy cannot go on from here. */
  | { readonly kind: 'lost'; readonly why: string }

/** What the copier has read already, and the bytes handed over to it that it still holds in memory. */
export interface Taken extends LogPlace {
  readonly heldBytes: number
  /** It is at its place, too. */
  readonly isShipped: boolean
}

export interface LogFeed {
  /** `frames`: in the log now. */
  look(frames: number): void
  noteTaken(taken: Taken): void
  /**
   * Whether everything is at its place. A log that is begun anew before is hard to go on from after a crash, so that
   * happens only where the log is long.
   */
  isShipped(frames: number): boolean
  /**
   * Before the log is copied into the database. False: the copy waits, because the copier is behind and the log is not
   * too long yet. `isUrgent`: it does not wait.
   */
  handOverRest(frames: number, isUrgent?: boolean): boolean
  /** After everything up to `frames` was copied. */
  noteCopied(frames: number): void
  /** Another connection may have written what was never seen here. */
  noteUnseen(): void
}

export const noLogFeed: LogFeed = {
  look: () => {},
  noteTaken: () => {},
  isShipped: () => true,
  handOverRest: () => true,
  noteCopied: () => {},
  noteUnseen: () => {},
}

/** In memory at the copier, while the place of the copies cannot be reached. */
const mostHeldBytes = 32 * 1_048_576
/** Times the length at which the log is usually copied: then it is copied although the copier is behind. */
const longestFactor = 8

export function openLogFeed(file: string, walLimitBytes: number, tell: (news: LogNews) => void): LogFeed {
  let handle: number | undefined
  let known: { readonly header: LogHeader; readonly frames: number } | undefined
  let taken: LogPlace | undefined
  let shipped: LogPlace | undefined
  let heldBytes = 0

  function look(frames: number): void {
    if (frames === 0) return
    handle ??= openSync(nameLogFile(file), 'r')
    const header = readOpenHeader(handle)
    if (!header || (known && known.header.salt === header.salt && known.frames >= frames)) return
    known = { header, frames }
    tell({ kind: 'commits', salt: header.salt, frames })
  }

  const lose = (why: string): void => {
    taken = known && { salt: known.header.salt, frames: known.frames }
    tell({ kind: 'lost', why })
  }

  function handOverRest(frames: number, isUrgent = false): boolean {
    look(frames)
    if (!known || handle === undefined) return true
    const { header } = known
    const from = taken?.salt === header.salt ? taken.frames : 0
    if (from >= known.frames) return true
    const bytes = (known.frames - from) * readFrameBytes(header)
    if (heldBytes + bytes > mostHeldBytes) {
      const isLong = known.frames * readFrameBytes(header) > longestFactor * walLimitBytes
      if (!isUrgent && !isLong) return false
      lose('the copies fell behind, and the log became too long to wait for them')
      return true
    }
    const rest = readFrames(handle, header, { from, to: known.frames })
    if (!rest) {
      lose('the log was begun anew before its end was read')
      return true
    }
    taken = { salt: header.salt, frames: known.frames }
    heldBytes += rest.length
    tell({ kind: 'rest', ...taken, from, bytes: rest })
    return true
  }

  return {
    look,
    handOverRest,

    noteTaken(now) {
      heldBytes = now.heldBytes
      if (now.isShipped) shipped = now
      const isOld = taken && taken.salt === now.salt && taken.frames > now.frames
      if (now.salt === known?.header.salt && !isOld) taken = now
    },

    isShipped: (frames) => known !== undefined && shipped?.salt === known.header.salt && shipped.frames >= frames,

    noteCopied(frames) {
      // Another process wrote between the look and the copy.
      if (known && frames > known.frames) handOverRest(frames, true)
      if (known && frames === known.frames) tell({ kind: 'end', salt: known.header.salt, frames })
    },

    noteUnseen: () => lose('another process wrote while the log was emptied'),
  }
}
