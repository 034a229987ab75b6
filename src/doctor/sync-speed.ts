/** How long the disk of the data folder takes to keep a small write. Each commit waits for that. */
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import type { Found } from './found.ts'

const rounds = 7
/** A page of the database. */
const bytes = new Uint8Array(4096)
/** A turning disk takes 8 to 16 ms. */
const slowFromMs = 25
/** Seven rounds on a disk that hardly moves. */
const mostMs = 2_000

/** Empty where no file can be made there, which other checks report. */
export async function examineSyncSpeed({ data }: Pick<Config, 'data'>): Promise<readonly Found[]> {
  const medianMs = await measureSync(data)
  return medianMs === undefined ? [] : judgeSync(data, medianMs)
}

export function judgeSync(folder: string, medianMs: number): readonly Found[] {
  if (medianMs < slowFromMs) return []
  return [
    {
      setting: 'data',
      level: 'warn',
      says: `the disk of ${folder} takes ${formatMs(medianMs)} ms to keep a small write (fsync, median of ${rounds}): no request that stores something is answered faster`,
      mend: 'see what else writes to this disk (iostat -x 1), and move the data folder to a faster one if it stays so',
    },
  ]
}

const formatMs = (ms: number): string => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)))

/** The median in milliseconds. Leaves nothing behind. */
export async function measureSync(folder: string): Promise<number | undefined> {
  const file = await openTemporary(folder).catch(() => undefined)
  if (!file) return undefined
  const taken: number[] = []
  try {
    const endsAt = performance.now() + mostMs
    while (taken.length < rounds && performance.now() < endsAt) {
      await file.handle.write(bytes, 0, bytes.length, 0)
      const startedAt = performance.now()
      await file.handle.sync()
      taken.push(performance.now() - startedAt)
    }
  } catch {
    // A full disk, for one.
    return undefined
  } finally {
    await file.handle.close()
    if (file.name) await rm(file.name, { force: true })
  }
  return taken.sort((one, other) => one - other)[Math.floor(taken.length / 2)]
}

/** Linux: a file without a name, which is gone when it is closed. */
const unnamedFile = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR

async function openTemporary(folder: string): Promise<{ readonly handle: FileHandle; readonly name?: string }> {
  if (process.platform === 'linux')
    try {
      return { handle: await open(folder, unnamedFile, 0o600) }
    } catch {
      // Some file systems know no files without a name.
    }
  const name = join(folder, `.sync-${crypto.randomUUID()}`)
  return { handle: await open(name, 'wx', 0o600), name }
}
