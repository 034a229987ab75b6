/** The words of ownership-basic. */
import { isolateText } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'Claim content',
  lead: 'Put your name to a text or a file. It shows who claimed it and when, not that nobody claimed it before.',
  summary: ['{reference.title}', '{reference.name}', '{reference.id}', 'Content {~contentHash}'],
  fields: [
    { label: 'Wallet', path: 'owner', op: 'eq', kind: 'address', hint: 'Empty: every wallet.' },
    { label: 'Hash of the content', path: 'contentHash', op: 'eq', hint: 'Empty: any content.' },
  ],
  requirement(criteria) {
    const owner = criteria.take('owner', 'ownerAddress', 'walletAddress')
    const hash = criteria.take('contentHash')
    const what =
      hash === undefined ? 'has claimed content' : `has claimed the content with the hash ${isolateText(hash)}`
    return owner === undefined ? what : `is the wallet ${isolateText(owner)} and ${what}`
  },
}
