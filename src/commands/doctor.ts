/**
 * `proofgate doctor`: checks the data folder, tries every configured outside source, and reports findings with
 * remedies.
 */

import { SQLiteError } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findSecretFile } from '../config/check.ts'
import { buildPublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import { findLosses } from '../db/former-losses.ts'
import { lookIntoFolder } from '../db/look.ts'
import { requireMasterKey } from '../db/master-key.ts'
import { makeSealer } from '../db/seal.ts'
import { examineClock } from '../doctor/clock.ts'
import { examineDatabaseServers } from '../doctor/database-server.ts'
import { examineAll, type Offered, readOffered } from '../doctor/examine.ts'
import type { Found } from '../doctor/found.ts'
import { examineHere } from '../doctor/here.ts'
import { examinePublicAddresses, listPublicAddresses } from '../doctor/public-address.ts'
import { findProofgateVersion } from '../health/find-listener.ts'
import { openOutside } from '../outside/open.ts'
import { openCatalog } from '../verifiers/index.ts'
import { readVerifierTables } from '../verifiers/settings.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { requireAnswer } from './disk-answers.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { examineFolder } from './examine-folder.ts'
import { makePlaceProbes } from './examine-place.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'
import { makePalette } from './palette.ts'
import { wrapText } from './wrap.ts'

interface Examined extends Offered {
  readonly findings: readonly Found[]
}

export const doctor: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, offline: { type: 'boolean' } })
    const config = await loadNamedConfig(values, terminal)
    if (config.database.url === undefined) await requireAnswer(config)
    const isOffline = values.offline === true
    const { findings, answers, outside } = await examineDeployment(config, values.config, terminal, { isOffline })
    const examined = { findings, ...readOffered(openCatalog(config.verifiers, outside)) }
    const ok = findings.every(({ level }) => level !== 'fail')
    terminal.out(
      values.json ? `${JSON.stringify({ ok, ...examined })}\n` : report({ ...examined, answers, isOffline }, terminal),
    )
    return ok ? exitCodes.done : exitCodes.negative
  },
}

/** All findings, and those from outside sources alone. */
export async function examineDeployment(
  config: Config,
  configFile: string | undefined,
  terminal: Terminal,
  { withinEachMs, isOffline = false }: { readonly withinEachMs?: number; readonly isOffline?: boolean } = {},
) {
  const outside = openOutside({ ...config, ...readVerifierTables(config) }, terminal.now)
  const here = config.database.url === undefined ? await examineHost(config, configFile, terminal) : []
  const isWrong = here.some(({ level }) => level === 'fail')
  const limit = withinEachMs === undefined ? {} : { withinEachMs }
  const answers = isOffline
    ? []
    : [
        ...(await examineDatabaseServers(config.database, requireMasterKey(config.masterKey, undefined))),
        ...(await examineAll(
          { config, outside, now: terminal.now },
          { ...limit, more: makePlaceProbes(config, terminal.now) },
        )),
        ...(await examineAddresses(config, terminal.now)),
      ]
  // Faults here come first: nothing else matters until they are mended.
  const findings = isWrong ? [...here, ...answers] : [...answers, ...here]
  return { findings, answers, outside }
}

/** The data folder, its disk and its database. */
async function examineHost(
  config: Config,
  configFile: string | undefined,
  terminal: Terminal,
): Promise<readonly Found[]> {
  return [
    ...(await examineHere({
      config,
      now: terminal.now,
      secretFile: await findSecretFile({ file: configFile, env: terminal.env, cwd: terminal.cwd }),
    })),
    ...(await examineClock(config, terminal.now)),
    ...(await examineLosses(config, terminal.now)),
    ...(await examineFolder(config)),
  ]
}

/** None while no server runs here: it alone could answer. */
async function examineAddresses(config: Config, now: () => number): Promise<readonly Found[]> {
  const { host, port, masterKey, data } = config
  if (listPublicAddresses(config).length === 0 || port === 0) return []
  if (masterKey === undefined && !existsSync(join(data, 'master.key'))) return []
  if ((await findProofgateVersion(buildPublicAddresses({ host }, port).baseUrl)) === undefined) return []
  return examinePublicAddresses({ config, sealer: makeSealer(requireMasterKey(masterKey, data)), now })
}

interface Reported extends Examined {
  /** The findings from outside sources. */
  readonly answers: readonly Found[]
  readonly isOffline: boolean
}

function report({ findings, answers, offered, absent, isOffline }: Reported, terminal: Terminal): string {
  const { bold, dim, green, red, yellow } = makePalette(terminal.isPerson)
  const { columns } = terminal
  const words = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') }
  const width = Math.max(0, ...findings.map(({ setting }) => setting.length))
  return [
    ...findings.flatMap(({ setting, level, says, mend }) => [
      `  ${words[level]}  ${setting.padEnd(width)}  ${wrapText(escapeInvisible(says), { hang: width + 10, columns })}`,
      ...(mend ? [`${' '.repeat(width + 10)}${wrapText(escapeInvisible(mend), { hang: width + 10, columns })}`] : []),
    ]),
    ...(answers.length === 0
      ? [
          isOffline
            ? 'Nothing was called (--offline).'
            : 'Nothing outside is configured, so nothing was called. config.example.toml shows what there is.',
        ]
      : []),
    '',
    wrapText(`Verifiers offered: ${offered.join(', ')}`, { columns }),
    ...(absent.length > 0
      ? ['Not offered:', ...absent.map(({ why }) => dim(`  ${wrapText(why, { hang: 4, columns })}`))]
      : []),
    '',
    ...judge(findings, answers).map(({ isGood, says }) => bold(isGood ? green(says) : red(says))),
    ...(findings.length === 0 ? [] : ['']),
  ].join('\n')
}

function judge(findings: readonly Found[], answers: readonly Found[]) {
  const silent = countFailed(answers)
  const isWrongHere = countFailed(findings) > silent
  return [
    ...(isWrongHere
      ? [{ isGood: false, says: 'The data folder or its disk is not as it must be: see FAIL above.' }]
      : []),
    ...(silent > 0
      ? [{ isGood: false, says: `${silent === 1 ? 'One source does' : `${silent} sources do`} not answer as needed.` }]
      : []),
    ...(silent === 0 && answers.length > 0 ? [{ isGood: true, says: 'Everything that is configured answers.' }] : []),
  ]
}

const countFailed = (findings: readonly Found[]): number => findings.filter(({ level }) => level === 'fail').length

export async function examineLosses({ data }: Pick<Config, 'data'>, now: () => number): Promise<readonly Found[]> {
  try {
    const losses = (await lookIntoFolder(data, (db) => findLosses(db, now()))) ?? []
    return losses.map(({ says, mend }) => ({ setting: 'data', level: 'warn', says, mend }))
  } catch (error) {
    // The checks of the folder say more about a database that cannot be read.
    if (error instanceof SQLiteError) return []
    throw error
  }
}
