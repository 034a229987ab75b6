/** Criteria of a requirement that have a field of their own in its form. All others are rows of the "further" list. */
import type { CriterionField } from '../../../../verifiers/words.ts'
import { describeChainId } from '../../../chain-words.ts'
import { model } from '../model.ts'
import { findWords } from '../verifier-words.ts'
import type { MatchRow } from './definition.ts'

export const listFields = (verifierId: string): readonly CriterionField[] => findWords(verifierId).fields ?? []

const isFieldRow =
  ({ path, op }: CriterionField) =>
  (row: MatchRow): boolean =>
    row.path === path && row.op === op

export const findRow = (rows: readonly MatchRow[], field: CriterionField): number => rows.findIndex(isFieldRow(field))

/** The rows that have no field. */
export const listFurtherRows = (verifierId: string, rows: readonly MatchRow[]): readonly number[] => {
  const taken = new Set(listFields(verifierId).map((field) => findRow(rows, field)))
  return [...rows.keys()].filter((at) => !taken.has(at))
}

/** A field that is empty asks for nothing. */
export function setField(rows: readonly MatchRow[], field: CriterionField, value: string): readonly MatchRow[] {
  const at = findRow(rows, field)
  const row = { path: field.path, op: field.op, value }
  if (value === '') return rows.filter((_, index) => index !== at)
  return at < 0 ? [...rows, row] : rows.map((one, index) => (index === at ? row : one))
}

export const nameChain = (chainId: number): string => {
  const named = describeChainId(chainId, model.chainNames)
  return named === String(chainId) ? `Chain ${chainId}` : named
}
