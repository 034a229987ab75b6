/** `proofgate backup`: one backup of the data folder, beside a server that may be running. */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { readKeyMark } from '../backup/facts-store.ts'
import { BackupError } from '../backup/fault.ts'
import { removeOld } from '../backup/kept-backups.ts'
import { makeBackup, nameBackup } from '../backup/make-backup.ts'
import { openPlace } from '../backup/targets/open-target.ts'
import { readConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { lookIntoFolder } from '../db/look.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { noteOutcome } from './job-runs.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

export const backup: Command = {
  name: 'backup',
  usage: '[FILE | FOLDER | s3://BUCKET/PREFIX] [--without-secrets] [--config FILE] [--json]',
  summary: 'Make a backup of the data folder, also while the server runs.',
  help: [
    '  --without-secrets   do not seal it, and leave the master key and the configuration out',
    '  --config FILE       configuration; without it proofgate.toml beside the data folder',
    '  --json              print one line of JSON in place of sentences',
    '',
    'Without a place it goes where backup.to says, and older backups are deleted there:',
    'backup.keep_hourly, backup.keep_daily and backup.keep_weekly say how many stay.',
    'A folder or a prefix gets a file with a name of its own. A file that is there is never replaced.',
    'The passphrase comes from PROOFGATE_BACKUP_PASSPHRASE, or from the file that',
    'PROOFGATE_BACKUP_PASSPHRASE_FILE names. It seals everything, the master key and the',
    'configuration too.',
    'Exit codes: 0 done, 2 wrong call, 69 no folder, or the place cannot take it, 74 the disk does not',
    'answer, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, { ...commonOptions, 'without-secrets': { type: 'boolean' } }, 1)
    const config = await loadNamedConfig(values, terminal)
    const named = positionals[0] ?? config.backup.to
    if (named === undefined)
      throw new UsageError('name the file, the folder or the bucket of the backup, or set backup.to')
    const passphrase = choosePassphrase(config, values['without-secrets'] === true)
    await requireAnswer(config)
    requireDataFolder(config.data)
    const startedAt = performance.now()
    const note = (isGood: boolean, says: string): Promise<void> =>
      noteOutcome(config, {
        job: 'backup',
        endedAt: terminal.now(),
        tookMs: performance.now() - startedAt,
        isGood,
        says,
      })
    try {
      requireOutside(named, config, terminal.cwd)
      const keyMark = (await lookIntoFolder(config.data, (_, database) => readKeyMark(database))) ?? 0
      const { target, name = nameBackup(terminal.now(), keyMark) } = openPlace(named, terminal.cwd, config)
      const made = await makeBackup(target, name, {
        folder: config.data,
        now: terminal.now,
        version,
        passphrase,
        secrets: passphrase === undefined ? {} : await readSecrets(config, values.config, terminal),
      })
      const removed = positionals[0] === undefined ? await removeOld(target, keyMark, config.backup) : []
      const { counts, header, without } = made.manifest
      await note(true, `${name} at ${target.title}, ${formatBytes(made.bytes)}, ${counts.proofs ?? 0} proofs`)
      const told = { name, at: target.title, bytes: made.bytes, createdAt: header.createdAt, counts, without, removed }
      if (values.json) terminal.out(`${JSON.stringify(told)}\n`)
      else
        terminal.out(
          [
            `The backup ${name} is at ${target.title}: ${formatBytes(made.bytes)}, ${counts.proofs ?? 0} proofs.`,
            header.sealed
              ? 'It is sealed under the passphrase, which it cannot be restored without.'
              : 'It is not sealed, and holds neither the master key nor the configuration: keep those elsewhere.',
            ...(removed.length > 0
              ? [`${removed.length} older ${removed.length === 1 ? 'one was' : 'ones were'} deleted.`]
              : []),
            '',
          ].join('\n'),
        )
      return exitCodes.done
    } catch (error) {
      const told =
        error instanceof BackupError ? new UnavailableError(error.message) : explainFolderFault(error, config.data)
      await note(false, (told ?? (error as Error)).message)
      throw told ?? error
    }
  },
}

/** Errors: UsageError. */
function choosePassphrase({ backup }: Config, isWithout: boolean): string | undefined {
  if (isWithout || backup.withoutSecrets) return undefined
  if (backup.passphrase !== undefined) return backup.passphrase
  throw new UsageError(
    'set PROOFGATE_BACKUP_PASSPHRASE to seal the backup and the secrets in it, or leave them out with --without-secrets',
  )
}

/** A restore moves the data folder away, with everything in it. Errors: BackupError. */
function requireOutside(named: string, { data }: Config, cwd: string): void {
  const within = relative(data, resolve(cwd, named))
  if (!named.startsWith('s3://') && !within.startsWith('..') && !isAbsolute(within))
    throw new BackupError(
      `${named} is inside the data folder ${data}, which a restore moves away with its backups`,
      'name a place outside of it, best on another disk',
    )
}

/** The key of the configuration where there is one: the server uses no other. */
async function readSecrets({ data, masterKey }: Config, configFile: string | undefined, { env, cwd }: Terminal) {
  const keyFile = join(data, 'master.key')
  const key = masterKey ? Buffer.from(`${masterKey}\n`) : existsSync(keyFile) ? readFileSync(keyFile) : undefined
  const { file } = await readConfig({ file: configFile, env, cwd })
  return {
    ...(key ? { 'master.key': key } : {}),
    ...(file ? { 'proofgate.toml': readFileSync(resolve(cwd, file)) } : {}),
  }
}

const formatBytes = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`
