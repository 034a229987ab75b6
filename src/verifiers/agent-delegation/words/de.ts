/** Die deutschen Wörter von agent-delegation. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Erlaubnis für einen Agenten',
  lead: 'Erlauben Sie einem Agenten, in Ihren Grenzen für Ihre Wallet zu handeln.',
  says: 'Diese Wallet lässt den Agenten für sich handeln, in diesen Grenzen und bis zu diesem Tag.',
  statement: ['lässt den Agenten {agentId} für sich handeln', 'lässt {~agentWallet} für sich handeln'],
  summary: ['Darf handeln: {agentId}', 'Darf handeln: {~agentWallet}'],
  fields: [
    { label: 'Wallet des Agenten', path: 'agentWallet', op: 'eq', kind: 'address', hint: 'Leer: jeder Agent.' },
    { label: 'Was er darf', path: 'scope', op: 'eq' },
  ],
  names: {
    controllerWallet: 'Wallet, die signiert hat',
    controllerAccountId: 'Konto, das signiert hat',
    controllerChainRef: 'Chain der Signatur',
    agentWallet: 'Wallet des Agenten',
    agentAccountId: 'Konto des Agenten',
    agentChainRef: 'Chain des Agenten',
    agentId: 'Kennung des Agenten',
    scope: 'Zweck',
    permissions: 'Berechtigungen',
    maxSpend: 'Höchstbetrag je Zahlung',
    allowedPaymentTypes: 'Erlaubte Zahlungsarten',
    allowedActions: 'Was er darf',
    deniedActions: 'Was er nicht darf',
    receiptDisclosure: 'Auf Quittungen gezeigt',
    runtimePolicy: 'Regeln für den Betrieb',
    approvalPolicy: 'Regeln für Freigaben',
    skills: 'Fähigkeiten',
    instructions: 'Anweisungen',
    model: 'Modell',
  },
}

export const form: typeof English.form = {
  submit: 'Erlaubnis signieren',
  agentWallet: 'Wallet des Agenten',
  agentWalletMustBe: 'muss eine Wallet-Adresse sein',
  scope: 'Zweck',
  permissions: 'Berechtigungen',
  allowedActions: 'Was er darf',
  deniedActions: 'Was er nicht darf',
  onePerLine: 'Je Zeile ein Eintrag.',
  maxSpend: 'Höchstbetrag je Zahlung',
  maxSpendMustBe: 'muss eine ganze Zahl sein',
  maxSpendHint: 'In der kleinsten Einheit des Tokens.',
  until: 'Gültig bis',
  untilHint: 'Leer: bis Sie sie widerrufen.',
  instructions: 'Anweisungen',
  instructionsHint: 'Höchstens 16.000 Zeichen.',
  policies: 'Der Link fügt diese Regeln hinzu. Sie signieren sie mit:',
  warning:
    'Der Agent kann dann in diesen Grenzen für Sie handeln. Signieren Sie nur, wenn Sie wissen, wem die Wallet des Agenten gehört.',
}
