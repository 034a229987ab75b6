/** The English words of agent-identity. */
import { nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Agent',
  lead: 'An agent, bot or service says who it is. Its own wallet signs.',
  says: 'This wallet says that it is the agent with this name.',
  doesNotSay: 'The wallet says this of itself. Others may use the same name.',
  statement: ['is the agent {displayName}', 'is the agent {agentId}'],
  summary: ['{displayName}', '{agentId}'],
  fields: [
    { label: 'Id of the agent', path: 'agentId', op: 'eq', hint: 'Leave empty for any agent.' },
    { label: 'Wallet of the agent', path: 'agentWallet', op: 'eq', kind: 'address' },
  ],
  requirement: (criteria) => `has shown ${nameValue('an agent', criteria.take('agentId'), 'the agent')}`,
  names: {
    agentId: 'Id of the agent',
    agentWallet: 'Wallet of the agent',
    agentAccountId: 'Account of the agent',
    agentChainRef: 'Chain of the agent',
    agentLabel: 'Name',
    agentType: 'Kind of agent',
    avatar: 'Picture',
    capabilities: 'What it can do',
    services: 'Services',
    endpoint: 'Address',
    version: 'Version',
    defaultRuntime: 'How it runs',
    model: 'Model',
    mode: 'Mode',
    skills: 'Skills',
    instructions: 'Instructions',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Sign as the agent',
  agentId: 'Id of the agent',
  agentIdHint: 'A name of your choice.',
  name: 'Name',
  kind: 'Kind',
  kinds: { ai: 'AI', agent: 'Agent', bot: 'Bot', service: 'Service', automation: 'Automation' },
  description: 'What it does',
  instructions: 'Instructions',
  instructionsHint: 'At most 16,000 characters. Everyone who may see the proof can read them.',
}
