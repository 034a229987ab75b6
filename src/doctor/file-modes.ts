/** Whether other users of this machine can read what is in the data folder, or the secrets of the configuration. */
import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile } from '../db/db.ts'
import type { Found } from './found.ts'

/** `configFile`: the one that holds secrets, if one does. */
export function examineModes(
  { data }: Pick<Config, 'data'>,
  configFile: string | undefined = undefined,
): readonly Found[] {
  if (process.platform === 'win32') return []
  const found = readStats(data)
  const folder = found?.isDirectory() ? found : undefined
  const key = join(data, 'master.key')
  const database = locateDatabaseFile(data)
  return [
    ...(folder && isOpen(folder, 0o077)
      ? [tell('data', data, folder, `the data folder ${data}`, `chmod 700 ${data}`)]
      : []),
    ...examineFile(key, `the master key ${key}`, 0o077),
    // Nobody else reaches a file in a folder that is closed to them.
    ...(folder && isOpen(folder, 0o011) ? examineFile(database, `the database ${database}`, 0o077) : []),
    ...(configFile === undefined ? [] : examineConfigFile(configFile)),
  ]
}

function examineFile(file: string, title: string, bits: number): readonly Found[] {
  const stats = readStats(file)
  return stats && isOpen(stats, bits) ? [tell('data', file, stats, title, `chmod 600 ${file}`)] : []
}

/** The group of a file of root is how a service may read it. */
function examineConfigFile(file: string): readonly Found[] {
  const stats = readStats(file)
  if (!stats || !isOpen(stats, stats.uid === 0 && stats.gid !== 0 ? 0o027 : 0o077)) return []
  const mode = stats.uid === 0 && stats.gid !== 0 ? '640' : '600'
  return [tell('config', file, stats, `the configuration ${file}, which holds secrets,`, `chmod ${mode} ${file}`)]
}

const tell = (setting: string, path: string, stats: Stats, title: string, command: string): Found => ({
  setting,
  level: 'warn',
  says: `${title} is open to ${(stats.mode & 0o007) === 0 ? 'its group' : 'every user of this machine'} (mode ${(stats.mode & 0o777).toString(8)})`,
  mend: `${command}${stats.isDirectory() ? '' : `, and ask who could read it until now; ls -l ${path} shows its owner`}`,
})

const isOpen = ({ mode }: Stats, bits: number): boolean => (mode & bits) !== 0

function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Another check tells that the path cannot be reached.
    return undefined
  }
}
