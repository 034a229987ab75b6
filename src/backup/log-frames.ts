/** Reads the form of a write-ahead log (sqlite.org/fileformat2.html, section 4.1): header of 32 bytes, then frames. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface LogHeader {
  /** Of the header itself. */
  readonly bytes: number
  readonly pageBytes: number
  /** Of this log, until it is begun anew: 16 hexadecimal digits. */
  readonly salt: string
}

const headerBytes = 32
const frameHeaderBytes = 24
const magicNumbers = [0x377f0682, 0x377f0683]

export const readFrameBytes = ({ pageBytes }: LogHeader): number => frameHeaderBytes + pageBytes

/** Undefined where there is no log, or none that was begun. */
export function readLogHeader(logFile: string): LogHeader | undefined {
  let handle: number
  try {
    handle = openSync(logFile, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const header = Buffer.alloc(headerBytes)
    return readSync(handle, header, 0, headerBytes, 0) === headerBytes ? parseLogHeader(header) : undefined
  } finally {
    closeSync(handle)
  }
}

export function parseLogHeader(header: Buffer): LogHeader | undefined {
  if (header.length < headerBytes || !magicNumbers.includes(header.readUInt32BE(0))) return undefined
  return { bytes: headerBytes, pageBytes: header.readUInt32BE(8), salt: header.toString('hex', 16, 24) }
}
