/** A fault or doubt about a definition, for its owner. No finding ever quotes a value, which may be a reward. */

/** Members and places from the top: `['requirements', 0, 'match']`. */
export type Path = readonly (string | number)[]

export interface Finding {
  readonly path: Path
  /** Completes the sentence that begins with the path: `requirements[0].verifierId` `is missing`. */
  readonly message: string
  /** A warning does not stop anything. */
  readonly level: 'error' | 'warning'
  /** The shape is right, and this deployment cannot do it. */
  readonly isAboutHere?: true
  /** For a name that does not exist: what was typed, and what could stand there. */
  readonly unknown?: { readonly typed: string; readonly known: readonly string[] }
}

/** The message about a member that its object lacks. */
export const isMissing = 'is missing'

export const makeError = (path: Path, message: string): Finding => ({ path, message, level: 'error' })
export const makeWarning = (path: Path, message: string): Finding => ({ path, message, level: 'warning' })

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
