/**
 * A page that many transactions changed stands in the log once for each of them, nearly alike. Packed is only what
 * changed since the version before it in the same chunk: a third of the work, and half the bytes.
 */
import { logHeaderBytes, readFrameBytes } from '../../db/log-frames.ts'

export interface FrameRange {
  readonly pageBytes: number
  /** Frames of the log before it. 0: the bytes begin with the header of the log. */
  readonly from: number
  readonly to: number
}

/** In place: each page becomes the exclusive or of itself and its version before it in the bytes. */
export function subtractVersions(bytes: Uint8Array, range: FrameRange): void {
  const pages = findPages(bytes, range)
  // From the end, so that the version before is still whole.
  for (let index = pages.former.length - 1; index >= 0; index--) combine(pages, index)
}

/** In place: the pages as they were. */
export function addVersions(bytes: Uint8Array, range: FrameRange): void {
  const pages = findPages(bytes, range)
  for (let index = 0; index < pages.former.length; index++) combine(pages, index)
}

interface Pages {
  readonly words: Int32Array
  readonly wordsOfPage: number
  /** By frame, in words: where its page begins. */
  readonly begins: readonly number[]
  /** By frame: the one with the version before. Undefined: there is none. */
  readonly former: readonly (number | undefined)[]
}

const wordBytes = 4

function findPages(bytes: Uint8Array, { pageBytes, from, to }: FrameRange): Pages {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const header = from === 0 ? logHeaderBytes : 0
  const frameBytes = readFrameBytes({ pageBytes })
  const newest = new Map<number, number>()
  const begins: number[] = []
  const former: (number | undefined)[] = []
  for (let index = 0; index < to - from; index++) {
    const begin = header + index * frameBytes
    // The number of the page begins its frame.
    const page = view.getUint32(begin)
    former.push(newest.get(page))
    newest.set(page, index)
    begins.push((begin + frameBytes - pageBytes) / wordBytes)
  }
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / wordBytes))
  return { words, wordsOfPage: pageBytes / wordBytes, begins, former }
}

function combine({ words, wordsOfPage, begins, former }: Pages, index: number): void {
  const before = former[index]
  if (before === undefined) return
  const [own, other] = [begins[index]!, begins[before]!]
  for (let word = 0; word < wordsOfPage; word++) words[own + word] = words[own + word]! ^ words[other + word]!
}
