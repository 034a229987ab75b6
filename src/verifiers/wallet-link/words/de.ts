/** Die deutschen Wörter von wallet-link. */
import type { PageWords } from '../../words.ts'
import type * as English from './en.ts'

export const words: PageWords = {
  title: 'Zweite Wallet',
  lead: 'Zeigen Sie, dass zwei Wallets zusammengehören. Beide signieren.',
  says: 'Diese zwei Wallets gehören zusammen, und beide haben das signiert.',
  statement: ['ist mit {~secondaryWalletAddress} verknüpft'],
  summary: ['{~secondaryWalletAddress} gehört dazu'],
  fields: [{ label: 'Die zweite Wallet', path: 'secondaryWalletAddress', op: 'eq', kind: 'address' }],
  names: {
    primaryWalletAddress: 'Erste Wallet',
    secondaryWalletAddress: 'Zweite Wallet',
    primaryAccountId: 'Erstes Konto',
    secondaryAccountId: 'Zweites Konto',
    relationshipType: 'Wie sie zusammengehören',
    signatureMethod: 'Art der Signatur',
    linkedAt: 'Verknüpft am',
  },
}

export const form: typeof English.form = {
  submit: 'Mit der ersten Wallet signieren',
  relationship: 'Wie sie zusammengehören',
  relationships: {
    linked: 'Verknüpft',
    personal: 'Beide gehören mir',
    org: 'Eine Organisation',
    affiliate: 'Partner',
    agent: 'Ein Agent von mir',
  },
  label: 'Name der Verknüpfung',
}
