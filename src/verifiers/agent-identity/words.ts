/** The words of agent-identity. */
import { nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Agent',
  lead: 'An agent, bot or service says who it is. Its own wallet signs.',
  summary: ['{displayName}', '{agentId}'],
  fields: [
    { label: 'Id of the agent', path: 'agentId', op: 'eq', hint: 'Empty: any agent.' },
    { label: 'Wallet of the agent', path: 'agentWallet', op: 'eq', kind: 'address' },
  ],
  requirement: (criteria) => `has shown ${nameValue('an agent', criteria.take('agentId'), 'the agent')}`,
}
