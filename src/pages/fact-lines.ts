/** Formats the facts of a verifier as lines: one line for each member, with nested members by their path. */
import { type ChainNames, describeChain, describeChainId } from './chain-words.ts'

export interface FactLine {
  readonly name: string
  readonly value: string
  /** Unix milliseconds, if the value is a time. */
  readonly at?: number
}

/** Evidence may be as large as a request body; a page shows no more than a person reads. */
const mostLines = 500

interface Naming {
  readonly truth: { readonly yes: string; readonly no: string }
  readonly chains: ChainNames
  /** By the member of the evidence, the first list first. Other members are named by themselves. */
  readonly names: readonly (Readonly<Record<string, string>> | undefined)[]
  /** In characters. */
  readonly longestValue?: number
}

/** At most 500 lines. Values longer than `longestValue` characters are cut. */
export function listFactLines(
  data: Readonly<Record<string, unknown>>,
  { names, truth, chains, longestValue = Number.MAX_SAFE_INTEGER }: Naming,
): FactLine[] {
  const lines: FactLine[] = []
  const writeName = (member: string): string =>
    names.find((list) => list && Object.hasOwn(list, member))?.[member] ?? separateWords(member)
  const add = (path: readonly string[], text: string): void => {
    const value = text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
    const isMoment = /(timestamp|time|at)$/i.test(path.at(-1) ?? '') && /^1[0-9]{12}$/.test(value)
    lines.push({ name: path.map(writeName).join(' · '), value, ...(isMoment ? { at: Number(value) } : {}) })
  }
  const walk = (path: readonly string[], value: unknown): void => {
    if (value === null || value === undefined || value === '' || lines.length >= mostLines) return
    const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
    if (isList) add(path, value.join(', '))
    else if (typeof value === 'boolean') add(path, value ? truth.yes : truth.no)
    else if (typeof value !== 'object') add(path, nameChain(path.at(-1) ?? '', String(value), chains))
    else
      for (const name of Object.keys(value)) {
        if (lines.length >= mostLines) return
        walk([...path, name], (value as Readonly<Record<string, unknown>>)[name])
      }
  }
  walk([], data)
  return lines
}

const nameChain = (member: string, value: string, chains: ChainNames): string =>
  /chainId$/i.test(member) ? describeChainId(value, chains) : describeChain(value, chains)

/** `contractAddress` → `Contract address`. */
const separateWords = (name: string): string => {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Whether no line was left out. */
export const hasEveryLine = (lines: readonly FactLine[]): boolean => lines.length < mostLines

/** Digits in a monospaced font, because nobody reads them as words. */
export const isDigits = (value: string): boolean => /^0x[0-9a-f]{16,}/i.test(value)
