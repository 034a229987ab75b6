/** Die deutschen Wörter von agent-identity. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Agent',
  lead: 'Ein Agent, Bot oder Dienst sagt, wer er ist. Seine eigene Wallet signiert.',
  says: 'Diese Wallet sagt, dass sie der Agent mit diesem Namen ist.',
  doesNotSay: 'Die Wallet sagt das von sich selbst. Andere können denselben Namen verwenden.',
  statement: ['ist der Agent {displayName}', 'ist der Agent {agentId}'],
  summary: ['{displayName}', '{agentId}'],
  fields: [
    { label: 'Kennung des Agenten', path: 'agentId', op: 'eq', hint: 'Leer: jeder Agent.' },
    { label: 'Wallet des Agenten', path: 'agentWallet', op: 'eq', kind: 'address' },
  ],
  names: {
    agentId: 'Kennung des Agenten',
    agentWallet: 'Wallet des Agenten',
    agentAccountId: 'Konto des Agenten',
    agentChainRef: 'Chain des Agenten',
    agentLabel: 'Name',
    agentType: 'Art des Agenten',
    avatar: 'Bild',
    capabilities: 'Was er kann',
    services: 'Dienste',
    endpoint: 'Adresse',
    version: 'Version',
    defaultRuntime: 'Wie er läuft',
    model: 'Modell',
    mode: 'Modus',
    skills: 'Fähigkeiten',
    instructions: 'Anweisungen',
  },
}

export const form: typeof English.form = {
  submit: 'Als Agent signieren',
  agentId: 'Kennung des Agenten',
  agentIdHint: 'Ein Name Ihrer Wahl.',
  name: 'Name',
  kind: 'Art',
  kinds: { ai: 'KI', agent: 'Agent', bot: 'Bot', service: 'Dienst', automation: 'Automatisierung' },
  description: 'Was er tut',
  instructions: 'Anweisungen',
  instructionsHint: 'Höchstens 16.000 Zeichen. Alle, die den Nachweis sehen dürfen, können sie lesen.',
}
