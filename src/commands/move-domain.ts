/** `proofgate move-domain`: other public addresses for this server, with a report of what that breaks. */

import { endAllSessions } from '../auth/restoring-store.ts'
import { isWebAddress } from '../config/address.ts'
import { type AppliedSetting, checkConfig } from '../config/check.ts'
import { ConfigError, loadConfig } from '../config/load.ts'
import { buildPublicAddresses, type PublicAddresses } from '../config/public-addresses.ts'
import type { Config } from '../config/schema.ts'
import { locateDatabaseFile, type Reader, type Statement } from '../db/db.ts'
import { LockedError, takeLock } from '../db/lock.ts'
import { lookIntoFolder } from '../db/look.ts'
import { changeConfigLine, describePlace, type NewSetting } from '../domain-move/config-line.ts'
import { type MoveReport, reportMove } from '../domain-move/report.ts'
import { type Affected, countAffectedRows } from '../domain-move/store.ts'
import { nameResource, revokeAllFamilies } from '../oauth/family-store.ts'
import { endCodes } from '../oauth/restoring-store.ts'
import { buildResource } from '../oauth/vocabulary.ts'
import { dropLinks } from '../operator/restoring-store.ts'
import { endAllShareLinks } from '../proofs/restoring-store.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireDatabase, requireDataFolder, requireFolderStore, useDataFolder } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { isUsableFolder } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions, requireArgument } from './options.ts'
import { writeFailure } from './run-command.ts'
import { wrapText } from './wrap.ts'

const settingOptions = { 'auth-url': 'auth_url', 'mcp-url': 'mcp_url' } as const

export const moveDomain: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(
      args,
      {
        ...commonOptions,
        'auth-url': { type: 'string' },
        'mcp-url': { type: 'string' },
        'dry-run': { type: 'boolean' },
        yes: { type: 'boolean' },
        'sign-out': { type: 'boolean' },
      },
      1,
    )
    const wanted = readNewSettings(requireArgument(positionals[0], 'the new address: move-domain https://…'), values)
    const config = await loadNamedConfig(values, terminal)
    requireFolderStore(config)
    const input = { file: values.config, env: terminal.env, cwd: terminal.cwd }
    const applied = await checkConfig(input)
    const from = buildPublicAddresses(config, config.port)
    const to = await readNewAddresses(wanted, config, terminal, values.config)
    // Settings that say the new address already are left alone.
    const changes = wanted.filter(
      ({ key, value }) => applied.settings.find((one) => one.key === key)?.value !== JSON.stringify(value),
    )
    const isDry = values['dry-run'] === true
    const signsOut = values['sign-out'] === true
    await requireAnswer(config, { forWriting: !isDry })
    if (isDry) requireDatabase(config.data)
    else requireDataFolder(config.data)
    const lock = isDry ? undefined : takeFolder(config)
    try {
      return await useDatabase(config, terminal, isDry, async (db, write) => {
        const resource = buildResource(to.mcpUrl)
        const affected = await countAffectedRows(db, {
          now: terminal.now(),
          resource,
          oldName: new URL(from.authUrl).hostname,
          oldHost: new URL(from.baseUrl).host,
        })
        const report = reportMove({ from, to, affected, settings: applied.settings, signsOut })
        const kept = listKept(from, to, applied.settings, wanted)
        const say = (text: string): void => {
          if (!values.json) terminal.out(`${text}\n`)
        }
        say(writeReport(report, kept, terminal))
        if (isNothingToDo({ from, to, affected, changes, signsOut })) {
          say('Nothing to do: the configuration and the database have these addresses already.')
          if (values.json) terminal.out(`${JSON.stringify({ ...report, moved: false, configuration: [] })}\n`)
          return exitCodes.done
        }
        if (isDry) {
          const places = changes.map((one) => describePlace(one, applied.settings, applied.file))
          say(writeList('Configuration', places, terminal))
          say('Nothing was changed (--dry-run).')
          if (values.json) terminal.out(`${JSON.stringify({ ...report, moved: false, configuration: places })}\n`)
          return exitCodes.done
        }
        if (!values.yes && !(await askConsent(terminal, to.baseUrl))) {
          const refusal = 'nothing was changed'
          terminal.err(`proofgate: ${refusal}\n`)
          if (values.json) terminal.out(writeFailure(exitCodes.negative, refusal))
          return exitCodes.negative
        }
        await moveRows(write, { now: terminal.now(), resource, signsOut })
        const stamp = new Date(terminal.now()).toISOString().replace(/[-:]|\.\d+/g, '')
        const told: string[] = []
        for (const change of changes) {
          const { says } = await changeConfigLine(change, input, {
            settings: applied.settings,
            file: applied.file,
            stamp,
          })
          told.push(says)
        }
        say(writeList('Configuration', told, terminal))
        say('The rows of the database have the new addresses. Start the server when the configuration has them too.')
        if (values.json) terminal.out(`${JSON.stringify({ ...report, moved: true, configuration: told })}\n`)
        return exitCodes.done
      })
    } finally {
      lock?.release()
    }
  },
}

