/** The English words of wallet-link. */
import { nameValue } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Second wallet',
  lead: 'Show that two wallets belong together. Both sign.',
  says: 'These two wallets belong together, and both signed this.',
  statement: ['is linked with {~secondaryWalletAddress}'],
  summary: ['Linked with {~secondaryWalletAddress}'],
  fields: [{ label: 'The second wallet', path: 'secondaryWalletAddress', op: 'eq', kind: 'address' }],
  requirement: (criteria) =>
    `has linked ${nameValue('a second wallet', criteria.take('secondaryWalletAddress'), 'the wallet')}`,
  names: {
    primaryWalletAddress: 'First wallet',
    secondaryWalletAddress: 'Second wallet',
    primaryAccountId: 'First account',
    secondaryAccountId: 'Second account',
    relationshipType: 'How they belong together',
    signatureMethod: 'Kind of signature',
    linkedAt: 'Linked at',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Sign with the first wallet',
  relationship: 'How they belong together',
  relationships: {
    linked: 'Linked',
    personal: 'Both are mine',
    org: 'An organization',
    affiliate: 'Affiliate',
    agent: 'An agent of mine',
  },
  label: 'Name of the link',
}
