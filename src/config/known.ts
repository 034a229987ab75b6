/**
 * Takes from the file what the schema knows, and names the rest: a misspelt setting that is silently ignored
 * is a default that somebody believes they have changed.
 */
import type { TSchema } from '@sinclair/typebox'
import { exampleFor, type Finding, finding, type Place, wrongValue } from './finding.ts'
import {
  entrySchema,
  isList,
  isOptional,
  isPlain,
  isTable,
  listSettings,
  memberSchema,
  type Path,
  settingsAlong,
  type Values,
  variantOf,
} from './outline.ts'
import { nearest } from './suggest.ts'
import { tomlPath } from './toml-text.ts'

export function takeKnown(root: TSchema, values: Values, placeOf: (path: Path) => Place) {
  const findings: Finding[] = []

  function take(schema: TSchema, value: unknown, path: Path): unknown {
    const table = variantOf(schema, value) ?? schema
    if (isUnset(table, value)) return undefined
    if (isList(table))
      return Array.isArray(value) ? value.map((item, index) => take(table.items, item, [...path, index])) : value
    if (!isTable(table) && !entrySchema(table)) return value
    if (!isPlain(value)) {
      // Left in its place for the check to find, so that the items after it keep their numbers.
      if (typeof path.at(-1) === 'number') return value
      findings.push(wrongValue(root, placeOf(path), path, table, value))
      return undefined
    }
    const taken: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      const memberPath = [...path, key]
      const known = memberSchema(table, key)
      if (known) taken.push([key, take(known, member, memberPath)])
      else findings.push(unknownKey(root, placeOf(memberPath), memberPath, isPlain(member)))
    }
    return Object.fromEntries(taken.filter(([, member]) => member !== undefined))
  }

  return { values: take(root, values, []) as Values, findings }
}

/** `base_url = ""` is how the file says "not set" where there is no default that could stand there instead. */
const isUnset = (schema: TSchema, value: unknown) =>
  value === '' && schema.default === undefined && (isOptional(schema) || schema.sameAs !== undefined)

function unknownKey(root: TSchema, place: Place, path: Path, isTableHeader: boolean): Finding {
  const kind = isTableHeader ? 'table' : 'setting'
  const meant = isTableHeader ? meantTable(root, path) : meantSetting(root, path)
  return finding(place, {
    key: tomlPath(path),
    expected: `a ${kind} of Proofgate`,
    problem: `there is no such ${kind}${meant ? `; ${hint(path, meant)}` : ''}`,
    example: meant ? exampleFor(settingsAlong(root, meant)) : '',
  })
}

/** A key after a [table] header belongs to that table, which surprises everybody once. */
function hint(path: Path, meant: Path): string {
  const table = tomlPath(meant.slice(0, -1))
  if (path.at(-1) !== meant.at(-1) || tomlPath(path.slice(0, -1)) === table) return `did you mean ${tomlPath(meant)}?`
  return table ? `it belongs below [${table}]` : 'it belongs at the top, before the first [table]'
}

function meantSetting(root: TSchema, path: Path): Path | undefined {
  const settings = listSettings(root).map((setting) => setting.path)
  const table = tomlPath(path.slice(0, -1))
  return (
    nearestLast(
      path,
      settings.filter((other) => tomlPath(other.slice(0, -1)) === table),
    ) ??
    // Words such as `enabled` stand in several tables: none of them is the likely one.
    nearestLast(
      path,
      settings.filter((one) => settings.filter((other) => other.at(-1) === one.at(-1)).length === 1),
    )
  )
}

function meantTable(root: TSchema, path: Path): Path | undefined {
  const tables = listSettings(root).flatMap(({ path, schema }) => [
    path.slice(0, -1),
    ...(entrySchema(schema) ? [path] : []),
  ])
  const byName = new Map(tables.map((table) => [tomlPath(table), table]))
  const named = [...byName.values()].filter((table) => table.length > 0)
  // The right name in the wrong place comes before another name that is spelled alike.
  const elsewhere = named.filter((table) => table.at(-1) === path.at(-1))
  if (elsewhere.length === 1) return elsewhere[0]
  const name = nearest(tomlPath(path), named.map(tomlPath))
  return named.find((table) => tomlPath(table) === name) ?? nearestLast(path, named)
}

function nearestLast(path: Path, candidates: readonly Path[]): Path | undefined {
  const name = nearest(
    String(path.at(-1)),
    candidates.map((candidate) => String(candidate.at(-1))),
  )
  return candidates.find((candidate) => candidate.at(-1) === name)
}
