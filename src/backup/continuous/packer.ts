/** Turns what the writer tells of the log into the chunks of a chain. */
import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import { nameLogFile } from '../../db/file-names.ts'
import type { LogNews } from '../../db/log-feed.ts'
import {
  findFormerEnd,
  findOffset,
  isNextLog,
  type LogPlace,
  logHeaderBytes,
  readFormerFrames,
  readFrameBytes,
  readFrames,
  readOpenHeader,
} from '../../db/log-frames.ts'
import type { BackupSealer } from '../sealing.ts'
import { isSamePlace, mostChunkBytes, packChunk } from './chunk.ts'
import type { CommitTime } from './commit-times.ts'

/** What the writer tells. `at`: Unix milliseconds, after the commit and before its callers had their answers. */
export type ShipNews =
  | Exclude<LogNews, { kind: 'commits' }>
  | (LogPlace & { readonly kind: 'commits'; readonly at: number })

/** How far a chain goes. */
export interface ChainEnd extends LogPlace {
  readonly chain: string
  readonly nextIndex: number
  /** Of its last chunk. */
  readonly hash: string
  /** Unix milliseconds of its last transaction. */
  readonly at: number
}

/** The end of the newest chain at the place, with the last frame in it. */
export interface KeptEnd extends ChainEnd {
  readonly lastFrame: Uint8Array
}

export interface PackedChunk {
  readonly chain: string
  readonly index: number
  /** Behind each other. */
  readonly packed: readonly Uint8Array[]
  readonly logBytes: number
  /** Unix milliseconds of the first and the last transaction in it. */
  readonly firstAt: number
  readonly lastAt: number
  /** The chain with it. */
  readonly end: ChainEnd
}

/** Only a backup that is made after its start goes on with a chain. */
export interface ChainNews {
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Why it was begun just now. Undefined: it goes on. */
  readonly why: string | undefined
}

export interface PackerOptions {
  readonly databaseFile: string
  readonly sealer: BackupSealer | undefined
  /** The newest chain at the place, if there is one. */
  readonly kept: KeptEnd | undefined
  /** Of transactions that the last run did not ship, in their order. */
  readonly formerTimes: readonly CommitTime[]
  readonly tellChain: (chain: ChainNews) => void
}

export interface Packer {
  take(news: readonly ShipNews[]): void
  /** Undefined: nothing more is known, or what is missing is on its way from the writer. */
  next(): PackedChunk | undefined
  /** Of what the writer handed over. */
  countHeldBytes(): number
  readEnd(): ChainEnd | undefined
}

/** At the beginning of its name. */
const chainTimeDigits = 15

type Commits = ShipNews & { kind: 'commits' }
type Rest = ShipNews & { kind: 'rest' }

interface Source {
  readonly pageBytes: number
  readonly upTo: number
  /** Into the beginning of the buffer, if one is given. */
  read(from: number, to: number, buffer?: Uint8Array): Uint8Array | undefined
}

