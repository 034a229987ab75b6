/**
 * Converts a file's names to wire names, along a schema: `gate_id` in TOML (as in proofgate.toml), `gateId` in JSON.
 * The owner's own data, such as an example's, stays unchanged.
 */
import type { TSchema } from '@sinclair/typebox'
import { type Finding, makeError, type Path } from './finding.ts'

export interface Spelling {
  /** From the name on the wire. */
  nameOf(name: string): string
}

export const camelCase: Spelling = { nameOf: (name) => name }
export const snakeCase: Spelling = {
  nameOf: (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}

/** A path as the file spells it. */
export const spellPath = (path: Path, { nameOf }: Spelling): Path =>
  path.map((key) => (typeof key === 'number' ? key : nameOf(key)))

/**
 * The value in wire names, without unknown members. Each of these is a finding at its path in the file, up to `most`.
 */
export function respellMembers(
  schema: TSchema | undefined,
  value: unknown,
  spelling: Spelling,
  most: number,
): { readonly value: unknown; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []

  function respell(schema: TSchema | undefined, value: unknown, path: Path): unknown {
    // A value outside the schema has no names to convert.
    if (schema === undefined) return value
    if (Array.isArray(value)) return value.map((item, at) => respell(schema.items, item, [...path, at]))
    const members = schema.properties as Readonly<Record<string, TSchema>> | undefined
    if (!members || schema.additionalProperties === true || typeof value !== 'object' || value === null) return value
    const names = new Map(Object.keys(members).map((name) => [spelling.nameOf(name), name]))
    return Object.fromEntries(
      Object.entries(value).flatMap(([spelled, member]) => {
        const name = names.get(spelled)
        if (name !== undefined) return [[name, respell(members[name], member, [...path, spelled])]]
        if (findings.length >= most) return []
        findings.push({
          ...makeError([...path, spelled], 'UNKNOWN_MEMBER'),
          unknown: { typed: spelled, known: [...names.keys()] },
        })
        return []
      }),
    )
  }

  return { value: respell(schema, value, []), findings }
}
