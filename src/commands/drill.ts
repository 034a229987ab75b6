/** `proofgate drill`: restores the newest backup on trial, and says whether it would work. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drillBackup } from '../backup/drill.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { restoringMark } from '../db/folder-state.ts'
import {
  type ChosenBackup,
  chooseBackup,
  choosePlaceName,
  describeSetApart,
  explainDamage,
  suggestOlder,
} from './chosen-backup.ts'
import { type Command, exitCodes, UnavailableError } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { drillDatabase } from './database-backup.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault, requireUsableFolder } from './folder-fault.ts'
import { noteOutcome } from './job-runs.ts'
import { jobOptions, loadNamedConfig, readOptions } from './options.ts'
import { wrapText } from './wrap.ts'

export const drill: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, jobOptions, 1)
    const config = await loadNamedConfig(values, terminal)
    if (config.database.url !== undefined)
      return drillDatabase({ config, named: positionals[0], isJson: values.json === true, terminal })
    const named = choosePlaceName(positionals, config)
    await requireAnswer(config, { forWriting: true })
    const folder = findServedFolder(config.data)
    if (folder !== undefined) requireUsableFolder(folder)
    const temporaryFolder = terminal.env.TMPDIR || tmpdir()
    const startedAt = performance.now()
    const note = async (isGood: boolean, says: string): Promise<void> => {
      const run = { endedAt: terminal.now(), tookMs: performance.now() - startedAt, isGood, says }
      if (folder !== undefined) await noteOutcome(config, { job: 'drill', ...run })
    }
    let chosen: ChosenBackup | undefined
    try {
      chosen = await chooseBackup(named, config, { until: undefined, terminal })
      const { target, name, setApart, isFile } = chosen
      const { manifest, faults, at, rolled } = await drillBackup({
        source: target.read(name),
        target,
        forward: isFile ? undefined : { until: undefined },
        passphrase: config.backup.passphrase,
        folder,
        temporaryFolder,
        now: terminal.now,
        masterKey: config.masterKey,
        useFolder: (trial, masterKey, work) =>
          useDataFolder(
            {
              ...config,
              data: trial,
              masterKey,
              backup: { ...config.backup, beforeUpgrade: false, continuous: false },
            },
            terminal,
            work,
          ),
      })
      const isGood = faults.length === 0
      const { createdAt } = manifest?.header ?? {}
      const title = createdAt === undefined ? name : `${name} of ${createdAt}`
      const says = isGood
        ? `${title} can be restored, with ${manifest?.counts.proofs ?? 0} proofs${rolled?.commits ? `, and the continuous backup brings it forward to ${new Date(at ?? 0).toISOString()}` : ''}`
        : `${title} cannot be restored: ${faults.join('; ')}${suggestOlder(chosen)}`
      await note(isGood, says)
      const warning = describeSetApart(setApart, terminal.now())
      if (values.json)
        terminal.out(
          `${JSON.stringify({ ok: isGood, backup: name, setApart, createdAt: createdAt ?? null, faults })}\n`,
        )
      else terminal.out(`${says}.\n${warning === undefined ? '' : `${wrapText(warning, terminal)}\n`}`)
      if (!isGood) terminal.err(`${says}\n`)
      return isGood ? exitCodes.done : exitCodes.negative
    } catch (error) {
      const told = explainPlace(error, folder, temporaryFolder) ?? explainDamage(error, chosen)
      await note(false, (told as Error).message)
      throw told
    }
  },
}

/** Where no server has stored anything, or a restore was cut off, a backup can be tried all the same. */
function findServedFolder(folder: string): string | undefined {
  return existsSync(locateDatabaseFile(folder)) && !existsSync(join(folder, restoringMark)) ? folder : undefined
}

/** Undefined for an error that is unrelated to the folder in which the trial is made. */
function explainPlace(
  error: unknown,
  folder: string | undefined,
  temporaryFolder: string,
): UnavailableError | undefined {
  if (folder !== undefined) return explainFolderFault(error, folder)
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined
    ? undefined
    : new UnavailableError(
        `the folder for temporary files ${temporaryFolder} cannot be used (${code}): name another one with TMPDIR`,
      )
}
