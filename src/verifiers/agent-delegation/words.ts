/** The words of agent-delegation. */
import { joinValue, nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Permission for an agent',
  lead: 'Let an agent act for your wallet, as far as you say.',
  summary: ['May act: {agentId}', 'May act: {~agentWallet}'],
  fields: [
    { label: 'Wallet of the agent', path: 'agentWallet', op: 'eq', kind: 'address', hint: 'Empty: any agent.' },
    { label: 'What it may do', path: 'scope', op: 'eq' },
  ],
  requirement: (criteria) =>
    `lets ${nameValue('an agent', criteria.take('agentWallet', 'agentId'), 'the agent')} act for it${joinValue(' in ', criteria.take('scope'))}`,
}
