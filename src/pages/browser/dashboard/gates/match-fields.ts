/** Criteria of a requirement that have a field of their own in its form. All others are rows of the "further" list. */
import type { CriterionField } from '../../../../verifiers/words.ts'
import { findWords } from '../verifier-words.ts'
import type { MatchRow } from './definition.ts'

export const fieldsOf = (verifierId: string): readonly CriterionField[] => findWords(verifierId).fields ?? []

const isRowOf =
  ({ path, op }: CriterionField) =>
  (row: MatchRow): boolean =>
    row.path === path && row.op === op

export const rowAt = (rows: readonly MatchRow[], field: CriterionField): number => rows.findIndex(isRowOf(field))

/** The rows that have no field. */
export const furtherRows = (verifierId: string, rows: readonly MatchRow[]): readonly number[] => {
  const taken = new Set(fieldsOf(verifierId).map((field) => rowAt(rows, field)))
  return [...rows.keys()].filter((at) => !taken.has(at))
}

/** A field that is empty asks for nothing. */
export function withField(rows: readonly MatchRow[], field: CriterionField, value: string): readonly MatchRow[] {
  const at = rowAt(rows, field)
  const row = { path: field.path, op: field.op, value }
  if (value === '') return rows.filter((_, index) => index !== at)
  return at < 0 ? [...rows, row] : rows.map((one, index) => (index === at ? row : one))
}

const chainNames: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'Optimism',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum',
  84532: 'Base Sepolia',
  11155111: 'Sepolia',
}

export const chainName = (chainId: number): string =>
  chainNames[chainId] === undefined ? `Chain ${chainId}` : `${chainNames[chainId]} (${chainId})`
