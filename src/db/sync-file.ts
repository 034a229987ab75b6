/** Brings a file, or the names in a folder, to the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncFile(file: string): void {
  const handle = openSync(file, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Without this a new file could be there and, after a power cut, not be there. Windows opens no folders. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncFile(folder)
}
