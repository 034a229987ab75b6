/** Reads a small file whose name an operator gave, and says in words why that failed. */
import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'

export type FileBytes =
  | { readonly bytes: Uint8Array }
  | { readonly problem: string /** True when there is nothing at that path. */; readonly missing: boolean }

export async function readSmallFile(path: string, largestBytes: number): Promise<FileBytes> {
  try {
    const bytes = await readFile(path)
    if (bytes.length <= largestBytes) return { bytes }
    return { problem: `this file is larger than ${largestBytes} bytes`, missing: false }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return { problem: readReason(error), missing: missing.includes(code) }
  }
}

/** Why a file cannot be opened for reading, or undefined. Reads nothing of it. */
export async function findFileProblem(path: string): Promise<string | undefined> {
  try {
    // Without waiting for a writer, should it be a pipe.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const seen = await file.stat().finally(() => file.close())
    if (seen.isFile()) return undefined
    return seen.isDirectory() ? reasons.EISDIR : 'this is not a file'
  } catch (error) {
    return readReason(error)
  }
}

function readReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return reasons[code] ?? `this file cannot be read (${code || error})`
}

/** The remedy for a problem of a file. */
export const mendOfFile = 'put the right file there, or correct the name'

const missing = ['ENOENT', 'ENOTDIR']

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'there is no permission to read this file',
  EPERM: 'there is no permission to read this file',
}
