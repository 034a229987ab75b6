/** Whether the disk of the data folder has the room that the configuration asks for. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/load.ts'
import { openFreeSpace } from '../db/free-space.ts'
import type { Found } from './examine.ts'

const oneMiB = 1_048_576

/** Nothing where there is room (for a folder that is not made yet: where it will be), where the floor is off, and where the disk does not tell. */
export function examineDisk({ data, storage: { minFreeMb } }: Pick<Config, 'data' | 'storage'>): readonly Found[] {
  const freeBytes = openFreeSpace(nearestFolder(data), minFreeMb * oneMiB).readBytes()
  const freeMb = freeBytes === undefined ? Number.POSITIVE_INFINITY : Math.floor(freeBytes / oneMiB)
  if (minFreeMb === 0 || freeMb >= 2 * minFreeMb) return []
  const isBelow = freeMb < minFreeMb
  return [
    {
      setting: 'storage.min_free_mb',
      level: isBelow ? 'fail' : 'warn',
      says: `the disk of ${data} has ${freeMb} MiB free, ${isBelow ? `less than the ${minFreeMb} MiB below which nothing new is stored` : `and below ${minFreeMb} MiB nothing new is stored`}`,
      mend: 'free some space, move the data folder to a larger disk, or lower storage.min_free_mb',
    },
  ]
}

function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? folder : nearestFolder(above)
}
