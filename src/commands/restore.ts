/** `proofgate restore`: puts a backup in the place of the data folder, while no server runs. */
import { type Restored, restoreBackup } from '../backup/restore.ts'
import { openConfiguredPlace } from '../backup/targets/open-target.ts'
import type { Target } from '../backup/targets/target.ts'
import type { Config } from '../config/schema.ts'
import { LockedError } from '../db/lock.ts'
import { type ChosenBackup, chooseBackup, choosePlaceName, describeSetApart, explainDamage } from './chosen-backup.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { restoreDatabase } from './database-backup.ts'
import { requireAnswer } from './disk-answers.ts'
import { examineFolder } from './examine-folder.ts'
import { explainFolderFault, requireUsableFolder } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { writeCall } from './program.ts'
import { wrapText } from './wrap.ts'

export const restore: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, { ...commonOptions, at: { type: 'string' } }, 1)
    const until = readMoment(values.at, terminal.now())
    const config = await loadNamedConfig(values, terminal)
    if (config.database.url !== undefined)
      return restoreDatabase({ config, named: positionals[0], isJson: values.json === true, terminal })
    const named = choosePlaceName(positionals, config)
    await requireAnswer(config, { forWriting: true })
    requireUsableFolder(config.data)
    const tell = (says: string): void => {
      if (!values.json) terminal.out(`${says}\n`)
    }
    let chosen: ChosenBackup | undefined
    try {
      chosen = await chooseBackup(named, config, { until, terminal })
      const { target, name, setApart, isFile } = chosen
      const warning = describeSetApart(setApart, terminal.now())
      if (warning) tell(wrapText(warning, terminal))
      tell(`Reading ${name} at ${target.title}.`)
      const restored = await restoreBackup({
        source: target.read(name),
        target,
        journalPlaces: listJournalPlaces(target, config),
        passphrase: config.backup.passphrase,
        forward: isFile && until === undefined ? undefined : { until },
        folder: config.data,
        masterKey: config.masterKey,
        now: terminal.now,
        useFolder: (folder, work) =>
          useDataFolder(
            { ...config, data: folder, backup: { ...config.backup, beforeUpgrade: false, continuous: false } },
            terminal,
            work,
          ),
        tell,
      })
      const findings = await examineFolder(config)
      const isSound = findings.every(({ level }) => level !== 'fail')
      terminal.out(
        values.json
          ? `${JSON.stringify({ backup: name, setApart, ...describe(restored), sound: isSound, findings })}\n`
          : `${report(restored, config, { until, terminal, configFile: values.config })}\n`,
      )
      for (const { says, mend } of findings) tell(wrapText(`${says}${mend ? `: ${mend}` : ''}`))
      return isSound ? exitCodes.done : exitCodes.negative
    } catch (error) {
      if (error instanceof LockedError)
        throw new UnavailableError(
          `a server runs on the data folder ${config.data}: stop it, and run this again. Nothing was changed`,
        )
      throw explainFolderFault(error, config.data) ?? explainDamage(error, chosen)
    }
  },
}

/** A file that was copied from there has no journal beside it. */
const listJournalPlaces = (target: Target, config: Config): readonly Target[] => {
  const configured = config.backup.to === undefined ? [] : [openConfiguredPlace(config.backup.to, config).target]
  return [target, ...configured.filter(({ title }) => title !== target.title)]
}

/** Unix milliseconds. Errors: UsageError. */
function readMoment(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(text)
  if (Number.isNaN(at))
    throw new UsageError(`--at ${text} is no time: write it with its zone, such as 2026-11-22T10:15:00Z`)
  // February 30 would silently be a day of March.
  if (!new Date(`${day}T00:00:00Z`).toISOString().startsWith(day!))
    throw new UsageError(`--at ${text} names a day that there is not`)
  if (at > now) throw new UsageError(`--at ${text} is later than now, ${writeTime(now)}`)
  return at
}

const describe = ({ manifest: { header, counts }, at, rolled, ...restored }: Restored) => ({
  createdAt: header.createdAt,
  madeBy: header.version,
  counts,
  at: writeTime(at),
  commitsAdded: rolled?.commits ?? 0,
  ...restored,
  knownUntil: writeTime(restored.knownUntil),
})

const writeTime = (at: number): string => new Date(at).toISOString()

interface Asked {
  /** Unix milliseconds, where a moment was asked for. */
  readonly until: number | undefined
  readonly terminal: Pick<Terminal, 'columns' | 'env'>
  readonly configFile: string | undefined
}

/** With what named the folder here, so that it is not started on another one. */
function writeStart({ terminal: { env }, configFile }: Asked): string {
  const folder = env.PROOFGATE_DATA === undefined ? '' : `PROOFGATE_DATA=${env.PROOFGATE_DATA} `
  return folder + writeCall(configFile === undefined ? 'serve' : `serve --config ${configFile}`)
}

function report(restored: Restored, { data }: Config, asked: Asked): string {
  const { until, terminal } = asked
  const { columns } = terminal
  const { manifest, at, rolled, keptFolder, removed, journal, knownUntil, replayed, configFile } = restored
  const moment = writeTime(at)
  const again = Object.entries(replayed).map(([kind, count]) => `${kind}: ${count}`)
  return [
    '',
    rolled?.commits
      ? `The data folder ${data} holds the state of ${moment} again: a backup of ${manifest.header.createdAt}, and ${rolled.commits} commits after it.`
      : `The data folder ${data} holds the state of ${moment} again, with ${manifest.counts.proofs ?? 0} proofs.`,
    ...(until !== undefined && at < until
      ? [`Nothing later is there. What was stored between then and ${writeTime(until)}, if anything, was not shipped.`]
      : []),
    ...(rolled?.nextChainAt === undefined
      ? []
      : [
          rolled.nextChainAt < at
            ? 'Another server with the same master key shipped to this place at the same time. What it stored is not in this state: to restore that, name the file of another backup.'
            : `What was stored after ${writeTime(rolled.nextChainAt)} is missing: the continuous backup began anew then, and no later backup is here.`,
        ]),
    ...(keptFolder ? [`The old files are in ${keptFolder}. Delete them when you need them no more.`] : []),
    ...removed.map((path) => `${path}, which a restore that was cut off had left, was removed.`),
    ...(journal === 'replayed'
      ? [
          `The journal told what was taken away until ${writeTime(knownUntil)}, and that was taken away again (${again.join(', ') || 'nothing'}).`,
          'Everybody signs in again. Allowed apps do when their access token ends, within an hour. Access keys go on.',
        ]
      : [
          `Nothing tells what was taken away after ${moment}. So all sessions, access keys and allowed apps have ended, and payments of the time between buy nothing: they are listed as unmatched.`,
          'Proofs that were revoked, accounts that were erased, guests and operators that were removed after it are here again: tell the people concerned.',
        ]),
    'Texts that were signed before this moment are refused: people sign again.',
    ...(configFile
      ? [`The configuration of before is in ${configFile}. It is used where you name it with --config.`]
      : []),
    `Start the server now: ${writeStart(asked)}`,
  ]
    .map((line) => wrapText(line, { columns }))
    .join('\n')
}
