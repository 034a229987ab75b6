/** `proofgate drill`: restores the newest backup on trial, and says whether it would work. */
import { drillBackup } from '../backup/drill.ts'
import { BackupError } from '../backup/fault.ts'
import { findNewestBackup } from '../backup/kept-backups.ts'
import { findKeyMark } from '../backup/old-journal.ts'
import { openPlace } from '../backup/targets/open-target.ts'
import { type Command, exitCodes, UnavailableError, UsageError } from './command.ts'
import { requireDataFolder, useDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { noteOutcome } from './job-runs.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

export const drill: Command = {
  name: 'drill',
  usage: '[FILE | FOLDER | s3://BUCKET/PREFIX] [--config FILE] [--json]',
  summary: 'Restore the newest backup on trial, and say whether it would work.',
  help: [
    '  --config FILE   configuration; without it proofgate.toml beside the data folder, if there is one',
    '  --json          print one line of JSON in place of sentences',
    '',
    'Without a place it looks where backup.to says. Unpacks the backup into a folder inside the data',
    'folder, checks every hash, page, index, constraint, reference, row count and counter, brings it to',
    'the form of this version, opens what is sealed, and removes the folder. Changes nothing else, and',
    'runs beside a server.',
    'Exit codes: 0 a restore would work, 1 it would not, 2 wrong call, 69 no backup, or no room for it,',
    '74 the disk does not answer, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, commonOptions, 1)
    const config = await loadNamedConfig(values, terminal)
    const named = positionals[0] ?? config.backup.to
    if (named === undefined)
      throw new UsageError('name the file, the folder or the bucket of the backup, or set backup.to')
    await requireAnswer(config, { forWriting: true })
    requireDataFolder(config.data)
    const startedAt = performance.now()
    const note = (isGood: boolean, says: string): Promise<void> =>
      noteOutcome(config, {
        job: 'drill',
        endedAt: terminal.now(),
        tookMs: performance.now() - startedAt,
        isGood,
        says,
      })
    try {
      const { target, name } = openPlace(named, terminal.cwd, config)
      const chosen = name ?? (await findNewestBackup(target, await findKeyMark(config.data))).name
      const { manifest, faults } = await drillBackup({
        source: target.read(chosen),
        passphrase: config.backup.passphrase,
        folder: config.data,
        now: terminal.now,
        masterKey: config.masterKey,
        useFolder: (folder, masterKey, work) =>
          useDataFolder(
            { ...config, data: folder, masterKey, backup: { ...config.backup, beforeUpgrade: false } },
            terminal,
            work,
          ),
      })
      const isGood = faults.length === 0
      const says = isGood
        ? `${chosen} of ${manifest.header.createdAt} can be restored, with ${manifest.counts.proofs ?? 0} proofs`
        : `${chosen} of ${manifest.header.createdAt} cannot be restored: ${faults.join('; ')}`
      await note(isGood, says)
      if (values.json)
        terminal.out(
          `${JSON.stringify({ ok: isGood, backup: chosen, createdAt: manifest.header.createdAt, faults })}\n`,
        )
      else terminal.out(`${says}.\n`)
      if (!isGood) terminal.err(`${says}\n`)
      return isGood ? exitCodes.done : exitCodes.negative
    } catch (error) {
      const told =
        error instanceof BackupError ? new UnavailableError(error.message) : explainFolderFault(error, config.data)
      await note(false, (told ?? (error as Error)).message)
      throw told ?? error
    }
  },
}
