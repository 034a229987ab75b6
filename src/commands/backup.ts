/** `proofgate backup`: one backup of the data folder, beside a server that may be running. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { removeOldFiles } from '../backup/continuous/remove-old.ts'
import { readKeyMark } from '../backup/facts-store.ts'
import { BackupError } from '../backup/fault.ts'
import type { Retained } from '../backup/kept-backups.ts'
import { makeBackup, nameBackup } from '../backup/make-backup.ts'
import { openPlace } from '../backup/targets/open-target.ts'
import { readConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { lookIntoFolder } from '../db/look.ts'
import { removeLeftovers } from '../db/work-folder.ts'
import { version } from '../version.ts'
import { choosePlaceName, describeSetApart } from './chosen-backup.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireDataFolder } from './data-folder.ts'
import { backUpDatabase } from './database-backup.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { noteOutcome } from './job-runs.ts'
import { jobOptions, loadNamedConfig, readOptions } from './options.ts'
import { wrapText } from './wrap.ts'

export const backup: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, { ...jobOptions, 'without-secrets': { type: 'boolean' } }, 1)
    const config = await loadNamedConfig(values, terminal)
    if (config.database.url !== undefined)
      return backUpDatabase({ config, named: positionals[0], isJson: values.json === true, terminal })
    const named = choosePlaceName(positionals, config)
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
      // First, because they may be what fills the disk.
      const left = [...removeLeftovers(config.data, terminal.now()), ...(await target.clear())]
      const made = await makeBackup(target, name, {
        folder: config.data,
        now: terminal.now,
        version,
        passphrase,
        isContinued: config.backup.continuous,
        secrets: passphrase === undefined ? {} : await readSecrets(config, values.config, terminal),
      })
      const { removed, ahead, broken } =
        positionals[0] === undefined
          ? await removeOldFiles(target, { keyMark, made: name, now: terminal.now() }, config.backup)
          : noneRemoved
      const { counts, header, without } = made.manifest
      await note(true, `${name} at ${target.title}, ${formatBytes(made.bytes)}, ${counts.proofs ?? 0} proofs`)
      const told = {
        name,
        at: target.title,
        bytes: made.bytes,
        createdAt: header.createdAt,
        counts,
        without,
        removed,
        setApart: ahead,
        broken,
      }
      const warnings = [
        describeSetApart(ahead, terminal.now()),
        describeBroken(broken),
        ...left.map((path) => `${path}, which a run that was cut off had left, was removed.`),
      ].filter((one) => one !== undefined)
      if (values.json) terminal.out(`${JSON.stringify(told)}\n`)
      else
        terminal.out(
          [
            `The backup ${name} is at ${target.title}: ${formatBytes(made.bytes)}, ${counts.proofs ?? 0} proofs.`,
            header.sealed
              ? 'It is sealed under the passphrase, which it cannot be restored without.'
              : 'It is not sealed, and holds neither the master key nor the configuration: keep those elsewhere.',
            ...(header.sealed && without.length > 0
              ? [`It does not hold ${without.join(' or ')}: keep what the environment gives in its place elsewhere.`]
              : []),
            ...(removed.length > 0
              ? [`${removed.length} older ${removed.length === 1 ? 'one was' : 'ones were'} deleted.`]
              : []),
            ...warnings.map((one) => wrapText(one, terminal)),
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

const noneRemoved: Retained = { removed: [], ahead: [], broken: [] }

const describeBroken = (names: readonly string[]): string | undefined =>
  names.length === 0
    ? undefined
    : `${names.length === 1 ? 'One file there has the name of a backup and is none' : `${names.length} files there have names of backups and are none`}, or was not copied whole: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}. Try it with a drill, or delete it.`

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
  const within = relative(findRealPath(data), findRealPath(resolve(cwd, named)))
  if (!named.startsWith('s3://') && !within.startsWith('..') && !isAbsolute(within))
    throw new BackupError(
      `${named} is inside the data folder ${data}, which a restore moves away with its backups`,
      'name a place outside of it, best on another disk',
    )
}

/** Of what is there, and of what is not there yet below it. */
function findRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const above = dirname(path)
  return above === path ? path : join(findRealPath(above), basename(path))
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
