/** Reads a small file whose name an operator gave, and says in words why that failed. */
import { readFile } from 'node:fs/promises'

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
    return { problem: reasons[code] ?? `this file cannot be read (${code || error})`, missing: missing.includes(code) }
  }
}

const missing = ['ENOENT', 'ENOTDIR']

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'there is no permission to read this file',
  EPERM: 'there is no permission to read this file',
}
