/** `proofgate sweep`: clears away once what has expired, for people who plan their jobs elsewhere. */
import { sweepOnce } from '../sweep.ts'
import { type Command, exitCodes } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { jobOptions, loadNamedConfig, readOptions } from './options.ts'

export const sweep: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, jobOptions)
    const config = await loadNamedConfig(values, terminal)
    const deleted = await useDataFolder(config, terminal, (parts) => sweepOnce(parts))
    const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
    terminal.out(
      values.json
        ? `${JSON.stringify(deleted)}\n`
        : `${rows === 0 ? 'Nothing has expired.' : `${rows} rows that have expired were cleared away.`}\n`,
    )
    return exitCodes.done
  },
}
