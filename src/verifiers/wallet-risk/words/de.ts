/** Die deutschen Wörter von wallet-risk. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Wallet-Prüfung',
  lead: 'Lassen Sie Ihre Wallet in Listen sanktionierter und riskanter Wallets nachschlagen.',
  says: 'Diese Wallet hat diese Prüfung bestanden, als der Nachweis entstand.',
  lacks: {
    what: 'Dazu braucht er jede Liste von Wallets, die der Betreiber gewählt hat, und eine ist nicht eingerichtet.',
    remedy: 'Richten Sie jeden Anbieter ein, den risk.providers nennt. Oder nehmen Sie ihn dort heraus.',
  },
  statement: ['hat eine Wallet-Prüfung bestanden'],
  summary: ['Risiko: {overallRisk}'],
  fields: [
    {
      label: 'Sanktionen',
      path: 'sanctioned',
      op: 'eq',
      kind: [['false', 'Gesucht und keine gefunden']],
    },
    {
      label: 'Was geprüft wurde',
      path: 'checked',
      op: 'eq',
      kind: [
        ['sanctions', 'Sanktionen'],
        ['activity', 'Aktivität der Wallet'],
        ['poisoning', 'Nachgeahmte Adressen (Address Poisoning)'],
      ],
    },
    {
      label: 'Geprüft von',
      path: 'provider',
      op: 'eq',
      hint: 'Zum Beispiel chainalysis. Leer: jeder Anbieter dieses Servers.',
    },
    {
      label: 'Höchstes Risiko von 100',
      path: 'overallRisk',
      op: 'lte',
      kind: 'number',
      hint: 'Leer: was dieser Server erlaubt. Zählt nur, wo die Aktivität der Wallet geprüft wurde.',
    },
  ],
  names: {
    overallRisk: 'Risiko, 0 bis 100',
    riskLevel: 'Risikostufe',
    sanctioned: 'Auf einer Sanktionsliste',
    poisoned: 'Nachgeahmte Adressen',
    policyVerified: 'Innerhalb der Grenze dieses Servers',
    issues: 'Funde',
    severity: 'Schwere',
    tag: 'Fund',
    chosenByCaller: 'Anbieter vom Ersteller gewählt',
    blocks: 'Blöcke',
  },
}

export const form: typeof English.form = {
  submit: 'Diese Wallet prüfen',
  chain: 'Chain',
}
