/** What a verifier found, as lines to read: members one below the other, those of objects under their path. */

export interface FactLine {
  readonly name: string
  readonly value: string
  /** Unix milliseconds, where the value is a moment. */
  readonly at?: number
}

export function factLines(data: Readonly<Record<string, unknown>>): FactLine[] {
  const lines: FactLine[] = []
  const add = (path: readonly string[], value: string): void => {
    const name = path.join(' · ')
    const isMoment = /(timestamp|time|at)$/i.test(name) && /^1[0-9]{12}$/.test(value)
    lines.push({ name, value, ...(isMoment ? { at: Number(value) } : {}) })
  }
  const walk = (path: readonly string[], value: unknown): void => {
    if (value === null || value === undefined || value === '') return
    const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
    if (isList) add(path, value.join(', '))
    else if (typeof value !== 'object') add(path, String(value))
    else for (const [name, member] of Object.entries(value)) walk([...path, wordOf(name)], member)
  }
  walk([], data)
  return lines
}

/** `contractAddress` → `Contract address`. */
const wordOf = (name: string): string => {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Digits that nobody reads as words: shown in a type of even width. */
export const isDigits = (value: string): boolean => /^0x[0-9a-f]{16,}/i.test(value)