type Write = (statements: readonly Statement[]) => Promise<unknown>

/** A dry run also works on a disk that is mounted read-only. */
async function useDatabase(
  config: Config,
  terminal: Terminal,
  isDry: boolean,
  work: (db: Reader, write: Write) => Promise<number>,
): Promise<number> {
  if (!isDry || isUsableFolder(config.data))
    return useDataFolder(config, terminal, ({ db }) => work(db, (statements) => db.write(statements)))
  const never: Write = () => Promise.reject(new Error('a dry run writes nothing'))
  const code = await lookIntoFolder(config.data, (db) => work(db, never))
  return code ?? exitCodes.unavailable
}

type Options = Readonly<Partial<Record<keyof typeof settingOptions, string>>>

/** Errors: UsageError. */
function readNewSettings(baseUrl: string, options: Options): NewSetting[] {
  const others = Object.entries(settingOptions).flatMap(([option, key]): NewSetting[] => {
    const value = options[option as keyof Options]
    return value === undefined ? [] : [{ key, value }]
  })
  const all: NewSetting[] = [{ key: 'base_url', value: baseUrl }, ...others]
  for (const { value } of all)
    if (!isWebAddress(value))
      throw new UsageError(
        `"${value}" is not an http(s) address in lower case without a default port, trailing slash, query or user name: write it as https://proofs.example.com`,
      )
  return all
}

/** The addresses of the configuration with the new values. Errors: ConfigError where they do not fit the rest of it. */
async function readNewAddresses(
  wanted: readonly NewSetting[],
  config: Config,
  { env, cwd }: Terminal,
  file: string | undefined,
): Promise<PublicAddresses> {
  const variables = wanted.map(({ key, value }) => [`PROOFGATE_${key.toUpperCase()}`, value] as const)
  const kept = Object.entries(env).filter(([name]) => !variables.some(([variable]) => name === `${variable}_FILE`))
  const changed = await loadConfig({
    file,
    cwd,
    env: { ...Object.fromEntries(kept), ...Object.fromEntries(variables) },
  }).catch((error) => {
    throw error instanceof ConfigError ? nameArguments(error, wanted) : error
  })
  return buildPublicAddresses(changed, config.port)
}

/** The new addresses were read as variables, which nobody has set. */
const nameArguments = ({ findings }: ConfigError, wanted: readonly NewSetting[]): ConfigError =>
  new ConfigError(
    findings.map((finding) => {
      const one = wanted.find(({ key }) => finding.key === `PROOFGATE_${key.toUpperCase()}`)
      if (!one) return finding
      const place = one.key === 'base_url' ? 'the new address' : `--${one.key.replace('_', '-')}`
      return { ...finding, message: finding.message.replace(/^[^:]+: [A-Z_]+/, `${place} ${one.value}`) }
    }),
  )

