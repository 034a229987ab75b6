/** Which backups and files of the continuous backup are needed no more. */
import type { Config } from '../../config/schema.ts'
import { type KeptBackup, listBackups, type Retained, removeOld } from '../kept-backups.ts'
import type { Target } from '../targets/target.ts'
import { type LogFileName, listLogFiles, readChainStart } from './log-files.ts'

const hourMs = 3_600_000

interface Window {
  readonly now: number
  readonly hours: number
}

/**
 * Those from which the moments of the last `hours` are reached. The moments of a chain are reached from a backup of its
 * time alone: from the newest before those hours, else from the oldest. So moments of before a restore stay reachable.
 */
export function chooseNeededBackups<Backup extends Pick<KeptBackup, 'at'>>(
  files: readonly Pick<LogFileName, 'chain' | 'lastAt'>[],
  backups: readonly Backup[],
  { now, hours }: Window,
): readonly Backup[] {
  const from = now - hours * hourMs
  const chains = [...new Set(files.map(({ chain }) => chain))]
  return chains.flatMap((chain, index) => {
    if (!files.some((file) => file.chain === chain && file.lastAt >= from)) return []
    const next = chains[index + 1]
    const end = next === undefined ? Number.POSITIVE_INFINITY : readChainStart(next)
    const own = backups.filter(({ at }) => at >= readChainStart(chain) && at < end)
    return own.findLast(({ at }) => at <= from) ?? own[0] ?? []
  })
}

/**
 * Every moment of the last `hours` must be reached: from the newest backup before them. What comes before that backup is
 * needed no more. `backups`: of the same server, the oldest first.
 */
export function chooseOldLogFiles(
  files: readonly LogFileName[],
  backups: readonly Pick<KeptBackup, 'at'>[],
  { now, hours }: Window,
): readonly LogFileName[] {
  const from = now - hours * hourMs
  const base = backups.findLast(({ at }) => at <= from) ?? backups[0]
  if (!base) return []
  // The file that was begun before the backup may hold the place where it goes on.
  const first = files.findLastIndex(({ firstAt }) => firstAt <= base.at)
  return files.slice(0, Math.max(0, first)).filter(({ lastAt }) => lastAt < base.at)
}

/** Of one server, after it has made a backup. */
export async function removeOldFiles(
  target: Target,
  { keyMark, made, now }: { readonly keyMark: number; readonly made: string; readonly now: number },
  retention: Pick<Config['backup'], 'continuousHours' | 'keepHourly' | 'keepDaily' | 'keepWeekly'>,
): Promise<Retained> {
  const window = { now, hours: retention.continuousHours }
  const files = await listLogFiles(target, keyMark)
  const retained = await removeOld(target, {
    keyMark,
    made,
    now,
    retention,
    chooseNeeded: (backups) => chooseNeededBackups(files, backups, window),
  })
  const left = (await listBackups(target)).filter((backup) => backup.keyMark === keyMark)
  for (const { name } of chooseOldLogFiles(files, left, window)) await target.remove(name)
  return retained
}
