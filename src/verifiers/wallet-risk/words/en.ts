/** The English words of wallet-risk. */
import { describeJudges } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Wallet check',
  lead: 'Check your wallet against lists of sanctioned and risky wallets.',
  says: 'This wallet passed this check when the proof was made.',
  lacks: {
    what: 'It needs every list of wallets that the operator chose, and one of them is not set up.',
    remedy: 'Set up each provider that risk.providers names. Or take it out there.',
  },
  statement: ['passed a wallet check'],
  summary: ['Risk: {overallRisk}'],
  fields: [
    {
      label: 'Sanctions',
      path: 'sanctioned',
      op: 'eq',
      kind: [['false', 'Checked, none found']],
    },
    {
      label: 'What was checked',
      path: 'checked',
      op: 'eq',
      kind: [
        ['sanctions', 'Sanctions'],
        ['activity', 'Activity of the wallet'],
        ['poisoning', 'Address poisoning'],
      ],
    },
    {
      label: 'Checked by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as chainalysis. Leave empty for every provider of this server.',
    },
    {
      label: 'Highest risk score (0 to 100)',
      path: 'overallRisk',
      op: 'lte',
      kind: 'number',
      hint: 'Leave empty for the limit of this server. Counts only if the activity of the wallet was checked.',
    },
  ],
  requirement: (criteria) => `has a wallet that passed the risk check${describeJudges(criteria)}`,
  names: {
    overallRisk: 'Risk, 0 to 100',
    riskLevel: 'Level of risk',
    sanctioned: 'On a sanctions list',
    poisoned: 'Address poisoning',
    policyVerified: 'Within the limit of this server',
    issues: 'Findings',
    severity: 'Severity',
    tag: 'Finding',
    chosenByCaller: 'Provider chosen by the maker',
    blocks: 'Blocks',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Check this wallet',
  chain: 'Chain',
}
