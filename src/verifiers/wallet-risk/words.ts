/** The words of wallet-risk. */
import { describeJudges } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Wallet check',
  lead: 'Have your wallet looked up in lists of sanctioned and risky ones.',
  summary: ['Risk: {overallRisk}'],
  fields: [
    {
      label: 'Sanctions',
      path: 'sanctioned',
      op: 'eq',
      kind: [['false', 'Looked for, and none found']],
    },
    {
      label: 'What was looked at',
      path: 'checked',
      op: 'eq',
      kind: [
        ['sanctions', 'Sanctions'],
        ['activity', 'What the wallet did'],
        ['poisoning', 'Dust of imitators'],
      ],
    },
    {
      label: 'Asked and answered by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as chainalysis. Empty: whoever the operator of this server asks.',
    },
    {
      label: 'Risk of 100, at most',
      path: 'overallRisk',
      op: 'lte',
      kind: 'number',
      hint: 'Empty: as this server allows. Counts only where somebody looked at what the wallet did.',
    },
  ],
  requirement: (criteria) => `has a wallet that passed the risk check${describeJudges(criteria)}`,
}
