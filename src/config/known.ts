/**
 * Takes the known settings from the file, and reports the rest. Otherwise a misspelled setting would silently keep its
 * default.
 */
import type { TSchema } from '@sinclair/typebox'
import { type Finding, findWrongValue, makeFinding, type Place, writeExample } from './finding.ts'
import {
  findVariant,
  isList,
  isOptional,
  isPlain,
  isTable,
  listSettings,
  listSettingsAlong,
  nameVariable,
  type Path,
  readEntrySchema,
  readMemberSchema,
  type Values,
} from './outline.ts'
import { suggestNearest } from './suggest.ts'
import { writeTomlPath } from './toml-text.ts'

export function takeKnown(root: TSchema, values: Values, readPlace: (path: Path) => Place) {
  const findings: Finding[] = []

  function take(schema: TSchema, value: unknown, path: Path): unknown {
    const table = findVariant(schema, value) ?? schema
    if (isUnset(table, value)) return undefined
    if (isList(table))
      return Array.isArray(value) ? value.map((item, index) => take(table.items, item, [...path, index])) : value
    if (!isTable(table) && !readEntrySchema(table)) return value
    if (!isPlain(value)) {
      // Left in its place for the check to find, so that the items after it keep their numbers.
      if (typeof path.at(-1) === 'number') return value
      findings.push(findWrongValue(root, readPlace(path), path, table, value))
      return undefined
    }
    const taken: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      const memberPath = [...path, key]
      const known = readMemberSchema(table, key)
      if (known) taken.push([key, take(known, member, memberPath)])
      else findings.push(refuseUnknownKey(root, readPlace(memberPath), memberPath, isPlain(member)))
    }
    return Object.fromEntries(taken.filter(([, member]) => member !== undefined))
  }

  return { values: take(root, values, []) as Values, findings }
}

/** `base_url = ""` is how the file says "not set" where there is no default that could stand there instead. */
const isUnset = (schema: TSchema, value: unknown) =>
  value === '' && schema.default === undefined && (isOptional(schema) || schema.sameAs !== undefined)

function refuseUnknownKey(root: TSchema, place: Place, path: Path, isTableHeader: boolean): Finding {
  const kind = isTableHeader ? 'table' : 'setting'
  const variable = listSettings(root).find((setting) => nameVariable(setting.path) === path[0])
  if (variable && path.length === 1)
    return makeFinding(place, {
      key: writeTomlPath(path),
      expected: 'a setting of Proofgate',
      problem: `this is an environment variable: in this file it is ${writeTomlPath(variable.path)}`,
      example: writeExample(listSettingsAlong(root, variable.path)),
    })
  const meant = isTableHeader ? findMeantTable(root, path) : findMeantSetting(root, path)
  return makeFinding(place, {
    key: writeTomlPath(path),
    expected: `a ${kind} of Proofgate`,
    problem: `there is no such ${kind}${meant ? `; ${writeHint(path, meant)}` : ''}`,
    example: meant ? writeExample(listSettingsAlong(root, meant)) : '',
  })
}

/** A key after a [table] header belongs to that table, which surprises everybody once. */
function writeHint(path: Path, meant: Path): string {
  const table = writeTomlPath(meant.slice(0, -1))
  if (path.at(-1) !== meant.at(-1) || writeTomlPath(path.slice(0, -1)) === table)
    return `did you mean ${writeTomlPath(meant)}?`
  return table ? `it belongs below [${table}]` : 'it belongs at the top, before the first [table]'
}

function findMeantSetting(root: TSchema, path: Path): Path | undefined {
  const settings = listSettings(root).map((setting) => setting.path)
  const table = writeTomlPath(path.slice(0, -1))
  return (
    findNearestLast(
      path,
      settings.filter((other) => writeTomlPath(other.slice(0, -1)) === table),
    ) ??
    // Words such as `enabled` stand in several tables: none of them is the likely one.
    findNearestLast(
      path,
      settings.filter((one) => settings.filter((other) => other.at(-1) === one.at(-1)).length === 1),
    )
  )
}

function findMeantTable(root: TSchema, path: Path): Path | undefined {
  const tables = listSettings(root).flatMap(({ path, schema }) => [
    path.slice(0, -1),
    ...(readEntrySchema(schema) ? [path] : []),
  ])
  const byName = new Map(tables.map((table) => [writeTomlPath(table), table]))
  const named = [...byName.values()].filter((table) => table.length > 0)
  // The right name in the wrong place comes before another name that is spelled alike.
  const elsewhere = named.filter((table) => table.at(-1) === path.at(-1))
  if (elsewhere.length === 1) return elsewhere[0]
  const name = suggestNearest(writeTomlPath(path), named.map(writeTomlPath))
  return named.find((table) => writeTomlPath(table) === name) ?? findNearestLast(path, named)
}

function findNearestLast(path: Path, candidates: readonly Path[]): Path | undefined {
  const name = suggestNearest(
    String(path.at(-1)),
    candidates.map((candidate) => String(candidate.at(-1))),
  )
  return candidates.find((candidate) => candidate.at(-1) === name)
}
