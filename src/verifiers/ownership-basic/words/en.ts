/** The English words of ownership-basic. */
import { isolateText } from '../../phrases.ts'
import type { VerifierWords } from '../../words.ts'

export const words: VerifierWords = {
  title: 'Claim content',
  lead: 'Sign a text or a file as yours. The proof shows who claimed it and when. Someone else may have claimed it before.',
  says: 'This wallet claimed this content as its own at this time.',
  doesNotSay: 'This shows that the wallet claimed it at this time. Others may have claimed it before.',
  statement: [
    'claims “{reference.title}”',
    'claims “{reference.name}”',
    'claims {reference.id}',
    'claims “{content}”',
    'claims content with the fingerprint {~contentHash}',
  ],
  summary: ['{reference.title}', '{reference.name}', '{reference.id}', 'Content {~contentHash}'],
  fields: [
    { label: 'Wallet', path: 'owner', op: 'eq', kind: 'address', hint: 'Leave empty for every wallet.' },
    { label: 'Fingerprint (hash) of the content', path: 'contentHash', op: 'eq', hint: 'Leave empty for any content.' },
  ],
  requirement(criteria) {
    const owner = criteria.take('owner', 'ownerAddress', 'walletAddress')
    const hash = criteria.take('contentHash')
    const what =
      hash === undefined ? 'has claimed content' : `has claimed the content with the hash ${isolateText(hash)}`
    return owner === undefined ? what : `is the wallet ${isolateText(owner)} and ${what}`
  },
  names: {
    owner: 'Claimed by',
    provenance: 'Origin',
  },
}

/** The words of the form. */
export const form = {
  submit: 'Sign the claim',
  text: 'Text',
  textHint: 'A text of your own. Or leave it empty and choose a file or give a web address.',
  file: 'File',
  fileHint: 'You claim its fingerprint (hash). The file stays on this device.',
  address: 'Web address',
  addressHint: 'The address of something that is public already, such as https://…',
  store: 'Keep the text with the proof',
  storeHint: 'Everyone who may see the proof can then read the text. Otherwise only its fingerprint (hash) is kept.',
  nothing: 'Enter a text, choose a file or give a web address.',
  both: 'Enter a text or choose a file, not both.',
  tooLarge: 'The file is larger than 200 MB.',
  wholeAddress: 'Enter the whole web address: https://, the host, and the rest.',
}