/** Errors: UnavailableError where a server runs. */
function takeFolder({ data }: Config): { release(): void } {
  try {
    return takeLock(locateDatabaseFile(data))
  } catch (error) {
    if (!(error instanceof LockedError)) throw error
    throw new UnavailableError(
      `a server runs on the data folder ${data}: stop it, and run this again, or see with --dry-run what would break. Nothing was changed`,
    )
  }
}

interface MovedRows {
  readonly now: number
  readonly resource: string
  readonly signsOut: boolean
}

/** One write: it happens as a whole or not at all. */
async function moveRows(write: Write, { now, resource, signsOut }: MovedRows): Promise<void> {
  await write([
    ...endCodes(),
    dropLinks(),
    nameResource(resource),
    ...(signsOut ? [endAllSessions(), revokeAllFamilies('revoked_by_operator', now), endAllShareLinks()] : []),
  ])
}

interface Work {
  readonly from: PublicAddresses
  readonly to: PublicAddresses
  readonly affected: Affected
  readonly changes: readonly NewSetting[]
  readonly signsOut: boolean
}

const isNothingToDo = ({ from, to, affected, changes, signsOut }: Work): boolean =>
  changes.length === 0 && JSON.stringify(from) === JSON.stringify(to) && affected.otherResources === 0 && !signsOut

/** Addresses of their own that the call does not name. */
const listKept = (
  from: PublicAddresses,
  to: PublicAddresses,
  settings: readonly AppliedSetting[],
  wanted: readonly NewSetting[],
): string[] =>
  (['auth_url', 'mcp_url'] as const).flatMap((key) => {
    const isOwn = settings.some((one) => one.key === key && one.source !== 'default')
    const name = key === 'auth_url' ? 'authUrl' : 'mcpUrl'
    return isOwn && !wanted.some((one) => one.key === key) && from.baseUrl !== to.baseUrl
      ? [`${key} stays ${to[name]}: --${key.replace('_', '-')} changes it`]
      : []
  })

function writeReport({ from, to, breaks, tasks }: MoveReport, kept: readonly string[], terminal: Terminal): string {
  const addresses = [
    ['base_url', from.baseUrl, to.baseUrl],
    ['auth_url', from.authUrl, to.authUrl],
    ['mcp_url', from.mcpUrl, to.mcpUrl],
  ].map(([name, before, after]) => (before === after ? `${name}  ${after}` : `${name}  ${before} -> ${after}`))
  const broken = breaks.map(({ count, title, says }) => `${title}${count === null ? '' : `: ${count}`}. ${says}`)
  return [
    writeList('Addresses', addresses, terminal),
    ...(kept.length > 0 ? [writeList('Not moved', kept, terminal)] : []),
    ...(broken.length > 0 ? [writeList('What breaks', broken, terminal)] : []),
    ...(tasks.length > 0 ? [writeList('To do', tasks, terminal)] : []),
  ].join('\n')
}

const writeList = (title: string, lines: readonly string[], { columns }: Terminal): string =>
  [title, ...lines.map((line) => `  - ${wrapText(line, { hang: 4, columns })}`), ''].join('\n')

/** Errors: UsageError where nobody can answer. */
async function askConsent(terminal: Terminal, baseUrl: string): Promise<boolean> {
  if (!terminal.isPerson)
    throw new UsageError(
      'this changes the addresses of the server: add --yes to confirm, or --dry-run to see what breaks',
    )
  const { host } = new URL(baseUrl)
  terminal.err(`Type "${host}" to go on: `)
  let typed = ''
  const decoder = new TextDecoder()
  for await (const chunk of terminal.input()) {
    typed += decoder.decode(chunk, { stream: true })
    if (typed.includes('\n')) break
  }
  return typed.trim() === host
}
