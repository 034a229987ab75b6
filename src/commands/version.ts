/** `proofgate version`: the version of this program, and with --check whether its publisher has a newer one. */
import { existsSync } from 'node:fs'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile } from '../db/db.ts'
import { migrations } from '../db/migrations.ts'
import { type FetchedList, fetchReleaseList } from '../release/fetch-list.ts'
import { type Comparison, compareReleases } from '../release/release-list.ts'
import { readTarget } from '../release/target.ts'
import { version } from '../version.ts'
import { openSecp256k1 } from '../wallet/secp256k1.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { requireAnswer } from './disk-answers.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { writeCall } from './program.ts'

export const versionCommand: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, check: { type: 'boolean' } })
    if (values.check) return checkVersion(await loadNamedConfig(values, terminal), terminal, values.json === true)
    if (values.config !== undefined) throw new UsageError('--config is for --check')
    terminal.out(values.json ? `${JSON.stringify(await describeBuild())}\n` : `proofgate ${version}\n`)
    return exitCodes.done
  },
}

/** What a newer or older executable needs to know about this one, and which code recovers signers here. */
async function describeBuild() {
  const { backend: recovery, library: recoveryLibrary } = await openSecp256k1()
  return { version, target: readTarget(), schema: migrations.at(-1)?.name, recovery, recoveryLibrary }
}

/** The data folder, if a server has made one. Errors: SilentDiskError. */
export async function findDataFolder(config: Config): Promise<string | undefined> {
  await requireAnswer(config, { forWriting: true })
  return existsSync(locateDatabaseFile(config.data)) ? config.data : undefined
}

async function checkVersion(config: Config, terminal: Terminal, asJson: boolean): Promise<number> {
  const folder = await findDataFolder(config)
  const fetched = await fetchReleaseList(config, folder)
  const comparison = compareReleases(fetched.list, version)
  const { newest, isNewer, security } = comparison
  if (asJson)
    terminal.out(
      `${JSON.stringify({
        version,
        newest: newest.version,
        update: security ? 'security' : isNewer ? 'normal' : 'none',
        securityRelease: security?.version ?? null,
        notes: newest.notes ?? null,
        listSerial: fetched.list.serial,
        listDate: fetched.list.date,
        listRemembered: fetched.isRemembered,
      })}\n`,
    )
  else
    for (const line of [...describeComparison(comparison), ...describeList(fetched, folder, terminal.now())])
      terminal.out(`${line}\n`)
  return security ? exitCodes.negative : exitCodes.done
}

function describeComparison({ newest, isNewer, security }: Comparison): readonly string[] {
  if (!isNewer)
    return [
      newest.version === version
        ? `proofgate ${version} is the newest release.`
        : `proofgate ${version} is newer than the newest release, ${newest.version}.`,
    ]
  return [
    `proofgate ${newest.version} of ${newest.date} is out. This is ${version}.`,
    ...(security ? [`Update now: ${security.version} mends something unsafe in this version.`] : []),
    ...(newest.notes ? [`What changes: ${newest.notes}`] : []),
    `${writeCall('self-update')} puts it in place.`,
  ]
}

const oneDayMs = 86_400_000
/** A publisher signs a list anew at each release. A list that stays the same for long may be held back. */
const oldAfterDays = 90

function describeList(
  { list: { date, serial }, isRemembered }: FetchedList,
  folder: string | undefined,
  now: number,
): readonly string[] {
  const ageDays = Math.floor((now - Date.parse(date)) / oneDayMs)
  return [
    `The list of releases is of ${date} (serial ${serial}).`,
    ...(ageDays > oldAfterDays
      ? [`It is ${ageDays} days old: see at its publisher whether there is a newer one that does not reach you.`]
      : []),
    ...(isRemembered
      ? []
      : [
          `Its serial is not remembered: ${folder === undefined ? 'there is no data folder yet' : `this user may not write to ${folder}`}.`,
        ]),
  ]
}
