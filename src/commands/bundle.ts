/** `proofgate bundle`: what helps others to find a fault, in one archive without secrets. */
import { existsSync, readFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { type Config, ConfigError } from '../config/load.ts'
import { readSqliteVersion } from '../db/sqlite-version.ts'
import { listAdvice } from '../doctor/advice.ts'
import { gatherConfigFacts, listConfiguredTexts } from '../support/config-facts.ts'
import { gatherFolderFacts } from '../support/folder-facts.ts'
import { readLastFaults } from '../support/log-lines.ts'
import { makeRedactor, redactShapes } from '../support/redact.ts'
import { gatherHealth, gatherMetrics } from '../support/server-facts.ts'
import { version } from '../version.ts'
import { openCLibrary } from './c-library.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { requireAnswer } from './disk-answers.ts'
import { examineDeployment } from './doctor.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

/** What each file of the archive tells. */
const about = {
  'versions.json': 'versions of Proofgate, Bun, SQLite, kernel and C library; processors and memory',
  'configuration.json': 'which settings are set and where; values only of numbers, switches and choices',
  'findings.json': 'what check-config and doctor find, with names and addresses of others taken out',
  'health.json': 'state of the running server and the names of its conditions',
  'faults.json': 'the last warnings and errors of log.file: time, event and figures, no sentences',
  'figures.json': 'sizes of the files of the data folder, and the number of rows of each table',
  'schema.json': 'migrations of the database with their hashes',
  'jobs.json': 'when backups and drills last ended, and whether they were good',
  'prometheus.txt': 'the page of metrics, where metrics.enabled is true',
} as const

type Member = keyof typeof about
const members = Object.keys(about) as Member[]

export const bundle: Command = {
  async run(args, terminal) {
    const { values, positionals } = readOptions(args, { ...commonOptions, list: { type: 'boolean' } }, 1)
    if (values.list) {
      terminal.out(values.json ? `${JSON.stringify({ members: about })}\n` : `${listMembers()}\n`)
      return exitCodes.done
    }
    const file = resolve(terminal.cwd, positionals[0] ?? nameArchive(terminal.now()))
    const input = { file: values.config, env: terminal.env, cwd: terminal.cwd }
    const contents = await gather(values.config, terminal)
    const redact = makeRedactor([...(await listConfiguredTexts(input)), ...(await listKeys(values.config, terminal))])
    const archive = await packAll(members.map((name) => [name, redact(contents[name])]))
    await writeNew(file, archive)
    if (values.json) terminal.out(`${JSON.stringify({ file, bytes: archive.length, members })}\n`)
    else
      terminal.out(
        [
          `The archive ${file} holds:`,
          '',
          listMembers(),
          '',
          'It holds no secret, wallet, proof, token or key. Look into it before you send it:',
          `  tar -xzOf ${file} | less`,
          '',
        ].join('\n'),
      )
    return exitCodes.done
  },
}

const listMembers = (): string => members.map((name) => `  ${name.padEnd(20)}${about[name]}`).join('\n')

const nameArchive = (now: number): string =>
  `proofgate-support-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`

/** A wrong configuration is what many ask about: then the rest is left out. */
async function gather(configFile: string | undefined, terminal: Terminal): Promise<Record<Member, string>> {
  const config = await loadIfRight(configFile, terminal)
  const input = { file: configFile, env: terminal.env, cwd: terminal.cwd }
  const own = {
    'versions.json': writeJson(readVersions()),
    'configuration.json': writeJson(await gatherConfigFacts(input)),
  }
  if (!config) {
    const left = members.filter((name) => !(name in own))
    const why = writeJson({ says: 'the configuration is wrong, so this was left out' })
    return { ...Object.fromEntries(left.map((name) => [name, why])), ...own } as Record<Member, string>
  }
  await requireAnswer(config)
  const { figures, schema, jobs } = await gatherFolderFacts(config.data).catch(() => unread)
  return {
    ...own,
    'findings.json': writeJson(await gatherFindings(config, configFile, terminal)),
    'health.json': writeJson(await gatherHealth(config)),
    'faults.json': writeJson(await gatherFaults(config)),
    'figures.json': writeJson(figures),
    'schema.json': writeJson(schema),
    'jobs.json': writeJson(jobs),
    'prometheus.txt': await gatherMetrics(config),
  }
}

const unreadable = { says: 'the database cannot be read: see findings.json' }
const unread = { figures: unreadable, schema: unreadable, jobs: unreadable }
const withinEachMs = 10_000

async function loadIfRight(config: string | undefined, terminal: Terminal): Promise<Config | undefined> {
  try {
    return await loadNamedConfig({ config }, terminal)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

async function gatherFindings(config: Config, configFile: string | undefined, terminal: Terminal): Promise<object> {
  const redact = (text: string): string => redactShapes(hidePlaces(text, config, configFile, terminal))
  const { findings } = await examineDeployment(config, configFile, terminal, { withinEachMs })
  return {
    advice: listAdvice(config).map(({ setting, says }) => ({ setting: redact(setting), says: redact(says) })),
    findings: findings.map(({ setting, level, says, mend = '' }) => ({
      setting: redact(setting),
      level,
      says: redact(says),
      mend: redact(mend),
    })),
  }
}

/** Names of folders may be those of people and customers. */
function hidePlaces(text: string, { data }: Config, configFile: string | undefined, { cwd, env }: Terminal): string {
  const places = [
    [data, 'DATA'],
    [configFile === undefined ? cwd : dirname(resolve(cwd, configFile)), 'FOLDER'],
    [cwd, 'FOLDER'],
    [env.HOME ?? '', 'HOME'],
  ] as const
  return places.reduce((left, [place, word]) => (place.length > 1 ? left.replaceAll(place, word) : left), text)
}

async function gatherFaults({ log }: Config): Promise<object> {
  if (log.file === undefined) return { says: 'log.file is not set: the log is with journald or the container' }
  try {
    return await readLastFaults(log.file)
  } catch {
    return { says: 'the file of log.file cannot be read' }
  }
}

const readVersions = () => ({
  proofgate: version,
  bun: Bun.version,
  sqlite: readSqliteVersion(),
  system: type(),
  kernel: release(),
  architecture: process.arch,
  libc: readLibc(),
  processors: cpus().length,
  memoryMiB: Math.floor(totalmem() / 1_048_576),
})

/** Only glibc tells its version. */
function readLibc(): string {
  const library = openCLibrary({ gnu_get_libc_version: { args: [], returns: 'cstring' } })
  return library ? `glibc ${library.gnu_get_libc_version()}` : 'another than glibc'
}

/** The key of the folder, as it stands in its file. */
async function listKeys(configFile: string | undefined, terminal: Terminal): Promise<readonly string[]> {
  const config = await loadIfRight(configFile, terminal)
  const file = config && join(config.data, 'master.key')
  return file && existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []
}

const writeJson = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

async function packAll(files: readonly (readonly [name: string, text: string])[]): Promise<Buffer> {
  const tar = pack()
  for (const [name, text] of files) tar.entry({ name: `proofgate-support/${name}`, mode: 0o600 }, text)
  tar.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of tar) chunks.push(chunk as Uint8Array)
  return gzipSync(Buffer.concat(chunks))
}

/** Errors: UsageError. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'EEXIST'
        ? `there is ${file} already: name another file`
        : `${file} cannot be written (${error.code ?? error.message}): name another file`,
    )
  })
  try {
    await handle.writeFile(bytes)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
