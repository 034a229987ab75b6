/** Fields by which gates ask for the contract of an asset and for its chain. */
import type { CriterionField } from '../words.ts'

export const defineContractField = (label: string, hint: string): CriterionField => ({
  label,
  path: 'input.contractAddress',
  op: 'eq',
  kind: 'address',
  hint,
})

export const chainField: CriterionField = { label: 'Chain', path: 'input.chainId', op: 'eq', kind: 'chain' }
