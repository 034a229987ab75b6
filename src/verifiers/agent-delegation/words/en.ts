/** The English words of agent-delegation. */
import { joinValue, nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Permission for an agent',
  lead: 'Let an agent act for your wallet, within your limits.',
  says: 'This wallet lets the agent act for it, within these limits and until this day.',
  statement: ['lets the agent {agentId} act for it', 'lets {~agentWallet} act for it'],
  summary: ['May act: {agentId}', 'May act: {~agentWallet}'],
  fields: [
    {
      label: 'Wallet of the agent',
      path: 'agentWallet',
      op: 'eq',
      kind: 'address',
      hint: 'Leave empty for any agent.',
    },
    { label: 'What it may do', path: 'scope', op: 'eq' },
  ],
  requirement: (criteria) =>
    `lets ${nameValue('an agent', criteria.take('agentWallet', 'agentId'), 'the agent')} act for it${joinValue(' in ', criteria.take('scope'))}`,
  names: {
    controllerWallet: 'Wallet that signed',
    controllerAccountId: 'Account that signed',
    controllerChainRef: 'Chain of the signer',
    agentWallet: 'Wallet of the agent',
    agentAccountId: 'Account of the agent',
    agentChainRef: 'Chain of the agent',
    agentId: 'Id of the agent',
    scope: 'Purpose',
    permissions: 'Permissions',
    maxSpend: 'Spending limit per payment',
    allowedPaymentTypes: 'Allowed ways to pay',
    allowedActions: 'What it may do',
    deniedActions: 'What it may not do',
    receiptDisclosure: 'Shown on receipts',
    runtimePolicy: 'Rules for running it',
    approvalPolicy: 'Rules for approval',
    skills: 'Skills',
    instructions: 'Instructions',
    model: 'Model',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Sign the permission',
  agentWallet: 'Wallet of the agent',
  agentWalletMustBe: 'must be a wallet address',
  scope: 'Purpose',
  permissions: 'Permissions',
  allowedActions: 'What it may do',
  deniedActions: 'What it may not do',
  onePerLine: 'One per line.',
  maxSpend: 'Spending limit per payment',
  maxSpendMustBe: 'must be a whole number',
  maxSpendHint: 'In base units of the token.',
  until: 'Valid until',
  untilHint: 'Leave empty to let it count until you revoke it.',
  instructions: 'Instructions',
  instructionsHint: 'At most 16,000 characters.',
  policies: 'The link adds these rules. You sign them as well:',
  warning: 'The agent can then act for you within these limits. Sign only if you know who has the wallet of the agent.',
}
