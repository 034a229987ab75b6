/** Which files of the continuous backup are needed no more. */
import type { KeptBackup } from '../kept-backups.ts'
import type { Target } from '../targets/target.ts'
import { type LogFileName, listLogFiles } from './log-files.ts'

const hourMs = 3_600_000

/**
 * Every moment of the last `hours` must be reached: from the newest backup before them. What comes before that backup is
 * needed no more. `backups`: of the same server, the oldest first.
 */
export function chooseOldLogFiles(
  files: readonly LogFileName[],
  backups: readonly Pick<KeptBackup, 'at'>[],
  { now, hours }: { readonly now: number; readonly hours: number },
): readonly LogFileName[] {
  const from = now - hours * hourMs
  const base = backups.findLast(({ at }) => at <= from) ?? backups[0]
  if (!base) return []
  // The file that was begun before the backup may hold the place where it goes on.
  const first = files.findLastIndex(({ firstAt }) => firstAt <= base.at)
  return files.slice(0, Math.max(0, first)).filter(({ lastAt }) => lastAt < base.at)
}

/** Returns how many were removed. */
export async function removeOldLogFiles(
  target: Target,
  keyMark: number,
  backups: readonly KeptBackup[],
  { now, hours }: { readonly now: number; readonly hours: number },
): Promise<number> {
  const own = backups.filter((backup) => backup.keyMark === keyMark)
  const old = chooseOldLogFiles(await listLogFiles(target, keyMark), own, { now, hours })
  for (const { name } of old) await target.remove(name)
  return old.length
}
