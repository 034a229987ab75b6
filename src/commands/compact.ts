/** `proofgate compact`: gives the free pages of the database back to the disk, while no server runs. */
import { CompactError, compact } from '../db/compact.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { LockedError } from '../db/lock.ts'
import { type Command, exitCodes, UnavailableError } from './command.ts'
import { requireDataFolder, requireFolderStore } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

const oneMiB = 1_048_576
const formatMebibytes = (bytes: number): string => `${(bytes / oneMiB).toFixed(1)} MiB`

export const compactCommand: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, commonOptions)
    const config = await loadNamedConfig(values, terminal)
    requireFolderStore(config)
    const folder = config.data
    await requireAnswer(config, { forWriting: true })
    requireDataFolder(folder)
    const say = (line: string): void => {
      if (!values.json) terminal.out(`${line}\n`)
    }
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
