/**
 * The configuration, from file and environment to one checked and frozen value. The environment wins over the
 * file and the file over the defaults. Everything that is wrong is found in one go.
 */

import { resolve } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { settings as allSettings } from '../settings.ts'
import { hasScheme } from './address.ts'
import { configFileName, readConfigFile } from './config-file.ts'
import type { ConfigInput } from './config-input.ts'
import { listContradictions } from './contradictions.ts'
import { type EnvironmentValue, readDataFolder, readEnvironment } from './environment.ts'
import { ConfigError, type Finding, findWrongKey, findWrongValue, makeFinding, type Place } from './finding.ts'
import { takeKnown } from './known.ts'
import { listSettings, type Path, readValue, type Setting, setValue, type Values } from './outline.ts'
import { findFileProblem, mendOfFile } from './read-file.ts'
import type { Config } from './schema.ts'
import type { Contradiction } from './setting.ts'
import { fillDefaults, settle } from './settle.ts'
import { writeTomlPath } from './toml-text.ts'
import { findViolations } from './violations.ts'

export { ConfigError, type Finding } from './finding.ts'
export type { Config } from './schema.ts'

export interface ConfigReading {
  /** Name of the file that was read, if one was. */
  readonly file: string | undefined
  readonly findings: readonly Finding[]
  /** The effective values, under the names of the file; wrong values unchanged. */
  readonly values: Values
  /** The place that set the value at a path; undefined for a default. */
  readPlace(path: Path): Place | undefined
}

/** Throws `ConfigError` with every finding. Files and folders come out as absolute paths. */
export async function loadConfig(input: ConfigInput, settings = allSettings): Promise<Config> {
  const { findings, values } = await readConfig(input, settings)
  if (findings.length > 0) throw new ConfigError(findings)
  return settle(settings, resolveFilePaths(input.cwd, values, listPlaces(settings))) as Config
}

/** File names are relative to where the program was started, and must stay so when it goes elsewhere. */
function resolveFilePaths(cwd: string, values: Values, places: readonly Setting[]): Values {
  const absolute = structuredClone(values)
  for (const { path, schema } of places) {
    const file = readValue(absolute, path)
    if (typeof file !== 'string' || (schema.names === 'place' && hasScheme(file))) continue
    setValue(absolute, path, resolve(cwd, file))
  }
  return absolute
}

/** Settings that name a file, a folder or a place. */
const listPlaces = (settings: TSchema): readonly Setting[] =>
  listSettings(settings).filter(({ schema }) => schema.names !== undefined)

/** A file that is named and cannot be read would be found by the first request that needs it. */
async function findMissingFiles(cwd: string, values: Values, places: readonly Setting[]): Promise<Contradiction[]> {
  const checked = places.map(async ({ path, schema }): Promise<Contradiction[]> => {
    const file = readValue(values, path)
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
export async function readConfig(input: ConfigInput, settings = allSettings): Promise<ConfigReading> {
  const file = await readConfigFile(input, (await readDataFolder(input)) ?? settings.properties.data.default)
  const findFilePlace = (path: Path): Place => ({ source: file?.name ?? configFileName, line: file?.findLine(path) })

  const known = takeKnown(settings, file?.values ?? {}, findFilePlace)
  const environment = await readEnvironment(settings, input, known.values)
  for (const { path, value } of environment.values) setValue(known.values, path, value)
  const values = fillDefaults(settings, known.values)

  const findEnvironmentValue = (path: Path) => environment.values.find((one) => isBelow(path, one))
  const findPlace = (path: Path): Place | undefined => {
    const variable = findEnvironmentValue(path)?.variable
    if (variable) return { source: 'environment', variable }
    return readValue(known.values, path) === undefined ? undefined : findFilePlace(path)
  }
  const violations = findViolations(settings, values)
    // A wrong value that was copied from another setting is mended there.
    .filter(({ path, schema }) => !schema.sameAs || findPlace(path))
    .map(({ path, schema, value, isKey }) => {
      const place = findPlace(path) ?? findFilePlace(path)
      return isKey ? findWrongKey(settings, place, path, schema) : findWrongValue(settings, place, path, schema, value)
    })
  const own = [...(file?.findings ?? []), ...known.findings, ...environment.findings, ...violations]
  const together =
    own.length > 0
      ? []
      : [
          ...listContradictions(settings, values),
          ...(await findMissingFiles(input.cwd, values, listPlaces(settings))),
        ].map(({ path, problem }) => {
          const place = findPlace(path) ?? findFilePlace(path)
          return makeFinding(place, {
            key: place.variable ?? writeTomlPath(path),
            expected: '',
            example: '',
            problem,
          })
        })
  const wrong = [...violations, ...together]
  const inFile = [...(file?.findings ?? []), ...known.findings, ...wrong]
  return {
    file: file?.name,
    // In the order of repair: down the file, then the environment.
    findings: [
      ...inFile
        .filter(({ source }) => source !== 'environment')
        .sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
      ...[...environment.findings, ...wrong.filter(({ source }) => source === 'environment')].sort((one, other) =>
        one.key < other.key ? -1 : 1,
      ),
    ],
    values,
    readPlace: findPlace,
  }
}

const isBelow = (path: Path, { path: start }: EnvironmentValue) => start.every((key, depth) => path[depth] === key)
