/**
 * The configuration, from file and environment to one checked and frozen value. The environment wins over the
 * file and the file over the defaults. Everything that is wrong is found in one go.
 */

import { resolve } from 'node:path'
import { configFileName, readConfigFile } from './config-file.ts'
import type { ConfigInput } from './config-input.ts'
import { type Contradiction, contradictionsIn } from './contradictions.ts'
import { type EnvironmentValue, readEnvironment } from './environment.ts'
import { ConfigError, type Finding, finding, type Place, wrongKey, wrongValue } from './finding.ts'
import { takeKnown } from './known.ts'
import { listSettings, type Path, setAt, type Values, valueAt } from './outline.ts'
import { findFileProblem, mendOfFile } from './read-file.ts'
import { type Config, settings } from './schema.ts'
import { settle, withDefaults } from './settle.ts'
import { tomlPath } from './toml-text.ts'
import { findViolations } from './violations.ts'

export { ConfigError, type Finding } from './finding.ts'
export type { Config } from './schema.ts'

export interface ConfigReading {
  /** Name of the file that was read, if one was. */
  readonly file: string | undefined
  readonly findings: readonly Finding[]
  /** What applies, in the names of the file; wrong values as they were found. */
  readonly values: Values
  /** Where the value at a path was set; undefined for a default. */
  placeOf(path: Path): Place | undefined
}

/** Throws `ConfigError` with every finding. Files and folders come out as absolute paths. */
export async function loadConfig(input: ConfigInput): Promise<Config> {
  const { findings, values } = await readConfig(input)
  if (findings.length > 0) throw new ConfigError(findings)
  return settle(settings, withFilesFrom(input.cwd, values)) as Config
}

/** File names are relative to where the program was started, and must stay so when it goes elsewhere. */
function withFilesFrom(cwd: string, values: Values): Values {
  const absolute = structuredClone(values)
  for (const { path } of places) {
    const file = valueAt(absolute, path)
    if (typeof file === 'string') setAt(absolute, path, resolve(cwd, file))
  }
  return absolute
}

/** Settings that name a file or a folder. */
const places = listSettings(settings).filter(({ schema }) => schema.names !== undefined)

/** A file that is named and cannot be read would be found by the first request that needs it. */
async function findMissingFiles(cwd: string, values: Values): Promise<Contradiction[]> {
  const checked = places.map(async ({ path, schema }): Promise<Contradiction[]> => {
    const file = valueAt(values, path)
    if (schema.names !== 'file' || typeof file !== 'string') return []
    const whole = resolve(cwd, file)
    const problem = await findFileProblem(whole)
    return problem === undefined
      ? []
      : [{ path, problem: `${problem} (${whole}): ${mendOfFile}, or leave the setting out` }]
  })
  return (await Promise.all(checked)).flat()
}

/** Everything that `loadConfig` knows before it gives up or goes on. */
export async function readConfig(input: ConfigInput): Promise<ConfigReading> {
  const file = await readConfigFile(input, input.env.PROOFGATE_DATA || settings.properties.data.default)
  const filePlace = (path: Path): Place => ({ source: file?.name ?? configFileName, line: file?.lineOf(path) })

  const known = takeKnown(settings, file?.values ?? {}, filePlace)
  const environment = await readEnvironment(settings, input, known.values)
  for (const { path, value } of environment.values) setAt(known.values, path, value)
  const values = withDefaults(settings, known.values)

  const fromEnvironment = (path: Path) => environment.values.find((one) => startsWith(path, one))
  const placeOf = (path: Path): Place | undefined => {
    const variable = fromEnvironment(path)?.variable
    if (variable) return { source: 'environment', variable }
    return valueAt(known.values, path) === undefined ? undefined : filePlace(path)
  }
  const violations = findViolations(settings, values)
    // A wrong value that was copied from another setting is mended there.
    .filter(({ path, schema }) => !schema.sameAs || placeOf(path))
    .map(({ path, schema, value, isKey }) => {
      const place = placeOf(path) ?? filePlace(path)
      return isKey ? wrongKey(settings, place, path, schema) : wrongValue(settings, place, path, schema, value)
    })
  const own = [...(file?.findings ?? []), ...known.findings, ...environment.findings, ...violations]
  const together =
    own.length > 0
      ? []
      : [...contradictionsIn(values), ...(await findMissingFiles(input.cwd, values))].map(({ path, problem }) => {
          const place = placeOf(path) ?? filePlace(path)
          return finding(place, { key: place.variable ?? tomlPath(path), expected: '', example: '', problem })
        })
  const wrong = [...violations, ...together]
  const inFile = [...(file?.findings ?? []), ...known.findings, ...wrong]
  return {
    file: file?.name,
    // In the order in which somebody mends them: down the file, then the environment.
    findings: [
      ...inFile
        .filter(({ source }) => source !== 'environment')
        .sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
      ...[...environment.findings, ...wrong.filter(({ source }) => source === 'environment')].sort((one, other) =>
        one.key < other.key ? -1 : 1,
      ),
    ],
    values,
    placeOf,
  }
}

const startsWith = (path: Path, { path: start }: EnvironmentValue) => start.every((key, depth) => path[depth] === key)
