/** What restores, exports and runs that were cut off have left on this machine. */
import { existsSync } from 'node:fs'
import type { Config } from '../config/schema.ts'
import { listFormer } from '../db/folder-state.ts'
import { listAbandoned } from '../db/unfinished-files.ts'
import { listLeftovers } from '../db/work-folder.ts'
import type { Found } from './found.ts'

export const examineLeftovers = (
  { data, backup }: Pick<Config, 'data' | 'backup'>,
  now: () => number,
): readonly Found[] => [
  ...tell('data', listFormer(data), {
    says: ['holds', 'hold', 'the data of before a restore, with the master key and what was erased since'],
    mend: 'delete it when you need it no more',
  }),
  ...tell('data', listLeftovers(data, now()), {
    says: [
      'was',
      'were',
      'left by a restore, drill, export or import that was cut off, with much of what the database holds',
    ],
    mend: 'the next backup, restore or drill removes it',
  }),
  ...tell('backup.to', listAtPlace(backup.to, now()), {
    says: ['was', 'were', 'left by a backup that was cut off'],
    mend: 'the next backup removes it',
  }),
]

function tell(
  setting: string,
  paths: readonly string[],
  { says: [one, several, rest], mend }: { readonly says: readonly [string, string, string]; readonly mend: string },
): readonly Found[] {
  if (paths.length === 0) return []
  return [
    { setting, level: 'warn', says: `${paths.join(' and ')} ${paths.length === 1 ? one : several} ${rest}`, mend },
  ]
}

function listAtPlace(to: string | undefined, now: number): readonly string[] {
  try {
    return to !== undefined && existsSync(to) ? listAbandoned(to, now) : []
  } catch {
    // Backups that cannot be made are told elsewhere.
    return []
  }
}
