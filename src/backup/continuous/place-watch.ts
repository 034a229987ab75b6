/**
 * Looks from time to time at what the place really holds: another server may ship to it, and somebody may have deleted
 * what the continuous backup needs. Without a look both would be found by a restore.
 */
import { listBackups } from '../kept-backups.ts'
import type { Target } from '../targets/target.ts'
import { type LogFileName, leaveOutMerged, listAllLogFiles, readChainStart } from './log-files.ts'

export interface PlaceLook {
  /** The newest file of another server with the same master key, shipped since the last look. */
  readonly foreign: string | undefined
  /** It is in the chain of this server, as after a copy of the running machine. That chain cannot go on. */
  readonly isTorn: boolean
  /** The present moment can be restored from what is there. */
  readonly isWhole: boolean
}

/** Unix milliseconds: when chains of this process began. */
export interface OwnChains {
  readonly present: number
  readonly all: ReadonlySet<number>
}

/** Returns a look. The first one finds no other server. */
export function openPlaceWatch(target: Target, keyMark: number): (own: OwnChains) => Promise<PlaceLook> {
  let known: ReadonlySet<string> | undefined
  return async ({ present, all }) => {
    const sorted = await listAllLogFiles(target, keyMark)
    const backups = (await listBackups(target)).filter((backup) => backup.keyMark === keyMark)
    const foreign = sorted.filter((file) => !all.has(readChainStart(file.chain)))
    const before = known
    known = new Set(foreign.map(({ name }) => name))
    const own = sorted.filter(({ chain }) => readChainStart(chain) === present)
    const torn = findConflict(own)
    const found = torn ?? (before && foreign.findLast(({ name }) => !before.has(name)))
    const base = backups.findLast(({ at }) => at >= present)
    return {
      foreign: found?.name,
      isTorn: torn !== undefined,
      isWhole: base !== undefined && isWholeAfter(leaveOutMerged(own), base.at),
    }
  }
}

/**
 * One server ships each chunk once, and puts whole files together: of two files that share a chunk, one is longer and
 * holds all of the other. `files`: of one chain, by chunk, the longer first.
 */
function findConflict(files: readonly LogFileName[]): LogFileName | undefined {
  let longest: LogFileName | undefined
  for (const file of files) {
    if (longest && file.from === longest.from && file.to === longest.to) return file
    if (longest && file.from <= longest.to && file.to > longest.to) return file
    if (!longest || file.to > longest.to) longest = file
  }
  return undefined
}

/** `files`: of one chain. No chunk is missing that a backup of this time goes on with. */
function isWholeAfter(files: readonly LogFileName[], backupAt: number): boolean {
  const needed = files.slice(
    Math.max(
      0,
      files.findLastIndex(({ firstAt }) => firstAt <= backupAt),
    ),
  )
  const [first] = needed
  if (first && first.from > 0 && first.firstAt > backupAt) return false
  return needed.every(({ from }, index) => index === 0 || from === needed[index - 1]!.to + 1)
}
