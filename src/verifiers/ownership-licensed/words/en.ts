/** The English words of ownership-licensed. */
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Licensed content',
  lead: 'Claim content under a license that is an NFT.',
  statement: ['claims licensed content'],
  requirement: () => 'has claimed licensed content',
}
