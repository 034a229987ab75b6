/** `proofgate sweep`: clears away once what has expired, for people who plan their jobs elsewhere. */
import { sweepOnce } from '../sweep.ts'
import { type Command, exitCodes } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { jobOptions, loadNamedConfig, readOptions } from './options.ts'

export const sweep: Command = {
  usage: '[--once] [--config FILE] [--json]',
  help: [
    '  --once          one run and its end, as without it: for crontabs that say so',
    '  --config FILE   configuration; without it proofgate.toml beside the data folder, if there is one',
    '  --json          print one line of JSON: the rows that were deleted, by kind',
    '',
    'The server does the same as sweep.schedule says. Expiry holds without it: this only keeps the',
    'database small. It may be run beside the server, and as often as you like.',
    'Exit codes: 0 done, 2 wrong call, 69 no data folder, or it cannot be used, 74 the disk does not',
    'answer, 78 wrong configuration.',
  ],

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
