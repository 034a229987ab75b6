/** `proofgate self-update`: puts a newer release in the place of this executable, or the previous one back. */
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/schema.ts'
import { lookIntoFolder } from '../db/look.ts'
import { listApplied } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { isExecutable } from '../executable.ts'
import { fetchFile, locateFile, requireFile, type Wanted } from '../release/fetch-file.ts'
import { type FetchedList, fetchReleaseList } from '../release/fetch-list.ts'
import { writeKeyId } from '../release/minisign-text.ts'
import {
  clearAside,
  describeProgramFile,
  exchangeProgram,
  finishAside,
  type ProgramFile,
  replaceProgram,
  requireReplaceable,
  requireRoom,
} from '../release/program-file.ts'
import { compareVersions, type Release, ReleaseError } from '../release/release-list.ts'
import { type Build, startOnce } from '../release/start-once.ts'
import { readTarget } from '../release/target.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { findDataFolder } from './version.ts'

export const selfUpdate: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, {
      ...commonOptions,
      to: { type: 'string' },
      'dry-run': { type: 'boolean' },
      rollback: { type: 'boolean' },
    })
    if (values.rollback && values.to !== undefined) throw new UsageError('--rollback takes no --to')
    if (!isExecutable)
      throw new UnavailableError(
        'this runs from its sources, which self-update does not replace: update them with git, and install and start them again',
      )
    const config = await loadNamedConfig(values, terminal)
    const run: Run = {
      config,
      file: describeProgramFile(process.execPath),
      folder: await findDataFolder(config),
      isDry: values['dry-run'] === true,
      now: terminal.now,
      say: (line) => {
        if (!values.json) terminal.out(`${line}\n`)
      },
    }
    requireReplaceable(run.file)
    const done = await (values.rollback ? rollBack(run) : update(run, values.to)).catch((error) => {
      throw explainFileFault(error, run.file) ?? error
    })
    if (values.json) terminal.out(`${JSON.stringify({ from: version, dryRun: run.isDry, ...done })}\n`)
    return exitCodes.done
  },
}

/** Undefined for an error of another kind. */
function explainFileFault(error: unknown, { path }: ProgramFile): UnavailableError | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  const folder = dirname(path)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UnavailableError(`the disk of ${folder} is full: free some space there. ${path} was not changed`)
  return new UnavailableError(
    `a file in ${folder} cannot be written (${code}): see who may write there and how it is mounted`,
  )
}

interface Run {
  readonly config: Config
  readonly file: ProgramFile
  readonly folder: string | undefined
  readonly isDry: boolean
  now: Terminal['now']
  /** A line for people. */
  say(line: string): void
}

interface Done {
  /** Undefined where there was nothing to do. */
  readonly to: string | null
  readonly path: string
  readonly previous?: string
  /** Migrations that are pending in the data folder, or that the version in place does not know. */
  readonly warnings?: readonly string[]
}

/** Errors: ReleaseError, MinisignError, OutsideError, those of the file system. */
async function update(run: Run, to: string | undefined): Promise<Done> {
  const { config, file, isDry, say } = run
  const fetched = await fetchReleaseList(config, run.folder)
  const release = chooseRelease(fetched, to)
  if (compareVersions(release.version, version) <= 0) {
    say(
      `proofgate ${version} is ${release.version === version ? 'this release' : 'newer than every release'} already: nothing to do.`,
    )
    return { to: null, path: file.path }
  }
  const target = readTarget()
  const wanted: Wanted = { version: release.version, target, file: requireFile(release, target) }
  const { host } = locateFile(fetched, wanted)
  requireRoom(file, wanted.file.size)
  const megabytes = `${(wanted.file.size / 1e6).toFixed(1)} MB`
  if (isDry) {
    say(
      `proofgate ${release.version} for ${target} would be fetched from ${host} (${megabytes}), and take the place of`,
    )
    say(`${file.path}. This version, ${version}, would be kept as ${file.previous}. Nothing was changed.`)
    return { to: release.version, path: file.path, previous: file.previous }
  }
  say(`Fetching proofgate ${release.version} for ${target} from ${host} (${megabytes}).`)
  const build = await putInPlace(run, fetched, wanted)
  say(`Size, SHA-256 and the signature of the key ${writeKeyId(fetched.publicKey.keyId)} are right, and it starts.`)
  say(`${file.path} is ${release.version} now. This version, ${version}, is ${file.previous}.`)
  const warnings = warnOfMigrations(build)
  for (const line of [...warnings, describeRestart(build.version)]) say(line)
  return { to: release.version, path: file.path, previous: file.previous, warnings }
}