export function openPacker({ databaseFile, sealer, kept, formerTimes, tellChain }: PackerOptions): Packer {
  let queue: ShipNews[] = []
  let end: ChainEnd | undefined
  let resumable = kept
  let whyNew = 'no chain at the place goes on with this log'
  /** The whole log is in the database: the next one goes on from it. */
  let ended: LogPlace | undefined
  /** Set by the first chunk of a log. */
  let endOfLast: LogPlace | null = null
  let handle: number | undefined
  /** For all chunks, one after the other: making one costs more than reading into it. */
  let buffer: Uint8Array | undefined

  /** Passes by what needs no frames. */
  function findWanted(): Commits | undefined {
    for (let news = queue[0]; news; news = queue[0]) {
      if (news.kind === 'commits' && !end) {
        const resumed = resume(news)
        if (resumed === 'later') return undefined
        // It may have put more before this.
        end = resumed ?? begin(news)
        continue
      }
      if (news.kind === 'lost') lose(news.why)
      else if (news.kind === 'end') ended = news
      else if (news.kind === 'commits' && isBeyond(news)) return news
      queue = queue.slice(1)
    }
    return undefined
  }

  /** Whether frames before it are missing in the chain. */
  function isBeyond(news: Commits): boolean {
    if (!end) return false
    if (end.salt !== news.salt) turn(news)
    return end.frames < news.frames
  }

  function lose(why: string): void {
    end = undefined
    resumable = undefined
    whyNew = why
  }

  function begin({ salt, frames, at }: Commits): ChainEnd {
    endOfLast = null
    tellChain({ startedAt: at, why: whyNew })
    const chain = `${String(at).padStart(chainTimeDigits, '0')}-${randomBytes(4).toString('hex')}`
    return { chain, nextIndex: 0, hash: '', at, salt, frames }
  }

  /** With another log, which begins where the last one ended. */
  function turn(news: Commits): void {
    if (!end) return
    if (!ended || !isSamePlace(end, ended) || !isNextLog(end.salt, news.salt)) {
      lose('a part of the log went by unseen')
      end = begin(news)
      return
    }
    endOfLast = { salt: end.salt, frames: end.frames }
    end = { ...end, salt: news.salt, frames: 0 }
  }

  /** `later`: the log was begun anew just now, and its rest is on the way. */
  function resume({ salt, frames }: Commits): ChainEnd | 'later' | undefined {
    const found = resumable
    if (found?.salt === salt && !findSource(found) && !isGone(salt)) return 'later'
    resumable = undefined
    if (!found || !(found.salt === salt ? resumeSameLog(found, frames) : resumeFormerLog(found, { salt, frames })))
      return undefined
    tellChain({ startedAt: Number(found.chain.slice(0, chainTimeDigits)), why: undefined })
    return found
  }

  /** The log goes on that the chain ends in. */
  function resumeSameLog(found: KeptEnd, frames: number): boolean {
    if (found.frames > frames) return false
    const last = findSource(found)?.read(found.frames - 1, found.frames)
    if (!isSameFrame(last, found.lastFrame)) return false
    queue.unshift(...recallCommits(found, frames))
    return true
  }

  /** The log was begun anew before the last run ended. What it held before that still lies behind it. */
  function resumeFormerLog(found: KeptEnd, { salt, frames }: LogPlace): boolean {
    if (!isNextLog(found.salt, salt)) return false
    handle ??= openSync(nameLogFile(databaseFile), 'r')
    const header = readOpenHeader(handle)
    if (header?.salt !== salt) return false
    const to = findFormerEnd(handle, header, found)
    if (to === undefined) return false
    const bytes = readFormerFrames(handle, header, found.frames, to)
    // The present log grows from its beginning: where it did not reach this frame, it reached none behind it.
    if (!isSameFrame(readFormerFrames(handle, header, found.frames - 1, found.frames), found.lastFrame)) return false
    const place = { salt: found.salt, frames: to }
    if (!bytes) return false
    const before: ShipNews[] = []
    if (to > found.frames) {
      const times = recallCommits(found, to)
      before.push(...times)
      if (times.at(-1)?.frames !== to) before.push({ ...place, kind: 'commits', at: times.at(-1)?.at ?? found.at })
      before.push({ ...place, kind: 'rest', from: found.frames, bytes })
    }
    queue.unshift(...before, { ...place, kind: 'end' }, ...recallCommits({ salt, frames: 0 }, frames))
    return true
  }

  const recallCommits = ({ salt, frames }: LogPlace, to: number): Commits[] =>
    formerTimes
      .filter((time) => time.salt === salt && time.frames > frames && time.frames <= to)
      .map((time) => ({ ...time, kind: 'commits' }))

  /** What the writer handed over, or else the log itself. */
  function findSource({ salt, frames }: LogPlace): Source | undefined {
    const rest = queue.find(
      (news): news is Rest => news.kind === 'rest' && news.salt === salt && news.from <= frames && news.frames > frames,
    )
    if (rest) return readRest(rest)
    handle ??= openSync(nameLogFile(databaseFile), 'r')
    const [log, header] = [handle, readOpenHeader(handle)]
    if (header?.salt !== salt) return undefined
    return {
      pageBytes: header.pageBytes,
      upTo: Number.POSITIVE_INFINITY,
      read: (from, to, buffer) => readFrames(log, header, { from, to, buffer }),
    }
  }

  /** Where the log itself is gone, and nothing of it can come any more. */
  const isGone = (salt: string): boolean =>
    queue.some((news) => news.kind === 'lost' || (news.kind === 'commits' && news.salt !== salt))

  function listCommits({ salt, frames }: ChainEnd): [number, number][] {
    const commits: [number, number][] = []
    for (const news of queue) {
      if (news.kind === 'lost' || (news.kind === 'commits' && news.salt !== salt)) break
      if (news.kind === 'commits' && news.frames > frames) commits.push([news.frames, news.at])
    }
    return commits
  }

  function pack(before: ChainEnd): PackedChunk | undefined {
    const source = findSource(before)
    if (!source) return undefined
    const { pageBytes } = source
    const limit = Math.min(source.upTo, before.frames + Math.floor(mostChunkBytes / readFrameBytes({ pageBytes })))
    const known = listCommits(before)
    const commits = known.filter(([frames]) => frames <= limit)
    // A transaction that is longer is divided.
    const to = commits.at(-1)?.[0] ?? Math.min(limit, known[0]![0])
    buffer ??= new Uint8Array(logHeaderBytes + mostChunkBytes)
    const bytes = source.read(before.frames, to, buffer)
    if (!bytes) return undefined
    const { chain, nextIndex: index, salt, frames: from } = before
    const head = { chain, index, before: before.hash, endOfLast, salt, pageBytes, from, to, commits }
    const { packed, hash } = packChunk(head, bytes, sealer)
    endOfLast = null
    const lastAt = commits.at(-1)?.[1] ?? before.at
    end = { chain, nextIndex: index + 1, hash, at: lastAt, salt, frames: to }
    return { chain, index, packed, logBytes: bytes.length, firstAt: commits[0]?.[1] ?? lastAt, lastAt, end }
  }

  return {
    take(news) {
      queue.push(...news)
    },

    next() {
      while (findWanted() && end) {
        const chunk = pack(end)
        if (chunk) return chunk
        if (!isGone(end.salt)) return undefined
        lose('a part of the log was begun anew before it was read')
      }
      return undefined
    },

    countHeldBytes: () => queue.reduce((sum, news) => sum + (news.kind === 'rest' ? news.bytes.length : 0), 0),
    readEnd: () => end,
  }
}

const isSameFrame = (read: Uint8Array | undefined, known: Uint8Array): boolean =>
  read !== undefined && Buffer.compare(read.subarray(-known.length), known) === 0

function readRest({ from: first, frames, bytes }: Rest): Source {
  const header = first === 0 ? logHeaderBytes : 0
  const pageBytes = (bytes.length - header) / (frames - first) - readFrameBytes({ pageBytes: 0 })
  const locate = (place: number): number =>
    place === 0 ? 0 : findOffset({ pageBytes }, place) - (first === 0 ? 0 : findOffset({ pageBytes }, first))
  return {
    pageBytes,
    upTo: frames,
    read(from, to, buffer) {
      const found = bytes.subarray(locate(from), locate(to))
      buffer?.set(found)
      return buffer?.subarray(0, found.length) ?? found
    },
  }
}
