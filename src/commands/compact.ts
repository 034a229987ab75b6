/**
 * `proofgate compact`: writes the database anew, without what is unused in it. A data folder while no server runs, a
 * PostgreSQL beside its servers.
 */
import { readDatabaseUrl } from '../config/database-url.ts'
import { type CompactedDatabase, compactDatabase } from '../db/care/compact-database.ts'
import { CompactError, compact } from '../db/compact.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { LockedError } from '../db/lock.ts'
import { type Command, exitCodes, UnavailableError } from './command.ts'
import { requireDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { wrapText } from './wrap.ts'

const oneMiB = 1_048_576
const formatMebibytes = (bytes: number): string => `${(bytes / oneMiB).toFixed(1)} MiB`

export const compactCommand: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, commonOptions)
    const config = await loadNamedConfig(values, terminal)
    const say = (line: string): void => {
      if (!values.json) terminal.out(`${wrapText(line, terminal)}\n`)
    }
    if (config.database.url !== undefined) {
      const done = await compactDatabase(readDatabaseUrl(config.database.url), (table, bytes) => {
        if (bytes >= oneMiB) say(`${table}: ${formatMebibytes(bytes)}`)
      })
      if ('hold' in done)
        throw new UnavailableError(
          `rows that were erased cannot be removed, because ${done.hold.because}${done.hold.holder === undefined ? '' : ` (${done.hold.holder})`}: ${done.hold.mend}. Then run this again. Nothing was changed`,
        )
      if (values.json) terminal.out(`${JSON.stringify(done)}\n`)
      for (const line of describeDatabase(done)) say(line)
      return done.left.length === 0 && !done.isErasedMeanwhile ? exitCodes.done : exitCodes.negative
    }
    const folder = config.data
    await requireAnswer(config, { forWriting: true })
    requireDataFolder(folder)
    try {
      const done = compact(locateDatabaseFile(folder), (needed, free) =>
        say(`The copy needs up to ${formatMebibytes(needed)}, and ${formatMebibytes(free)} are free.`),
      )
      if (values.json) terminal.out(`${JSON.stringify(done)}\n`)
      say(`The database had ${formatMebibytes(done.bytesBefore)} and has ${formatMebibytes(done.bytesAfter)} now.`)
      return exitCodes.done
    } catch (error) {
      if (error instanceof LockedError)
        throw new UnavailableError(`a server runs on the data folder ${folder}: stop it, run this again, and start it`)
      if (error instanceof CompactError) throw new UnavailableError(error.message)
      throw explainFolderFault(error, folder) ?? error
    }
  },
}

const describeDatabase = (done: CompactedDatabase): readonly string[] => [
  `The tables had ${formatMebibytes(done.bytesBefore)} and have ${formatMebibytes(done.bytesAfter)} now.`,
  ...done.left.map(({ table, why }) => `${table} was left as it was: ${why}. Run this again at a quiet hour.`),
  ...(done.isErasedMeanwhile ? ['Something was erased meanwhile, and may be in the new files: run this again.'] : []),
  done.isWalSwitched
    ? 'The WAL was brought to a new file. Older files of it, its archive, and backups hold what was deleted for as long as they are kept.'
    : 'The WAL, its archive, and backups hold what was deleted for as long as they are kept.',
]
