/** A data folder that a command makes, and takes away again where its work fails. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from './db.ts'
import { takeLock } from './lock.ts'

/**
 * Call it before the folder is made. What it returns removes all that came since. A server that was started in the
 * meantime keeps its folder.
 */
export function noteNewFolder(folder: string): () => void {
  const before = existsSync(folder) ? new Set(readdirSync(folder)) : undefined
  return () => {
    const lock = existsSync(folder) ? takeFreeLock(folder) : undefined
    if (!lock) return
    for (const name of readdirSync(folder))
      if (!before?.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
    lock.release()
    if (!before) rmSync(folder, { recursive: true, force: true })
  }
}

function takeFreeLock(folder: string): { release(): void } | undefined {
  try {
    return takeLock(locateDatabaseFile(folder))
  } catch {
    return undefined
  }
}
