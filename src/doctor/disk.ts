/** Checks that the disk of the data folder has the space that the configuration requires. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/schema.ts'
import { judgeDisk, openFreeSpace } from '../db/free-space.ts'
import type { Found } from './found.ts'

const oneMiB = 1_048_576

/**
 * Empty when there is enough space, or when the disk does not report it. For a missing folder, its future location
 * counts.
 */
export function examineDisk({ data, storage: { minFreeMb } }: Pick<Config, 'data' | 'storage'>): readonly Found[] {
  const space = openFreeSpace(findNearestFolder(data), minFreeMb * oneMiB).read()
  const level = space ? judgeDisk(space, minFreeMb * oneMiB, false) : 'ok'
  if (!space || level === 'ok') return []
  const free = `the disk of ${data} has ${Math.floor(space.freeBytes / oneMiB)} MiB free`
  if (level === 'inodes')
    return [
      {
        setting: 'data',
        level: 'warn',
        says: `the disk of ${data} has only ${space.inodes?.free} inodes free, so that files cannot be made soon`,
        mend: 'remove small files from it, or move the data folder to another disk',
      },
    ]
  const isBelow = level === 'below-floor'
  return [
    {
      setting: 'storage.min_free_mb',
      level: isBelow ? 'fail' : 'warn',
      says: `${free}, ${isBelow ? `less than the ${minFreeMb} MiB below which nothing new is stored` : `and below ${minFreeMb} MiB nothing new is stored`}`,
      mend: 'free some space, move the data folder to a larger disk, or lower storage.min_free_mb',
    },
  ]
}

/** Undefined when the disk does not report it. */
export const readFreeMiB = (folder: string): number | undefined => {
  const bytes = openFreeSpace(folder, 0).readBytes()
  return bytes === undefined ? undefined : Math.floor(bytes / oneMiB)
}

function findNearestFolder(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? folder : findNearestFolder(above)
}
