/** The words of nft-ownership. */
import { chainField, defineContractField } from '../assets/fields.ts'
import { describeChain, isolateText, joinValue } from '../phrases.ts'
import type { VerifierWords } from '../words.ts'

export const words: VerifierWords = {
  title: 'NFT',
  lead: 'Show that your wallet holds an NFT, at this moment.',
  summary: ['Number {~input.tokenId} of {~input.contractAddress}'],
  fields: [
    defineContractField('Contract of the collection', 'Empty: any NFT will do.'),
    chainField,
    { label: 'Token id', path: 'input.tokenId', op: 'eq', hint: 'Empty: any of the collection.' },
  ],
  requirement(criteria, tools) {
    const token = criteria.take('tokenId')
    const contract = criteria.take('contractAddress')
    const what = token === undefined ? 'an NFT' : `the NFT ${isolateText(token)}`
    return `holds ${what}${joinValue(' of ', contract)}${describeChain(criteria, tools)}`
  },
}
