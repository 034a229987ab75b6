/** The English words of ownership-licensed. */
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Licensed content',
  lead: 'Claim content under a license that is an NFT.',
  says: 'This wallet claimed this content and held the NFT of its license.',
  doesNotSay:
    'This shows that the wallet claimed it and held the NFT of the license at this time. Others may have claimed it before.',
  lacks: {
    what: 'It needs a connection to an Ethereum-compatible blockchain.',
    remedy: 'Add a section [chains.<name>] with chain = "eip155:…" and rpc.',
  },
  statement: ['claims licensed content'],
  names: { owner: 'Claimed by' },
  requirement: () => 'has claimed licensed content',
}
