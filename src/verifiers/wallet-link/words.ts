/** The words of wallet-link. */
import { nameValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Second wallet',
  lead: 'Show that two wallets belong together. Both sign.',
  summary: ['{~secondaryWalletAddress} belongs to it'],
  fields: [{ label: 'The second wallet', path: 'secondaryWalletAddress', op: 'eq', kind: 'address' }],
  requirement: (criteria) =>
    `has linked ${nameValue('a second wallet', criteria.take('secondaryWalletAddress'), 'the wallet')}`,
}