/** Errors: ReleaseError for a version that is not in the list, or an older one. */
function chooseRelease({ list: { releases } }: FetchedList, to: string | undefined): Release {
  const sorted = releases.toSorted((one, other) => compareVersions(one.version, other.version))
  if (to === undefined) return sorted.at(-1)!
  const found = sorted.find((release) => release.version === to)
  if (!found)
    throw new ReleaseError(
      `there is no release ${to}: the list has ${sorted.map((release) => release.version).join(', ')}`,
    )
  if (compareVersions(to, version) < 0)
    throw new ReleaseError(
      `${to} is older than this version, ${version}, and may not read what this one has stored: --rollback returns to the previous version`,
    )
  return found
}

/** Errors: as update(). */
async function putInPlace({ config, file, now }: Run, fetched: FetchedList, wanted: Wanted): Promise<Build> {
  clearAside(file, now())
  try {
    await fetchFile(config, fetched, wanted, file.aside)
    finishAside(file)
    const build = await startOnce(file.aside, 'the fetched file')
    if (build.version !== wanted.version)
      throw new ReleaseError(
        `the fetched file says that it is ${build.version}, and the list of releases says ${wanted.version}`,
      )
    replaceProgram(file)
    return build
  } finally {
    rmSync(file.aside, { force: true })
  }
}

/** Errors: ReleaseError, those of the file system. */
async function rollBack({ file, folder, isDry, now, say }: Run): Promise<Done> {
  const { path, previous } = file
  if (!existsSync(previous))
    throw new ReleaseError(`there is no previous version at ${previous}: self-update keeps one from its first run on`)
  const build = await startOnce(previous, previous)
  const warnings = await warnOfSchema(folder, build)
  for (const line of warnings) say(line)
  if (isDry) {
    say(`${path} would be ${build.version} again, and ${version} be kept as ${previous}. Nothing was changed.`)
    return { to: build.version, path, previous, warnings }
  }
  clearAside(file, now())
  exchangeProgram(file)
  say(`${path} is ${build.version} again. This version, ${version}, is ${previous}.`)
  say(describeRestart(build.version))
  return { to: build.version, path, previous, warnings }
}

/** A database that this version has migrated is refused by an older one. Errors: SQLiteError. */
async function warnOfSchema(folder: string | undefined, build: Build): Promise<readonly string[]> {
  const applied = folder && (await lookIntoFolder(folder, (_, database) => listApplied(database).at(-1)))
  if (!applied || (build.schema !== undefined && applied <= build.schema)) return []
  return [
    build.schema === undefined
      ? `Careful: ${build.version} does not say whether it can read the data folder ${folder}, which holds ${applied}.`
      : `Careful: ${build.version} refuses to start on the data folder ${folder}, which holds the migration ${applied}. Restore the backup from before that migration, or run --rollback again to return to ${version}.`,
  ]
}

const warnOfMigrations = ({ schema }: Build): readonly string[] =>
  schema !== undefined && schema > (migrations.at(-1)?.name ?? '')
    ? [
        'It brings migrations, which its first start applies. Before that, "proofgate upgrade --check" tries them on a copy.',
      ]
    : []

const describeRestart = (to: string): string =>
  `A server that runs goes on with ${version} until it is started again as ${to}: with "systemctl restart proofgate", for one.`
