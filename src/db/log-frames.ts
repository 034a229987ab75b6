/** Reads the form of a write-ahead log (sqlite.org/fileformat2.html, section 4.1): header of 32 bytes, then frames. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface LogHeader {
  /** Of the header itself. */
  readonly bytes: number
  readonly pageBytes: number
  /** Of this log, until it is begun anew: 16 hexadecimal digits. */
  readonly salt: string
}

/** A place in a log: behind a whole transaction. */
export interface LogPlace {
  readonly salt: string
  /** From the beginning of the log. */
  readonly frames: number
}

export const logHeaderBytes = 32
const frameHeaderBytes = 24
const magicNumbers = [0x377f0682, 0x377f0683]

export const readFrameBytes = ({ pageBytes }: Pick<LogHeader, 'pageBytes'>): number => frameHeaderBytes + pageBytes

/** Undefined where there is no log, or none that was begun. */
export function readLogHeader(logFile: string): LogHeader | undefined {
  let handle: number
  try {
    handle = openSync(logFile, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // SQLite holds its locks on other files, so this handle may be closed without losing them.
  try {
    return readOpenHeader(handle)
  } finally {
    closeSync(handle)
  }
}

export function readOpenHeader(handle: number): LogHeader | undefined {
  const header = Buffer.alloc(logHeaderBytes)
  return readSync(handle, header, 0, logHeaderBytes, 0) === logHeaderBytes ? parseLogHeader(header) : undefined
}

export function parseLogHeader(header: Buffer): LogHeader | undefined {
  if (header.length < logHeaderBytes || !magicNumbers.includes(header.readUInt32BE(0))) return undefined
  return { bytes: logHeaderBytes, pageBytes: header.readUInt32BE(8), salt: header.toString('hex', 16, 24) }
}

/** Bytes from the beginning of the log to behind that many frames. */
export const findOffset = (header: Pick<LogHeader, 'pageBytes'>, frames: number): number =>
  logHeaderBytes + frames * readFrameBytes(header)

/**
 * The bytes of the frames after `from`, up to `to`; with the header before them where `from` is 0. They stand at the
 * beginning of `buffer`, if one is given. Undefined where the log is shorter, or was begun anew.
 */
export function readFrames(
  handle: number,
  header: LogHeader,
  { from, to, buffer }: { readonly from: number; readonly to: number; readonly buffer?: Uint8Array | undefined },
): Uint8Array | undefined {
  const begin = from === 0 ? 0 : findOffset(header, from)
  const length = findOffset(header, to) - begin
  const bytes = buffer?.subarray(0, length) ?? new Uint8Array(length)
  for (let filled = 0; filled < bytes.length; ) {
    const read = readSync(handle, bytes, filled, bytes.length - filled, begin + filled)
    if (read === 0) return undefined
    filled += read
  }
  // Whoever begins it anew writes the header first.
  return readOpenHeader(handle)?.salt === header.salt ? bytes : undefined
}

/**
 * Where the former log ended, whose frames still lie behind those of the present one: behind its last transaction.
 * `from`: a place in it. Undefined where the frame before that is not of the former log any more.
 */
export function findFormerEnd(
  handle: number,
  { pageBytes }: Pick<LogHeader, 'pageBytes'>,
  from: LogPlace,
): number | undefined {
  const frame = Buffer.alloc(frameHeaderBytes)
  const readHeader = (index: number): boolean =>
    readSync(handle, frame, 0, frameHeaderBytes, findOffset({ pageBytes }, index)) === frameHeaderBytes &&
    frame.toString('hex', 8, 16) === from.salt
  if (from.frames === 0 || !readHeader(from.frames - 1)) return undefined
  let end = from.frames
  // The size of the database stands in the last frame of a transaction alone.
  for (let index = from.frames; readHeader(index); index++) if (frame.readUInt32BE(4) !== 0) end = index + 1
  return end
}

/** Frames of a former log. The caller sees to it that they are there. */
export function readFormerFrames(
  handle: number,
  header: Pick<LogHeader, 'pageBytes'>,
  from: number,
  to: number,
): Uint8Array | undefined {
  const bytes = new Uint8Array(findOffset(header, to) - findOffset(header, from))
  return readSync(handle, bytes, 0, bytes.length, findOffset(header, from)) === bytes.length ? bytes : undefined
}

/** A log that is begun anew counts its first salt on by one. So none in between can be missed. */
export const isNextLog = (before: string, after: string): boolean =>
  (Number.parseInt(before.slice(0, 8), 16) + 1) >>> 0 === Number.parseInt(after.slice(0, 8), 16)
