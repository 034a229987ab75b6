/** `proofgate upgrade --check`: tries what the first start of this version does to the data folder, on a copy. */
import type { Config } from '../config/schema.ts'
import { MigrationError } from '../db/migrate.ts'
import { requireLocks } from '../db/prove-locks.ts'
import { type Changes, type Trial, TrialError, type TrialStep, tryMigrations } from '../db/try-migrations.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { requireDataFolder, requireFolderStore } from './data-folder.ts'
import { requireAnswer } from './disk-answers.ts'
import { explainFolderFault } from './folder-fault.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

export const upgrade: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, check: { type: 'boolean' } })
    if (!values.check)
      throw new UsageError(
        'the first start of this version upgrades the data folder; --check tries it on a copy before',
      )
    const config = await loadNamedConfig(values, terminal)
    requireFolderStore(config)
    await requireAnswer(config, { forWriting: true })
    requireDataFolder(config.data)
    const say = (line: string): void => {
      if (!values.json) terminal.out(`${line}\n`)
    }
    const outcome = await judge(config, terminal, (step) => say(describeStep(step)))
    if (values.json) terminal.out(`${JSON.stringify(toWire(outcome))}\n`)
    for (const line of describeOutcome(outcome, config.data)) say(line)
    return outcome.fault === undefined ? exitCodes.done : exitCodes.negative
  },
}

interface Outcome {
  /** Undefined where nothing is pending, or the trial failed. */
  readonly trial: Trial | undefined
  /** Why the first start would fail. */
  readonly fault: string | undefined
}

/** Errors: UnavailableError, SQLiteError. */
async function judge(
  config: Config,
  { now }: Pick<Terminal, 'now'>,
  tell: (step: TrialStep) => void,
): Promise<Outcome> {
  const { data: folder, storage } = config
  try {
    await requireLocks(folder, storage)
    const trial = await tryMigrations(folder, { now: now(), tell })
    return { trial, fault: trial && findLackOfRoom(trial, folder) }
  } catch (error) {
    if (error instanceof MigrationError) return { trial: undefined, fault: error.message }
    if (error instanceof TrialError) throw new UnavailableError(error.message)
    throw explainFolderFault(error, folder) ?? error
  }
}

const findLackOfRoom = ({ neededBytes, freeBytes }: Trial, folder: string): string | undefined =>
  neededBytes <= freeBytes
    ? undefined
    : `the migrations need ${formatBytes(neededBytes)} for a time, and the disk of ${folder} has ${formatBytes(freeBytes)} free: free some space there`

function describeStep(step: TrialStep): string {
  if (step.kind === 'copied') return `Copied ${formatBytes(step.bytes)} in ${formatSeconds(step.ms)}.`
  if (step.kind === 'applied') return `  ${step.name.padEnd(40)} ${formatSeconds(step.ms).padStart(10)}`
  if (step.names.length === 0) return `The database is at ${step.at}, the newest that ${version} knows.`
  const count = step.names.length === 1 ? '1 migration' : `${step.names.length} migrations`
  return `The database is at ${step.at ?? 'its beginning'}. The first start of ${version} runs ${count}.`
}

function describeOutcome({ trial, fault }: Outcome, folder: string): readonly string[] {
  if (fault !== undefined) return [`The upgrade would fail: ${fault}`, 'Nothing was changed.']
  if (!trial) return ['There is nothing to do. An older version that knows it reads the data folder, too.']
  const { changes, losses, former, migrateMs, neededBytes, freeBytes } = trial
  return [
    'Integrity and references of the result are right.',
    ...(former.length > 0 ? [`Brought to today's form: ${former.join(', ')}.`] : []),
    ...describeChanges(changes),
    ...losses.map(({ says, mend }) => `What is lost: ${says}. ${mend}.`),
    `The first start takes about ${formatSeconds(migrateMs)} longer, and needs ${formatBytes(neededBytes)} of the disk for a time. ${formatBytes(freeBytes)} are free.`,
    `After that an older version refuses the data folder ${folder}: keep a backup to be able to go back.`,
    'Nothing was changed.',
  ]
}

function describeChanges({ tables: { added, removed, altered }, rows }: Changes): readonly string[] {
  const list = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${what}: ${names.join(', ')}.`]
  return [
    ...list('New tables', added),
    ...list('Removed tables', removed),
    ...list('Changed tables', altered),
    ...list(
      'Rows',
      rows.map(({ table, before, after }) => `${table} ${before} → ${after}`),
    ),
  ]
}

const toWire = ({ trial, fault }: Outcome) => ({
  works: fault === undefined,
  version,
  ...(trial ?? { migrations: [] }),
  /** Whether a version that knows the database of today can read it afterwards. */
  olderVersionReads: trial === undefined && fault === undefined,
  ...(fault === undefined ? {} : { fault }),
})

const oneGiB = 1_073_741_824
const formatBytes = (bytes: number): string =>
  bytes < oneGiB ? `${(bytes / 1_048_576).toFixed(1)} MiB` : `${(bytes / oneGiB).toFixed(1)} GiB`
const formatSeconds = (ms: number): string => (ms < 100 ? `${Math.ceil(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
