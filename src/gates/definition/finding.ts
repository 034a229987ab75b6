/** A fault or doubt about a definition, for its owner. No finding ever quotes a value, which may be a reward. */
import { type FindingCode, type FindingValues, findingMessages } from './finding-codes.ts'

/** Members and places from the top: `['requirements', 0, 'match']`. */
export type Path = readonly (string | number)[]

export interface Finding {
  readonly path: Path
  /** For pages, which say it in the language of their reader. */
  readonly code: FindingCode
  readonly values: Readonly<Record<string, string | number>>
  /** Completes the sentence that begins with the path: `requirements[0].verifierId` `is missing`. */
  readonly message: string
  /** A warning does not stop anything. */
  readonly level: 'error' | 'warning'
  /** The shape is right, and this deployment cannot do it. */
  readonly isAboutHere?: true
  /** For a name that does not exist: what was typed, and what could stand there. */
  readonly unknown?: { readonly typed: string; readonly known: readonly string[] }
}

/** A code, and the values of its sentence if it has any. */
export type CodeAndValues<Code extends FindingCode = FindingCode> = {
  [One in Code]: object extends FindingValues[One]
    ? [code: One, values?: FindingValues[One]]
    : [code: One, values: FindingValues[One]]
}[Code]

function makeFinding(level: Finding['level'], path: Path, [code, given]: CodeAndValues): Finding {
  const values = (given ?? {}) as Finding['values']
  return { path, code, values, message: (findingMessages[code] as (values: object) => string)(values), level }
}

export const makeError = (path: Path, ...told: CodeAndValues): Finding => makeFinding('error', path, told)
export const makeWarning = (path: Path, ...told: CodeAndValues): Finding => makeFinding('warning', path, told)

/** `requirements[0].match[1].path`; places count from 0. The whole is `definition`. */
export const writePath = (path: Path): string =>
  path.length === 0
    ? 'definition'
    : path
        .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${shortenName(key)}`))
        .join('')

/** No member has a longer name; one of a megabyte must not come back fifty times. */
const longestName = 80
const shortenName = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}…` : name)

export const writeSentence = ({ path, message }: Finding): string => `${writePath(path)} ${message}`
