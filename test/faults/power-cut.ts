/**
 * Simulates a disk after a power cut. Synced writes are there. Any sector of a later write may be there or missing, in
 * any order. A sync that failed makes nothing durable, then or later: systems give up the pages, though memory still
 * shows them. Works on the journal that faults.c keeps, once its process is gone.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, journalFile } from './faulty-server.ts'

const sectorBytes = 512
/** `enum` in faults.c. */
const kinds = { wrote: 1, cut: 2, synced: 3, syncFailed: 4, removed: 5 } as const

interface Change {
  readonly kind: number
  readonly offset: number
  readonly bytes: Buffer
  readonly old: Buffer
  readonly oldSize: number
  /** Position of the entry in the journal. */
  readonly at: number
  state: 'pending' | 'lost' | 'durable'
}

interface Journal {
  /** Changes by file. */
  readonly files: Map<string, Change[]>
  /** Position where the last whole entry ends. */
  readonly endsAt: number
}

function readJournal(file: string): Journal {
  const files = new Map<string, Change[]>()
  /** Writes of each file that no sync has decided yet, and removals of all files. */
  const pending = new Map<string, Change[]>()
  let removed: Change[] = []
  const decide = (among: readonly Change[], before: number, state: Change['state']): Change[] => {
    for (const change of among) if (change.at < before && change.state === 'pending') change.state = state
    return among.filter((change) => change.state === 'pending')
  }
  const journal = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  let at = 0
  const headBytes = 40
  while (at + headBytes <= journal.length) {
    const [kind, pathBytes] = [journal.readUInt32LE(at), journal.readUInt32LE(at + 4)]
    const [offset, length, oldLength, oldSize] = [8, 16, 24, 32].map((place) =>
      Number(journal.readBigInt64LE(at + place)),
    ) as [number, number, number, number]
    const start = at + headBytes
    const oldStart = start + pathBytes
    const newStart = oldStart + oldLength
    // The process was killed in the middle of it: the write itself had not begun.
    if (newStart + length > journal.length) break
    const path = journal.toString('utf8', start, oldStart)
    const changes = files.get(path) ?? []
    files.set(path, changes)
    if (kind === kinds.synced || kind === kinds.syncFailed) {
      pending.set(path, decide(pending.get(path) ?? [], offset, kind === kinds.synced ? 'durable' : 'lost'))
      // File systems keep their journal in order: with a later file the names of before are on the disk.
      if (kind === kinds.synced) {
        for (const change of removed) if (change.at < offset) change.state = 'durable'
        removed = removed.filter(({ state }) => state !== 'durable')
      }
    } else {
      const change: Change = {
        kind,
        offset,
        bytes: journal.subarray(newStart, newStart + length),
        old: journal.subarray(oldStart, newStart),
        oldSize,
        at,
        state: 'pending',
      }
      changes.push(change)
      const open = pending.get(path)
      if (open) open.push(change)
      else pending.set(path, [change])
      if (kind === kinds.removed) removed.push(change)
    }
    at = newStart + length
  }
  return { files, endsAt: at }
}

export interface CutResult {
  /** Writes that the disk might or might not have. */
  readonly open: number
  /** The writes among them that were lost, as a whole or in part. */
  readonly lost: number
}

/** Leaves the data folder of the stage as a power cut may, and begins a new journal. */
export function cutPower(folder: string, random: () => number): CutResult {
  let open = 0
  let lost = 0
  // The more that goes, the more may be missing; now and then everything goes, or nothing.
  const chance = [0, 0.5, 0.9, 1][Math.floor(random() * 4)]!
  for (const [path, changes] of readJournal(journalFile(folder)).files) {
    const first = changes.findIndex(({ state }) => state !== 'durable')
    if (first < 0) continue
    const file = join(dataFolder(folder), path)
    const content = contentOf(existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
    let isThere = existsSync(file)
    const since = changes.slice(first)
    for (const change of since.toReversed()) {
      undo(content, change)
      if (change.kind === kinds.removed) isThere = true
    }
    for (const change of since) {
      const isOpen = change.state !== 'durable'
      if (isOpen) open++
      // A file of the same name was made after the other was removed.
      if (change.kind !== kinds.removed) isThere = true
      if (change.kind === kinds.wrote) {
        const [kept, isWhole] = isOpen ? keepSectors(change, chance, random) : [[change.bytes] as const, true]
        if (!isWhole) lost++
        let at = change.offset
        for (const piece of kept) {
          if (typeof piece === 'number') at += piece
          else {
            content.place(piece, at)
            at += piece.length
          }
        }
      } else if (isOpen && random() < chance) lost++
      else if (change.kind === kinds.cut) content.resize(change.offset)
      else {
        isThere = false
        content.resize(0)
      }
    }
    if (isThere) writeFileSync(file, content.bytes())
    else rmSync(file, { force: true })
  }
  forgetJournal(folder)
  return { open, lost }
}

/** Counts everything that is there now as synced. */
export const forgetJournal = (folder: string): void => cutJournal(folder, 0)

/** A process that was killed may leave half an entry. The next process must not write behind it. */
export const cutTornEntry = (folder: string): void => cutJournal(folder, readJournal(journalFile(folder)).endsAt)

function cutJournal(folder: string, bytes: number): void {
  const file = openSync(journalFile(folder), 'a+')
  ftruncateSync(file, bytes)
  closeSync(file)
}

/** Bytes of everything that is still open, so that a long run keeps no long journal. True when nothing was. */
export function forgetIfSynced(folder: string): boolean {
  const isSynced = [...readJournal(journalFile(folder)).files.values()].every((changes) =>
    changes.every(({ state }) => state === 'durable'),
  )
  if (isSynced) forgetJournal(folder)
  return isSynced
}

interface Content {
  bytes(): Buffer
  resize(size: number): void
  place(bytes: Buffer, at: number): void
}

/** Changed in place: there are thousands of changes, and a copy for each would take seconds. */
function contentOf(first: Buffer): Content {
  let room = first
  let size = first.length
  const resize = (to: number): void => {
    if (to > room.length) {
      const larger = Buffer.alloc(Math.max(to, 2 * room.length))
      room.copy(larger, 0, 0, size)
      room = larger
    } else if (to > size) room.fill(0, size, to)
    size = to
  }
  return {
    bytes: () => room.subarray(0, size),
    resize,
    place(bytes, at) {
      if (at + bytes.length > size) resize(at + bytes.length)
      bytes.copy(room, at)
    },
  }
}

function undo(content: Content, { kind, offset, old, oldSize }: Change): void {
  if (kind === kinds.removed) {
    content.resize(0)
    content.place(old, 0)
    return
  }
  content.place(old, offset)
  content.resize(oldSize)
}

/** The pieces of a write that reached the disk; a number is a gap of so many bytes. */
function keepSectors({ offset, bytes }: Change, chance: number, random: () => number): [(Buffer | number)[], boolean] {
  // Most writes are there or not; a few are torn.
  if (random() >= 0.2) return random() < chance ? [[], false] : [[bytes], true]
  const pieces: (Buffer | number)[] = []
  let isWhole = true
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, (Math.floor((offset + at) / sectorBytes) + 1) * sectorBytes - offset)
    const isLost = random() < chance
    if (isLost) isWhole = false
    pieces.push(isLost ? end - at : bytes.subarray(at, end))
    at = end
  }
  return [pieces, isWhole]
}
